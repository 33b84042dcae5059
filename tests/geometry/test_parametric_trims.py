"""Trimming curves by formula: they lie on the edges and close the boundaries, or are left to the kernel.

What a curve must be is asked of the kernel's own evaluation of surfaces and edges."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.Geom2d import Geom2d_Line
from OCP.STEPControl import STEPControl_Reader
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FORWARD, TopAbs_WIRE
from OCP.TopoDS import TopoDS, TopoDS_Edge, TopoDS_Face

from fettle.geometry.csg import CsgNode, build
from fettle.geometry.exact.straight_trims import CIRCLE, CYLINDER, LINE, straight_trims
from fettle.geometry.kernel.file_boundaries import list_boundaries
from fettle.geometry.kernel.frames import read_frames
from fettle.geometry.kernel.parametric_trims import add_parametric_trims, turn_wires
from fettle.geometry.kernel.sampled_shape import sample_shape
from fettle.geometry.kernel.step import transfer
from fettle.geometry.kernel.topology import children, faces_of, number
from fettle.geometry.load import load
from fettle.geometry.surfaces.encoding import PLANE

BORED: CsgNode = {"cut": [{"box": [30, 20, 8]}, {"move": {"of": {"cylinder": {"d": 6, "h": 8}}, "by": [15, 10, 0]}}]}
ROUNDED: CsgNode = {"fillet": {"of": {"box": [30, 20, 8]}, "r": 3, "edges": "z"}}
FUNNEL: CsgNode = {"cone": {"d": 20, "d2": 8, "h": 10}}
SPIKE: CsgNode = {"cone": {"d": 20, "d2": 0, "h": 10}}
RING: CsgNode = {"torus": {"D": 30, "d": 6}}
LYING: CsgNode = {"turn": {"of": {"cylinder": {"d": 8, "h": 40}}, "axis": [1, 0, 0], "deg": 90}}
CROSSED: CsgNode = {"cut": [{"cylinder": {"d": 20, "h": 40}}, {"move": {"of": LYING, "by": [0, 20, 20]}}]}


class Trimmed(NamedTuple):
    """The curved faces of a part, and which of them were given their curves."""

    faces: list[TopoDS_Face]
    complete: list[bool]


def trimmed(data: bytes) -> Trimmed:
    reader = STEPControl_Reader()
    reader.ReadStream("part", io.BytesIO(data))
    shape = transfer(reader, repaired=False)
    turn_wires(faces_of(shape), read_frames(faces_of(shape)).kinds)
    sampled = sample_shape(number(shape))
    topology = sampled.topology
    every = np.ones(len(topology.faces), np.bool_)
    complete = add_parametric_trims(sampled, list_boundaries(shape, sampled, 1e-4), every)
    curved = np.flatnonzero(sampled.surfaces.kinds != PLANE).tolist()
    faces = [TopoDS.Face(topology.faces[index].Oriented(TopAbs_FORWARD)) for index in curved]
    return Trimmed(faces, complete[curved].tolist())


def ends_of_edges(face: TopoDS_Face) -> Iterator[list[tuple[tuple[float, float], tuple[float, float]]]]:
    """Of each wire of a face where its edges begin and end in the parameters, as the wire runs."""
    for wire in children(face, TopAbs_WIRE):
        ends = []
        for edge in map(TopoDS.Edge, children(wire, TopAbs_EDGE)):
            curve, along = BRep_Tool.CurveOnSurface_s(edge, face, 0.0, 0.0), BRepAdaptor_Curve(edge)
            start, end = curve.Value(along.FirstParameter()), curve.Value(along.LastParameter())
            if edge.Orientation() != TopAbs_FORWARD:
                start, end = end, start
            ends.append(((start.X(), start.Y()), (end.X(), end.Y())))
        yield ends


def largest_gap_mm(edge: TopoDS_Edge, face: TopoDS_Face) -> float:
    curve, along, surface = (
        BRep_Tool.CurveOnSurface_s(edge, face, 0.0, 0.0),
        BRepAdaptor_Curve(edge),
        BRepAdaptor_Surface(face),
    )
    assert isinstance(curve, Geom2d_Line)
    gaps = []
    for t in np.linspace(along.FirstParameter(), along.LastParameter(), 33).tolist():
        place = curve.Value(t)
        gaps.append(surface.Value(place.X(), place.Y()).Distance(along.Value(t)))
    return max(gaps)


@pytest.mark.parametrize(
    ("recipe", "count"), [(BORED, 1), (ROUNDED, 4), (FUNNEL, 1), (RING, 1)], ids=["bored", "rounded", "funnel", "ring"]
)
def test_curves_lie_on_their_edges_and_close_the_boundaries(recipe: CsgNode, count: int) -> None:
    # the same part turned about an oblique axis has other frames
    for node in (recipe, {"turn": {"of": recipe, "axis": [1, 2, 3], "deg": 40}}):
        found = trimmed(build(node))
        assert found.complete == [True] * count
        for face in found.faces:
            for ends in ends_of_edges(face):
                for (_, end), (start, _) in zip(ends, ends[1:] + ends[:1], strict=True):
                    assert end == pytest.approx(start, abs=1e-7)
            edges = [TopoDS.Edge(edge) for wire in children(face, TopAbs_WIRE) for edge in children(wire, TopAbs_EDGE)]
            assert max(largest_gap_mm(edge, face) for edge in edges) < 1e-7


@pytest.mark.parametrize("recipe", [SPIKE, CROSSED, {"sphere": {"d": 10}}], ids=["tip", "crossing curves", "ball"])
def test_faces_that_lack_more_than_lines_are_left_to_the_kernel(recipe: CsgNode) -> None:
    assert not any(trimmed(build(recipe)).complete)


def test_edges_that_leave_their_surface_are_left_to_the_kernel() -> None:
    plain = build(BORED)
    assert plain.count(b"CYLINDRICAL_SURFACE('',#") == 1
    assert trimmed(plain).complete == [True]
    start = plain.index(b"CYLINDRICAL_SURFACE")
    for radius, is_complete in ((b"3.00000005", True), (b"3.000001", False)):
        changed = plain[:start] + plain[start:].replace(b",3.)", b"," + radius + b")", 1)
        assert trimmed(changed).complete == [is_complete]


@pytest.mark.parametrize(
    ("recipe", "volume_mm3"),
    [
        (BORED, 30 * 20 * 8 - math.pi * 9 * 8),
        (FUNNEL, math.pi * 10 / 3 * (10**2 + 10 * 4 + 4**2)),
        (SPIKE, math.pi * 10 / 3 * 10**2),
        (RING, 2 * math.pi**2 * 15 * 3**2),
    ],
    ids=["bored", "funnel", "tip", "ring"],
)
def test_volumes_are_those_of_the_formulas(recipe: CsgNode, volume_mm3: float) -> None:
    part = load(build(recipe), "part.step").part
    assert part.volume_mm3 == pytest.approx(volume_mm3, rel=1e-9)
    assert part.watertight


UNIT_CYLINDER = [0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0]
"""About Z through the origin, its parameters starting on X."""


def patch(low_deg: float, high_deg: float, low: float, high: float) -> list[tuple[int, list[float]]]:
    """Kind and row of the edges of a patch of the unit cylinder, to the left: along, up, back, down."""
    places = [(math.cos(math.radians(deg)), math.sin(math.radians(deg))) for deg in (low_deg, high_deg)]
    angles = [math.radians(deg) for deg in (low_deg, high_deg)]
    circles = [[*angles, 0, 0, height, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1] for height in (low, high)]
    lines = [[low, high, x, y, 0, 0, 0, 1, *([0] * 8)] for x, y in places]
    return [(CIRCLE, circles[0]), (LINE, lines[1]), (CIRCLE, circles[1]), (LINE, lines[0])]


def lines_of(*patches: list[tuple[int, list[float]]], turned: bool = False) -> tuple[np.ndarray, bool]:
    """Lines of the first patch with the others as holes in it, and whether the face is complete."""
    outer = np.array([False, False, True, True]) ^ turned
    backwards, order = [outer], [np.arange(4)[:: -1 if turned else 1]]
    for hole in range(1, len(patches)):
        order.append(4 * hole + np.arange(4)[::-1])
        backwards.append(~np.array([False, False, True, True]))
    edge = np.concatenate(order)
    against = np.concatenate([backwards[0][::-1] if turned else backwards[0], *(one[::-1] for one in backwards[1:])])
    curves = [curve for one in patches for curve in one]
    lines, complete = straight_trims(
        np.array([CYLINDER], np.int8),
        np.array([UNIT_CYLINDER], float),
        np.array([kind for kind, _ in curves], np.int8),
        np.array([row for _, row in curves], float),
        np.zeros(len(patches), np.int64),
        np.arange(0, 4 * len(patches) + 1, 4),
        edge,
        against,
        1e-7,
    )
    return lines, bool(complete[0])


def test_a_patch_across_the_start_of_the_parameters_is_in_one_piece() -> None:
    lines, is_complete = lines_of(patch(350, 380, 0, 5))
    assert is_complete
    # along, up at 20 degrees, back, down at 350: all of them in the same turn
    up, down = lines[1, 0], lines[3, 0]
    assert up - down == pytest.approx(math.radians(30))
    assert lines[:, 2:].tolist() == [[1, 0], [0, 1], [1, 0], [0, 1]]


def test_a_hole_is_moved_into_the_turn_of_its_patch() -> None:
    # the middle of the patch is at 300 degrees, that of the hole at 370, which is 10
    lines, is_complete = lines_of(patch(200, 400, 0, 5), patch(5, 15, 2, 3))
    assert is_complete
    hole = lines[4:8]
    sides = sorted(u for u, _, du, _ in hole.tolist() if du == 0)
    assert sides == pytest.approx([math.radians(365), math.radians(375)])


@pytest.mark.parametrize(
    "patches",
    [[patch(0, 30, 0, 5), patch(40, 50, 1, 2)], [patch(0, 30, 0, 5), patch(5, 10, 4, 6)]],
    ids=["beside", "half outside"],
)
def test_a_hole_outside_of_its_patch_is_left_to_the_kernel(patches: list[list[tuple[int, list[float]]]]) -> None:
    assert not lines_of(*patches)[1]


def test_a_boundary_to_the_right_is_left_to_the_kernel() -> None:
    assert not lines_of(patch(0, 30, 0, 5), turned=True)[1]
