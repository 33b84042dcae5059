"""The outcome of analyzing one file, and which of its findings are new."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from operator import not_
from pathlib import Path
from typing import Any

from fettle.app.findings import MergedFinding, at_least, findings
from fettle.cli.answers import BaselineFile
from fettle.errors import BadRequest, FettleError, InputRefused
from fettle.results import AnalysisResult, ModuleResults
from fettle.results.record import JsonObject

SAME_PLACE_MM = 0.05
"""Two findings of one rule nearer than this are the same finding, though the faces were numbered anew."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A file with its result, or with the error that prevented one. `by_face`: formats for people list every finding
    instead of causes. `painted`: with the colors of a terminal. `as_json`: `to_dict` of the result, where it has been
    made already."""

    file: str
    result: AnalysisResult | None = None
    error: FettleError | None = None
    by_face: bool = False
    painted: bool = False
    as_json: JsonObject | None = None

    @property
    def name(self) -> str:
        """The file as text: a byte of its path that is no UTF-8 is shown as U+FFFD, because JSON has none."""
        return os.fsencode(self.file).decode(errors="replace")

    @property
    def shown(self) -> dict[str, Any]:
        """As JSON shows it: the file's name with the fields of the API's object, or with the refusal."""
        if self.result is not None:
            return {"file": self.name, **(self.as_json or self.result.to_dict())}
        return {"file": self.name, "error": str(self.error), "code": self.error.code if self.error else "error"}


class Baseline:
    """Findings accepted before: a file that `--format json` wrote. Those do not count any more."""

    def __init__(self, written: BaselineFile | None) -> None:
        self._known: dict[str, list[MergedFinding]] = {}
        if written is not None:
            for file, found in _entries(written):
                self._known.setdefault(Path(file).name, []).extend(found)

    def split(self, outcome: Outcome) -> tuple[list[MergedFinding], list[MergedFinding]]:
        """Findings that are new, and those known before."""
        if outcome.result is None:
            return [], []
        known = self._known.get(Path(outcome.name).name, [])
        found = findings(outcome.result.modules)
        old = [any(_same(one, other) for other in known) for one in found]
        return list(compress(found, map(not_, old))), list(compress(found, old))


def exit_code(outcomes: Sequence[Outcome], counted: Sequence[MergedFinding], fail_on: str) -> int:
    """0 clean; 1 findings, or the one file was refused; 3 some files could not be analyzed."""
    failed = [outcome.error for outcome in outcomes if outcome.error is not None]
    if failed:
        return 1 if len(outcomes) == 1 and isinstance(failed[0], InputRefused) else 3
    return int(any(at_least(one.severity, fail_on) for one in counted))


def _same(one: MergedFinding, other: MergedFinding) -> bool:
    """The same rule at the same place, no worse than it was."""
    if (one.module, one.rule) != (other.module, other.rule) or (one.severity, other.severity) == ("fail", "warning"):
        return False
    if one.position_mm is None or other.position_mm is None:
        return one.fids == other.fids
    return one.fids == other.fids or math.dist(one.position_mm, other.position_mm) <= SAME_PLACE_MM


def _entries(written: BaselineFile) -> list[tuple[str, list[MergedFinding]]]:
    """File names and findings of what `--format json` wrote; refused files have none."""
    try:
        document = json.loads(written.data.decode("utf-8"))
        return [(str(entry["file"]), _findings(entry)) for entry in document.get("results", [document])]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadRequest(
            f"{written.path} is not a baseline ({type(error).__name__}: {error}); write one with --format json"
        ) from error


def _findings(entry: dict[str, Any]) -> list[MergedFinding]:
    if "modules" not in entry:
        str(entry["error"])  # a KeyError where it is neither a result nor a refusal
        return []
    return findings(ModuleResults.from_dict(entry["modules"]))
