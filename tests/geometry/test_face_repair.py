"""Faces as a STEP file has them: which need the kernel's repair, and that what is read stays right whatever is odd."""

from __future__ import annotations

import io
import math
import re
from pathlib import Path

import pytest
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.STEPControl import STEPControl_Reader
from OCP.TopAbs import TopAbs_EDGE, TopAbs_WIRE
from OCP.TopoDS import TopoDS, TopoDS_Shape

from fettle.geometry.csg import CsgNode, build
from fettle.geometry.kernel.file_boundaries import list_boundaries
from fettle.geometry.kernel.sampled_shape import sample_shape
from fettle.geometry.kernel.sound_faces import find_sound_faces
from fettle.geometry.kernel.step import read_step, transfer
from fettle.geometry.kernel.topology import children, number
from fettle.geometry.kernel.trim_gaps import lacks_trims
from fettle.geometry.load import load
from fettle.geometry.part import Part
from tests.geometry import kernel_shapes as kernel

PLATE: CsgNode = {"cut": [{"box": [60, 40, 5]}, {"move": {"of": {"cylinder": {"d": 10, "h": 5}}, "by": [30, 20, 0]}}]}
PLATE_MM3 = 60 * 40 * 5 - math.pi * 5**2 * 5
HOLLOW: CsgNode = {"cut": [{"box": [60, 40, 30]}, {"move": {"of": {"box": [10, 10, 10]}, "by": [20, 15, 10]}}]}
LOOP = re.compile(rb"(EDGE_LOOP\('',\()(#\d+),(#\d+),(#\d+),(#\d+)(\)\))")
BOUND = re.compile(rb"(FACE_BOUND\('',#\d+,\.)([TF])(\.\))")
TURNED = {b"T": b"F", b"F": b"T"}


def sound(solid: TopoDS_Shape, precision_mm: float = 1e-3) -> list[bool]:
    shape = kernel.compound([solid])
    sampled = sample_shape(number(shape))
    boundaries = list_boundaries(shape, sampled, precision_mm)
    found: list[bool] = find_sound_faces(sampled, boundaries, precision_mm, has_trims=False).sound.tolist()
    return found


def read(data: bytes) -> Part:
    return load(data, "part.step").part


def transferred(data: bytes, *, repaired: bool) -> TopoDS_Shape:
    reader = STEPControl_Reader()
    reader.ReadStream("part", io.BytesIO(data))
    return transfer(reader, repaired=repaired)


def test_planes_of_a_plate_with_a_hole_are_sound_and_its_hole_is_not() -> None:
    assert sorted(sound(transferred(build(PLATE), repaired=False))) == [False] + [True] * 6


def test_a_plane_with_an_edge_below_the_precision_of_the_file_is_repaired() -> None:
    # a box of 60 x 40 x 0.01: all faces but the two largest have edges of 0.01
    assert sum(sound(kernel.box(60, 40, 0.01), 0.004)) == 6
    assert sum(sound(kernel.box(60, 40, 0.01), 0.02)) == 2


def test_planes_around_a_vertex_beside_its_edges_are_repaired() -> None:
    cube = kernel.box(10, 10, 10)
    assert sum(sound(cube)) == 6
    BRep_Builder().UpdateVertex(TopoDS.Vertex(kernel.vertices(cube)[0]), 5e-4)
    # a file that is exact to 0.001 may leave as much open; one that is exact to 1e-4 may not
    assert sum(sound(cube)) == 6
    assert sum(sound(cube, 1e-4)) == 3
    BRep_Builder().UpdateVertex(TopoDS.Vertex(kernel.vertices(cube)[0]), 0.015)
    assert sum(sound(cube, 0.02)) == 3


def test_vertices_of_a_file_that_says_it_is_exact_to_nothing_are_not_beside_their_edges() -> None:
    assert sum(sound(kernel.box(10, 10, 10), 1e-9)) == 6


def test_a_boundary_out_of_order_is_repaired() -> None:
    plain = build(PLATE)
    shuffled, count = LOOP.subn(rb"\1\2,\4,\3,\5\6", plain)
    assert count == 7
    part = read(shuffled)
    assert part.volume_mm3 == pytest.approx(PLATE_MM3, rel=1e-9)
    assert part.watertight
    assert [len(loop.edges) for face in part.faces for loop in face.loops] == [
        len(loop.edges) for face in read(plain).faces for loop in face.loops
    ]


@pytest.mark.parametrize("which", range(8))
def test_a_boundary_that_is_turned_the_wrong_way_is_turned_back(which: int) -> None:
    plain = build(PLATE)
    bound = list(BOUND.finditer(plain))[which]
    turned = plain[: bound.start(2)] + TURNED[bound[2]] + plain[bound.end(2) :]
    part = read(turned)
    assert part.volume_mm3 == pytest.approx(PLATE_MM3, rel=1e-9)
    assert part.watertight


def test_the_shell_of_a_cavity_that_is_turned_outwards_is_turned_back() -> None:
    plain = build(HOLLOW)
    shell = re.compile(rb"(ORIENTED_CLOSED_SHELL\('',\*,#\d+,\.)([TF])(\.\))")
    assert len(shell.findall(plain)) == 1
    for data in (plain, shell.sub(lambda found: found[1] + TURNED[found[2]] + found[3], plain)):
        part = read(data)
        assert part.volume_mm3 == pytest.approx(60 * 40 * 30 - 10**3, rel=1e-9)
        assert sorted(shell.volume_mm3 for shell in part.shells) == pytest.approx([-1000, 72000])


@pytest.mark.parametrize(
    "name",
    [
        "printed/odri/foot_structure.STEP",
        "made/prusa-mini/MINI-y-plate-rear.stp",
        "machined/nist-ctc/nist_ctc_05_asme1_ap242-e1.stp",
        "printed/odri/transmission_pulley_at3_t10_center.STEP",
    ],
)
def test_faces_are_those_of_the_kernel_that_repairs_everything(corpus: Path, name: str) -> None:
    # balls with poles, edges that are split by a seam; two dozen shells turned the wrong way; walls between two rings
    data = (corpus / name).read_bytes()
    step = read_step(data, name)
    assert step.changes is not None
    in_file, repaired, found = (
        described(shape) for shape in (transferred(data, repaired=False), transferred(data, repaired=True), step.shape)
    )
    # only the kernel needs an edge that passes through a pole in two
    bare = [lacks_trims(TopoDS.Face(face)) for face in kernel.faces(step.shape)]
    assert found == [one if is_bare else other for one, other, is_bare in zip(in_file, repaired, bare, strict=True)]
    assert in_file != repaired


def described(shape: TopoDS_Shape) -> list[tuple[int, list[list[tuple[int, bool]]]]]:
    """Of each face its orientation, and of the edges of its wires orientation and whether they are degenerated."""
    return [
        (
            int(face.Orientation()),
            [
                sorted(
                    (int(edge.Orientation()), BRep_Tool.Degenerated_s(TopoDS.Edge(edge)))
                    for edge in children(wire, TopAbs_EDGE)
                )
                for wire in children(face, TopAbs_WIRE)
            ],
        )
        for face in kernel.faces(shape)
    ]


def test_solids_are_where_the_assembly_has_them() -> None:
    # no face of a box needs repair; one box turned by 90 degrees, one moved, one as it was modeled
    box = kernel.box(10, 20, 30)
    placed = kernel.compound([box, kernel.placed(box, (100, 0, 0)), kernel.placed(box, (0, 100, 0), 90.0)])
    part = read(kernel.assembly_bytes(placed))
    lows = sorted(tuple(round(value, 6) for value in body.box[0].tolist()) for body in part.bodies)
    sizes = [tuple(round(value, 6) for value in (body.box[1] - body.box[0]).tolist()) for body in part.bodies]
    assert lows == [(-20, 100, 0), (0, 0, 0), (100, 0, 0)]
    assert sizes == [(10, 20, 30), (10, 20, 30), (20, 10, 30)]


def test_a_solid_that_is_placed_alone_is_where_it_was_placed() -> None:
    moved = kernel.compound([kernel.placed(kernel.box(10, 20, 30), (5, 6, 7))])
    assert read(kernel.assembly_bytes(moved)).box.tolist() == [[5, 6, 7], [15, 26, 37]]
