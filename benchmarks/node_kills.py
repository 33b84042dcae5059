"""One of two nodes killed whole, twenty times: nothing lost, nothing done or metered twice, how soon the other goes on.

Two `fettle serve` share PostgreSQL and an S3 endpoint and nothing else, with the heartbeats of the shipped settings.
`FETTLE_BENCH_KILLS` sets how often (default 20), `FETTLE_BENCH_KILL_JOBS` how many jobs are queued and running (30).
"""

from __future__ import annotations

import logging
import os
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from moto.server import ThreadedMotoServer

from benchmarks.table import Table
from fettle.app.settings import Settings
from tests import postgres
from tests.patience import fetch
from tests.web.nodes import Nodes

KILLS = int(os.environ.get("FETTLE_BENCH_KILLS", "20"))
JOBS = int(os.environ.get("FETTLE_BENCH_KILL_JOBS", "30"))
MOST_S = 30.0
"""Within which the jobs of a dead node must run elsewhere."""


def tables() -> Iterator[Table]:
    programs = postgres.binaries()
    if programs is None:
        sys.exit("no PostgreSQL server here: apt-get install postgresql")
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    store = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    store.start()
    host, port = store.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    os.environ |= {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ALLOW_HTTP": "true",
        "AWS_ACCESS_KEY_ID": "drill",
        "AWS_SECRET_ACCESS_KEY": "drill",
        "AWS_REGION": "us-east-1",
    }
    fetch(f"{endpoint}/parts", "PUT").raise_for_status()
    with (
        tempfile.TemporaryDirectory() as folder,
        postgres.cluster(programs) as cluster,
        postgres.database(cluster) as url,
    ):
        nodes = Nodes(Settings(database_url=url, storage_url="s3://parts"), Path(folder))
        yield measure(nodes)
        nodes.operator.close()
    store.stop()


def measure(nodes: Nodes) -> Table:
    waited, rows = [], []
    attempts: Counter[int] = Counter()
    with ExitStack() as stack:
        other, victim = (stack.enter_context(nodes.running(name)) for name in ("a", "b"))
        for kill in range(KILLS):
            victim, other = other, victim
            outcome = nodes.kill(victim, other, first_order=kill * JOBS, count=JOBS)
            waited.append(outcome.taken_over_s)
            attempts += outcome.attempts
            figures = (str(outcome.unfinished), str(outcome.held), f"{outcome.requeued_s:.1f}", f"{waited[-1]:.1f}")
            rows.append((str(kill + 1), *figures))
            victim = stack.enter_context(nodes.running("ab"[kill % 2]))
    late = sum(seconds > MOST_S for seconds in waited)
    done = KILLS * JOBS
    usual, worst = statistics.median(waited), max(waited)
    return Table(
        "",
        ("kill", "unfinished", "its own", "in the queue again, s", f"in work elsewhere, s (allowed: {MOST_S:.0f})"),
        tuple(rows),
        (
            f"{KILLS} kills, {done} jobs: 0 lost, 0 done twice, {done} metered; attempts and jobs: {dict(attempts)}.",
            f"In work elsewhere in {usual:.1f} s (median), {worst:.1f} s at most; {late} above {MOST_S:.0f} s.",
        ),
    )
