"""One part file inspected in a kernel child of its own, under the limits and bounds of the settings."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from fettle.app.isolation.sandbox import Say, run
from fettle.app.kernel_tasks.messages import FileOutput
from fettle.app.options import JobOptions, ModuleChoice
from fettle.app.settings import Settings

CHILD = "fettle.app.kernel_tasks.file_analysis"
"""By name, so that this process does not import the kernel."""


def inspect_file(
    name: str, data: bytes, options: JobOptions, asked: Sequence[ModuleChoice] = (), say: Say = lambda line: None
) -> FileOutput:
    """Analyze a file and judge it by these modules; none: by all in force."""
    settings = Settings()
    sha256 = hashlib.sha256(data).hexdigest()
    given = (data, name, options, settings.size_bounds, sha256, tuple(asked))
    made: FileOutput = run(f"{CHILD}:analyze_file", given, settings.kernel_limits, say)
    return made
