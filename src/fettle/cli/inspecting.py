"""One part file inspected in a kernel child of its own, under the limits and bounds of the settings."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from fettle.app.children.handover import Inspection
from fettle.app.isolation.sandbox import Limits, Say, run
from fettle.app.options import Asked, Bounds, JobOptions
from fettle.app.settings import Settings

CHILD = "fettle.app.children.inspection"
"""By name, so that this process does not import the kernel."""


def inspect_file(
    name: str, data: bytes, options: JobOptions, asked: Sequence[Asked] = (), say: Say = lambda line: None
) -> Inspection:
    """Judged by the processes asked for; none: by all that are shipped."""
    settings = Settings()
    limits = Limits(settings.kernel_wall_s, settings.kernel_cpu_s, settings.kernel_memory_bytes)
    bounds = Bounds(settings.dfm_min_side_mm, settings.dfm_max_side_mm)
    sha256 = hashlib.sha256(data).hexdigest()
    made: Inspection = run(f"{CHILD}:inspect", (data, name, options, bounds, sha256, tuple(asked)), limits, say)
    return made
