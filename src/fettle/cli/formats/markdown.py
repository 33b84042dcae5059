"""A summary to paste into a pull request: verdicts first, then one row per finding."""

from __future__ import annotations

from collections.abc import Sequence

from fettle.app.findings import MergedFinding
from fettle.cli.outcome import Outcome


def write(outcomes: Sequence[Outcome], new: Sequence[Sequence[MergedFinding]], n_known: Sequence[int]) -> str:
    return "\n".join(
        _section(outcome, found, known) for outcome, found, known in zip(outcomes, new, n_known, strict=True)
    )


def _section(outcome: Outcome, found: Sequence[MergedFinding], n_known: int) -> str:
    lines = [f"## {escape(outcome.file)}", ""]
    if outcome.result is None:
        return "\n".join([*lines, f"**Not analyzed.** {escape(str(outcome.error))}", ""])
    words = [
        f"{module}:{key} **{word}**"
        for module, configurations in outcome.result.verdicts().items()
        for key, word in configurations.items()
    ]
    lines += [", ".join(words), ""]
    if found:
        lines += ["| face | severity | rule | finding | value |", "|---|---|---|---|---|"]
        lines += [_row(one) for one in found] + [""]
    else:
        lines += ["No new findings." if n_known else "No findings.", ""]
    if n_known:
        lines += [f"{n_known} known from the baseline are left out.", ""]
    return "\n".join(lines)


def _row(one: MergedFinding) -> str:
    rule = f"{one.module}/{one.rule} ({', '.join(one.configurations)})"
    place = one.fids[0] if one.fids else "-"
    return f"| {place} | {one.severity} | {escape(rule)} | {escape(one.message)} | {escape(one.comparison)} |"


def escape(text: str) -> str:
    """Text that Markdown takes literally, in one table cell."""
    for sign in "\\|<>*_`[]":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
