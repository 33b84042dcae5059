"""Lines for people: the file with its headline, and below it the processes by fit, then every cause with face,
severity, rule, message, value against limit and count."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fettle.app.body_lines import BodyLine, body_lines
from fettle.app.causes import MergedCause, merged_causes, summarize_processes
from fettle.app.findings import MergedFinding, unchecked
from fettle.app.wording import counted
from fettle.cli.outcome import Outcome
from fettle.results import AnalysisResult

INDENT = "  "
"""Before every line of a file but its first, which names it."""
COLORS = {"fail": "31", "warning": "33", "pass": "32"}

Paint = Callable[[str, str], str]
"""A text in the color of a severity."""


def write(outcomes: Sequence[Outcome], new: Sequence[Sequence[MergedFinding]], n_known: Sequence[int]) -> str:
    lines: list[str] = []
    severities: list[str] = []
    for outcome, found in zip(outcomes, new, strict=True):
        file, result = outcome.file, outcome.result
        paint = _in_color if outcome.painted else _plain
        if result is None:
            lines.append(f"{file}: {paint('not analyzed', 'fail')}: {outcome.error}")
            continue
        lines.append(f"{file}: {result.headline}")
        own = [_body(one, paint) for one in body_lines(result)] + _processes(result, paint)
        if outcome.by_face:
            own += [_line(one, paint) for one in found]
            severities += [one.severity for one in found]
        else:
            causes = merged_causes(result)
            own += [_cause(one, paint) for one in causes]
            severities += [one.cause.severity for one in causes]
        own += [f"note: {warning}" for warning in result.warnings]
        missing = unchecked(result.modules)
        if missing:
            own.append(f"not everything could be measured for {counted(missing, 'rule')}; --format json tells")
        lines += [f"{INDENT}{line}" for line in own]
    return "\n".join([*lines, _summary(outcomes, severities, n_known), ""])


def _processes(result: AnalysisResult, paint: Paint) -> list[str]:
    """One line a module, the best first; then those that the part is no candidate for, with the reason."""
    lines = []
    for place, one in enumerate(summarize_processes(result), start=1):
        fit = "" if one.fit is None else f" (fit {one.fit:.2f})"
        if not one.candidate:
            lines.append(f"{paint('no candidate', 'fail')} for {one.module}{fit}: {one.reason}")
            continue
        words = ", ".join(f"{key} {paint(word, word)}" for key, word in one.words.items())
        note = f"; {one.note}" if one.note else ""
        lines.append(f"{place}. {one.module}{fit}: {words}{note}")
    return lines


def _body(one: BodyLine, paint: Paint) -> str:
    return f"body {one.body}, {one.title} ({one.size}): {paint(one.word, one.word)}; {one.said}"


def _cause(one: MergedCause, paint: Paint) -> str:
    where = f"{one.place}: {paint(one.cause.severity, one.cause.severity)}"
    figures = f" ({one.figures})" if one.figures else ""
    return f"{where} {one.module}/{one.cause.rule} [{', '.join(one.configurations)}] {one.text}{figures}"


def _line(one: MergedFinding, paint: Paint) -> str:
    where = f"{one.place}: {paint(one.severity, one.severity)}"
    rule = f"{one.module}/{one.rule} [{', '.join(one.configurations)}]"
    return f"{where} {rule} {one.message} ({one.comparison}{', borderline' if one.borderline else ''})"


def _summary(outcomes: Sequence[Outcome], severities: Sequence[str], n_known: Sequence[int]) -> str:
    lost = sum(outcome.result is None for outcome in outcomes)
    parts = [
        counted(len(outcomes) - lost, "file") + " analyzed",
        *([f"{lost} not analyzed"] if lost else []),
        counted(severities.count("fail"), "failure"),
        counted(severities.count("warning"), "warning"),
        *([f"{sum(n_known)} known from the baseline"] if any(n_known) else []),
    ]
    return ", ".join(parts)


def _plain(text: str, _: str) -> str:
    return text


def _in_color(text: str, severity: str) -> str:
    return f"\x1b[{COLORS[severity]}m{text}\x1b[0m" if severity in COLORS else text
