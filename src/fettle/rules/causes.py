"""Findings of one kind as one cause: the same rule, and the same tier of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

from fettle.results import Cause, Finding
from fettle.rules.template import Template, parse_template

_SENTENCES = re.compile(r"(?<=[.!?])\s+")


def order_causes(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """Failures first, else in the order given."""
    return tuple(sorted(causes, key=lambda cause: cause.severity != "fail"))


@lru_cache(maxsize=1024)
def advice_of(template: Template) -> Template | None:
    """The last sentence of a message, which says what to change; None for a message of one sentence."""
    sentences = _SENTENCES.split(template.text.strip())
    return parse_template(sentences[-1]) if len(sentences) > 1 else None


def cause_of(rule: str, group: Sequence[Finding], unit: str, advice: str | None) -> Cause:
    """Findings of one tier of a rule, the worst first, as one cause. `unit`: of their metric; `advice`: the sentence of
    the worst one's message that says what to change, None where it has none."""
    worst = group[0]
    values = [one.value for one in group if one.value is not None]
    return Cause(
        rule=rule,
        severity=worst.severity,
        message=worst.message.replace(f" {advice}", "", 1) if advice else worst.message,
        count=len(group),
        value=worst.value,
        value_range=(min(values), max(values)) if values else None,
        threshold=worst.threshold,
        unit=unit,
        fids=tuple(dict.fromkeys(chain.from_iterable(one.related_fids for one in group))),
        position_mm=worst.position,
        fix=advice,
    )
