"""The option `--format` of commands that answer in text or JSON."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class AnswerFormat(StrEnum):
    """How a command prints its answer."""

    TEXT = "text"
    JSON = "json"


Form = Annotated[AnswerFormat, typer.Option("--format", help="How to print the answer.")]
