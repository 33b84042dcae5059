"""What a change of the part would save: the price with the dimensions of a cause at the limit of its rule, computed by
the function that prices the part. The geometry is not edited, so a saving is an estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from fettle.errors import BadRequest
from fettle.plan.rate_card import ProcessRates
from fettle.quote.calibrated import Calibrations
from fettle.quote.changes.formed import FORMED_CHANGES
from fettle.quote.changes.milled import (
    Change,
    change_features,
    with_depth_over_radius,
    with_depth_over_width,
    with_grade,
    with_hole_ratio,
    with_radius,
    with_setups,
    with_wall,
    with_width,
    without_undercut,
)
from fettle.quote.changes.turned import (
    CutChange,
    change_cuts,
    with_bore_ratio,
    with_groove_ratio,
    with_groove_width,
    with_slenderness,
)
from fettle.quote.orders import fast_unit_price
from fettle.results.making import MakingFacts
from fettle.results.process_prices import Saving
from fettle.results.record import rounded
from fettle.results.verdicts import Finding, RuleResult, Verdict

FEATURE_CHANGES: dict[str, tuple[str, Change]] = {
    "corner.milled_radius": ("inside radius", with_radius),
    "corner.passage_radius": ("inside radius", with_radius),
    "corner.sharp_blind": ("inside radius", with_radius),
    "corner.sharp_through": ("inside radius", with_radius),
    "corner.depth_over_radius": ("inside radius", with_depth_over_radius),
    "hole.depth_over_diameter": ("hole", with_hole_ratio),
    "recess.held_depth_over_width": ("depth", with_depth_over_width),
    "gap.passage": ("width", with_width),
    "thickness.web_min": ("wall", with_wall),
    "part.hidden_region_count": ("undercut", without_undercut),
    "part.form_cut_count": ("undercut", without_undercut),
}
"""How a milled feature follows the limit of a metric."""
CUT_CHANGES: dict[str, tuple[str, CutChange]] = {
    "turned_groove.width": ("groove width", with_groove_width),
    "turned_groove.depth_over_width": ("groove depth", with_groove_ratio),
    "bore.reach_over_diameter": ("bore", with_bore_ratio),
}
"""How a turned cut follows it."""


GRADE_METRICS = ("tolerance.it_grade", "hole.it_grade")
"""Metrics whose limit is a grade of ISO 286."""


@dataclass(frozen=True, slots=True)
class _Altered:
    """A body after a change: what changed, from and to which dimension, with the features concerned."""

    facts: MakingFacts
    what: str
    before: float
    after: float
    unit: str
    fids: tuple[str, ...]


def find_savings(
    facts: MakingFacts,
    process: str,
    quantity: int,
    verdict: Verdict,
    material: str | None = None,
    rates: ProcessRates | None = None,
    learned: Calibrations | None = None,
    unit_price: Decimal | None = None,
) -> tuple[Saving, ...]:
    """What each cause of a warning or fail costs, the largest saving first; causes without a cost are left out.

    `learned`: what past jobs taught, as in the price itself; `unit_price`: of the body as it is, finishes left out,
    where it is known already.
    """

    def price(of: MakingFacts) -> Decimal:
        return fast_unit_price(of, process, quantity, material, rates, learned)

    now = price(facts) if unit_price is None else unit_price
    found = []
    for rule in verdict.rules:
        for findings in _by_limit(rule):
            altered = _alter(facts, findings)
            if altered is None:
                continue
            then = _after(altered.facts, price)
            if then is not None and then < now:
                found.append(_saving(rule.key, altered, quantity, now - then, then))
    return tuple(sorted(found, key=lambda one: (-one.saves_each, one.rule, one.fids)))


def _after(facts: MakingFacts, price: Callable[[MakingFacts], Decimal]) -> Decimal | None:
    """The unit price after a change; None where the process does not make the changed body."""
    try:
        return price(facts)
    except BadRequest:
        return None


def _by_limit(rule: RuleResult) -> list[list[Finding]]:
    """The findings of a rule that do not pass, those of one metric and limit together, in the rule's order."""
    groups: dict[tuple[str, float | None], list[Finding]] = {}
    for finding in rule.findings:
        if finding.severity != "pass":
            groups.setdefault((finding.metric, finding.threshold), []).append(finding)
    return list(groups.values())


def _alter(facts: MakingFacts, findings: Sequence[Finding]) -> _Altered | None:
    """The body with all features of some findings at their limit; None where the price does not depend on them."""
    first = findings[0]
    metric, limit = first.metric, first.threshold
    if limit is None:
        return None
    faces = [face for finding in findings for face in finding.related_fids]
    if metric in FEATURE_CHANGES:
        what, change = FEATURE_CHANGES[metric]
        milled, changed = change_features(facts, faces, limit, change)
        if changed:
            names = tuple(one.feature.fid for one in changed)
            return _Altered(milled, what, changed[0].before_mm, changed[0].after_mm, "mm", names)
    elif metric in CUT_CHANGES:
        what, change_cut = CUT_CHANGES[metric]
        turned, cuts = change_cuts(facts, faces, limit, change_cut)
        if cuts:
            names = tuple(one.cut.fid for one in cuts)
            return _Altered(turned, what, cuts[0].before_mm, cuts[0].after_mm, "mm", names)
    elif metric == "part.setup_count":
        fewer = with_setups(facts, int(limit))
        if fewer is not None:
            return _Altered(fewer, "set-ups", first.value or 0.0, limit, "", ())
    elif metric in GRADE_METRICS:
        coarser, grade = with_grade(facts, faces, int(limit))
        if grade is not None:
            return _Altered(coarser, "tolerance grade IT", float(grade), limit, "", tuple(dict.fromkeys(faces)))
    elif metric == "turned.slenderness":
        thicker = with_slenderness(facts, limit)
        if thicker is not None:
            return _Altered(thicker, "length over diameter", first.value or 0.0, limit, "", ())
    elif metric in FORMED_CHANGES:
        formed = FORMED_CHANGES[metric](facts, first.value or 0.0, limit)
        if formed is not None:
            return _Altered(formed.facts, formed.what, formed.before, formed.after, formed.unit, formed.fids)
    return None


def _saving(rule: str, altered: _Altered, quantity: int, saved: Decimal, unit_price: Decimal) -> Saving:
    unit = f" {altered.unit}" if altered.unit else ""
    sizes = "" if altered.before == altered.after else f" {altered.before:.4g} to {altered.after:.4g}{unit}"
    others = f" at {len(altered.fids)} places" if len(altered.fids) > 1 else ""
    return Saving(
        rule=rule,
        fids=altered.fids,
        what=altered.what,
        value=rounded(altered.before),
        limit=rounded(altered.after),
        unit=altered.unit,
        quantity=quantity,
        saves_each=saved,
        unit_price=unit_price,
        message=f"{altered.what[0].upper()}{altered.what[1:]}{sizes}{others} saves {saved} each at {quantity}.",
    )
