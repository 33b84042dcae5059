"""Reads requirements.lock, and picks what Fettle needs at run time: `python -m release.lock > runtime.lock`.

With names it picks these packages and what they need: `python -m release.lock hatchling > build.lock`. Needs the
standard library alone, so that an image can be built with it before anything is installed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.lock"
RUN_TIME = "fettle (pyproject.toml)"
"""How the lock names our own dependencies; those of the group dev and of extras are named otherwise."""
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;]+)")


@dataclass(frozen=True, slots=True)
class Pin:
    """A locked package. `via`: who needs it; `text`: its lines in the lock."""

    name: str
    version: str
    via: tuple[str, ...]
    sha256: tuple[str, ...]
    text: str


def read_lock(path: Path = LOCK) -> list[Pin]:
    """Every pin; a package has several where its version depends on that of Python."""
    return list(_pins(path.read_text(encoding="utf-8")))


def _pins(text: str) -> Iterator[Pin]:
    for block in re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE):
        pin = _PIN.match(block)
        if pin is None:
            continue
        comments = [line.strip(" #") for line in block.splitlines() if line.lstrip().startswith("#")]
        via = tuple(name for line in comments if (name := line.removeprefix("via").strip()))
        yield Pin(pin[1], pin[2], via, tuple(re.findall(r"sha256:([0-9a-f]{64})", block)), block)


def run_time(pins: list[Pin]) -> list[Pin]:
    """What Fettle itself needs, directly or through others, in the lock's order."""
    return with_needs(pins, {pin.name for pin in pins if RUN_TIME in pin.via})


def with_needs(pins: list[Pin], names: set[str]) -> list[Pin]:
    """These packages and what they need, directly or through others, in the lock's order."""
    if unknown := names - {pin.name for pin in pins}:
        raise KeyError(f"{LOCK.name} has no {', '.join(sorted(unknown))}")
    needed: set[str] = set()
    while (more := names | {pin.name for pin in pins if needed & set(pin.via)}) != needed:
        needed = more
    return [pin for pin in pins if pin.name in needed]


if __name__ == "__main__":
    chosen = with_needs(read_lock(), set(sys.argv[1:])) if sys.argv[1:] else run_time(read_lock())
    sys.stdout.write("".join(pin.text for pin in chosen))
