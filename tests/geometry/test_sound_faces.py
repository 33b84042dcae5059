"""Curved faces that are read without trimming curves: which those are, and that all that is measured stays right."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray
from OCP.STEPControl import STEPControl_Reader
from OCP.TopoDS import TopoDS, TopoDS_Shape

from fettle.geometry.csg import CsgNode, build
from fettle.geometry.exact.outline_turns import lay_out
from fettle.geometry.kernel import face_integrals, remesh
from fettle.geometry.kernel.box import loose_box
from fettle.geometry.kernel.file_boundaries import list_boundaries
from fettle.geometry.kernel.frames import read_frames
from fettle.geometry.kernel.sampled_shape import sample_shape
from fettle.geometry.kernel.sound_faces import SoundFaces, find_sound_faces
from fettle.geometry.kernel.step import read_step, transfer
from fettle.geometry.kernel.topology import faces_of, number
from fettle.geometry.kernel.trim_gaps import lacks_trims
from fettle.geometry.load import load
from fettle.geometry.surfaces.encoding import CONE, CYLINDER, FREEFORM, PLANE, SPHERE, TORUS
from tests.geometry import kernel_shapes as kernel

Array: TypeAlias = NDArray[np.float64]
Place: TypeAlias = Callable[[Array, Array], Array]
"""The points (n, 3) of a surface with parameters (n,)."""

R, RING_R, HALF_ANGLE = 10.0, 30.0, 0.3
FRAME = np.array([1.0, 2.0, 3.0, 0, 0, 1, 0, 1, 0, 1, 0, 0])
"""Origin, then the axis, Y and X, along those of the file."""
SIZES = {CYLINDER: (R, np.nan), CONE: (R, HALF_ANGLE), SPHERE: (R, np.nan), TORUS: (RING_R, R)}
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)
ROUND_SLAB: CsgNode = {"fillet": {"of": {"box": [30, 20, 8]}, "r": 3, "edges": "z"}}
ROUND_SLAB_MM3 = (30 * 20 - (4 - math.pi) * 3**2) * 8
HALF_ROUND: CsgNode = {
    "common": [{"cylinder": {"d": 10, "h": 12}}, {"move": {"of": {"box": [10, 10, 12]}, "by": [-5, 0, 0]}}]
}
VAULT: CsgNode = {"cut": [{"box": [40, 40, 40]}, {"move": {"of": HALF_ROUND, "by": [20, 20, 14]}}]}
VAULT_MM3 = 40**3 - math.pi * 5**2 / 2 * 12
BOUND = re.compile(rb"(FACE_BOUND\('',#\d+,\.)([TF])(\.\))")
SHELL = re.compile(rb"(ORIENTED_CLOSED_SHELL\('',\*,#\d+,\.)([TF])(\.\))")
TURNED = {b"T": b"F", b"F": b"T"}


def on_cylinder(u: Array, v: Array) -> Array:
    return FRAME[:3] + np.column_stack([R * np.cos(u), R * np.sin(u), v])


def on_cone(u: Array, v: Array) -> Array:
    out = R + v * math.tan(HALF_ANGLE)
    return FRAME[:3] + np.column_stack([out * np.cos(u), out * np.sin(u), v])


def on_sphere(u: Array, v: Array) -> Array:
    return FRAME[:3] + R * np.column_stack([np.cos(v) * np.cos(u), np.cos(v) * np.sin(u), np.sin(v)])


def on_torus(u: Array, v: Array) -> Array:
    out = RING_R + R * np.cos(v)
    return FRAME[:3] + np.column_stack([out * np.cos(u), out * np.sin(u), R * np.sin(v)])


def laid_out(kind: int, place: Place, corners: list[tuple[float, float]]) -> tuple[float, float]:
    """Area in mm2 and distance off the surface in mm of the outline that runs straight from corner to corner in the
    parameters, by Gauss points on eight pieces of each side."""
    points, steps, start = [], [], [0]
    for one, next_one in pairwise(corners):
        ends = np.linspace(one, next_one, 9)
        for low, high in pairwise(ends):
            at = ((high + low) + NODES[:, None] * (high - low)) / 2.0
            along = (high - low) / 2.0 * 1e-5
            points.append(place(*at.T))
            steps.append((place(*(at + along).T) - place(*(at - along).T)) / 2e-5 * WEIGHTS[:, None])
        start.append(sum(map(len, points)))
    count = len(corners) - 1
    areas, off_mm = lay_out(
        np.array([kind], np.int8),
        np.array([[*FRAME, *SIZES.get(kind, (np.nan, np.nan))]]),
        np.array([0]),
        np.array([0, count]),
        np.arange(count),
        np.zeros(count, np.bool_),
        np.array(start),
        np.concatenate(points),
        np.concatenate(steps),
    )
    return float(areas[0]), float(off_mm.max())


def around(u0: float, u1: float, v0: float, v1: float) -> list[tuple[float, float]]:
    return [(u0, v0), (u1, v0), (u1, v1), (u0, v1), (u0, v0)]


@pytest.mark.parametrize(
    ("kind", "place", "v0", "v1", "area_mm2"),
    [
        (CYLINDER, on_cylinder, 2.0, 7.0, R * 1.5 * 5.0),
        (SPHERE, on_sphere, -0.4, 1.1, R**2 * 1.5 * (math.sin(1.1) + math.sin(0.4))),
        (CONE, on_cone, 0.0, 5.0, (R + 2.5 * math.tan(HALF_ANGLE)) * 1.5 * 5.0 / math.cos(HALF_ANGLE)),
        # an outline unrolled at each place: R * integral of out
        (TORUS, on_torus, -0.5, 0.7, 1.5 * R * (RING_R * 1.2 + R * (math.sin(0.7) + math.sin(0.5)))),
    ],
)
@pytest.mark.parametrize("u0", [0.3, 2.5, 6.0])
def test_an_outline_encloses_its_area_to_its_left(
    kind: int, place: Place, v0: float, v1: float, area_mm2: float, u0: float
) -> None:
    # also across the half turn, where the angle about the axis jumps
    area, off_mm = laid_out(kind, place, around(u0, u0 + 1.5, v0, v1))
    assert area == pytest.approx(area_mm2, rel=1e-6)
    assert off_mm < 1e-9
    assert laid_out(kind, place, around(u0, u0 + 1.5, v0, v1)[::-1])[0] == pytest.approx(-area_mm2, rel=1e-6)


@pytest.mark.parametrize(("kind", "place"), [(CYLINDER, on_cylinder), (CONE, on_cone)])
def test_an_outline_round_the_axis_encloses_nothing(kind: int, place: Place) -> None:
    assert math.isnan(laid_out(kind, place, [(0.0, 0.5), (2.0 * math.pi, 0.5)])[0])


def test_an_outline_on_a_sphere_may_pass_through_the_pole_or_go_round_it() -> None:
    quarter = 0.5 * math.pi
    octant, _ = laid_out(SPHERE, on_sphere, around(0.3, 0.3 + quarter, 0.0, quarter))
    assert octant == pytest.approx(quarter * R**2, rel=1e-6)
    cap, _ = laid_out(SPHERE, on_sphere, [(0.0, 0.5), (2.0 * math.pi, 0.5)])
    assert cap == pytest.approx(2.0 * math.pi * R**2 * (1.0 - math.sin(0.5)), rel=1e-6)
    # round a hole about the pole the rest of the sphere is to the left
    assert laid_out(SPHERE, on_sphere, [(2.0 * math.pi, 0.5), (0.0, 0.5)])[0] == pytest.approx(-cap, rel=1e-6)


def test_an_outline_that_leaves_half_of_its_sphere_encloses_nothing() -> None:
    assert math.isnan(laid_out(SPHERE, on_sphere, [(0.0, 0.0), (2.0 * math.pi, 0.0)])[0])
    assert math.isnan(laid_out(SPHERE, on_sphere, around(0.0, 4.0, -0.2, 0.2))[0])


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_an_outline_may_pass_through_the_tip_of_a_cone(share: float) -> None:
    turn, tip = share * 2.0 * math.pi, -R / math.tan(HALF_ANGLE)
    corners = [(turn, tip), (turn, 5.0), (0.0, 5.0), (0.0, tip)]
    slant = (5.0 - tip) / math.cos(HALF_ANGLE)
    area, _ = laid_out(CONE, on_cone, corners)
    assert area == pytest.approx(0.5 * turn * math.sin(HALF_ANGLE) * slant**2, rel=1e-6)


def test_a_full_turn_round_the_tip_of_a_cone_encloses_nothing() -> None:
    tip = -R / math.tan(HALF_ANGLE)
    corners = [(0.0, tip), (0.0, 5.0), (2.0 * math.pi, 5.0), (2.0 * math.pi, tip)]
    assert math.isnan(laid_out(CONE, on_cone, corners)[0])


def test_an_outline_round_the_tube_of_a_ring_encloses_nothing() -> None:
    assert math.isnan(laid_out(TORUS, on_torus, [(0.5, 0.0), (0.5, 2.0 * math.pi)])[0])


def test_a_freeform_surface_has_no_outlines() -> None:
    assert math.isnan(laid_out(FREEFORM, on_cylinder, around(0.0, 1.0, 0.0, 1.0))[0])


@pytest.mark.parametrize(("kind", "place"), [(CYLINDER, on_cylinder), (SPHERE, on_sphere), (TORUS, on_torus)])
def test_an_outline_beside_its_surface_is_as_far_off_as_it_is(kind: int, place: Place) -> None:
    # the middle of the tube, or the axis: where the outline comes from is moved away from it by a hundredth
    def beside(u: Array, v: Array) -> Array:
        return place(u, v) * 1.001 - 0.001 * FRAME[:3]

    _, off_mm = laid_out(kind, beside, around(0.0, 1.0, -0.1, 0.1))
    farthest = {CYLINDER: 0.01, SPHERE: 0.01, TORUS: 0.04}[kind]
    assert off_mm == pytest.approx(farthest, rel=1e-3)


def bare(recipe: CsgNode) -> bytes:
    return build(recipe, trims=False)


def transferred(recipe: CsgNode) -> TopoDS_Shape:
    reader = STEPControl_Reader()
    reader.ReadStream("part", io.BytesIO(bare(recipe)))
    return kernel.compound([transfer(reader, repaired=False)])


def found(recipe: CsgNode, *, has_trims: bool = False) -> SoundFaces:
    shape = transferred(recipe)
    sampled = sample_shape(number(shape))
    boundaries = list_boundaries(shape, sampled, 1e-3)
    return find_sound_faces(sampled, boundaries, 1e-3, has_trims=has_trims)


def on_planes(recipe: CsgNode) -> list[bool]:
    return [kind == PLANE for kind in read_frames(faces_of(transferred(recipe))).kinds.tolist()]


def bare_count(shape: TopoDS_Shape) -> int:
    return sum(lacks_trims(TopoDS.Face(face)) for face in kernel.faces(shape))


def test_round_corners_are_sound_and_a_bore_that_goes_round_is_not() -> None:
    slab = found(ROUND_SLAB)
    assert (slab.sound.sum(), sum(on_planes(ROUND_SLAB))) == (10, 6)
    assert slab.off_mm.max() < 1e-9
    bored = found({"cut": [ROUND_SLAB, {"move": {"of": {"cylinder": {"d": 6, "h": 8}}, "by": [15, 10, 0]}}]})
    assert (bored.sound.sum(), len(bored.sound)) == (10, 11)


def test_a_corner_of_a_ball_at_its_pole_and_half_a_cone_up_to_its_tip_are_sound() -> None:
    octant: CsgNode = {"common": [{"sphere": {"d": 2 * R}}, {"box": [R, R, R]}]}
    half: CsgNode = {
        "common": [{"cone": {"d": 2 * R, "d2": 0, "h": 12}}, {"move": {"of": {"box": [40, 40, 40]}, "by": [-20, 0, 0]}}]
    }
    for recipe, faces, volume_mm3 in ((octant, 4, math.pi * R**3 / 6), (half, 3, math.pi * R**2 * 12 / 6)):
        assert found(recipe).sound.sum() == faces
        assert bare_count(read_step(bare(recipe), "part.step").shape) == 1
        part = load(bare(recipe), "part.step").part
        assert part.volume_mm3 == pytest.approx(volume_mm3, rel=1e-9)
        assert part.source.warnings == ()


def test_curved_faces_with_trims_of_their_own_and_around_cavities_are_left_to_the_repair() -> None:
    assert found(ROUND_SLAB, has_trims=True).sound.sum() == 6
    assert found(VAULT).sound.tolist() == on_planes(VAULT)
    assert sum(on_planes(VAULT)) == 6 + 3


def test_sound_faces_are_read_without_trims_and_measured_exactly() -> None:
    step = read_step(bare(ROUND_SLAB), "slab.step")
    assert bare_count(step.shape) == 4
    part = load(bare(ROUND_SLAB), "slab.step").part
    assert part.volume_mm3 == pytest.approx(ROUND_SLAB_MM3, rel=1e-12)
    assert part.source.warnings == ()


def test_what_the_kernel_has_to_mesh_gets_its_trims_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def renew(*_given: object) -> None:
        pytest.fail("nothing was wrong with the trims")

    kernel.leave_all_to_the_kernel(monkeypatch)
    monkeypatch.setattr(remesh, "renew_trims", renew)
    model = load(bare(ROUND_SLAB), "slab.step")
    assert model.part.volume_mm3 == pytest.approx(ROUND_SLAB_MM3, rel=1e-12)
    assert model.part.source.warnings == ()
    assert set(model.mesh.triangle_face.tolist()) == set(range(10))


def test_the_kernel_integrates_over_a_face_that_was_read_without_trims(monkeypatch: pytest.MonkeyPatch) -> None:
    agree, asked = face_integrals._agree, []

    def doubt_all_at_first(*figures: Array) -> NDArray[np.bool_]:
        asked.append(len(figures[0]))
        return agree(*figures) if len(asked) > 1 else np.zeros(len(figures[0]), np.bool_)

    monkeypatch.setattr(face_integrals, "_agree", doubt_all_at_first)
    part = load(bare(ROUND_SLAB), "slab.step").part
    assert asked == [10, *[1] * 10]
    assert part.volume_mm3 == pytest.approx(ROUND_SLAB_MM3, rel=1e-9)
    assert part.source.warnings == ()


def test_edges_are_as_wide_as_they_are_off_their_round_face() -> None:
    data, count = re.subn(rb"(CYLINDRICAL_SURFACE\('',#\d+,)5\.\)", rb"\g<1>5.004)", bare(HALF_ROUND))
    assert count == 1
    part = load(data, "half.step").part
    assert "edges lie up to 0.004 mm off" in " ".join(part.source.warnings)
    # its four edges, two of 12 mm and two half circles, seen from anywhere in the part: a few mm away
    assert 0.0 < part.bodies[0].volume_uncertainty_mm3 < 0.004 * (24 + 10 * math.pi) * 5
    exact = load(bare(HALF_ROUND), "half.step").part
    assert exact.source.warnings == ()
    assert exact.bodies[0].volume_uncertainty_mm3 == 0.0


def test_a_part_whose_boundaries_are_all_turned_is_turned_back() -> None:
    turned, count = BOUND.subn(lambda one: one[1] + TURNED[one[2]] + one[3], bare(ROUND_SLAB))
    assert count == 10
    assert load(turned, "slab.step").part.volume_mm3 == pytest.approx(ROUND_SLAB_MM3, rel=1e-12)


@pytest.mark.parametrize("which", range(10))
def test_a_boundary_of_a_round_face_that_is_turned_the_wrong_way_is_turned_back(which: int) -> None:
    plain = bare(ROUND_SLAB)
    bound = list(BOUND.finditer(plain))[which]
    part = load(plain[: bound.start(2)] + TURNED[bound[2]] + plain[bound.end(2) :], "slab.step").part
    assert part.volume_mm3 == pytest.approx(ROUND_SLAB_MM3, rel=1e-9)
    assert part.watertight


def test_a_cavity_with_a_round_side_is_taken_off_whichever_way_it_is_turned() -> None:
    plain = bare(VAULT)
    assert len(SHELL.findall(plain)) == 1
    for data in (plain, SHELL.sub(lambda one: one[1] + TURNED[one[2]] + one[3], plain)):
        part = load(data, "vault.step").part
        assert part.volume_mm3 == pytest.approx(VAULT_MM3, rel=1e-9)
        assert sorted(shell.volume_mm3 for shell in part.shells)[0] == pytest.approx(VAULT_MM3 - 40**3, rel=1e-9)


@pytest.mark.parametrize("recipe", [HALF_ROUND, {"fillet": {"of": {"box": [20, 20, 20]}, "r": 4, "edges": "all"}}])
def test_the_loose_box_of_faces_without_trims_encloses_them_and_is_no_larger_than_twice_the_part(
    recipe: CsgNode,
) -> None:
    askew: CsgNode = {"turn": {"of": recipe, "axis": [1, 2, 3], "deg": 40}}
    step = read_step(bare(askew), "askew.step")
    assert bare_count(step.shape)
    topology = number(step.shape)
    low, high = loose_box(topology, read_frames(topology.faces).kinds)
    part = load(bare(askew), "askew.step").part
    assert (low <= part.box[0] + 1e-6).all()
    assert (high >= part.box[1] - 1e-6).all()
    assert ((high - low) <= 2.0 * part.size_mm).all()
