"""Disk full, database full, store away: 503 with Retry-After, nothing half written, and all is well once it is over."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from fettle.app.access import accounts
from fettle.app.access.meters import Meters
from fettle.app.access.plans import Meter, load_plans
from fettle.app.state.store import Store, jobs
from fettle.app.state.store import accounts as account_rows
from fettle.app.state.unavailable import unavailable
from tests import postgres
from tests.conftest import Bucket
from tests.forwarding import forwarding
from tests.patience import until
from tests.web.conftest import Running, free_port, running, step, wait_for

OWNER = "owner@example.com"


def used(service: Running) -> int:
    return Meters(service.store, load_plans()).read(accounts.find(service.store, OWNER), Meter.ANALYZE).used


def rows(service: Running) -> int:
    with service.store.read() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(jobs)).scalar_one()


def check_refused(answer: httpx.Response) -> None:
    assert answer.status_code == 503, answer.text
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.json()["code"] == "unavailable"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 6 MB where a service in `tmp_path` has its data."""
    folder = tmp_path / "data"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)], capture_output=True, text=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.slow
def test_a_full_disk_refuses_work_goes_on_reading_and_recovers(
    small_disk: Path, tmp_path: Path, bracket: bytes
) -> None:
    with (
        running(tmp_path, worker=True, heartbeat_s=1) as service,
        service.client(service.key("free", OWNER)) as client,
    ):
        fill(small_disk)
        for _ in range(3):
            check_refused(client.post("/dfm/analyze", files=step(bracket)))
        assert client.get("/dfm/jobs").json()["jobs"] == []
        assert client.get("/materials").status_code == 200
        assert [path for path in (small_disk / "files").rglob("*") if path.is_file()] == []
        assert (rows(service), used(service)) == (0, 0)
        (small_disk / "filler").unlink()
        answer = until(
            lambda: (sent := client.post("/dfm/analyze", files=step(bracket))).status_code == 202 and sent,
            "work is taken again",
        )
        assert wait_for(client, answer.json()["job_id"])["status"] == "done"
        assert (rows(service), used(service)) == (1, 1)


def fill(folder: Path) -> None:
    """Write until nothing more fits."""
    number = os.open(folder / "filler", os.O_CREAT | os.O_WRONLY)
    size = 1 << 20
    while size:
        try:
            os.write(number, b"x" * size)
        except OSError:
            size //= 2
    os.close(number)


@pytest.mark.slow
def test_a_full_database_refuses_work_and_recovers(
    postgres_cluster: str, postgres_template: str, tmp_path: Path, bracket: bytes
) -> None:
    """The server's own error for a full disk, raised by a trigger: a disk of its own cannot be had everywhere."""
    with (
        postgres.database(postgres_cluster, postgres_template) as url,
        running(tmp_path, worker=False, database_url=url) as service,
        service.client(service.key("free", OWNER)) as client,
    ):
        with service.store.write() as connection:
            connection.exec_driver_sql(
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'could not extend file: No space left' USING ERRCODE = '53100'; END $$"
            )
            connection.exec_driver_sql(
                "CREATE TRIGGER full_disk BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION full_disk()"
            )
        check_refused(client.post("/dfm/analyze", files=step(bracket)))
        assert [path for path in (tmp_path / "data" / "files").rglob("*") if path.is_file()] == []
        assert (rows(service), used(service)) == (0, 0)
        with service.store.write() as connection:
            connection.exec_driver_sql("DROP TRIGGER full_disk ON jobs")
        assert client.post("/dfm/analyze", files=step(bracket)).status_code == 202


@pytest.mark.slow
def test_a_store_that_is_away_refuses_work_and_recovers(
    tmp_path: Path, bracket: bytes, bucket: Bucket, s3_endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A door to the store that is closed first: it listens only once the test opens it."""
    port = free_port()
    for name, value in {**bucket.environment, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"}.items():
        monkeypatch.setenv(name, value)
    with (
        running(tmp_path, worker=False, storage_url=bucket.url) as service,
        service.client(service.key("free", OWNER)) as client,
    ):
        check_refused(client.post("/dfm/analyze", files=step(bracket)))
        assert (rows(service), used(service)) == (0, 0)
        with forwarding(port, int(s3_endpoint.rsplit(":", 1)[1])):
            answer = until(
                lambda: (sent := client.post("/dfm/analyze", files=step(bracket))).status_code == 202 and sent,
                "work is taken again",
            )
        assert answer.json()["status"] == "queued"
        assert (rows(service), used(service)) == (1, 1)


def test_a_database_nobody_answers_at_is_unavailable_and_a_fault_of_ours_is_not(tmp_path: Path) -> None:
    away = Store("postgresql+psycopg://nobody@127.0.0.1:9/none")
    with pytest.raises(sa.exc.OperationalError) as caught, away.read():
        pass
    assert unavailable(caught.value) is not None
    empty = Store(f"sqlite:///{tmp_path}/empty.sqlite")
    with pytest.raises(sa.exc.OperationalError) as caught, empty.read() as connection:
        connection.execute(sa.select(account_rows))
    assert unavailable(caught.value) is None, "a missing table is no matter of waiting"
    for error in (ValueError(), FileNotFoundError(2, "gone"), KeyError()):
        assert unavailable(error) is None
    assert unavailable(OSError(28, "No space left on device")) is not None
    for store in (away, empty):
        store.close()
