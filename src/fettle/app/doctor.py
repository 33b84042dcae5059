"""Checks of an installation: what it runs on, and whether database, store, kernel, disk and compiled code work."""

from __future__ import annotations

import hashlib
import platform
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version

import sqlalchemy as sa

from fettle import __version__
from fettle.app.isolation import sandbox
from fettle.app.kernel_tasks.tasks import ANALYZE_UPLOAD, BUILD_PART
from fettle.app.options import JobOptions
from fettle.app.settings import MEBIBYTE, Settings
from fettle.app.state.files import new_token, open_files
from fettle.app.state.migrations import current, newest
from fettle.app.state.store import Store

LIBRARIES = ("cadquery-ocp-novtk", "numpy", "scipy", "numba", "dbos", "sqlalchemy", "psycopg", "obstore", "fastapi")
LOW_DISK_BYTES, NO_DISK_BYTES = 2048 * MEBIBYTE, 200 * MEBIBYTE
SLOW_ANALYSIS_S = 20.0
"""A box takes a second or two where the hot loops are compiled, and a minute where they are not."""


class Health(StrEnum):
    """How a check ended."""

    GOOD = "good"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Checkup:
    """One check: what was found, and what to do about it where something is wrong."""

    check: str
    health: Health
    found: str
    advice: str = ""


def examine(settings: Settings) -> Iterator[Checkup]:
    """Every check in turn; one that raises is a fault with the error's text, and the others go on."""
    checks: dict[str, tuple[Callable[[Settings], Checkup], str]] = {
        "versions": (_versions, "Install Fettle again from its lock."),
        "platform": (_platform, "Run it on Linux."),
        "database": (_database, "Check FETTLE_DATABASE_URL, or that the data folder can be written."),
        "store": (_store, "Check FETTLE_STORAGE_URL and the variables of the object store (AWS_...)."),
        "disk": (_disk, "Check FETTLE_DATA_DIR."),
        "kernel": (_kernel, "Install the libraries that the kernel links against: libx11-6, libexpat1."),
    }
    for name, (check, advice) in checks.items():
        try:
            yield check(settings)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what the operator must know
            yield Checkup(name, Health.FAULT, f"{type(error).__name__}: {str(error).splitlines()[0]}", advice)


def _versions(_settings: Settings) -> Checkup:
    found, missing = [f"fettle {__version__}", f"Python {platform.python_version()}"], []
    for library in LIBRARIES:
        try:
            found.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            missing.append(library)
    if missing:
        advice = "Install Fettle again from its lock."
        return Checkup("versions", Health.FAULT, f"missing: {', '.join(missing)}", advice)
    return Checkup("versions", Health.GOOD, ", ".join([*found, f"SQLite {sqlite3.sqlite_version}"]))


def _platform(_settings: Settings) -> Checkup:
    text = f"{platform.system()} {platform.release()} on {platform.machine()}"
    if platform.system() != "Linux":
        return Checkup("platform", Health.WARNING, text, "Only Linux is tested; limits on kernel children need it.")
    return Checkup("platform", Health.GOOD, text)


def _database(settings: Settings) -> Checkup:
    """Writes into a transaction that is rolled back: a database that can only be read is found out."""
    store = Store(settings.database)
    try:
        with store.engine.connect() as connection:
            step = current(connection)
            connection.rollback()
            connection.execute(sa.text("CREATE TABLE fettle_doctor (number INTEGER)"))
            connection.rollback()
    finally:
        store.close()
    kind = "SQLite" if store.is_sqlite else "PostgreSQL"
    if step is None:
        return Checkup(
            "database", Health.WARNING, f"{kind}, empty", "`fettle serve` or `fettle db upgrade` makes tables."
        )
    if step != newest():
        advice = "Run `fettle db upgrade`, or start the new version." if step < newest() else "Install a later Fettle."
        return Checkup("database", Health.WARNING, f"{kind} at step {step}, this version is at {newest()}", advice)
    return Checkup("database", Health.GOOD, f"{kind} at step {step}, can be written")


def _store(settings: Settings) -> Checkup:
    files = open_files(settings)
    name, content = f"doctor/{new_token()}", b"fettle doctor"
    files.write(name, content)
    same = files.read(name) == content
    files.remove([name])
    where = settings.storage_url or str(settings.data_dir / "files")
    if not same:
        return Checkup("store", Health.FAULT, f"{where} gave back other bytes than were written", "Check the store.")
    return Checkup("store", Health.GOOD, f"{where}: written, read and removed")


def _disk(settings: Settings) -> Checkup:
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(settings.data_dir).free
    text = f"{free / 1e9:.1f} GB free in {settings.data_dir}"
    if free > LOW_DISK_BYTES:
        return Checkup("disk", Health.GOOD, text)
    advice = "Make room: `fettle prune`, shorter FETTLE_..._DAYS, or a larger disk."
    return Checkup("disk", Health.FAULT if free < NO_DISK_BYTES else Health.WARNING, text, advice)


def _kernel(settings: Settings) -> Checkup:
    """Builds a box and analyzes it in kernel children, as a worker would."""
    part = sandbox.run(BUILD_PART, ({"box": [20, 15, 10]}, "mm"), settings.kernel_limits)
    digest = hashlib.sha256(part).hexdigest()
    started = time.monotonic()
    asked = (part, "box.step", JobOptions(), settings.size_bounds, digest, ())
    sandbox.run(ANALYZE_UPLOAD, asked, settings.kernel_limits, lambda _: None)
    taken_s = time.monotonic() - started
    text = f"a box was built and analyzed in {taken_s:.1f} s"
    if taken_s > SLOW_ANALYSIS_S:
        advice = "The hot loops were compiled, or the machine is busy. Give NUMBA_CACHE_DIR a folder that is kept."
        return Checkup("kernel", Health.WARNING, text, advice)
    return Checkup("kernel", Health.GOOD, text)
