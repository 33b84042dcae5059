"""Where machine code is stored, so that only the very code it was made from finds it.

numba tells a stored function from a new one by the source file it stands in. That is not enough: the machine code also
holds what the function calls and the constants it reads from other modules, and the index of what is stored names the
types of arguments, whose modules may have been renamed since (loading such an index raises ModuleNotFoundError). So
every module's machine code lies in a folder of its own, whose name ends in a hash of all of that.

The folders are below `NUMBA_CACHE_DIR` where that is set, else in the package's `__pycache__` where that can be
written, else in the user's cache folder.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba import config
from numba.core import caching

PACKAGE = Path(__file__).parents[1]
FOLDER = "compiled"
COMPILING = Path(__file__).with_name("__init__.py")
DECORATOR = "njit"
"""Imported by every module with compiled functions; no machine code holds anything of it."""

_IMPORT = re.compile(r"^from (fettle[\w.]*) import (\([^)]*\)|.*)$", re.MULTILINE)
_NAMED_TUPLE = re.compile(r"^class \w+\(NamedTuple\):\n(?:(?:    .*)?\n)*", re.MULTILINE)


class CodeLocator(caching.InTreeCacheLocator):
    """Where numba stores the functions of one of our modules."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)  # type: ignore[no-untyped-call]
        self._cache_path = str(code_folder(Path(py_file)))

    def get_source_stamp(self) -> str:
        """The folder's name says it all; numba compares this once more."""
        return Path(self._cache_path).name

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> CodeLocator | None:
        """None for functions that are not ours, and where nothing can be written."""
        if not Path(py_file).is_relative_to(PACKAGE):
            return None
        try:
            return cls(py_func, py_file)
        except OSError:
            return None

    def ensure_cache_path(self) -> None:
        """Somebody may have removed the folder since."""
        Path(self._cache_path).mkdir(parents=True, exist_ok=True)


@cache
def code_folder(source: Path) -> Path:
    """The folder of this module's machine code, made where it is missing; what other versions left is removed."""
    module = _module_name(source)
    folder = storage() / f"{module}-{code_hash(source)}"
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        for other in folder.parent.iterdir():
            owner = other.name.rpartition("-")[0]
            if (owner == module and other != folder) or _source(owner) is None:
                shutil.rmtree(other, ignore_errors=True)
        for left in source.parent.glob(f"__pycache__/{source.stem}.*.nb[ic]"):
            left.unlink(missing_ok=True)  # numba's own place, where it was stored before
    return folder


@cache
def storage() -> Path:
    """Where the folders of all modules are."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    installation = hashlib.sha256(str(PACKAGE).encode()).hexdigest()[:12]
    if chosen:
        return Path(chosen) / f"fettle-{installation}"
    beside = PACKAGE / "__pycache__" / FOLDER
    with suppress(OSError):  # an installation that belongs to somebody else
        beside.mkdir(parents=True, exist_ok=True)
    if beside.is_dir() and os.access(beside, os.W_OK):
        return beside
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return user / "fettle" / f"{FOLDER}-{installation}"


def code_hash(source: Path) -> str:
    """Of everything that the machine code of this module may hold, of every type its index may name, and of how we
    compile."""
    digest = hashlib.sha256(_named_tuples().encode() + _text(COMPILING).encode())
    for path in sorted(_reached(source)):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + _text(path).encode() + b"\0")
    return digest.hexdigest()[:16]


def _reached(source: Path) -> set[Path]:
    """This module and those it takes functions or constants from, directly or through others."""
    reached, waiting = {source}, [source]
    while waiting:
        for found in _sources_of(waiting.pop()):
            if found not in reached:
                reached.add(found)
                waiting.append(found)
    return reached


@cache
def _sources_of(path: Path) -> tuple[Path, ...]:
    """Modules that this one imports functions or constants from. Classes do not get into machine code, but for named
    tuples, see `_named_tuples`."""
    found: dict[Path, None] = {}
    for module, names in _IMPORT.findall(_text(path)):
        for name in re.findall(r"(\w+)(?: as \w+)?,?", names.partition("#")[0]):
            if name != DECORATOR and (name.islower() or name.isupper()):
                home = _source(f"{module}.{name}") or _source(module)
                if home is not None:
                    found[home] = None
    return tuple(found)


@cache
def _named_tuples() -> str:
    """Definitions of all our named tuples: the types that compiled functions take beside numbers and arrays."""
    return "".join(
        path.relative_to(PACKAGE).as_posix() + "".join(_NAMED_TUPLE.findall(_text(path)))
        for path in sorted(PACKAGE.rglob("*.py"))
        if "(NamedTuple)" in _text(path)
    )


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def _source(module: str) -> Path | None:
    """The file of a module of ours, None where there is none."""
    path = PACKAGE.parent.joinpath(*module.split("."))
    for file in (path.with_name(f"{path.name}.py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


def _put_first(locator: str) -> None:
    """Let numba ask this locator before the others; what NUMBA_CACHE_LOCATOR_CLASSES names stays."""
    settings: Any = config
    others = settings.CACHE_LOCATOR_CLASSES or ",".join(one.__name__ for one in caching.CacheImpl._locator_classes)
    settings.CACHE_LOCATOR_CLASSES = f"{locator},{others}"


_put_first(f"{CodeLocator.__module__}.{CodeLocator.__qualname__}")
