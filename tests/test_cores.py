"""Work begun on a second core: who does it, when, and that an analysis comes out the same."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from fettle import cores
from fettle.app.isolation.limits import Limits
from fettle.app.isolation.sandbox import run
from fettle.app.kernel_tasks.tasks import BUILD_PART, JUDGE_FILE
from fettle.app.options import Bounds, JobOptions
from tests.patience import PATIENCE_S
from tests.two_cores import two_cores


@pytest.fixture
def allow() -> Iterator[Callable[[int], None]]:
    """`cores.allow`; afterwards this process has one core again."""
    interval_s = sys.getswitchinterval()
    yield cores.allow
    cores.allow(1)
    sys.setswitchinterval(interval_s)


def test_with_one_core_work_is_done_when_its_value_is_asked_for(allow: Callable[[int], None]) -> None:
    allow(1)
    done_by: list[threading.Thread] = []
    begun = cores.begin(lambda: done_by.append(threading.current_thread()))
    assert done_by == []
    begun()
    assert done_by == [threading.current_thread()]


@two_cores
def test_with_two_cores_work_goes_on_beside_the_caller(allow: Callable[[int], None]) -> None:
    """Each waits for the other: one after the other they would never end."""
    allow(2)
    here, there = threading.Event(), threading.Event()

    def work() -> bool:
        there.set()
        return here.wait(PATIENCE_S)

    begun = cores.begin(work)
    assert there.wait(PATIENCE_S)
    here.set()
    assert begun()


@two_cores
def test_the_caller_does_itself_what_the_second_core_has_not_begun(allow: Callable[[int], None]) -> None:
    allow(2)
    busy, go_on = threading.Event(), threading.Event()

    def first() -> bool:
        busy.set()
        return go_on.wait(PATIENCE_S)

    one = cores.begin(first)
    other = cores.begin(threading.current_thread)
    assert busy.wait(PATIENCE_S)
    assert other() is threading.current_thread()
    go_on.set()
    assert one()


@pytest.mark.parametrize("count", [1, pytest.param(2, marks=two_cores)])
def test_an_error_is_raised_where_the_value_is_asked_for(allow: Callable[[int], None], count: int) -> None:
    allow(count)

    def fail() -> None:
        raise ValueError("no such wall")

    begun = cores.begin(fail)
    with pytest.raises(ValueError, match="no such wall"):
        begun()


@pytest.mark.parametrize(("asked", "of_machine", "given"), [(64, 64, 2), (2, 1, 1), (1, 64, 1)])
def test_a_process_has_at_most_two_cores_and_those_it_may_run_on(
    allow: Callable[[int], None], monkeypatch: pytest.MonkeyPatch, asked: int, of_machine: int, given: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(of_machine)))
    allow(asked)
    assert cores.allowed() == given


@two_cores
def test_the_result_is_the_same_with_one_core_and_with_two() -> None:
    """A plate with a pocket and a hole, all edges rounded: every stage has something to do."""
    recipe = {
        "fillet": {
            "of": {
                "cut": [
                    {"box": [60, 40, 12]},
                    {"move": {"of": {"box": [20, 20, 8]}, "by": [8, 10, 4]}},
                    {"move": {"of": {"cylinder": {"d": 9, "h": 12}}, "by": [45, 20, 0]}},
                ]
            },
            "r": 1,
            "edges": "all",
        }
    }
    data = run(BUILD_PART, (recipe, "mm"), Limits())
    asked = (data, "plate.step", JobOptions(), Bounds(), hashlib.sha256(data).hexdigest(), ())
    one, two = (run(JUDGE_FILE, asked, Limits(cores=count), lambda line: None) for count in (1, 2))
    assert one.features.features
    assert one == two
