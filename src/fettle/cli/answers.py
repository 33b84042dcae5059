"""What `fettle analyze` asks of the child that judges its one file: an answer that only needs to be printed.

So the command itself loads neither the records of a result nor numpy. Light on purpose: both sides import it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fettle.app.isolation.task import KernelTask
from fettle.app.options import Bounds, JobOptions, ModuleChoice


@dataclass(frozen=True, slots=True)
class BaselineFile:
    """Earlier output of `--format json`, with the path it was named by."""

    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """How an answer is written. `form`: a module of `fettle.cli.formats`. `by_face`: every finding, not causes.
    `painted`: with the colors of a terminal. `fail_on`: severity from which the exit code is 1."""

    form: str
    by_face: bool
    painted: bool
    fail_on: str
    baseline: BaselineFile | None


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    exit_code: int


ANSWER_MODULE = "fettle.cli.answer_file"
ANSWER_FILE: KernelTask[Answer, bytes, str, str, JobOptions, Bounds, str, Sequence[ModuleChoice], AnswerRequest] = (
    KernelTask(f"{ANSWER_MODULE}:answer_file")
)
