"""What a repair left alone is taken over, and only that: the result is that of numbering and sampling everything."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from OCP.BRep import BRep_Builder
from OCP.TopAbs import TopAbs_FORWARD
from OCP.TopoDS import TopoDS, TopoDS_Shape, TopoDS_Wire

from fettle.geometry.csg import build
from fettle.geometry.kernel import face_repair, renewed_samples
from fettle.geometry.kernel.curves import sample
from fettle.geometry.kernel.face_repair import complete_solids
from fettle.geometry.kernel.renewed_samples import renew
from fettle.geometry.kernel.sampled_shape import SampledShape, sample_shape
from fettle.geometry.kernel.step import read_step
from fettle.geometry.kernel.topology import children, number
from tests.geometry import kernel_shapes as kernel
from tests.geometry.test_face_repair import HOLLOW, transferred

EDGE_MM = 10.0


def anew(shape: TopoDS_Shape) -> SampledShape:
    return sample_shape(number(shape))


def assert_same(one: SampledShape, other: SampledShape) -> None:
    for name in ("reversed_faces", "edge_vertices", "wires", "seams", "uses", "shells", "bodies", "face_body"):
        assert getattr(one.topology, name) == getattr(other.topology, name), name
    for name in ("start", "points", "steps", "length_mm", "bounds", "loose", "conic_kind", "conics"):
        assert np.array_equal(getattr(one.samples, name), getattr(other.samples, name)), name
    for name in ("kinds", "frames"):
        assert np.array_equal(getattr(one.surfaces, name), getattr(other.surfaces, name), equal_nan=True), name
    for name in ("wire_face", "wire_start", "edge", "backwards", "vertices", "closed"):
        assert np.array_equal(getattr(one.wires, name), getattr(other.wires, name)), name
    assert repr(one.samples.curves) == repr(other.samples.curves)


@pytest.mark.parametrize(
    "name", ["made/prusa-mini/MINI-y-plate-rear.stp", "machined/nist-ctc/nist_ctc_05_asme1_ap242-e1.stp"]
)
def test_a_repaired_file_is_numbered_and_sampled_as_if_nothing_had_been_known(
    corpus: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []

    def note(shape: TopoDS_Shape, before: SampledShape, repaired: object) -> SampledShape:
        taken.append(renew(shape, before, repaired))  # type: ignore[arg-type]
        return taken[-1]

    monkeypatch.setattr(face_repair, "renew", note)
    step = read_step((corpus / name).read_bytes(), name)
    assert step.sampled is taken[0]
    assert_same(step.sampled, anew(step.shape))


def test_a_shell_that_was_turned_is_numbered_as_it_is_now() -> None:
    complete = complete_solids(transferred(build(HOLLOW), repaired=False), 1e-3, has_trims=False)
    assert complete is not None
    assert complete.sampled is not None
    assert_same(complete.sampled, anew(complete.solids))


def test_edges_of_repaired_faces_are_sampled_anew_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    box = kernel.compound([kernel.box(EDGE_MM, EDGE_MM, EDGE_MM)])
    before = anew(box)
    short = before.topology.wires[0][0][0].number
    edge = TopoDS.Edge(before.topology.edges[short].Oriented(TopAbs_FORWARD))  # type: ignore[union-attr]
    BRep_Builder().Range(edge, 1.0, EDGE_MM)  # in place, as repairs do
    asked: list[int] = []

    def count(edges: list[object]) -> object:
        asked.append(sum(one is not None for one in edges))
        return sample(edges)

    monkeypatch.setattr(renewed_samples, "sample", count)
    found = renew(box, before, np.arange(6) == 0)
    assert asked == [4]
    assert found.samples.length_mm[short] == pytest.approx(EDGE_MM - 1.0)
    assert math.isclose(float(found.samples.length_mm.sum()), 12 * EDGE_MM - 1.0)


def test_wires_of_repaired_faces_are_read_anew() -> None:
    box = kernel.compound([kernel.box(EDGE_MM, EDGE_MM, EDGE_MM)])
    before = anew(box)
    face = before.topology.faces[0].Oriented(TopAbs_FORWARD)
    (wire,) = children(face, None)
    builder, turned = BRep_Builder(), TopoDS_Wire()
    builder.MakeWire(turned)
    for edge in reversed(children(wire, None)):
        builder.Add(turned, edge)
    face.Free(True)
    builder.Remove(face, wire)
    builder.Add(face, turned)
    found = renew(box, before, np.arange(6) == 0)
    along, against = ([one.topology.edges[use.number] for use in one.topology.wires[0][0]] for one in (found, before))
    assert all(edge is not None and edge.IsSame(other) for edge, other in zip(along, reversed(against), strict=True))


def test_a_shape_without_a_known_edge_is_sampled_as_a_whole() -> None:
    box = kernel.compound([kernel.box(EDGE_MM, EDGE_MM, EDGE_MM)])
    assert_same(renew(box, anew(box), np.ones(6, np.bool_)), anew(box))
    bare = kernel.compound([])
    found = renew(box, anew(bare), np.zeros(0, np.bool_))
    assert_same(found, anew(box))
