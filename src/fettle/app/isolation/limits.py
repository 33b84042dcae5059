"""What one run in a child may use. The settings begin with these numbers, and every caller takes its own from there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds of wall and CPU time, bytes of memory on top of the preloaded libraries, and cores of the machine."""

    wall_s: float = 300.0
    cpu_s: float = 300.0
    memory_bytes: int = 4 * 1024**3
    cores: int = 1
