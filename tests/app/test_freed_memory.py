"""Memory that a worker has freed, as the operating system counts it."""

from __future__ import annotations

import subprocess
import sys

JOBS = """
import random, resource, threading
{first}

def resident_mb():
    with open("/proc/self/statm") as read:
        return int(read.read().split()[1]) * resource.getpagesize() / 1e6

def job():
    blocks = [b"x" * chance.randrange(300_000, 6_000_000) for _ in range(6)]
    kept.append(b"y" * 1000)

chance, kept, before = random.Random(1), [], resident_mb()
for _ in range(100):
    thread = threading.Thread(target=job)
    thread.start()
    thread.join()
print(resident_mb() - before)
"""
"""A hundred jobs, each on a thread of its own: it frees large blocks and leaves a small one."""
RETURNING = "from fettle.app.work.freed_memory import return_large_blocks; return_large_blocks()"


def held_mb(first: str) -> float:
    """What a process that begins with `first` holds after its jobs."""
    run = subprocess.run([sys.executable, "-c", JOBS.format(first=first)], capture_output=True, text=True, check=True)
    return float(run.stdout)


def test_large_blocks_go_back_to_the_system() -> None:
    assert held_mb(RETURNING) < 2.0
    assert held_mb("") > 4.0, "by itself the library keeps them: if not, the call is no longer needed"
