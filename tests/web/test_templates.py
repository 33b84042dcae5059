"""Limits that a setting or the rate card decides are never typed into a page, and the examples show real lines."""

from __future__ import annotations

from pathlib import Path

import pytest

import fettle
from fettle.app.kernel_tasks.stages import PROGRESS
from fettle.app.settings import Settings
from fettle.app.work.attempts import STARTED
from fettle.results import Job

TEMPLATES = sorted(Path(fettle.__file__).parent.rglob("templates/*.html"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_page_types_a_limit(path: Path) -> None:
    text = path.read_text()
    assert [limit for limit in ("25 MB", "10000", "10,000", "seven days", "7 days") if limit in text] == []


def test_limits_as_people_write_them() -> None:
    settings = Settings(upload_limit_bytes=50 * 1024 * 1024, job_days=1)
    assert (settings.upload_limit_text, settings.job_days_text) == ("50 MB", "1 day")
    assert Settings(job_days=10.5).job_days_text == "10.5 days"


def test_the_log_of_the_example_is_made_of_lines_that_jobs_write() -> None:
    sentences = [line.partition(" s: ")[2] for line in Job.EXAMPLE["log"]]
    assert sentences
    assert set(sentences) <= {STARTED, *PROGRESS}
