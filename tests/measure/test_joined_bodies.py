"""Fields of several bodies: each as if it were alone, joined by the numbers of the file."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.geometry.bodies import join_meshes, select_faces
from fettle.measure.context import prepare
from fettle.measure.joined_bodies import JoinedVisibility, MeasuredBodies, join_walls
from fettle.measure.pull import choose_pull
from tests.measure.parts import box, clearance, context, rod, thickness, visibility

UP, DOWN = (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)


def test_a_body_above_hides_nothing() -> None:
    on = context({"bodies": [box(50, 50, 4), box(50, 50, 4, (0, 0, 9)), box(50, 50, 4, (0, 0, 18))]})
    for direction in (UP, DOWN):
        facing = on.mesh.normals @ np.array(direction) > 0.9
        assert visibility(on).free_everywhere(direction)[facing].all()


def test_pieces_answer_by_the_numbers_of_the_file() -> None:
    """A block with a hole of 8 across, a plate on it, and a pin in the hole: of the block alone in one piece, of the
    others together in the other."""
    block = {"cut": [box(40, 30, 20), rod(8, 40, "x", (0, 15, 10))]}
    tree = {"bodies": [box(40, 30, 5, (0, 0, 20)), block, rod(6, 60, "x", (-10, 15, 10))]}
    on = context(tree)
    of_block = np.array([face.body == 1 for face in on.part.faces])
    every = np.arange(len(of_block), dtype=np.int32)
    own = [select_faces(on.mesh, chosen) for chosen in (of_block, ~of_block)]
    mesh = join_meshes([(every, one) for one in own], on.mesh.max_edge_mm)
    contexts = [prepare(on.part, one) for one in own]
    pieces = [MeasuredBodies(every, visibility(one)) for one in contexts]
    joined = JoinedVisibility(on.part, mesh, pieces)

    samples = joined.context.samples
    assert samples.faces.tolist() == mesh.point_face[samples.rows].tolist()
    exact = [face.area_mm2 for face in on.part.faces]
    assert np.bincount(samples.faces, samples.area_mm2) == pytest.approx(exact, rel=0.02)
    rows = np.arange(len(mesh.points))[::-1].copy()
    assert joined.free_at(rows, UP).tolist() == joined.free_everywhere(UP)[::-1].tolist()
    assert joined.free(UP).tolist() == joined.free_everywhere(UP)[samples.rows].tolist()

    gap, wall = (
        join_walls(pieces, [clearance(one) for one in contexts]),
        join_walls(pieces, [thickness(one) for one in contexts]),
    )
    hole = next(number for number, face in enumerate(on.part.faces) if face.convex is False)
    in_hole = mesh.point_face == hole
    assert np.unique(gap.value_mm[in_hole]).tolist() == [8.0]
    assert set(gap.opposite_face[in_hole].tolist()) == {hole}
    assert np.isnan(gap.value_mm[~in_hole]).all()
    top = (mesh.normals[:, 2] > 0.9) & np.isclose(mesh.points[:, 2], 25.0)
    assert np.unique(wall.value_mm[top]).tolist() == [5.0]

    # Along the hole nothing is an undercut; up, the hole's wall alone: 8 pi 40 mm2, by its share that leans back.
    along = choose_pull(joined.context, joined, "hemisphere", 0.5, 3.0)
    assert np.abs(along.direction) == pytest.approx([1.0, 0.0, 0.0])
    assert along.candidates[0].undercut_area_mm2 == 0.0
    up = choose_pull(joined.context, joined, UP, 0.5, 3.0).candidates[0]
    assert up.undercut_area_mm2 == pytest.approx(8 * np.pi * 40, rel=0.1)
