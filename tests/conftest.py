"""Fixtures every layer shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

CORPUS = Path(os.environ.get("FETTLE_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Folder of real part files; tests that need it are skipped where it is absent."""
    if not CORPUS.is_dir():
        pytest.skip(f"no corpus at {CORPUS}; set FETTLE_CORPUS to a folder of part files")
    return CORPUS
