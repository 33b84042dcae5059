"""Fixtures shared by the tests of several layers."""

from __future__ import annotations

import gc
import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as settings_of_properties
from xdist.remote import Producer

from fettle.app.service import open_service
from fettle.app.settings import Settings
from fettle.app.state.migrations import upgrade
from fettle.app.state.store import Store, metadata
from tests import postgres
from tests.made import MadeFile, write_made_corpus
from tests.patience import fetch
from tests.scheduling import REAL_PARTS, SERVICE, ServiceScheduling, file_of
from tests.sqlite import NAME, write_upgraded

os.environ.setdefault("FETTLE_WARM_HELPER", "false")
"""A command in a test has a kernel of its own, whatever service runs on the machine; tests of helpers say otherwise."""

CORPUS = Path(os.environ.get("FETTLE_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))


def pytest_configure() -> None:
    """No garbage is looked for while five thousand tests are collected: there is none, and it takes a tenth of that. No
    example of a property is too slow: the machine may be busy."""
    gc.disable()
    settings_of_properties.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings_of_properties.load_profile("any machine")


def pytest_collection_finish() -> None:
    gc.freeze()  # what was imported is not looked through again by each search
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort what takes longest first, so that parallel processes end at about the same time."""
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    """The tests of one service run in one process and take longest of all; then come slow ones and those of real
    parts."""
    if SERVICE.search(item.nodeid):
        return 0
    return 1 if item.get_closest_marker("slow") or file_of(item.nodeid) in REAL_PARTS else 2


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ServiceScheduling:
    """Distribute the tests over processes by `ServiceScheduling`."""
    return ServiceScheduling(config, log)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Folder of real part files; tests that need it are skipped if there is none."""
    if not CORPUS.is_dir():
        pytest.skip(f"no corpus at {CORPUS}; CONTRIBUTING.md says what it is and how to get one")
    return CORPUS


@pytest.fixture(scope="session")
def made_corpus(tmp_path_factory: pytest.TempPathFactory) -> list[MadeFile]:
    """Files of parts of our own, with their truth by formula; there is always one."""
    return write_made_corpus(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[str]:
    """URL of the maintenance database of a PostgreSQL cluster for this session."""
    programs = postgres.binaries()
    if programs is None:
        pytest.skip("no PostgreSQL server here: apt-get install postgresql")
    with postgres.cluster(programs) as url:
        yield url


@pytest.fixture(scope="session")
def postgres_template(postgres_cluster: str) -> str:
    """Name of an upgraded, empty PostgreSQL database: a copy of it takes a tenth of an upgrade's time."""
    with postgres.database(postgres_cluster, keep="upgraded") as url:
        open_service(Settings(database_url=url)).close()
    return "upgraded"


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    """Settings on an empty data folder and an upgraded, empty database; once per database."""
    data_dir = tmp_path / "data"
    if request.param == "sqlite":
        write_upgraded(data_dir)
        yield Settings(data_dir=data_dir)
        return
    cluster, template = (request.getfixturevalue(name) for name in ("postgres_cluster", "postgres_template"))
    with postgres.database(cluster, template) as url:
        yield Settings(data_dir=data_dir, database_url=url)


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store on a database of its own, for tests that change the tables; once per database."""
    if request.param == "sqlite":
        store = Store(f"sqlite:///{tmp_path / NAME}")
        upgrade(store)
        yield store
        store.close()
        return
    with postgres.database(request.getfixturevalue("postgres_cluster")) as url:
        store = Store(Settings(database_url=url).database)
        upgrade(store)
        yield store
        store.close()


@pytest.fixture(scope="session")
def postgres_shared(postgres_cluster: str, postgres_template: str) -> Iterator[Store]:
    """One upgraded PostgreSQL database for all tests of the session."""
    with postgres.database(postgres_cluster, postgres_template) as url:
        store = Store(Settings(database_url=url).database)
        yield store
        store.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty, upgraded store, once per database."""
    if request.param == "sqlite":
        store = Store(f"sqlite:///{write_upgraded(tmp_path)}")
        yield store
        store.close()
        return
    shared: Store = request.getfixturevalue("postgres_shared")
    yield shared
    with shared.write() as connection:
        connection.exec_driver_sql("TRUNCATE " + ", ".join(metadata.tables))


@dataclass(frozen=True)
class Bucket:
    """An empty S3 bucket: its URL, and the environment variables by which a process reaches it."""

    url: str
    environment: dict[str, str]


@pytest.fixture(scope="session")
def s3_endpoint() -> Iterator[str]:
    from moto.server import ThreadedMotoServer  # takes two seconds to import

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3_endpoint: str) -> Bucket:
    name = f"parts-{uuid.uuid4().hex}"
    fetch(f"{s3_endpoint}/{name}", "PUT").raise_for_status()
    environment = {
        "AWS_ENDPOINT_URL": s3_endpoint,
        "AWS_ALLOW_HTTP": "true",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": "us-east-1",
    }
    return Bucket(f"s3://{name}", environment)
