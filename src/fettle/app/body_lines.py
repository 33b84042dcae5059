"""Bodies of an assembly as lines for people: reports, the dashboard, the command line and the agent's tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fettle.app.wording import amount
from fettle.results import AnalysisResult, BodyEntry


@dataclass(frozen=True, slots=True)
class BodyLine:
    """A body with what is said of it. `word`: pass, warning, fail, bought or not judged; `process`: the name of the
    one that it is made for, empty where there is none."""

    body: int
    name: str
    count: int
    word: str
    process: str
    size: str
    volume: str
    said: str
    fids: Sequence[str]

    @property
    def title(self) -> str:
        """`bracket`, `4 x M3x8`."""
        return self.name if self.count == 1 else f"{self.count} x {self.name}"


def body_lines(result: AnalysisResult) -> list[BodyLine]:
    """The different bodies of an assembly; none for a file of one body, of which the result itself tells."""
    if sum(body.count for body in result.bodies) < 2:
        return []
    return [_line(body) for body in result.bodies]


def _line(body: BodyEntry) -> BodyLine:
    geometry = body.geometry
    return BodyLine(
        body=body.body,
        name=body.name,
        count=body.count,
        word="bought" if body.bought is not None else body.severity or "not judged",
        process=body.processes[0].name if body.processes else "",
        size=" x ".join(f"{side:.4g}" for side in geometry.size_mm) + " mm",
        volume="unknown" if geometry.volume_cm3 is None else f"{amount(geometry.volume_cm3)} cm3",
        said=body.headline,
        fids=body.fids,
    )
