"""A PostgreSQL cluster for the tests in a temporary folder, on a socket there and a free port."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.patience import PATIENCE_S


def binaries() -> Path | None:
    """Folder of the programs of the newest installed server, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


def _unprivileged_user() -> str | None:
    """User to run PostgreSQL as, because it refuses to run as root; None if this process is not root's."""
    if os.getuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def cluster(programs: Path) -> Iterator[str]:
    """Start a cluster, yield the URL of its maintenance database, and stop the cluster."""
    user = _unprivileged_user()
    folder = Path(tempfile.mkdtemp(prefix="fettle-pg-"))
    if user:
        shutil.chown(folder, user)
    data, port = folder / "data", _free_port()

    def run(program: str, *arguments: str) -> None:
        with (folder / "output").open("ab") as output:
            subprocess.run(
                [programs / program, *arguments],
                check=True,
                user=user,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            )

    try:
        run("initdb", "-D", str(data), "-U", "fettle", "--auth=trust", "--encoding=UTF8", "--no-sync")
        # Without fsync: a test cluster need not survive a power cut.
        places = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder}"
        options = f"{places} -c fsync=off -c max_connections=300"
        run(
            "pg_ctl",
            "-D",
            str(data),
            "-w",
            "-t",
            f"{PATIENCE_S:.0f}",
            "-o",
            options,
            "-l",
            str(folder / "log"),
            "start",
        )
        try:
            yield f"postgresql://fettle@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "-t", f"{PATIENCE_S:.0f}", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def database(cluster_url: str, template: str = "template1", keep: str | None = None) -> Iterator[str]:
    """Create a database as a copy of a template, yield its URL, and drop it unless `keep` names it."""
    name = keep or f"t_{uuid.uuid4().hex}"
    with psycopg.connect(cluster_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    yield cluster_url.rsplit("/", 1)[0] + "/" + name
    if keep is None:
        with psycopg.connect(cluster_url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
