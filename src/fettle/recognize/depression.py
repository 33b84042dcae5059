"""What a depression can be: its form, and the faces that play a part in it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from fettle.geometry.part import Vector

SLENDER = 0.5
"""A slot is at most this wide for its length; wider ones are pockets with open sides."""


class DepressionForm(Enum):
    """The form of a depression, by which walls it has."""

    POCKET = "pocket"
    """A floor with walls all round."""
    PASSAGE = "passage"
    """Walls all round an axis, no floor."""
    SLOT = "slot"
    """Two walls face one another and the cut runs out at both ends."""
    BLIND_SLOT = "blind slot"
    """Two walls face one another, a third closes one end."""
    TROUGH = "trough"
    """Two walls face one another over a round floor that comes up at both ends."""
    NOTCH = "notch"
    """A floor and walls around a corner, open on the other sides."""
    STEP = "step"
    """Walls on one side of a floor only."""
    OTHER = "other"


@dataclass(frozen=True, slots=True, eq=False)
class Depression:
    """`regions`: members, without the fillets between them; `axis` points out of the floor, or along a passage.

    `floor` and `walls` are regions; `pair` are the two walls that face one another, where the form has them; `neck`
    the two walls of a T-slot's narrower mouth; `pit` the floors, the risers and their corner fillets of
    pits in the floor that share walls with it.
    """

    form: DepressionForm
    regions: tuple[int, ...]
    floor: int | None
    walls: tuple[int, ...]
    pair: tuple[int, int] | None
    axis: Vector | None
    open_sides: int
    inner_blends: tuple[int, ...]
    neck: tuple[int, int] | None = None
    pit: tuple[int, ...] = ()
