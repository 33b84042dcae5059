"""Lines for people, as compilers and linters write them: file, face, severity, rule, message, value against limit."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from fettle.app.findings import MergedFinding, unchecked
from fettle.cli.outcome import Outcome

COLORS = {"fail": "31", "warning": "33", "pass": "32"}


def write(outcomes: Sequence[Outcome], new: Sequence[Sequence[MergedFinding]], n_known: Sequence[int]) -> str:
    lines: list[str] = []
    for outcome, found in zip(outcomes, new, strict=True):
        if outcome.result is None:
            lines.append(f"{outcome.file}: {_paint('not analyzed', 'fail')}: {outcome.error}")
            continue
        lines += [_line(outcome.file, one) for one in found]
        lines += [f"{outcome.file}: note: {warning}" for warning in outcome.result.warnings]
        for module, configurations in outcome.result.verdicts().items():
            words = ", ".join(f"{key} {_paint(word, word)}" for key, word in configurations.items())
            lines.append(f"{outcome.file}: {module}: {words}")
        missing = unchecked(outcome.result.modules)
        if missing:
            rules = _count(missing, "rule")
            lines.append(f"{outcome.file}: not everything could be measured for {rules}; --format json tells")
    return "\n".join([*lines, _summary(outcomes, new, n_known), ""])


def _line(file: str, one: MergedFinding) -> str:
    where = f"{file}:{one.place}: {_paint(one.severity, one.severity)}"
    rule = f"{one.module}/{one.rule} [{', '.join(one.configurations)}]"
    return f"{where} {rule} {one.message} ({one.comparison}{', borderline' if one.borderline else ''})"


def _summary(outcomes: Sequence[Outcome], new: Sequence[Sequence[MergedFinding]], n_known: Sequence[int]) -> str:
    severities = [one.severity for found in new for one in found]
    lost = sum(outcome.result is None for outcome in outcomes)
    parts = [
        _count(len(outcomes) - lost, "file") + " analyzed",
        *([f"{lost} not analyzed"] if lost else []),
        _count(severities.count("fail"), "failure"),
        _count(severities.count("warning"), "warning"),
        *([f"{sum(n_known)} known from the baseline"] if any(n_known) else []),
    ]
    return ", ".join(parts)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _paint(text: str, severity: str) -> str:
    if os.environ.get("NO_COLOR") or not sys.stdout.isatty():
        return text
    return f"\x1b[{COLORS[severity]}m{text}\x1b[0m"
