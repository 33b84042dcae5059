"""Walls of holes that a file bounds by two rings alone: opened along a seam, and measured as any other."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from OCP.BRep import BRep_Builder
from OCP.BRepGProp import BRepGProp
from OCP.GProp import GProp_GProps
from OCP.ShapeBuild import ShapeBuild_ReShape
from OCP.TopExp import TopExp
from OCP.TopoDS import TopoDS, TopoDS_Face

from fettle.geometry.csg import CsgNode, build
from fettle.geometry.kernel import face_repair
from fettle.geometry.kernel.face_repair import complete_solids
from fettle.geometry.kernel.ring_seams import add_ring_seams
from fettle.geometry.kernel.solids import step_bytes
from fettle.geometry.kernel.step import read_step
from fettle.geometry.kernel.topology import children, faces_of, number
from fettle.geometry.kernel.wires import order_wires
from fettle.geometry.load import load
from tests.geometry import kernel_shapes as kernel
from tests.geometry.test_face_repair import transferred

LOOP = re.compile(r"(#\d+) = EDGE_LOOP\('',\((#\d+),(#\d+),(#\d+),(#\d+)\)\);")
USE = re.compile(r"(#\d+) = ORIENTED_EDGE\('',\*,\*,(#\d+),\.[TF]\.\);")


def without_seams(data: bytes) -> tuple[bytes, int]:
    """The file with a bound for each of the two rings of a loop that went up and down a seam, and how many it had."""
    text = data.decode()
    edge_of = dict(USE.findall(text))
    new_number = 1 + max(int(found) for found in re.findall(r"#(\d+)", text))
    count = 0
    for loop, *uses in LOOP.findall(text):
        times = Counter(edge_of[use] for use in uses)
        if len(times) == 4:
            continue
        one, other = (use for use in uses if times[edge_of[use]] == 1)
        ((bound, way),) = re.findall(rf"(#\d+) = FACE_BOUND\('',{loop},\.([TF])\.\);", text)
        text = re.sub(rf"{loop} = EDGE_LOOP\(.*?\);", f"{loop} = EDGE_LOOP('',({one}));", text, flags=re.DOTALL)
        text = re.sub(rf"(ADVANCED_FACE\(''),\({bound}\)", rf"\1,({bound},#{new_number})", text)
        added = (
            f"#{new_number} = FACE_BOUND('',#{new_number + 1},.{way}.);\n#{new_number + 1} = EDGE_LOOP('',({other}));\n"
        )
        text = text.replace("ENDSEC;\nEND-ISO", f"{added}ENDSEC;\nEND-ISO")
        new_number += 2
        count += 1
    return text.encode(), count


def plain(recipe: CsgNode) -> bytes:
    """A file of the part without trimming curves."""
    return step_bytes(read_step(build(recipe), "part.step").shape, "mm", trims=False)


def cut(*tools: CsgNode) -> CsgNode:
    return {"cut": [{"box": [60, 40, 5]}, *({"move": {"of": tool, "by": [30, 20, 0]}} for tool in tools)]}


@pytest.fixture
def repaired(monkeypatch: pytest.MonkeyPatch) -> list[TopoDS_Face]:
    """Faces that the kernel is asked to repair."""
    faces: list[TopoDS_Face] = []
    complete: Callable[..., bool] = face_repair._complete

    def note(face: TopoDS_Face, changes: ShapeBuild_ReShape, precision_mm: float) -> bool:
        faces.append(face)
        return complete(face, changes, precision_mm)

    monkeypatch.setattr(face_repair, "_complete", note)
    return faces


HOLE_MM3 = math.pi * 5**2 * 5
SINK_MM3 = math.pi * 5 / 3 * (4**2 + 4 * 2 + 2**2)


@pytest.mark.parametrize(
    ("recipe", "volume_mm3"),
    [
        (cut({"cylinder": {"d": 10, "h": 5}}), 60 * 40 * 5 - HOLE_MM3),
        (cut({"cone": {"d": 8, "d2": 4, "h": 5}}), 60 * 40 * 5 - SINK_MM3),
        (cut({"cone": {"d": 4, "d2": 8, "h": 5}}), 60 * 40 * 5 - SINK_MM3),
        ({"turn": {"of": {"cone": {"d": 4, "d2": 8, "h": 5}}, "axis": [1, 2, 3], "deg": 40}}, SINK_MM3),
        ({"mirror": {"of": cut({"cylinder": {"d": 10, "h": 5}}), "normal": [1, 1, 0]}}, 60 * 40 * 5 - HOLE_MM3),
    ],
)
def test_a_wall_between_two_rings_is_opened_without_the_kernels_repair(
    recipe: CsgNode, volume_mm3: float, repaired: list[TopoDS_Face]
) -> None:
    data, count = without_seams(plain(recipe))
    assert count == 1
    part = load(data, "part.step").part
    assert repaired == []
    assert part.volume_mm3 == pytest.approx(volume_mm3, rel=1e-9)
    assert part.watertight
    assert part.source.warnings == ()
    with_seams = load(plain(recipe), "part.step").part
    assert len(part.edges) == len(with_seams.edges)
    assert sorted(len(face.loops) for face in part.faces) == sorted(len(face.loops) for face in with_seams.faces)
    assert part.area_mm2 == pytest.approx(with_seams.area_mm2, rel=1e-9)


def test_rings_that_run_the_same_way_round_are_left_to_the_repair(repaired: list[TopoDS_Face]) -> None:
    data, _ = without_seams(plain(cut({"cylinder": {"d": 10, "h": 5}})))
    ring = re.findall(rb"EDGE_LOOP\('',\((#\d+)\)\)", data)[-1]
    turned = re.sub(
        ring + rb" = ORIENTED_EDGE\('',\*,\*,(#\d+),\.([TF])\.\)",
        lambda use: use[0].replace(b".T.", b".F.") if use[2] == b"T" else use[0].replace(b".F.", b".T."),
        data,
    )
    assert turned != data
    shape = kernel.compound([transferred(turned, repaired=False)])
    assert add_ring_seams(faces_of(shape)) == []


def test_a_seam_leads_from_ring_to_ring_and_back() -> None:
    for height_mm in (7.0, -7.0):
        wall = kernel.ring_wall(radius_mm=5.0, height_mm=height_mm, turn_deg=0.0)
        assert add_ring_seams(faces_of(wall)) == [0]
        (wire,) = children(kernel.faces(wall)[0], None)
        edges = [TopoDS.Edge(edge) for edge in children(wire, None)]
        assert len(edges) == 4
        for edge, following in zip(edges, edges[1:] + edges[:1], strict=True):
            assert TopExp.LastVertex_s(edge, True).IsSame(TopExp.FirstVertex_s(following, True))


def test_a_hole_drilled_aslant_is_left_to_the_repair(repaired: list[TopoDS_Face]) -> None:
    # both rings are ellipses
    slant: CsgNode = {"turn": {"of": {"cylinder": {"d": 6, "h": 40}}, "axis": [1, 0, 0], "deg": 30}}
    data, count = without_seams(plain(cut({"move": {"of": slant, "by": [0, 10, -15]}})))
    assert count == 1
    expected_mm3 = 60 * 40 * 5 - math.pi * 3**2 * 5 / math.cos(math.radians(30))
    assert load(data, "part.step").part.volume_mm3 == pytest.approx(expected_mm3, rel=1e-6)
    assert repaired


def test_rings_whose_vertex_is_far_off_are_joined_and_then_repaired(repaired: list[TopoDS_Face]) -> None:
    data, _ = without_seams(plain(cut({"cylinder": {"d": 10, "h": 5}})))
    shape = transferred(data, repaired=False)
    for vertex in kernel.vertices(shape):
        BRep_Builder().UpdateVertex(TopoDS.Vertex(vertex), 0.02)
    complete = complete_solids(shape, 1e-3, has_trims=False)
    assert complete is not None
    assert len(repaired) == 7
    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(complete.solids, properties)
    assert properties.Mass() == pytest.approx(60 * 40 * 5 - HOLE_MM3)


@pytest.mark.parametrize(("turn_deg", "joined"), [(0.0, 1), (1e-4, 0), (90.0, 0)])
def test_rings_whose_vertices_do_not_face_each_other_are_left_to_the_repair(turn_deg: float, joined: int) -> None:
    tube = kernel.ring_wall(radius_mm=5.0, height_mm=7.0, turn_deg=turn_deg)
    assert len(add_ring_seams(faces_of(tube))) == joined


def test_rings_off_their_cylinder_are_left_to_the_repair() -> None:
    # the first vertex is on the axis, from where no side of the cylinder is nearest
    assert add_ring_seams(faces_of(kernel.ring_wall(radius_mm=5.0, height_mm=7.0, turn_deg=0.0, aside_mm=-5.0))) == []


def test_the_two_rims_of_a_ring_without_height_are_left_alone() -> None:
    assert add_ring_seams(faces_of(kernel.ring_wall(radius_mm=5.0, height_mm=1e-8, turn_deg=0.0))) == []


def test_rings_that_a_neighbor_cuts_in_two_are_listed_in_order(corpus: Path) -> None:
    # the walls beyond some rings have their vertices elsewhere: the kernel cuts the ring where it puts their seam
    name = "printed/odri/transmission_pulley_at3_t10_center.STEP"
    data = (corpus / name).read_bytes()
    joined = add_ring_seams(faces_of(kernel.compound([transferred(data, repaired=False)])))
    step = read_step(data, name)
    topology = number(step.shape)
    assert {len(topology.wires[face][0]) for face in joined} == {4, 5}
    assert order_wires(topology).closed.all()


def test_files_with_trimming_curves_keep_their_two_rings_for_the_repair(repaired: list[TopoDS_Face]) -> None:
    data, _ = without_seams(plain(cut({"cylinder": {"d": 10, "h": 5}})))
    assert complete_solids(transferred(data, repaired=False), 1e-3, has_trims=True) is not None
    assert len(repaired) == 1
