"""Log lines as JSON: one object a line, with the ids of request and job."""

from __future__ import annotations

import json
import logging

from fettle.app import logs
from fettle.app.logs import JsonLines, about


def line(message: str, *words: object, fields: dict[str, object] | None = None) -> dict[str, object]:
    record = logging.LogRecord("fettle.test", logging.WARNING, __file__, 1, message, words, None)
    if fields:
        record.fields = fields
    return dict(json.loads(JsonLines().format(record)))


def test_a_line_has_time_level_logger_and_message() -> None:
    found = line("two\nlines of %s", "text")
    assert {name: found[name] for name in ("level", "logger", "message")} == {
        "level": "warning",
        "logger": "fettle.test",
        "message": "two\nlines of text",
    }
    assert str(found["at"]).endswith("+00:00")
    assert "request_id" not in found
    assert "job_id" not in found


def test_lines_of_a_request_or_a_job_carry_its_id_and_no_others_do() -> None:
    with about(logs.request_id, "r1"), about(logs.job_id, "job_1"):
        within = line("x", fields={"status": 503})
    assert (within["request_id"], within["job_id"], within["status"]) == ("r1", "job_1", 503)
    assert "job_id" not in line("x")
