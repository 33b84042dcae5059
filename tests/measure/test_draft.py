"""Draft and undercuts of parts for which they follow from the shape."""

from __future__ import annotations

import numpy as np
import pytest

from tests.measure.parts import CUP, access, box, context, draft, face_at, rod, tilt, tilted

DOVETAIL = {
    "cut": [
        {"box": [40, 60, 20]},
        {
            "move": {
                "of": {
                    "turn": {
                        "of": {"prism": {"points": [[10, 10], [30, 10], [26, 21], [14, 21]], "h": 80}},
                        "axis": [1, 0, 0],
                        "deg": 90,
                    }
                },
                "by": [0, 70, 0],
            }
        },
    ]
}
SNAP = {"union": [box(40, 20, 3), box(2, 20, 15, (38, 0, 0)), box(5, 20, 3, (33, 0, 12))]}


@pytest.mark.parametrize(
    ("tree", "regions"),
    [
        ({"box": [40, 30, 20]}, 0),
        (CUP, 0),
        ({"cut": [CUP, rod(8, 10, "x", (-5, 20, 15))]}, 1),
        ({"cut": [CUP, rod(8, 10, "x", (-5, 20, 15)), rod(8, 10, "y", (20, 35, 15))]}, 2),
        ({"cut": [CUP, box(10, 10, 10, (15, 15, -5))]}, 0),
        (DOVETAIL, 1),
        (SNAP, 1),
        ({"cut": [SNAP, box(5, 20, 10, (33, 0, -5))]}, 0),
        ({"cylinder": {"d": 20, "h": 40}}, 0),
        ({"sphere": {"d": 30}}, 0),
        ({"cut": [{"box": [30, 30, 120]}, rod(3, 110, "z", (15, 15, 20))]}, 0),
        ({"union": [{"cylinder": {"d": 20, "h": 30}}, rod(50, 4, "z", (0, 0, 13))]}, 0),
        ({"cut": [{"box": [30, 30, 30]}, box(10, 10, 10, (10, 10, 10))]}, 1),
    ],
    ids=[
        "box", "cup", "cup with a side hole", "cup with two side holes", "cup with a window in its floor", "dovetail",
        "snap hook", "snap hook over a window", "cylinder", "ball", "deep hole along the pull", "flange", "void",
    ],
)  # fmt: skip
def test_undercut_regions(tree: dict[str, object], regions: int) -> None:
    for on, pull in (
        (context(tree), "0,0,1"),
        (context(tree), "0,0,-1"),
        (context(tilted(tree)), ",".join(map(repr, tilt((0, 0, 1)).tolist()))),
    ):
        found = draft(on, pull)
        assert len(found.undercut_regions) == regions
        if regions == 0:
            assert found.undercut_faces == ()


def test_a_frustum_of_two_degrees_drafts_two_degrees() -> None:
    height = 30.0
    frustum = {"cone": {"d": 40, "d2": 40 - 2 * height * float(np.tan(np.radians(2.0))), "h": height}}
    found = draft(context(frustum), "0,0,1")
    wall = int(np.flatnonzero(np.isfinite(found.face_min_deg))[0])
    assert found.face_min_deg[wall] == pytest.approx(2.0, abs=1e-6)
    assert found.low_draft_faces == (wall,)
    # Pulled the other way the other half forms the same wall at the same angle.
    turned = draft(context(frustum), "0,0,-1")
    assert turned.face_min_deg[wall] == pytest.approx(2.0, abs=1e-6)
    on = context(frustum)
    walls = on.mesh.point_face == wall
    np.testing.assert_allclose(found.signed_deg[walls], 2.0, atol=1e-6)
    np.testing.assert_allclose(turned.signed_deg[walls], -2.0, atol=1e-6)


def test_a_box_has_low_draft_on_its_sides_only() -> None:
    on = context({"box": [40, 30, 20]})
    found = draft(on, "0,0,1")
    top, bottom = face_at(on.part, (0, 0, 20), (0, 0, 1)), face_at(on.part, (0, 0, 0), (0, 0, -1))
    assert sorted({*range(6)} - {top, bottom}) == list(found.low_draft_faces)
    assert np.isnan(found.face_min_deg[[top, bottom]]).all()
    assert found.face_min_deg[list(found.low_draft_faces)].tolist() == [0.0] * 4


def test_a_lying_cylinder_straddles_the_parting_line() -> None:
    on = context(rod(20, 40, "x", (0, 0, 0)))
    found = draft(on, "0,0,1")
    assert len(found.straddling_faces) == 1
    assert found.undercut_faces == ()


def test_the_sides_of_a_tall_box_stay_open_far_from_the_origin() -> None:
    for size, at in ((0.1, (0, 0, 0)), (1.0, (5e4, -5e4, 5e4)), (900.0, (0, 0, 0))):
        tree = box(size, size, 3 * size, at)
        assert draft(context(tree), "0,0,1").undercut.sum() == 0


def test_a_wall_leaning_back_within_alpha_min_is_released() -> None:
    """A pocket whose walls lean in by 0.3 degrees is low draft; by 2 degrees it is an undercut."""
    for lean, count in ((0.3, 0), (2.0, 1)):
        narrower = 30 * float(np.tan(np.radians(lean)))
        pocket = {"move": {"of": {"cone": {"d": 20, "d2": 20 - 2 * narrower, "h": 30}}, "by": [20, 20, 10]}}
        assert len(draft(context({"cut": [{"box": [40, 40, 40]}, pocket]}), "0,0,1").undercut_regions) == count


def test_no_angle_and_no_direction_is_a_negative_zero() -> None:
    """The walls of a box along its pull have a draft of 0, which must not be written "-0.00"."""
    for tree, way in (({"box": [40, 30, 20]}, (0.0, 0.0, 1.0)), (tilted({"box": [40, 30, 20]}), tilt((0, 0, 1)))):
        for sign in (1.0, -1.0):
            on = context(tree)
            pull = ",".join(repr(sign * float(value)) for value in way)
            found = draft(on, pull)
            for angles in (found.signed_deg, found.effective_deg, found.face_min_deg):
                assert f"{np.nanmin(np.abs(angles)):.2f}" == "0.00"
                level = angles[np.abs(angles) < 1e-3]
                assert not np.signbit(level).any()
            assert not any(np.signbit(value) and value == 0.0 for value in found.pull)
            directions = access(on, pull).directions
            assert not np.signbit(directions[directions == 0.0]).any()
