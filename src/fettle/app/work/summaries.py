"""What a list shows of an analysis: stored when it ends, because a result has megabytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from fettle.app.state.dashboard_tables import job_summaries
from fettle.app.state.store import insert_into

ORDER = ("pass", "warning", "fail")


@dataclass(frozen=True, slots=True)
class Finished:
    """Outcome of an analysis: hash of its result, and what lists show. `verdicts`: processes that suit the part by
    name, each with the best verdict of its configurations; the best process first."""

    result_sha256: str
    headline: str
    size_mm: tuple[float, float, float]
    volume_cm3: float | None
    verdicts: tuple[tuple[str, str], ...]


def summarize(result: dict[str, Any]) -> Finished:
    """The outcome of an analysis from its JSON."""
    geometry = result["geometry"]
    box = geometry["bounding_box_mm"]
    verdicts: dict[str, str] = {}
    for one in result["processes"]:
        if one["fit"] != 0:
            name = one["name"].partition(": ")[0]
            verdicts[name] = min(verdicts.get(name, "fail"), one["severity"], key=ORDER.index)
    return Finished(
        result["result_sha256"],
        result["headline"] or "",
        (box["x"], box["y"], box["z"]),
        geometry["volume_cm3"],
        tuple(verdicts.items()),
    )


def keep(connection: Connection, job_id: str, finished: Finished) -> None:
    """Store the summary of a job, replacing that of an earlier run."""
    values = {
        "headline": finished.headline,
        "size_mm": list(finished.size_mm),
        "largest_mm": max(finished.size_mm),
        "volume_cm3": finished.volume_cm3,
        "verdicts": [list(one) for one in finished.verdicts],
        "severity": finished.verdicts[0][1] if finished.verdicts else "fail",
    }
    connection.execute(
        insert_into(connection, job_summaries)
        .values(job_id=job_id, **values)
        .on_conflict_do_update(index_elements=[job_summaries.c.job_id], set_=values)
    )
