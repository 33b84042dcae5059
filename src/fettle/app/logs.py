"""Where the log of a process of the service goes."""

from __future__ import annotations

import logging
import sys

from fettle.app.settings import Settings


def start_log(settings: Settings) -> None:
    """Write the log to stderr."""
    form = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    logging.basicConfig(level=settings.log_level.upper(), stream=sys.stderr, format=form)
    for chatty in ("alembic", "httpx", "httpcore"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
