"""Workflow commands of GitHub Actions: a line becomes an annotation on the file."""

from __future__ import annotations

from collections.abc import Sequence

from fettle.app.findings import MergedFinding
from fettle.cli.outcome import Outcome

COMMANDS = {"fail": "error", "warning": "warning"}


def write(outcomes: Sequence[Outcome], new: Sequence[Sequence[MergedFinding]], n_known: Sequence[int]) -> str:
    lines = []
    for outcome, found in zip(outcomes, new, strict=True):
        if outcome.result is None:
            lines.append(_command("error", outcome.file, "not analyzed", str(outcome.error)))
        lines += [
            _command(
                COMMANDS[one.severity],
                outcome.file,
                f"{one.module}/{one.rule}",
                f"{one.place}: {one.message} ({one.comparison}) [{', '.join(one.configurations)}]",
            )
            for one in found
        ]
    return "".join(f"{line}\n" for line in lines)


def _command(name: str, file: str, title: str, message: str) -> str:
    return f"::{name} file={_property(file)},title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
