"""Stored machine code is found again by the code it was made from, and by no other."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fettle

TUPLES = """
from typing import NamedTuple

class Pair(NamedTuple):
    left: float
    right: float
"""
SCALE = """
FACTOR = 3.0
"""
LOOP = """
from fettle.jit import njit
from fettle.scale import FACTOR

@njit(cache=True)
def scaled_sum(pair):
    return FACTOR * (pair.left + pair.right)
"""
MAIN = """
import sys
from importlib import import_module
from fettle.loop import scaled_sum
pair = import_module("fettle." + sys.argv[1]).Pair(2.0, 5.0)
print(scaled_sum(pair), "stored" if scaled_sum.stats.cache_hits else "compiled")
"""

CALLER = """
from fettle.jit import njit
from fettle.loop import scaled_sum

@njit(cache=True)
def twice(pair):
    return 2.0 * scaled_sum(pair)
"""
CALLED_FIRST = """
import sys
from fettle.caller import twice
from fettle.loop import scaled_sum
from fettle.tuples import Pair
pair = Pair(2.0, 5.0)
print(scaled_sum(pair), "numba.typed.typeddict" in sys.modules, twice(pair), sum(twice.stats.cache_hits.values()))
"""

LARGEST = """
from fettle.jit import njit

@njit(cache=True)
def largest(values):
    return values.max()

@njit(cache=True)
def twice_largest(values):
    return 2.0 * largest(values)
"""
LOADED_FIRST = """
import sys
import numpy as np
from fettle.largest import largest, twice_largest
for function in (largest, twice_largest)[: int(sys.argv[1])]:
    print(function(np.arange(4.0)), "stored" if function.stats.cache_hits else "compiled", end=" ")
print({"numba.np.arraymath", "scipy.linalg"} & set(sys.modules) or "alone")
"""


class Engine:
    """A small package of the same name with one compiled function, run in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package = folder / "fettle"
        self.package.mkdir()
        shutil.copytree(Path(fettle.__file__).with_name("jit"), self.package / "jit")
        for name, text in {"__init__": "", "tuples": TUPLES, "scale": SCALE, "loop": LOOP}.items():
            (self.package / f"{name}.py").write_text(text)

    def run(self, module: str = "tuples", main: str = MAIN, **variables: str) -> str:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        done = subprocess.run(
            [sys.executable, "-c", main, module],
            env={**kept, "PYTHONPATH": str(self.folder), **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def stored(self) -> set[Path]:
        return set(self.folder.rglob("*.nbi"))


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(tmp_path)


def test_an_index_that_names_a_vanished_module_breaks_nothing_and_is_removed(engine: Engine) -> None:
    assert engine.run() == "21.0 compiled"
    before = engine.stored()
    assert all(index.is_relative_to(engine.package / "__pycache__") for index in before)
    (engine.package / "tuples.py").rename(engine.package / "pairs.py")
    assert engine.run("pairs") == "21.0 compiled"
    assert not before & engine.stored()
    assert len(engine.stored()) == 1


def test_a_constant_changed_in_another_module_is_compiled_in(engine: Engine) -> None:
    assert engine.run() == "21.0 compiled"
    (engine.package / "scale.py").write_text(SCALE.replace("3.0", "4.0"))
    assert engine.run() == "28.0 compiled"
    assert len(engine.stored()) == 1


def test_the_chosen_folder_is_used_and_else_the_user_s_where_the_package_cannot_be_written(engine: Engine) -> None:
    chosen = engine.folder / "chosen"
    assert engine.run(NUMBA_CACHE_DIR=str(chosen)) == "21.0 compiled"
    (index,) = engine.stored()
    assert index.is_relative_to(chosen)
    assert engine.run(NUMBA_CACHE_DIR=str(chosen)) == "21.0 stored"
    (engine.package / "__pycache__").mkdir(exist_ok=True)
    (engine.package / "__pycache__" / "compiled").write_text("in the way")
    home = engine.folder / "cache"
    assert engine.run(XDG_CACHE_HOME=str(home)) == "21.0 compiled"
    assert any(index.is_relative_to(home) for index in engine.stored())


def test_a_stored_function_loads_no_compiler_and_others_are_still_compiled_with_it(engine: Engine) -> None:
    (engine.package / "caller.py").write_text(CALLER)
    assert engine.run() == "21.0 compiled"
    # numba implements typed dictionaries in a module that it imports before it compiles
    assert engine.run(main=CALLED_FIRST) == "21.0 False 42.0 0"
    assert engine.run(main=CALLED_FIRST) == "21.0 False 42.0 1"


def test_every_compiled_function_of_the_engine_is_stored_this_way() -> None:
    package = Path(fettle.__file__).parent
    direct = [
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if path.parent.name != "jit" and ("import numba" in path.read_text() or "from numba" in path.read_text())
    ]
    assert direct == []


def test_a_stored_function_loads_without_the_modules_it_was_compiled_with(engine: Engine) -> None:
    (engine.package / "largest.py").write_text(LARGEST)
    assert engine.run("1", LOADED_FIRST).startswith("3.0 compiled")
    assert engine.run("1", LOADED_FIRST) == "3.0 stored alone"
    # compiled into another function, and stored again as part of it
    assert engine.run("2", LOADED_FIRST).startswith("3.0 stored 6.0 compiled")
    assert engine.run("2", LOADED_FIRST) == "3.0 stored 6.0 stored alone"
