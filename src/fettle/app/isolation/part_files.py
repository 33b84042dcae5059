"""Run a task on a part file; where the kernel does not come back from it, once more without the file's tolerances.

Geometry and tolerances are read in one child, because what a tolerance holds for is found among the kernel's own
entities. A file that kills the kernel there still has its geometry.
"""

from __future__ import annotations

import logging
from typing import TypeVar, TypeVarTuple

from fettle.app.isolation import sandbox
from fettle.app.isolation.limits import Limits
from fettle.app.isolation.task import KernelTask
from fettle.errors import KernelCrashed, KernelKilled, KernelOutOfMemory, KernelTimedOut
from fettle.geometry.pmi.marks import has_pmi, leave_out

T = TypeVar("T")
Rest = TypeVarTuple("Rest")

log = logging.getLogger(__name__)


def run_on_file(
    task: KernelTask[T, bytes, *Rest], args: tuple[bytes, *Rest], limits: Limits, say: sandbox.Say | None = None
) -> T:
    """As `sandbox.run`; the first argument is the content of a file. The part of a second run has a warning that says
    what was left out."""
    try:
        return sandbox.run(task, args, limits, say)
    except (KernelCrashed, KernelTimedOut, KernelOutOfMemory) as failure:
        data, *rest = args
        if isinstance(failure, KernelKilled) or not has_pmi(data):
            raise
        log.warning("%s; once more without dimensions and tolerances: %s", task.name, failure)
        again: tuple[bytes, *Rest] = (leave_out(data), *rest)  # type: ignore[assignment]
        return sandbox.run(task, again, limits, say)
