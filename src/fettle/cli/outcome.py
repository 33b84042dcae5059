"""What became of one file, and what of it counts."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fettle.app.findings import Finding, at_least, findings
from fettle.errors import BadRequest, FettleError, InputRefused

SAME_PLACE_MM = 0.05
"""Two findings of one rule nearer than this are the same finding, though the faces were numbered anew."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A file with its result, or with the error that prevented one."""

    file: str
    result: Mapping[str, Any] | None = None
    error: FettleError | None = None

    @property
    def shown(self) -> dict[str, Any]:
        """In JSON: the result in the API's shape under the file's name, or the refusal."""
        if self.result is not None:
            return {"file": self.file, **self.result}
        return {"file": self.file, "error": str(self.error), "code": self.error.code if self.error else "error"}


class Baseline:
    """Findings accepted before: a file that `--format json` wrote. Those do not count any more."""

    def __init__(self, path: Path | None) -> None:
        self._known: dict[str, list[Finding]] = {}
        if path is not None:
            for entry in _entries(path):
                self._known.setdefault(Path(entry["file"]).name, []).extend(findings(entry))

    def split(self, outcome: Outcome) -> tuple[list[Finding], list[Finding]]:
        """Findings that are new, and those known before."""
        if outcome.result is None:
            return [], []
        known = self._known.get(Path(outcome.file).name, [])
        found = findings(outcome.result)
        new = [one for one in found if not any(_same(one, other) for other in known)]
        return new, [one for one in found if one not in new]


def exit_code(outcomes: Sequence[Outcome], counted: Sequence[Finding], fail_on: str) -> int:
    """0 clean; 1 findings, or the one file was refused; 3 some files could not be analyzed."""
    failed = [outcome.error for outcome in outcomes if outcome.error is not None]
    if failed:
        return 1 if len(outcomes) == 1 and isinstance(failed[0], InputRefused) else 3
    return int(any(at_least(one.severity, fail_on) for one in counted))


def _same(one: Finding, other: Finding) -> bool:
    """The same rule at the same place, no worse than it was."""
    if (one.module, one.rule) != (other.module, other.rule) or (one.severity, other.severity) == ("fail", "warning"):
        return False
    if one.position_mm is None or other.position_mm is None:
        return one.fids == other.fids
    return one.fids == other.fids or math.dist(one.position_mm, other.position_mm) <= SAME_PLACE_MM


def _entries(path: Path) -> list[dict[str, Any]]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        entries = document.get("results", [document])
        for entry in entries:
            findings(entry) if "modules" in entry else entry["error"]
            Path(entry["file"])
        return [entry for entry in entries if "modules" in entry]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadRequest(
            f"{path} is not a baseline ({type(error).__name__}: {error}); write one with --format json"
        ) from error
