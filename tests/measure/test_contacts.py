"""Contacts between bodies: faces that lie on each other, and none besides."""

from __future__ import annotations

from fettle.geometry.csg import CsgNode, build
from fettle.geometry.load import load
from fettle.measure.contacts import Contacts, find_contacts
from tests.assemblies import moved

BLOCK: CsgNode = {"box": [40, 30, 20]}


def contacts_of(*bodies: CsgNode) -> Contacts:
    whole: CsgNode = {"turn": {"of": {"bodies": list(bodies)}, "axis": [1, 1, 2], "deg": 40}}
    model = load(build(whole), "bodies.step")
    return find_contacts(model.part, model.mesh)


def test_a_block_on_a_block() -> None:
    found = contacts_of(BLOCK, moved({"box": [10, 10, 10]}, 15, 10, 20))
    assert {body: {other: len(faces) for other, faces in touched.items()} for body, touched in found.items()} == {
        0: {1: 1},
        1: {0: 1},
    }


def test_a_gap_is_no_contact() -> None:
    assert contacts_of(BLOCK, moved({"box": [10, 10, 10]}, 15, 10, 20.05)) == {}


def test_faces_in_one_plane_beside_each_other_do_not_touch() -> None:
    frame: CsgNode = {"cut": [BLOCK, moved({"box": [20, 10, 20]}, 10, 10, 0)]}
    # over the window of the frame: the same plane, the boxes overlap, the faces do not
    assert contacts_of(frame, moved({"box": [10, 6, 5]}, 15, 12, 20)) == {}


def test_a_pin_in_its_hole_touches_all_round_and_one_with_play_does_not() -> None:
    drilled: CsgNode = {"cut": [BLOCK, moved({"cylinder": {"d": 8, "h": 20}}, 20, 15, 0)]}
    found = contacts_of(drilled, moved({"cylinder": {"d": 8, "h": 30}}, 20, 15, -5))
    assert {body: list(touched) for body, touched in found.items()} == {0: [1], 1: [0]}
    assert contacts_of(drilled, moved({"cylinder": {"d": 7.9, "h": 30}}, 20, 15, -5)) == {}
