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
from contextlib import ExitStack
from pathlib import Path

from moto.server import ThreadedMotoServer

from fettle.app.settings import Settings
from tests import postgres
from tests.patience import fetch
from tests.web.nodes import Nodes

KILLS = int(os.environ.get("FETTLE_BENCH_KILLS", "20"))
JOBS = int(os.environ.get("FETTLE_BENCH_KILL_JOBS", "30"))
MOST_S = 30.0
"""Within which the jobs of a dead node must run elsewhere."""


def main() -> None:
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
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the start")
    with (
        tempfile.TemporaryDirectory() as folder,
        postgres.cluster(programs) as cluster,
        postgres.database(cluster) as url,
    ):
        nodes = Nodes(Settings(database_url=url, storage_url="s3://parts"), Path(folder))
        measure(nodes)
        nodes.operator.close()
    store.stop()


def measure(nodes: Nodes) -> None:
    waited = []
    attempts: Counter[int] = Counter()
    with ExitStack() as stack:
        other, victim = (stack.enter_context(nodes.running(name)) for name in ("a", "b"))
        for kill in range(KILLS):
            victim, other = other, victim
            outcome = nodes.kill(victim, other, first_order=kill * JOBS, count=JOBS)
            waited.append(outcome.taken_over_s)
            attempts += outcome.attempts
            left = f"{outcome.unfinished} jobs unfinished, {outcome.held} of them its own"
            back = f"back in the queue in {outcome.requeued_s:.1f} s, in work elsewhere in {waited[-1]:.1f} s"
            print(f"kill {kill + 1}: {left}; {back}", flush=True)
            victim = stack.enter_context(nodes.running("ab"[kill % 2]))
    late = sum(seconds > MOST_S for seconds in waited)
    done = KILLS * JOBS
    print(f"{KILLS} kills, {done} jobs: 0 lost, 0 done twice, {done} metered; attempts -> jobs: {dict(attempts)}")
    usual, worst = statistics.median(waited), max(waited)
    print(f"in work elsewhere in {usual:.1f} s (median), {worst:.1f} s at most; {late} above {MOST_S:.0f} s")


if __name__ == "__main__":
    main()
