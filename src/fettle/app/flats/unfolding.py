"""From a part and a request to the record of its flat."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fettle.app.flats.record import flat_pattern
from fettle.app.flats.request import FlatRequest
from fettle.geometry.part import Part
from fettle.results.flat import FlatAllowance, FlatPattern
from fettle.rules.flat_shape import unfold_or_reason, unfolding_of
from fettle.sheet.allowance import Allowance, Din6935, KFactor, MaterialK, read_table
from fettle.sheet.stock import GROUP_K, GROUP_NAMES, HANDBOOK, USUAL_GROUP, find_material
from fettle.sheet.unfold import Unfolded, unfold

if TYPE_CHECKING:
    from fettle.analysis import Analysis
    from fettle.rules.context import RuleContext


def unfold_part(part: Part, request: FlatRequest) -> FlatPattern:
    """The flat of a part; raises `CannotUnfold` with the reason and the faces."""
    material = None if request.material is None else find_material(request.material)
    group = USUAL_GROUP if material is None else material.k_group
    usual = MaterialK(group)
    allowance: Allowance = usual
    asked = _by_group(group)
    if request.k_factor is not None:
        allowance = KFactor(request.k_factor)
        asked = FlatAllowance("k-factor", request.k_factor, "given")
    elif request.din_6935:
        allowance, asked = Din6935(), FlatAllowance("din-6935", None, "DIN 6935")
    elif request.table is not None:
        allowance = read_table(request.table, request.table_name, request.material, usual)
        asked = FlatAllowance("table", None, f"{request.table_name}; where it has no row, {asked.source}")
    return flat_pattern(unfold(part, allowance), material, asked)


def flat_of_file(analysis: Analysis, contexts: Mapping[int, RuleContext]) -> FlatPattern | None:
    """The record of a file's flat, by the file's face numbers: of several bodies that with the largest surface.
    `contexts`: of the analyzed bodies, by the number of their first member."""
    known = [body for body in analysis.bodies if math.isfinite(body.part.volume_mm3 + body.part.area_mm2)]
    if not known:
        return None
    body = max(known, key=lambda one: (one.part.area_mm2, -one.members[0]))
    first = body.members[0]
    found = unfolding_of(contexts[first]) if first in contexts else unfold_or_reason(body.part)
    if not isinstance(found, Unfolded):
        return None
    flat = found.flat.numbered(body.faces, first, len(analysis.part.bodies))
    return usual_flat(Unfolded(flat, found.refold))


def usual_flat(unfolded: Unfolded | None) -> FlatPattern | None:
    """The record of a flat with the usual allowance and no material; None for a part that has none."""
    return None if unfolded is None else flat_pattern(unfolded, None, _by_group(USUAL_GROUP))


def _by_group(group: str) -> FlatAllowance:
    return FlatAllowance("k-factor", round(GROUP_K[group], 9), f"{HANDBOOK}: {GROUP_NAMES[group]}")
