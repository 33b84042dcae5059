"""One part file inspected in a kernel child of its own, under the limits and bounds of the settings."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from fettle.app.isolation.sandbox import Limits, Say, run
from fettle.app.kernel_tasks.messages import FileOutput
from fettle.app.kernel_tasks.tasks import ANALYZE_FILE
from fettle.app.options import Asked, Bounds, JobOptions
from fettle.app.settings import Settings


def inspect_file(
    name: str, data: bytes, options: JobOptions, asked: Sequence[Asked] = (), say: Say = lambda line: None
) -> FileOutput:
    """Judged by the processes asked for; none: by all that are shipped."""
    settings = Settings()
    limits = Limits(settings.kernel_wall_s, settings.kernel_cpu_s, settings.kernel_memory_bytes)
    bounds = Bounds(settings.dfm_min_side_mm, settings.dfm_max_side_mm)
    sha256 = hashlib.sha256(data).hexdigest()
    return run(ANALYZE_FILE, (data, name, options, bounds, sha256, tuple(asked)), limits, say)
