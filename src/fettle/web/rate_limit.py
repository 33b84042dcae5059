"""Limits on requests per minute, of each key, and of each address that comes without a valid one.

A bucket holds a minute's requests and fills steadily; each request takes one. Buckets are kept in memory: a limit holds
in each API process by itself, so with N of them behind one door a caller may get N times as much. That costs no write
per request, and nothing needs to survive a restart.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from fettle.app.errors import RateExceeded

MOST_BUCKETS = 20_000
"""Above that the bucket that was touched longest ago is forgotten, as if it were full."""
MINUTE_S = 60.0


@dataclass(slots=True)
class Bucket:
    tokens: float
    at: float


@dataclass(frozen=True, slots=True)
class RateReading:
    """`reset_s`: seconds until the bucket is full again."""

    limit: int
    remaining: int
    reset_s: int

    def headers(self) -> dict[str, str]:
        """As the IETF's draft on RateLimit header fields names them."""
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset_s),
        }


class RateLimiter:
    """One limit for many callers. `per_minute` 0: no limit. Used by one thread, that of the event loop."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, who: str) -> RateReading | None:
        """Take one request of `who`; None where there is no limit, RateExceeded when the bucket is empty."""
        bucket = self._filled(who)
        if bucket is None:
            return None
        self._check(bucket)
        bucket.tokens -= 1
        missing = self._per_minute - bucket.tokens
        return RateReading(self._per_minute, int(bucket.tokens), math.ceil(missing * MINUTE_S / self._per_minute))

    def check(self, who: str) -> None:
        """RateExceeded where `who` has nothing left; takes nothing."""
        bucket = self._filled(who)
        if bucket is not None:
            self._check(bucket)

    def _check(self, bucket: Bucket) -> None:
        if bucket.tokens < 1:
            raise RateExceeded(math.ceil((1 - bucket.tokens) * MINUTE_S / self._per_minute))

    def _filled(self, who: str) -> Bucket | None:
        if not self._per_minute:
            return None
        now = self._clock()
        bucket = self._buckets.setdefault(who, Bucket(float(self._per_minute), now))
        self._buckets.move_to_end(who)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        gained = (now - bucket.at) * self._per_minute / MINUTE_S
        bucket.tokens, bucket.at = min(float(self._per_minute), bucket.tokens + gained), now
        return bucket


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The limits of an application."""

    keys: RateLimiter
    addresses: RateLimiter
