"""Limits on requests per minute: the bucket by hand, and the service with a limit of five."""

from __future__ import annotations

from pathlib import Path

import pytest

from fettle.app.errors import RateExceeded
from fettle.web import rate_limit
from fettle.web.rate_limit import RateLimiter
from tests.web.conftest import running


def test_a_minute_of_requests_at_once_then_one_every_sixtieth_of_it() -> None:
    now = [0.0]
    limiter = RateLimiter(60, lambda: now[0])
    readings = [limiter.take("a") for _ in range(60)]
    assert [reading.remaining for reading in readings if reading] == list(range(59, -1, -1))
    assert readings[-1] is not None
    assert readings[-1].headers() == {"RateLimit-Limit": "60", "RateLimit-Remaining": "0", "RateLimit-Reset": "60"}
    with pytest.raises(RateExceeded) as caught:
        limiter.take("a")
    assert caught.value.retry_after_s == 1
    assert limiter.take("b") is not None, "another caller has a bucket of its own"
    now[0] = 1.0
    assert limiter.take("a") is not None
    with pytest.raises(RateExceeded):
        limiter.check("a")
    now[0] = 1000.0
    assert [bool(limiter.take("a")) for _ in range(60)] == [True] * 60, "no more than a minute is saved up"
    with pytest.raises(RateExceeded):
        limiter.take("a")


def test_without_a_limit_nothing_is_counted() -> None:
    limiter = RateLimiter(0)
    assert [limiter.take("a") for _ in range(1000)] == [None] * 1000


def test_memory_is_bounded_however_many_callers_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MOST_BUCKETS", 10)
    limiter = RateLimiter(1, lambda: 0.0)
    for number in range(1000):
        limiter.take(str(number))
    assert len(limiter._buckets) == 10


@pytest.mark.slow
def test_keys_and_strangers_are_limited_apart_and_told_when_to_come_back(tmp_path: Path) -> None:
    with running(tmp_path, worker=False, key_rate_per_minute=5, address_rate_per_minute=5) as service:
        with service.client() as client:
            answers = [client.get("/materials") for _ in range(6)]
            assert [answer.status_code for answer in answers] == [200] * 5 + [429]
            assert [answer.headers["RateLimit-Remaining"] for answer in answers[:5]] == ["4", "3", "2", "1", "0"]
            assert answers[5].json()["code"] == "rate_exceeded"
            assert 1 <= int(answers[5].headers["Retry-After"]) <= 12
        with service.client() as other:
            missing = other.get("/dfm/jobs/none")
            assert (missing.status_code, missing.headers["RateLimit-Remaining"]) == (404, "4")
            with service.client("svc_live_wrong") as guess:
                assert [guess.get("/materials").status_code for _ in range(6)] == [401] * 5 + [429]
            assert other.get("/materials").status_code == 429, "who guesses keys is refused from that address"
