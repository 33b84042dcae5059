"""Where the log of a process of the service goes, and which request or job a line belongs to."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

from fettle.app.settings import LogFormat, Settings

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""Of the request that is being answered; threads that work for it see it too."""
job_id: ContextVar[str | None] = ContextVar("job_id", default=None)
"""Of the job that a worker runs."""


@contextmanager
def about(variable: ContextVar[str | None], identity: str) -> Iterator[None]:
    """Give every line of the block the id of a request or a job."""
    token = variable.set(identity)
    try:
        yield
    finally:
        variable.reset(token)


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, and the ids where there are any.

    Fields that a call gives as `extra={"fields": {...}}` stand beside them. Bodies, headers, keys and e-mails are never
    logged in the first place; there is nothing to strip here.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        for name, variable in (("request_id", request_id), ("job_id", job_id)):
            if variable.get() is not None:
                line[name] = variable.get()
        line.update(getattr(record, "fields", {}))
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def start_log(settings: Settings) -> None:
    """Write the log to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    text = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JsonLines() if settings.log_format is LogFormat.JSON else text)
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler])
    for chatty in ("alembic", "httpx", "httpcore"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
