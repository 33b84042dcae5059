"""Previews: made once for the same bytes, at an address nobody can guess, gone after a while."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from fettle.app.errors import NotFound
from fettle.app.settings import Settings
from fettle.app.state.files import open_files
from fettle.app.state.uploads import Upload
from fettle.app.work.previews import GLB, Previews
from fettle.geometry.csg import build


@pytest.fixture(scope="module")
def upload(tmp_path_factory: pytest.TempPathFactory) -> Upload:
    path = tmp_path_factory.mktemp("upload") / "block.step"
    path.write_bytes(build({"box": [60, 40, 30]}))
    return Upload("block.step", path, path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest())


@pytest.fixture
def previews(tmp_path: Path) -> Previews:
    settings = Settings(data_dir=tmp_path)
    return Previews(settings, open_files(settings))


def test_the_kernel_runs_once_for_the_same_bytes(previews: Previews, upload: Upload, tmp_path: Path) -> None:
    first = previews.make(upload)
    assert first.geometry.volume_cm3 == pytest.approx(72)
    assert first.geometry.size_mm == pytest.approx((60, 40, 30))
    assert previews.glb(first.token)[:4] == b"glTF"
    # the file itself is gone, so a second run of the kernel would fail
    gone = Upload(upload.filename, tmp_path / "gone.step", upload.size_bytes, upload.sha256)
    assert previews.make(gone) == first
    assert len(first.token) == 22
    assert first.token not in upload.sha256


def test_a_picture_that_is_gone_is_told_as_missing(previews: Previews, upload: Upload, tmp_path: Path) -> None:
    first = previews.make(upload)
    open_files(Settings(data_dir=tmp_path)).remove_all("previews")
    for asked in (first.token, "nonsense", ".."):
        with pytest.raises(NotFound):
            previews.stream(asked, GLB)


def test_only_the_picture_can_be_read(previews: Previews, upload: Upload) -> None:
    token = previews.make(upload).token
    with pytest.raises(NotFound):
        previews.stream(token, "preview.json")
