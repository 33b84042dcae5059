"""A summary to paste into a pull request: the headline and the processes first, then one row per cause."""

from __future__ import annotations

from collections.abc import Sequence

from fettle.app.body_lines import body_lines
from fettle.app.causes import MergedCause, merged_causes, summarize_processes
from fettle.app.findings import MergedFinding
from fettle.cli.outcome import Outcome
from fettle.results import AnalysisResult


def write(outcomes: Sequence[Outcome], new: Sequence[Sequence[MergedFinding]], n_known: Sequence[int]) -> str:
    return "\n".join(
        _section(outcome, found, known) for outcome, found, known in zip(outcomes, new, n_known, strict=True)
    )


def _section(outcome: Outcome, found: Sequence[MergedFinding], n_known: int) -> str:
    lines = [f"## {escape(outcome.file)}", ""]
    if outcome.result is None:
        return "\n".join([*lines, f"**Not analyzed.** {escape(str(outcome.error))}", ""])
    lines += [f"**{escape(outcome.result.headline)}**", ""]
    lines += _bodies(outcome.result)
    lines += [f"- {line}" for line in _processes(outcome.result)] + [""]
    rows = [_row(one) for one in found] if outcome.by_face else [_cause(one) for one in merged_causes(outcome.result)]
    if rows:
        title = "finding" if outcome.by_face else "cause"
        lines += [f"| face | severity | rule | {title} | value |", "|---|---|---|---|---|", *rows, ""]
    else:
        lines += ["No new findings." if n_known else "No findings.", ""]
    if n_known:
        lines += [f"{n_known} known from the baseline are left out.", ""]
    return "\n".join(lines)


def _bodies(result: AnalysisResult) -> list[str]:
    """A table of the bodies of an assembly."""
    rows = [
        f"| {one.body} | {one.count} | {escape(one.name)} | {one.size} | {one.word} | {escape(one.said)} |"
        for one in body_lines(result)
    ]
    return ["| body | count | name | size | verdict | why |", "|---|---|---|---|---|---|", *rows, ""] if rows else []


def _processes(result: AnalysisResult) -> list[str]:
    """One line a module, the best first."""
    lines = []
    for one in summarize_processes(result):
        fit = "" if one.fit is None else f" (fit {one.fit:.2f})"
        words = ", ".join(f"{escape(key)} **{word}**" for key, word in one.words.items())
        said = words if one.candidate else f"no candidate. {escape(one.reason)}"
        lines.append(f"{escape(one.module)}{fit}: {said}{f'; {one.note}' if one.note else ''}")
    return lines


def _cause(one: MergedCause) -> str:
    rule = f"{one.module}/{one.cause.rule} ({', '.join(one.configurations)})"
    place = one.cause.fids[0] if one.cause.fids else "-"
    return f"| {place} | {one.cause.severity} | {escape(rule)} | {escape(one.text)} | {escape(one.figures)} |"


def _row(one: MergedFinding) -> str:
    rule = f"{one.module}/{one.rule} ({', '.join(one.configurations)})"
    place = one.fids[0] if one.fids else "-"
    return f"| {place} | {one.severity} | {escape(rule)} | {escape(one.message)} | {escape(one.comparison)} |"


def escape(text: str) -> str:
    """Text that Markdown takes literally, in one table cell."""
    for sign in "\\|<>*_`[]":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
