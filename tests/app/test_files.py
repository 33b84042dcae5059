"""Files on a local folder and on a real S3 endpoint over HTTP."""

from __future__ import annotations

import os
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import zstandard

from fettle.app.errors import NotFound
from fettle.app.settings import Settings
from fettle.app.state.files import Files, derived_key, new_token, open_files
from tests.conftest import Bucket


@pytest.fixture(params=["local", "s3"])
def files(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    if request.param == "local":
        return open_files(Settings(data_dir=tmp_path))
    bucket: Bucket = request.getfixturevalue("bucket")
    for name, value in bucket.environment.items():
        monkeypatch.setenv(name, value)
    return open_files(Settings(data_dir=tmp_path, storage_url=f"{bucket.url}/some/prefix"))


def test_what_was_written_is_read(files: Files, tmp_path: Path) -> None:
    files.write("jobs/a/result.json", b"{}")
    files.write("jobs/a/result.json", b"[]")
    assert files.read("jobs/a/result.json") == b"[]"
    assert files.exists("jobs/a/result.json")
    assert not files.exists("jobs/a/result")
    (tmp_path / "part.step").write_bytes(b"ISO")
    files.write("jobs/a/upload", tmp_path / "part.step")
    assert files.read("jobs/a/upload") == b"ISO"


def test_a_plain_store_holds_what_nodes_of_0_1_read_and_either_store_reads_the_other(tmp_path: Path) -> None:
    """0.1 reads the bytes of every file as they are."""
    plain = open_files(Settings(data_dir=tmp_path, store_plain=True))
    packed = open_files(Settings(data_dir=tmp_path))
    members = {"features.glb": b"glTF", "analysis.pickle": bytes(1000)}
    plain.write("jobs/a/upload", b"ISO-10303-21;")
    assert (tmp_path / "files/jobs/a/upload").read_bytes() == packed.read("jobs/a/upload") == b"ISO-10303-21;"
    plain.write_bundle("jobs/a/bundle", members)
    packed.write_bundle("jobs/b/bundle", members)
    assert packed.read_bundle("jobs/a/bundle") == plain.read_bundle("jobs/b/bundle") == members
    frame = zstandard.compress(b"of the sender")
    plain.write("jobs/c/upload", frame)
    assert plain.read("jobs/c/upload") == frame


def test_a_whole_upload_streams_out_in_chunks(files: Files) -> None:
    content = os.urandom(25 * 1024 * 1024)
    files.write("jobs/a/upload", content)
    stored = files.stream("jobs/a/upload")
    chunks = list(stored.chunks)
    assert stored.size_bytes == len(content)
    assert b"".join(chunks) == content
    assert len(chunks) > 1


def test_missing_is_told_without_a_path(files: Files) -> None:
    for ask in (files.read, files.stream):
        with pytest.raises(NotFound) as caught:
            ask("jobs/b/none")
        assert "jobs/b" not in str(caught.value)


@pytest.mark.parametrize("name", ["../secret", "jobs/../../secret", "/etc/../../passwd"])
def test_names_cannot_leave_the_store(files: Files, name: str) -> None:
    with pytest.raises(ValueError, match=r"\.\."):
        files.read(name)


def test_a_job_is_removed_whole_and_alone(files: Files) -> None:
    files.write("jobs/a/x", b"1")
    files.write("jobs/a/y", b"2")
    files.write("jobs/ab/x", b"3")
    assert files.remove_all("jobs/a") == 2
    assert files.remove_all("jobs/a") == 0
    assert files.read("jobs/ab/x") == b"3"


def test_files_are_listed_with_size_and_time(files: Files) -> None:
    for name in ("jobs/b/upload", "jobs/a/1/draft.glb", "derived/k/x"):
        files.write(name, b"1")
    listed = files.entries("jobs")
    assert sorted(entry.name for entry in listed) == ["jobs/a/1/draft.glb", "jobs/b/upload"]
    assert {entry.size_bytes for entry in listed} == {len(files.read_stored("jobs/b/upload"))}
    assert all(abs(datetime.now(UTC) - entry.written_at) < timedelta(hours=1) for entry in listed)
    assert files.entries("previews") == []


def test_a_copy_of_the_stored_bytes_reads_the_same(files: Files) -> None:
    files.write("jobs/a/x", b"content")
    files.write_stored("jobs/b/x", files.read_stored("jobs/a/x"))
    assert files.read("jobs/b/x") == b"content"


def test_a_reader_never_sees_half_a_write(files: Files) -> None:
    contents = [bytes([k]) * 3_000_000 for k in range(4)]
    files.write("derived/k/x", contents[0])
    torn: list[int] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            seen = files.read("derived/k/x")
            if seen not in contents:
                torn.append(len(seen))

    reader = threading.Thread(target=look)
    reader.start()
    for content in contents * 3:
        files.write("derived/k/x", content)
    done.set()
    reader.join()
    assert torn == []


def test_tokens_carry_128_bits_and_keys_depend_on_every_part() -> None:
    assert len({new_token() for _ in range(1000)}) == 1000
    assert {len(new_token()) for _ in range(100)} == {22}
    keys = [derived_key("a", 1.0), derived_key("a", 1), derived_key("a", None), derived_key("a"), derived_key("a1.0")]
    assert len(set(keys)) == len(keys)
    assert derived_key("a", 0.1) == derived_key("a", 0.1)
