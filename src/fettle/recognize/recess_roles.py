"""What SLOT and POCKET have in common: the recognizer that lists the depressions of a part as one or the other."""

from __future__ import annotations

from fettle.recognize.declarations import Recognizer
from fettle.recognize.feature import Role

SLOT_WALL = Role(6, "Slot wall")
SLOT_FLOOR = Role(7, "Slot floor")
POCKET_WALL = Role(10, "Pocket wall")
POCKET_FLOOR = Role(11, "Pocket floor")

RECESSES = Recognizer(
    name="slots_and_pockets",
    function="fettle.recognize.recesses:recess_claims",
    needs=("contracted", "recesses", "holes", "keyways"),
    yields_to=("keyways",),
    claims=(SLOT_WALL, SLOT_FLOOR, POCKET_WALL, POCKET_FLOOR),
)
"""Lists every depression that is a slot or a pocket, in the order of depressions."""
