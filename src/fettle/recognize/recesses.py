"""Recesses: the depressions of a part, each a SLOT, a POCKET, or neither."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.curved_slots import curved_slot_of
from fettle.recognize.depression import Depression
from fettle.recognize.depressions import find_depressions
from fettle.recognize.feature import Claim, Role, claimed_regions
from fettle.recognize.kinds.fin import Fin
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.pocket import Pocket
from fettle.recognize.kinds.slot import Slot
from fettle.recognize.pockets import pocket_of
from fettle.recognize.recess_roles import POCKET_FLOOR, POCKET_WALL, SLOT_FLOOR, SLOT_WALL
from fettle.recognize.slots import slot_of


class Recess(NamedTuple):
    """A depression with the slot that it is, if it is one."""

    depression: Depression
    slot: Slot | None


def find_recesses(contracted: ContractedGraph, holes: Sequence[Claim[Hole]], taken: Collection[int]) -> list[Recess]:
    """Every depression among the regions not taken."""
    return _recesses(contracted, holes, taken, ())


def _recesses(
    contracted: ContractedGraph, holes: Sequence[Claim[Hole]], taken: Collection[int], before: Sequence[Recess]
) -> list[Recess]:
    """The recesses among the regions not taken; those found before are not measured again."""
    known = {id(recess.depression): recess for recess in before}
    bores = [frozenset(hole.roles) for hole in holes]
    whole = claimed_regions(hole for hole in holes if not hole.feature.partial)
    depressions = find_depressions(contracted, taken, bores, whole)
    return [
        known.get(id(depression))
        or Recess(depression, slot_of(contracted, depression) or curved_slot_of(contracted, depression))
        for depression in depressions
    ]


def find_recesses_without_fins(
    contracted: ContractedGraph,
    holes: Sequence[Claim[Hole]],
    recesses_with_fins: list[Recess],
    fins: Sequence[Claim[Fin]],
    taken: Collection[int],
) -> list[Recess]:
    """The same once the fins that stand in pockets are taken: what is left without a rib is the pocket."""
    return _recesses(contracted, holes, taken, recesses_with_fins) if fins else recesses_with_fins


def recess_claims(
    contracted: ContractedGraph,
    recesses: Sequence[Recess],
    holes: Sequence[Claim[Hole]],
    keyways: Sequence[Claim[Slot]],
) -> list[Claim[Slot | Pocket]]:
    """Slots and pockets in the order of their depressions, those that are keyways left out."""
    bored, keyed = claimed_regions(holes), claimed_regions(keyways)
    found: list[Claim[Slot | Pocket]] = []
    for depression, slot in recesses:
        if keyed.issuperset(depression.regions):
            continue
        if slot is not None:
            found.append(Claim(slot, _roles(depression, SLOT_WALL, SLOT_FLOOR)))
            continue
        pocket = pocket_of(contracted, depression, bored)
        if pocket is not None:
            found.append(Claim(pocket, _roles(depression, POCKET_WALL, POCKET_FLOOR)))
    return found


def _roles(depression: Depression, wall: Role, floor: Role) -> dict[int, Role]:
    return {number: floor if number == depression.floor else wall for number in depression.regions}
