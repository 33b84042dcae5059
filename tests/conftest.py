"""Fixtures every layer shares."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from fettle.app.migrations import upgrade
from fettle.app.settings import Settings
from fettle.app.store import Store, metadata
from tests import postgres

CORPUS = Path(os.environ.get("FETTLE_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Folder of real part files; tests that need it are skipped where it is absent."""
    if not CORPUS.is_dir():
        pytest.skip(f"no corpus at {CORPUS}; set FETTLE_CORPUS to a folder of part files")
    return CORPUS


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[str]:
    """Address of the maintenance database of this session's own cluster."""
    programs = postgres.binaries()
    if programs is None:
        pytest.skip("no PostgreSQL server here: apt-get install postgresql")
    with postgres.cluster(programs) as url:
        yield url


@pytest.fixture
def postgres_url(postgres_cluster: str) -> Iterator[str]:
    """Address of an empty PostgreSQL database, dropped after the test."""
    name = f"t_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_cluster, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield postgres_cluster.rsplit("/", 1)[0] + "/" + name
    with psycopg.connect(postgres_cluster, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """What to set FETTLE_DATABASE_URL to: every test that takes it runs on both databases."""
    if request.param == "sqlite":
        return ""
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    """Settings on an empty data folder, once per database."""
    return Settings(data_dir=tmp_path / "data", database_url=database_url)


@pytest.fixture
def fresh_store(settings: Settings) -> Iterator[Store]:
    """A store on a database of its own, for tests that change the tables; once per database."""
    store = Store(settings.database)
    upgrade(store)
    yield store
    store.close()


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An upgraded, empty SQLite file, to be copied: faster than upgrading anew for every test."""
    path = tmp_path_factory.mktemp("template") / "fettle.sqlite"
    store = Store(f"sqlite:///{path}")
    upgrade(store)
    store.close()
    return path


@pytest.fixture(scope="session")
def postgres_shared(postgres_cluster: str) -> Iterator[Store]:
    """One upgraded PostgreSQL database for all tests of the session."""
    with psycopg.connect(postgres_cluster, autocommit=True) as connection:
        connection.execute("CREATE DATABASE shared")
    url = postgres_cluster.rsplit("/", 1)[0] + "/shared"
    store = Store(Settings(database_url=url).database)
    upgrade(store)
    yield store
    store.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty, upgraded store, once per database."""
    if request.param == "sqlite":
        path = tmp_path / "fettle.sqlite"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        store = Store(f"sqlite:///{path}")
        yield store
        store.close()
        return
    shared: Store = request.getfixturevalue("postgres_shared")
    yield shared
    with shared.write() as connection:
        connection.exec_driver_sql("TRUNCATE " + ", ".join(metadata.tables))
