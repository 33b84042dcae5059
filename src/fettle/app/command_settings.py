"""The settings that a command on part files needs, without loading the library that reads all of them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from fettle.app.isolation.limits import Limits
from fettle.app.options import Bounds
from fettle.cores import MOST

NAMES = (
    "KERNEL_WALL_S",
    "KERNEL_CPU_S",
    "KERNEL_MEMORY_BYTES",
    "KERNEL_CORES",
    "DFM_MIN_SIDE_MM",
    "DFM_MAX_SIDE_MM",
)
NAMES_OF_HELPER = ("CATALOG_DIR", "WARM_HELPER")


@dataclass(frozen=True, slots=True)
class CommandSettings:
    """Limits of the one kernel child that a command runs, sides of a part that is analyzed, folder of the operator's
    catalog, and whether the kernel of a running service is used."""

    kernel_limits: Limits = field(default_factory=lambda: Limits(cores=MOST))
    size_bounds: Bounds = field(default_factory=Bounds)
    catalog_dir: Path | None = None
    warm_helper: bool = True


def command_settings() -> CommandSettings:
    """As `fettle.app.settings` reads them. That takes 0.2 s of CPU time to load: where the environment names none of
    these, their defaults hold without it."""
    said = {name.upper() for name in os.environ}
    if said.isdisjoint(f"FETTLE_{name}" for name in (*NAMES, *NAMES_OF_HELPER)):
        return CommandSettings()
    read = import_module("fettle.app.settings").Settings()
    return CommandSettings(read.limits_alone, read.size_bounds, read.catalog_dir, read.warm_helper)
