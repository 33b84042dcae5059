"""Formed parts with fewer undercuts, threads and supports, thinner walls or fewer bend radii."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from fettle.results.making import MakingFacts


@dataclass(frozen=True, slots=True)
class FormedChange:
    """A body after a change: what changed, from and to which value, with the features concerned."""

    facts: MakingFacts
    what: str
    before: float
    after: float
    unit: str
    fids: tuple[str, ...] = ()


def with_undercuts(facts: MakingFacts, value: float, limit: float) -> FormedChange | None:
    """A mold with as many undercuts as the limit, those that take a lifter removed first; their surfaces go as well."""
    molding = facts.molding
    if molding is None or len(molding.undercuts) <= limit:
        return None
    ordered = sorted(molding.undercuts, key=lambda one: (one.slide is None, one.slide or 0))
    kept, gone = ordered[: int(limit)], ordered[int(limit) :]
    patches = max(1, molding.patches - sum(one.patches for one in gone))
    changed = replace(molding, undercuts=tuple(kept), patches=patches)
    fids = tuple(dict.fromkeys(one.fid for one in gone))
    return FormedChange(replace(facts, molding=changed), "undercuts", float(len(ordered)), float(len(kept)), "", fids)


def with_threads(facts: MakingFacts, value: float, limit: float) -> FormedChange | None:
    """A mold that unscrews as many threads as the limit."""
    molding = facts.molding
    if molding is None or len(molding.threads) <= limit:
        return None
    gone = molding.threads[int(limit) :]
    changed = replace(molding, threads=molding.threads[: int(limit)])
    return FormedChange(
        replace(facts, molding=changed), "unscrewed threads", float(len(molding.threads)), float(int(limit)), "", gone
    )


def with_molded_wall(facts: MakingFacts, value: float, limit: float) -> FormedChange | None:
    """A molded part cored out to the wall of the limit; its volume is left as it is."""
    molding = facts.molding
    if molding is None or molding.wall_mm <= limit:
        return None
    return FormedChange(
        replace(facts, molding=replace(molding, wall_mm=limit)), "thickest wall", molding.wall_mm, limit, "mm"
    )


def with_nominal_wall(facts: MakingFacts, value: float, limit: float) -> FormedChange | None:
    """A shell whose walls are all thinner by the same share, and its volume with them."""
    thinner = with_molded_wall(facts, value, limit)
    if thinner is None or facts.volume_mm3 is None or not value > limit:
        return None
    return replace(thinner, facts=replace(thinner.facts, volume_mm3=facts.volume_mm3 * limit / value))


def with_support_share(facts: MakingFacts, value: float, limit: float) -> FormedChange | None:
    """A print whose supports take the share of the limit, shorter below the same faces: what must be broken off and
    smoothed stays. Where the faces themselves go, more is saved."""
    printing = facts.printing
    if printing is None or not value > limit:
        return None
    less = limit / value
    orientations = tuple(replace(one, support_mm3=one.support_mm3 * less) for one in printing.orientations)
    fids = tuple(dict.fromkeys(fid for one in printing.orientations for fid in one.support_fids))
    changed = replace(printing, orientations=orientations)
    return FormedChange(replace(facts, printing=changed), "supports over volume", value, limit, "", fids)


def with_bend_radii(facts: MakingFacts, value: float, limit: float) -> FormedChange | None:
    """A sheet part all of whose bends have the radius that most have."""
    sheet = facts.sheet
    if sheet is None or not sheet.bends:
        return None
    counted = Counter(bend.inner_radius_mm for bend in sheet.bends)
    usual = min(counted, key=lambda radius: (-counted[radius], radius))
    odd = tuple(bend.fid for bend in sheet.bends if bend.inner_radius_mm != usual)
    if not odd:
        return None
    bends = tuple(replace(bend, inner_radius_mm=usual) for bend in sheet.bends)
    return FormedChange(
        replace(facts, sheet=replace(sheet, bends=bends)), "bend radii", float(len(counted)), 1.0, "", odd
    )


FORMED_CHANGES: dict[str, Callable[[MakingFacts, float, float], FormedChange | None]] = {
    "part.side_action_count": with_undercuts,
    "part.modeled_thread_count": with_threads,
    "part.thickness.median": with_nominal_wall,
    "thickness.median": with_molded_wall,
    "part.support_share": with_support_share,
    "part.bend_radius_count": with_bend_radii,
}
"""How a formed part follows the limit of a metric: changed from the metric's value to it; None where the price does not
depend on it."""
