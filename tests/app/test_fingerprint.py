"""What stored data depends on: one byte of the engine, a pack or the catalog is another fingerprint."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import fettle
from fettle.app.fingerprint import engine_fingerprint
from fettle.app.options import JobOptions
from fettle.app.settings import Settings
from fettle.app.work.pipeline import model_folder

ASK = "from fettle.app.fingerprint import engine_fingerprint; print(engine_fingerprint(None))"


def fingerprint_of(folder: Path) -> str:
    """Of a copy of the package in this folder, asked in a process of its own."""
    asked = [sys.executable, "-c", ASK]
    done = subprocess.run(
        asked, env={**os.environ, "PYTHONPATH": str(folder)}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_one_byte_of_code_or_of_a_pack_is_another_fingerprint_and_a_copy_is_the_same(tmp_path: Path) -> None:
    package = tmp_path / "fettle"
    shutil.copytree(Path(fettle.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    same = fingerprint_of(tmp_path)
    assert same == engine_fingerprint(None)
    changed = set()
    for name in ("measure/thickness.py", "data/packs/cnc.yaml"):
        with (package / name).open("a") as file:
            file.write("#")
        changed.add(fingerprint_of(tmp_path))
    assert len(changed | {same}) == 3


def test_a_pack_or_a_price_of_the_operator_is_another_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "packs").mkdir()
    seen = {engine_fingerprint(None)}
    for name, text in (("packs/own.yaml", "a: 1"), ("packs/own.yaml", "a: 2"), ("pricing.yaml", "b: 1")):
        (tmp_path / name).write_text(text)
        engine_fingerprint.cache_clear()
        seen.add(engine_fingerprint(tmp_path))
    assert len(seen) == 4


def test_what_is_derived_from_a_file_is_stored_under_the_fingerprint(tmp_path: Path) -> None:
    """A model that another engine made is not found: the folder is another."""
    (tmp_path / "packs").mkdir()
    asked = (hashlib.sha256(b"part").hexdigest(), "part.step", JobOptions())
    plain = model_folder(Settings(), *asked)
    assert plain == model_folder(Settings(), *asked)
    (tmp_path / "packs" / "own.yaml").write_text("a: 3")
    assert plain != model_folder(Settings(catalog_dir=tmp_path), *asked)
