"""A progress line on standard error when it is a terminal."""

from __future__ import annotations

import sys
import threading
from types import TracebackType
from typing import Self

WIDTH = 24


class Progress:
    """One line that rewrites itself: files done, and what the last one to speak is doing."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._lock = threading.Lock()
        self._shown = sys.stderr.isatty()

    def __enter__(self) -> Self:
        self._draw("")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def say(self, file: str, line: str) -> None:
        self._draw(f"{file}: {line}")

    def done(self, file: str) -> None:
        with self._lock:
            self._done += 1
        self._draw(file)

    def _draw(self, text: str) -> None:
        if self._shown:
            with self._lock:
                filled = WIDTH * self._done // max(self._total, 1)
                bar = "#" * filled + "-" * (WIDTH - filled)
                sys.stderr.write(f"\r\x1b[K[{bar}] {self._done}/{self._total} {text[:80]}")
                sys.stderr.flush()
