"""What one caller notices: response times of cheap calls over one kept-alive connection, and disk kept per analysis.

Runs `fettle serve` in processes of its own, on SQLite and a folder.
"""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx

from benchmarks.service import SMALL, order, serving, wait
from benchmarks.table import Table
from fettle.geometry.csg import build

REQUESTS = 200
PARTS = 5
MOST_MS = 10.0
MOST_MB = 2.0


def part_of_150_faces() -> dict[str, object]:
    """A plate with 16 rounded pockets: 6 + 16 * 9 faces."""
    pocket = {"fillet": {"of": {"box": [14, 14, 8]}, "r": 2, "edges": "z"}}
    places = [(20 * column + 3, 20 * row + 3) for column in range(4) for row in range(4)]
    return {"cut": [{"box": [80, 80, 20]}, *({"move": {"of": pocket, "by": [x, y, 12]}} for x, y in places)]}


def disk_bytes(folder: Path) -> int:
    """Sum of the sizes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def measure_calls(client: httpx.Client) -> Table:
    job_id = order(client, build(SMALL), 0)
    wait(client, job_id)
    calls: dict[str, tuple[str, dict[str, str]]] = {
        "materials": ("/materials", {}),
        "401": ("/materials", {"X-API-Key": "none"}),
        "404": ("/quotes/none", {}),
        "poll": (f"/dfm/jobs/{job_id}", {}),
        "result": (f"/dfm/jobs/{job_id}/result", {}),
    }
    rows = []
    for name, (path, headers) in calls.items():
        times = sorted(client.get(path, headers=headers).elapsed.total_seconds() * 1000 for _ in range(REQUESTS))
        p50, p99 = statistics.median(times), times[int(0.99 * REQUESTS)]
        rows.append((name, f"{p50:.1f}", f"{p99:.1f}"))
    return Table("", ("call", f"p50 ms (allowed: {MOST_MS:.0f})", "p99 ms"), tuple(rows))


def measure_disk(client: httpx.Client, folder: Path) -> Table:
    """Of files that differ, so that none shares what is stored of another; uploads are part of what is kept."""
    part = build(part_of_150_faces())
    before = disk_bytes(folder)
    for number in range(PARTS):
        wait(client, order(client, part + b"/* %d */" % number, 0))
    kept = (disk_bytes(folder) - before) / PARTS / 1e6
    columns = ("part", "STEP, MB", f"kept per analysis, MB (allowed: {MOST_MB:.0f})")
    return Table("", columns, (("150 faces", f"{len(part) / 1e6:.2f}", f"{kept:.2f}"),))


def tables() -> Iterator[Table]:
    with tempfile.TemporaryDirectory() as name, serving(Path(name), os.cpu_count() or 1) as (client, _):
        yield measure_calls(client)
        yield measure_disk(client, Path(name))
