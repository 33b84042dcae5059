"""Parts that no recipe describes: variable fillets, faces split by the exporter, modeled threads."""

from __future__ import annotations

import math
from collections.abc import Callable

from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
from OCP.BRepFilletAPI import BRepFilletAPI_MakeFillet
from OCP.ShapeUpgrade import ShapeUpgrade_ShapeDivideAngle, ShapeUpgrade_ShapeDivideArea
from OCP.TopoDS import TopoDS, TopoDS_Shape

from fettle.geometry.kernel import solids
from tests.recognize.words import Expected, boss, pocket, stage, step, through, walls

PITCH, TURNS = 1.5, 4


def _block() -> TopoDS_Shape:
    return solids.box(60, 50, 40)


def _moved(shape: TopoDS_Shape, x: float, y: float, z: float) -> TopoDS_Shape:
    return solids.move(shape, (x, y, z))


def _tapering_blend(shape: TopoDS_Shape, near: tuple[float, float, float], start: float, end: float) -> TopoDS_Shape:
    """The edge nearest a point rounded by a radius that grows evenly from one end to the other."""
    maker = BRepFilletAPI_MakeFillet(shape)
    maker.Add(start, end, TopoDS.Edge(solids.edges_near(shape, [near])[0]))
    return maker.Shape()


def _variable_round() -> TopoDS_Shape:
    return _tapering_blend(_block(), (30, 0, 40), 2.0, 6.0)


def _variable_fillet() -> TopoDS_Shape:
    step = solids.cut(_block(), [_moved(solids.box(80, 30, 30), -10, 30, 25)])
    return _tapering_blend(step, (30, 30, 25), 3.0, 5.0)


def _split() -> TopoDS_Shape:
    """A block with a hole, a counterbore and a pocket, every face cut into pieces of at most 150 mm2."""
    bored = solids.cut(
        _block(),
        [
            _moved(solids.cylinder(10, 60), 15, 25, -5),
            _moved(solids.cylinder(18, 20), 15, 25, 30),
            _moved(solids.box(20, 30, 20), 30, 10, 25),
        ],
    )
    quarters = ShapeUpgrade_ShapeDivideAngle(math.pi / 2, bored)
    quarters.Perform()
    pieces = ShapeUpgrade_ShapeDivideArea(quarters.Result())
    pieces.MaxArea = 150.0
    pieces.Perform()
    return pieces.Result()


def _thread(outline: list[tuple[float, float]], start: float) -> TopoDS_Shape:
    """A profile (r, z) swept up a helix from a height on."""
    return _moved(solids.helix(outline, PITCH, TURNS), 0, 0, start)


def _tapped() -> TopoDS_Shape:
    """A hole of 8.376 through 20 mm with the groove of an M10 over part of it: basic minor and major diameter."""
    bored = solids.cut(_moved(solids.box(30, 30, 20), -15, -15, 0), [_moved(solids.cylinder(8.376, 30), 0, 0, -5)])
    groove = [(4.0, -0.6), (5.0, -0.09), (5.0, 0.09), (4.0, 0.6)]
    return BRepAlgoAPI_Cut(bored, _thread(groove, 6.0)).Shape()


def _stud() -> TopoDS_Shape:
    """A boss of 10, 20 high, with a groove down to 8.16 over part of it."""
    bare = solids.union([_moved(solids.box(60, 50, 40), -30, -25, -40), solids.cylinder(10, 20)])
    groove = [(5.2, -0.6), (4.08, -0.09), (4.08, 0.09), (5.2, 0.6)]
    return BRepAlgoAPI_Cut(bare, _thread(groove, 8.0)).Shape()


KERNEL_PARTS: dict[str, tuple[Callable[[], TopoDS_Shape], list[Expected]]] = {
    "round whose radius grows": (
        _variable_round,
        [("ROUND", {"radius_mm": 2.0, "max_radius_mm": 6.0}), *walls(6)],
    ),
    "fillet whose radius grows": (
        _variable_fillet,
        [("FILLET", {"radius_mm": 3.0, "max_radius_mm": 5.0}), step(15, 20, 60), *walls(6)],
    ),
    "faces split by the exporter": (
        _split,
        [
            through(10, 40, stages=[stage("counterbore", 18, 18, 10), stage("cylinder", 10, 10, 30)]),
            pocket(15, 20, 30, form="pocket", volume_mm3=9000, min_corner_radius_mm=0),
            *walls(6),
        ],
    ),
    "hole with a modeled thread": (
        _tapped,
        [
            through(8.376, 20, stages=[stage("thread", 8.376, 10, 20)], thread_candidates=["M10"]),
            *walls(6),
        ],
    ),
    "boss with a modeled thread": (
        _stud,
        [boss(10, 20, draft_deg=0, thread_candidates=["M10", "M10x1", "M10x1.25"]), *walls(6)],
    ),
}
