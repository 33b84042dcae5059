"""The answer of `fettle analyze` from the outcomes of its files: what is printed, and the exit code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module

from fettle.cli.answers import Answer, AnswerRequest
from fettle.cli.outcome import Baseline, Outcome, exit_code


class AnswerWriter:
    """Reads the baseline first, so that one which is none is refused before any part is read."""

    def __init__(self, request: AnswerRequest) -> None:
        self._request = request
        self._known = Baseline(request.baseline)

    def write(self, outcomes: Sequence[Outcome]) -> Answer:
        request = self._request
        shown = [replace(one, by_face=request.by_face, painted=request.painted) for one in outcomes]
        split = [self._known.split(outcome) for outcome in shown]
        writer = import_module(f"fettle.cli.formats.{request.form}")
        text: str = writer.write(shown, [new for new, _ in split], [len(old) for _, old in split])
        return Answer(text, exit_code(shown, [one for new, _ in split for one in new], request.fail_on))
