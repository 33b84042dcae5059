"""The flat pattern as rules see it: unfolded once, or the reason why there is none."""

from __future__ import annotations

from fettle.errors import CannotUnfold
from fettle.geometry.part import Part
from fettle.rules.context import RuleContext
from fettle.sheet.flat import CutOut, FlatSheet
from fettle.sheet.unfold import Unfolded, unfold


def unfolded_of(context: RuleContext) -> Unfolded | None:
    """The part laid flat with the usual allowances; None where it has no flat."""
    found = unfolding_of(context)
    return found if isinstance(found, Unfolded) else None


def unfolding_of(context: RuleContext) -> Unfolded | CannotUnfold:
    """The part laid flat, or why it does not lie flat."""
    return context.keep("unfolded", lambda: unfold_or_reason(context.part))


def flat_of(context: RuleContext) -> FlatSheet | None:
    """The flat pattern of the part."""
    unfolded = unfolded_of(context)
    return None if unfolded is None else unfolded.flat


def cutout_of(context: RuleContext, face: int) -> CutOut | None:
    """The cut-out of the flat that a face of the part bounds."""
    flat = flat_of(context)
    return None if flat is None else next((one for one in flat.cutouts if face in one.faces), None)


def unfold_or_reason(part: Part) -> Unfolded | CannotUnfold:
    """A part laid flat with the usual allowances, or why it does not lie flat.

    The reason comes without its traceback: kept with the part, it would hold on to the frames that hold the part.
    """
    try:
        return unfold(part)
    except CannotUnfold as reason:
        return reason.with_traceback(None)
