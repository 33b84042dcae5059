"""Findings of one kind as one cause: the same rule, and the same tier of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from fettle.results import Cause, Finding
from fettle.rules.template import Template, parse_template

_SENTENCES = re.compile(r"(?<=[.!?])\s+")


# not frozen, as `Finding`
@dataclass(slots=True)
class DecidedFinding:
    """A finding with what decided it: `tier`: its number, -1 where none held; `unit` of its metric; `advice`: the
    sentence of its message that says what to change, None where it has none or an earlier finding has said it."""

    finding: Finding
    tier: int
    unit: str
    advice: str | None


def group_findings(rule: str, found: Sequence[DecidedFinding]) -> tuple[Cause, ...]:
    """The causes of one rule; `found` in reading order, the worst first, without what passes."""
    groups: dict[tuple[int, str], list[DecidedFinding]] = {}
    for one in found:
        groups.setdefault((one.tier, one.finding.metric), []).append(one)
    return tuple(_cause(rule, group) for group in groups.values())


def order_causes(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Failures first, else in the order given."""
    return tuple(sorted(causes, key=lambda cause: cause.severity != "fail"))


@lru_cache(maxsize=1024)
def advice_of(template: Template) -> Template | None:
    """The last sentence of a message, which says what to change; None for a message of one sentence."""
    sentences = _SENTENCES.split(template.text.strip())
    return parse_template(sentences[-1]) if len(sentences) > 1 else None


def _cause(rule: str, group: Sequence[DecidedFinding]) -> Cause:
    worst, advice = group[0].finding, group[0].advice
    values = [one.finding.value for one in group if one.finding.value is not None]
    return Cause(
        rule=rule,
        severity=worst.severity,
        message=worst.message.replace(f" {advice}", "", 1) if advice else worst.message,
        count=len(group),
        value=worst.value,
        value_range=(min(values), max(values)) if values else None,
        threshold=worst.threshold,
        unit=group[0].unit,
        fids=tuple(dict.fromkeys(chain.from_iterable(one.finding.related_fids for one in group))),
        position_mm=worst.position,
        fix=advice,
    )
