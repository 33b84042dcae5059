"""What of a result a price needs: kept beside it, so that a price reads kilobytes where a result has megabytes."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Annotated

from fettle.errors import BadRequest
from fettle.quote.price import ImpossibleGeometry
from fettle.results import AnalysisResult, PartGeometry, RankedProcess, encode
from fettle.results.making import MakingFacts
from fettle.results.record import Record
from fettle.results.verdicts import ModuleResults, RuleResult

LINE_HEAD = 32
"""Bytes of a stored line of findings, beside the name of its process, within which that name ends."""


@dataclass(frozen=True, slots=True)
class PriceableBody(Record):
    """One of the different bodies that are made."""

    facts: Annotated[MakingFacts, "What its plans start from."]
    name: Annotated[str, "Name of the body."]
    count: Annotated[int, "Pieces in each part."]


@dataclass(frozen=True, slots=True)
class ProcessFindings(Record):
    """Findings of a process that do not pass."""

    process: Annotated[str, "Process as module:configuration."]
    rules: Annotated[tuple[RuleResult, ...], "Rules that do not pass, with those of their findings that do not."]


@dataclass(frozen=True, slots=True)
class PriceablePart(Record):
    """An analyzed file as prices see it."""

    result_sha256: Annotated[str, "Hash of the result."]
    geometry: Annotated[PartGeometry, "Size of the part."]
    processes: Annotated[tuple[RankedProcess, ...], "Processes judged, with their verdicts."]
    bodies: Annotated[tuple[PriceableBody, ...], "Bodies that are made."]
    findings: Annotated[tuple[ProcessFindings, ...], "What savings start from; of a part of one body alone."]
    job_id: Annotated[str | None, "Job whose analysis it is."] = None

    @property
    def is_single(self) -> bool:
        """One body, once: its price is that of the part."""
        return len(self.bodies) == 1 and self.bodies[0].count == 1

    def rules_of(self, process: str) -> tuple[RuleResult, ...]:
        """Rules of a process that do not pass."""
        return next((one.rules for one in self.findings if one.process == process), ())


def part_of_result(result: AnalysisResult) -> PriceablePart:
    """What of a result a price needs."""
    names = {body.body: body.name for body in result.bodies}
    bodies = tuple(PriceableBody(one, names.get(one.body, "part"), one.count) for one in result.making)
    findings = _findings(result.modules) if len(bodies) == 1 else ()
    return PriceablePart(result.result_sha256, result.geometry, result.processes, bodies, findings)


def part_to_json(result: AnalysisResult) -> bytes:
    """The same as it is stored: a line of JSON with all but the findings, then one for the findings of each process, so
    that a quote reads those of its own process alone."""
    part = part_of_result(result)
    return b"\n".join([encode(replace(part, findings=())), *(encode(one) for one in part.findings)])


def part_of_json(job_id: str, stored: bytes, process: str | None = None) -> PriceablePart:
    """What `part_to_json` wrote, of a job; with the findings of one process alone where one is named."""
    head, *lines = stored.split(b"\n")
    # Files of earlier versions have the findings of all processes in their only line.
    data = json.loads(head)
    data["findings"] += [json.loads(line) for line in lines if process is None or _is_of(process, line)]
    if process is not None:
        data["findings"] = [one for one in data["findings"] if one["process"] == process]
    return replace(PriceablePart.from_dict(data), job_id=job_id)


def _is_of(process: str, line: bytes) -> bool:
    """Whether a line may hold the findings of a process: they begin with its name."""
    return json.dumps(process).encode() in line[: len(process) + LINE_HEAD]


def check_priceable(part: PriceablePart) -> None:
    """Refuses a file in which nothing is made, or whose volume is unknown: every price weighs its material."""
    if not part.bodies:
        raise BadRequest("Nothing is to be made: every body of the file is a bought part, or none could be analyzed.")
    if any(body.facts.volume_mm3 is None for body in part.bodies):
        raise ImpossibleGeometry(
            "geometry.volume_cm3 is unknown, so nothing can be priced; the warnings of the part say why."
        )


def _findings(modules: ModuleResults) -> tuple[ProcessFindings, ...]:
    return tuple(
        ProcessFindings(
            f"{module.module_key}:{verdict.configuration_key}",
            tuple(
                replace(rule, findings=tuple(one for one in rule.findings if one.severity != "pass"))
                for rule in verdict.rules
                if rule.severity != "pass"
            ),
        )
        for module in modules.modules
        for verdict in module.configurations
    )
