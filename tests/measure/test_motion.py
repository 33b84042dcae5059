"""Draft and access do not change when part and pull move together."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.measure.parts import CUP, access, context, draft, rod, rotated_by

POT = {"cut": [CUP, rod(8, 10, "x", (-5, 20, 15))]}
AXES = st.tuples(*[st.integers(-5, 5)] * 3).filter(any)


@settings(max_examples=4)
@given(AXES, st.floats(1.0, 359.0), st.floats(-1e3, 1e3))
def test_draft_and_access_move_with_the_part(axis: tuple[int, int, int], deg: float, far: float) -> None:
    """A cup with a hole in its side has one undercut, the wall of the hole. All is reached from its mouth and from the
    side of the hole: a cutter along the hole mills the bottom of the cup with its side."""
    still = context(POT, max_edge_mm=2.0)
    moved = {"move": {"of": {"turn": {"of": POT, "axis": list(axis), "deg": deg}}, "by": [far, -far, far / 2]}}
    on, pull = context(moved, max_edge_mm=2.0), ",".join(map(repr, rotated_by((0, 0, 1), axis, deg).tolist()))
    before, after = draft(still, "0,0,1"), draft(on, pull)
    assert len(after.undercut_faces) == 1
    assert after.undercut_faces == before.undercut_faces
    assert after.low_draft_faces == before.low_draft_faces
    assert after.straddling_faces == before.straddling_faces
    reached = access(on, pull)
    assert len(reached.setups_3axis) == len(access(still).setups_3axis) == 2
    assert reached.unreached_3axis == reached.unreached_5axis == ()
