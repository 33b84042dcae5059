"""Solids of an assembly are numbered and sampled as if nothing had been known of them."""

from pathlib import Path

from OCP.gp import gp_Trsf, gp_Vec
from OCP.TopLoc import TopLoc_Location

from fettle.geometry.kernel.placed_shape import place
from fettle.geometry.kernel.solids import box
from fettle.geometry.kernel.step import read_step
from fettle.geometry.kernel.topology import number
from fettle.geometry.kernel.wires import order_wires
from tests.geometry import kernel_shapes as kernel
from tests.geometry.test_renewed_samples import anew, assert_same


def at(x_mm: float) -> TopLoc_Location:
    move = gp_Trsf()
    move.SetTranslation(gp_Vec(x_mm, 0.0, 0.0))
    return TopLoc_Location(move)


def test_a_solid_of_an_assembly_is_numbered_where_it_is_placed(corpus: Path) -> None:
    name = "made/e3d/X-Carriage_Cable_Bracket.step"
    step = read_step((corpus / name).read_bytes(), name)
    assert step.sampled is not None
    assert not all(face.Location().IsIdentity() for face in step.sampled.topology.faces)
    assert_same(step.sampled, anew(step.shape))


def test_a_solid_that_is_moved_is_sampled_where_it_is_now() -> None:
    cube = box(10, 10, 10)
    topology = number(kernel.compound([cube]))
    moved = place(kernel.compound([cube.Located(at(30.0))]), topology, order_wires(topology))
    assert moved is not None
    assert (moved.samples.bounds[:, 0, 0].min(), moved.samples.bounds[:, 1, 0].max()) == (30.0, 40.0)


def test_solids_that_are_one_where_they_are_modeled_are_not_one_at_two_places() -> None:
    cube = box(10, 10, 10)
    topology = number(kernel.compound([cube]))
    assert place(kernel.compound([cube, cube.Located(at(30.0))]), topology, order_wires(topology)) is None
