"""The processes that a part was judged by, ranked: what the result says first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fettle.results.record import Record
from fettle.results.verdicts import Cause, Severity


@dataclass(frozen=True, slots=True)
class RankedProcess(Record):
    """One configuration of one module with its fit and its causes."""

    module_key: Annotated[str, "Key of the module."]
    configuration_key: Annotated[str, "Key of the configuration in its module."]
    name: Annotated[str, "Name of the process and of the configuration."]
    fit: Annotated[
        float | None,
        "How well the part suits the process, 0 to 1; null where the module asks for none or none can be measured.",
    ]
    fit_reason: Annotated[
        str | None, "The measured reason of the fit, or why it is null; null where the module asks for none."
    ]
    severity: Annotated[Severity, "Worst severity of its rules."]
    causes: Annotated[tuple[Cause, ...], "What is wrong, failures first."]
    price: Annotated[float | None, "Price of one piece; null where none was asked for."]
