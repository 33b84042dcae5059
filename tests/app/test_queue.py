"""The queue's tables."""

from __future__ import annotations

import subprocess
import sys

from tests.patience import PATIENCE_S

ROUNDS = 3


def test_processes_that_start_together_on_an_empty_database_are_all_ready(postgres_cluster: str) -> None:
    """Six at the same moment. Those that waited for the lock in one statement, with its snapshot, stopped the one that
    had it: building an index concurrently waits for older snapshots."""
    command = [sys.executable, "-m", "tests.app.start_together", postgres_cluster, str(ROUNDS)]
    limit_s = ROUNDS * 60 + PATIENCE_S
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit_s, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) == ROUNDS
