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
from fettle.app.kernel_tasks.stages import CACHED
from fettle.app.options import JobOptions
from fettle.app.service import Service, open_service
from fettle.app.settings import Settings
from fettle.app.state.stored_analysis import add_header, read_pickle
from fettle.app.state.uploads import Incoming
from fettle.app.work import attempts
from fettle.app.work.job_files import ANALYSIS, ARTIFACTS, BUNDLE, RESULT, UPLOAD, read_bundled
from fettle.app.work.pipeline import analyze_upload
from fettle.geometry.csg import CsgNode, build

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
    attempt.finish(analyze_upload(service.files, service.settings, attempt, service.settings.kernel_limits))
    return f"jobs/{attempt.token}"


def submit(service: Service, owner: Account, recipe: CsgNode) -> str:
    with Incoming("part.step", 10_000_000) as incoming:
        incoming.write(build(recipe))
        return service.jobs.submit(owner, incoming.finish(), JobOptions()).job_id


@pytest.mark.parametrize("plain", [True, False])
def test_only_a_plain_store_has_every_file_by_itself_as_nodes_of_0_1_read_them(tmp_path: Path, plain: bool) -> None:
    service = open_service(Settings(data_dir=tmp_path, store_plain=plain))
    owner = accounts.find_or_create(service.store, "owner@example.com")
    job_id = submit(service, owner, {"box": [20, 20, 10]})
    folder = f"{run(service, job_id, 1)}/1"
    stored = {entry.name.rpartition("/")[2] for entry in service.files.entries(folder)}
    assert (set(ARTIFACTS.values()) <= stored, BUNDLE in stored) == (plain, not plain)
    by_itself = (tmp_path / "files" / folder / RESULT).read_bytes()
    assert by_itself.startswith(b"{") == plain
    assert read_bundled(service.files, folder, [ARTIFACTS["thickness_glb"]])[0].startswith(b"glTF")
    service.close()


@pytest.fixture
def upgraded(service: Service, owner: Account, tmp_path: Path) -> tuple[str, str]:
    """Id and folder of a job that another engine analyzed; whatever that one derived is under other keys."""
    job_id = submit(service, owner, {"box": [60, 40, 30]})
    folder = run(service, job_id, 1)
    old = add_header(pickle.dumps(Trap(tmp_path / "unpickled")), OTHERS)
    as_stored(service, tmp_path, f"{folder}/1", {**service.files.read_bundle(f"{folder}/1/{BUNDLE}"), ANALYSIS: old})
    service.files.remove_all("derived")
    return job_id, folder


def as_stored(service: Service, tmp_path: Path, folder: str, files: dict[str, bytes]) -> None:
    """The files as version 0.1 stored them: each by itself, as it was."""
    on_disk = tmp_path / "data" / "files" / folder
    (on_disk / BUNDLE).unlink()
    for name, data in {**files, RESULT: service.files.read(f"{folder}/{RESULT}")}.items():
        (on_disk / name).write_bytes(data)


def volume_mm3(pickled: bytes) -> float:
    return float(pickle.loads(pickled).part.volume_mm3)


def test_it_is_computed_anew_from_the_upload_for_eval_and_recompute(
    service: Service, owner: Account, upgraded: tuple[str, str], tmp_path: Path
) -> None:
    job_id, folder = upgraded
    assert volume_mm3(service.analysis(owner, job_id)) == pytest.approx(72_000)
    service.jobs.recompute(owner, job_id, "0,1,0")
    run(service, job_id, 2)
    stored = read_pickle(read_bundled(service.files, f"{folder}/2", [ANALYSIS])[0], OURS)
    assert stored is not None
    assert pickle.loads(stored).draft.pull == pytest.approx((0, 1, 0))
    assert not (tmp_path / "unpickled").exists()


def test_a_recompute_gives_every_file_that_an_analysis_along_that_pull_gives(
    service: Service, owner: Account, tmp_path: Path
) -> None:
    part: CsgNode = {"cut": [{"box": [30, 20, 10]}, {"move": {"of": {"box": [10, 10, 10]}, "by": [10, 5, 4]}}]}
    turned = submit(service, owner, part)
    run(service, turned, 1)
    service.jobs.recompute(owner, turned, "0,1,0")
    turned_files = service.files.read_bundle(f"{run(service, turned, 2)}/2/{BUNDLE}")
    service.files.remove_all("derived")
    with Incoming("part.step", 10_000_000) as incoming:
        incoming.write(build(part))
        asked = service.jobs.submit(owner, incoming.finish(), JobOptions(pull="0,1,0")).job_id
    asked_files = service.files.read_bundle(f"{run(service, asked, 1)}/1/{BUNDLE}")
    assert set(turned_files) == {ANALYSIS, *ARTIFACTS.values()}
    assert [name for name in ARTIFACTS.values() if turned_files[name] != asked_files[name]] == []


def test_without_the_upload_the_caller_is_told_to_send_the_file_again(
    service: Service, owner: Account, upgraded: tuple[str, str], tmp_path: Path
) -> None:
    job_id, folder = upgraded
    service.files.remove_all(f"{folder}/{UPLOAD}")
    (tmp_path / "data" / "files" / folder / UPLOAD).unlink(missing_ok=True)
    with pytest.raises(NotReady, match=r"another version of Fettle.*Send the file again"):
        service.analysis(owner, job_id)
    assert not (tmp_path / "unpickled").exists()


def test_results_and_artifacts_of_version_0_1_are_still_read(
    service: Service, owner: Account, upgraded: tuple[str, str]
) -> None:
    job_id, folder = upgraded
    stored = service.jobs.result(owner, job_id)
    assert stored.body.startswith(b"{")
    token = folder.removeprefix("jobs/")
    assert b"".join(service.jobs.artifact(token, "1", "features.glb").chunks).startswith(b"glTF")


MOST_BYTES = 2_000_000
GRID = {
    "cut": [
        {"box": [170, 110, 12]},
        *(
            {"move": {"of": {"cylinder": {"d": 6, "h": 30}}, "by": [10 + 10 * i, 10 + 10 * j, -9]}}
            for i in range(16)
            for j in range(10)
        ),
    ]
}
"""A plate of 166 faces."""


def test_an_analysis_of_more_than_150_faces_leaves_less_than_two_megabytes(
    service: Service, owner: Account, tmp_path: Path
) -> None:
    """And one more of the same file is answered from the first, until that one is deleted."""
    first, second, third = (submit(service, owner, GRID) for _ in range(3))
    run(service, first, 1)
    kept = sum(path.stat().st_size for path in (tmp_path / "data" / "files").rglob("*") if path.is_file())
    assert kept < MOST_BYTES
    run(service, second, 1)
    assert any(CACHED in line for line in service.jobs.read(owner, second).log)
    for job_id in (first, second):
        service.jobs.delete(owner, job_id)
    run(service, third, 1)
    assert not any(CACHED in line for line in service.jobs.read(owner, third).log)
