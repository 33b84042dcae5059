"""What a benchmark ran on: machine, versions, commit, load."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("fettle", "cadquery-ocp-novtk", "numpy", "scipy", "numba")


def machine() -> str:
    """Cores, processor, memory, kernel and versions, in one sentence."""
    model = next(
        (line.split(":", 1)[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.machine(),
    )
    memory_kb = next((int(line.split()[1]) for line in _lines("/proc/meminfo") if line.startswith("MemTotal")), 0)
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return (
        f"{cores()} cores of {model} ({platform.machine()}), {memory_kb / 2**20:.0f} GB, "
        f"{platform.system()} {platform.release()}, Python {platform.python_version()}, {versions}"
    )


def commit() -> str:
    """Short name of the commit that is checked out, and whether code differs from it; empty outside a repository."""
    name = _git("rev-parse", "--short=12", "HEAD")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", "src", "benchmarks", "tests")
    return f"{name} with changes" if name and changed else name


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0))


def load() -> float:
    """Processes that wanted a core, on average over the last minute."""
    return os.getloadavg()[0]


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines() if Path(path).exists() else []


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""
