"""Damaged files through the sandbox: each gets an answer, and nobody but its own child ever dies of one."""

from __future__ import annotations

import os
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fettle.app.handover import PREVIEW
from fettle.app.options import JobOptions
from fettle.app.sandbox import Limits, run
from fettle.errors import FettleError, KernelFailure

pytestmark = pytest.mark.slow

LIMITS = Limits(wall_s=60, cpu_s=60, memory_bytes=2 * 1024**3)
SEEDS = ("units/cube_hole.step", "units/tet.step", "units/sliced_cylinder.step")


def mutate(data: bytes, chance: random.Random) -> bytes:
    """One of four ways in which files get damaged."""
    way = chance.randrange(4)
    if way == 0:
        return data[: chance.randrange(len(data))]
    if way == 1:
        lines = data.split(b"\n")
        for _ in range(chance.randint(1, 3)):
            del lines[chance.randrange(len(lines))]
        return b"\n".join(lines)
    damaged = bytearray(data)
    for _ in range(chance.randint(1, 20)):
        place = chance.randrange(len(damaged))
        if way == 2:
            damaged[place] ^= 1 << chance.randrange(8)
        else:
            digits = [k for k in range(place, min(place + 200, len(damaged))) if chr(damaged[k]).isdigit()]
            if digits:
                damaged[chance.choice(digits)] = ord(chance.choice("0123456789"))
    return bytes(damaged)


def answer(data: bytes, filename: str) -> str:
    """What became of a file: `read`, or the code of its refusal."""
    try:
        run(PREVIEW, (data, filename, JobOptions()), LIMITS)
    except FettleError as error:
        text = str(error)
        assert text
        assert "Traceback" not in text
        assert "site-packages" not in text
        return error.code if isinstance(error, KernelFailure) else "refused"
    return "read"


def test_three_hundred_mutated_files_are_all_answered(corpus: Path) -> None:
    chance = random.Random(300)
    parts = [(corpus / name).read_bytes() for name in SEEDS]
    files = [mutate(parts[number % len(parts)], chance) for number in range(300)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = Counter(pool.map(lambda data: answer(data, "part.step"), files))
    assert sum(answers.values()) == 300
    assert answers["read"] > 30, answers
    assert answers["refused"] > 30, answers
    assert answers["kernel_timed_out"] == 0, answers
    assert answers["kernel_failure"] == 0, f"exceptions that nobody turned into a refusal: {answers}"
    assert answer(parts[0], "part.step") == "read"


def test_the_hostile_corpus_is_answered(corpus: Path) -> None:
    files = sorted(path for path in (corpus / "hostile").rglob("*") if path.suffix.lower() in (".step", ".stp"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda path: answer(path.read_bytes(), path.name), files))
    told = dict(zip([path.name for path in files], answers, strict=True))
    assert len(told) > 10
    unexpected = {name: word for name, word in told.items() if word in ("kernel_failure", "kernel_timed_out")}
    assert unexpected == {}
