"""An analysis of another engine is never unpickled: it is computed anew from the upload, or refused in words."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from fettle.app.access import accounts
from fettle.app.access.accounts import Account
from fettle.app.errors import NotReady
from fettle.app.fingerprint import engine_fingerprint
from fettle.app.options import JobOptions
from fettle.app.service import Service, open_service
from fettle.app.settings import Settings
from fettle.app.state.stored_analysis import add_header, read_pickle
from fettle.app.state.uploads import Incoming
from fettle.app.work import attempts
from fettle.app.work.jobs import ANALYSIS, UPLOAD
from fettle.app.work.pipeline import analyze_upload
from fettle.geometry.csg import build

OURS = engine_fingerprint(None)
OTHERS = "0" * 64


class Trap:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str, ...]]:
        return Path.touch, (self.path,)  # type: ignore[return-value]


def test_a_pickle_is_read_by_the_engine_that_stored_it_alone() -> None:
    stored = add_header(b"pickle", OURS)
    assert read_pickle(stored, OURS) == b"pickle"
    assert read_pickle(stored, OTHERS) is None
    assert read_pickle(pickle.dumps({"stored": "before there was a header"}), OURS) is None


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    opened = open_service(Settings(data_dir=tmp_path / "data"))
    yield opened
    opened.close()


@pytest.fixture
def owner(service: Service) -> Account:
    return accounts.find_or_create(service.store, "owner@example.com")


def run(service: Service, job_id: str, number: int) -> str:
    """One run of a job, in this process; returns the job's folder."""
    attempt = attempts.begin(service.store, service.settings, "w1", job_id, number)
    assert attempt is not None
    attempt.finish(analyze_upload(service.files, service.settings, attempt))
    return f"jobs/{attempt.token}"


@pytest.fixture
def upgraded(service: Service, owner: Account, tmp_path: Path) -> tuple[str, str]:
    """Id and folder of a job that another engine analyzed; whatever that one derived is under other keys."""
    with Incoming("block.step", 100_000) as incoming:
        incoming.write(build({"box": [60, 40, 30]}))
        job_id = service.jobs.submit(owner, incoming.finish(), JobOptions()).job_id
    folder = run(service, job_id, 1)
    old = pickle.dumps(Trap(tmp_path / "unpickled"))
    service.files.write(f"{folder}/1/{ANALYSIS}", add_header(old, OTHERS))
    service.files.remove_all("derived")
    return job_id, folder


def volume_mm3(pickled: bytes) -> float:
    return float(pickle.loads(pickled).part.volume_mm3)


def test_it_is_computed_anew_from_the_upload_for_eval_and_recompute(
    service: Service, owner: Account, upgraded: tuple[str, str], tmp_path: Path
) -> None:
    job_id, folder = upgraded
    assert volume_mm3(service.analysis(owner, job_id)) == pytest.approx(72_000)
    service.jobs.recompute(owner, job_id, "0,1,0")
    run(service, job_id, 2)
    stored = read_pickle(service.files.read(f"{folder}/2/{ANALYSIS}"), OURS)
    assert stored is not None
    assert pickle.loads(stored).draft.pull == pytest.approx((0, 1, 0))
    assert not (tmp_path / "unpickled").exists()


def test_without_the_upload_the_caller_is_told_to_send_the_file_again(
    service: Service, owner: Account, upgraded: tuple[str, str], tmp_path: Path
) -> None:
    job_id, folder = upgraded
    service.files.remove_all(f"{folder}/{UPLOAD}")
    (tmp_path / "data" / "files" / folder / UPLOAD).unlink(missing_ok=True)
    with pytest.raises(NotReady, match=r"another version of Fettle.*Send the file again"):
        service.analysis(owner, job_id)
    assert not (tmp_path / "unpickled").exists()
