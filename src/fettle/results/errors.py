"""What the API answers when it refuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.results.record import JsonObject, Record


@dataclass(frozen=True, slots=True)
class ErrorDetail(Record):
    """One fault of a body or form."""

    loc: Annotated[tuple[str | int, ...] | str, "Where: a path into the body, or a JSON pointer."]
    msg: Annotated[str, "What is wrong there."]


@dataclass(frozen=True, slots=True)
class ErrorAnswer(Record):
    """Every error of every route."""

    EXAMPLE: ClassVar[JsonObject] = {"error": "Invalid API key.", "code": "key_unknown"}

    error: Annotated[str, "Sentence for a person."]
    code: Annotated[str, "Stable word for machines."]
    details: Annotated[tuple[ErrorDetail, ...] | None, "Every fault of a body or form, where there are several."] = None


@dataclass(frozen=True, slots=True)
class QuotaErrorAnswer(Record):
    """The included units of the plan are used up."""

    error: Annotated[str, "Sentence for a person."]
    code: Annotated[str, "quota_exceeded."]
    upgrade_url: Annotated[str, "Where to change the plan."]
