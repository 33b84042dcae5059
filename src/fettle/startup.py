"""How our processes import what they are made of: without looking for garbage meanwhile.

What an import makes is there to stay; a tenth to a fifth of its time went into looking for garbage among it.

    python -P -m fettle.startup fettle.app.worker NAME

runs the `main` of a program that is imported in this way.
"""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from types import ModuleType


def load(name: str) -> ModuleType:
    """Import a module, and leave all that is there by then out of later collections."""
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        gc.enable()


def command(module: str, *arguments: str) -> list[str]:
    """The command line of a process that loads `module` and calls its `main`, which finds `arguments` in sys.argv."""
    return [sys.executable, "-P", "-m", "fettle.startup", module, *arguments]


if __name__ == "__main__":
    del sys.argv[0]  # the program's own name and arguments are left
    load(sys.argv[0]).main()
