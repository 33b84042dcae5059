"""Damaged and hostile files over HTTP: each gets an answer, nobody dies of one, and no answer tells what it should not.

`FETTLE_MUTANTS=1000` sends a thousand mutated files instead of the sample.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.counts import FULL
from tests.damaged_files import SEEDS, mutants
from tests.web import drill
from tests.web.conftest import Running, wait_for

pytestmark = pytest.mark.slow

MUTANTS = int(os.environ.get("FETTLE_MUTANTS", "60" if FULL else "30"))
STRIDE = 1 if MUTANTS > 60 else 4
"""The sample takes every fourth of the broken glTF files."""
UNMESHABLE = (420, 486)
"""Of the thousand, those in which not a single face can be meshed; the sample has them too."""
SOUND = [name for name in SEEDS if name.endswith(".step")]
PATHS = ("/convert", "/dfm/quick-info", "/dfm/analyze")
ALLOWED = {"/convert": {200, 400, 422, 504}, "/dfm/quick-info": {200, 422, 504}, "/dfm/analyze": {202, 422}}
INNARDS = re.compile(r'Traceback|site-packages|File "|\.py\b|/(home|root|tmp|usr|var|opt|work)/|0x[0-9a-f]{6,}')


def processes(service: Running) -> set[int]:
    """The API and the workers; kernel children and their fork servers come and go."""
    return {service.process.pid, service.api_pid, *drill.workers_of(service.process.pid).values()}


def told(client: httpx.Client, path: str, name: str, data: bytes) -> str:
    """The code of the refusal, or `fine`; a job's is that of its end."""
    answer = client.post(path, files={"file": (name, data)})
    assert answer.status_code in ALLOWED[path], (path, name, answer.text)
    body = answer.json()
    if answer.is_error:
        assert not INNARDS.search(answer.text), answer.text
        return str(body["code"])
    if path != "/dfm/analyze":
        volume_cm3 = body["geometry"]["volume_cm3"]
        assert volume_cm3 is None or 0 < volume_cm3 < math.inf, (path, name, volume_cm3)
        return "fine"
    job = wait_for(client, body["job_id"])
    assert not INNARDS.search(json.dumps([job["error"], job["log"]])), job
    return "fine" if job["status"] == "done" else "refused"


def send_all(service: Running, asked: list[tuple[str, str, bytes]]) -> Counter[str]:
    before = processes(service)
    with service.client(service.key("enterprise")) as client, ThreadPoolExecutor(3) as pool:
        codes = Counter(pool.map(lambda one: told(client, *one), asked))
    assert processes(service) == before, "somebody died"
    assert sum(codes.values()) == len(asked)
    assert codes["kernel_failure"] == 0, f"exceptions that nobody turned into a refusal: {codes}"
    assert codes["kernel_timed_out"] == 0, codes
    return codes


def test_the_hostile_corpus_is_answered(service: Running, corpus: Path) -> None:
    kinds = (".step", ".stp", ".gltf", ".glb")
    found = sorted(path for path in (corpus / "hostile").rglob("*") if path.suffix.lower() in kinds)
    broken = sorted(path for path in (corpus / "gltf-broken").rglob("*") if path.suffix.lower() in kinds)
    asked = [(way, path.name, path.read_bytes()) for path in found for way in PATHS]
    asked += [(PATHS[number % 3], path.name, path.read_bytes()) for number, path in enumerate(broken[::STRIDE])]
    codes = send_all(service, asked)
    assert codes["kernel_crashed"] > 0, f"two of the files kill the kernel: {codes}"


def test_mutated_files_are_answered(service: Running, corpus: Path) -> None:
    every = mutants(corpus, max(MUTANTS, *UNMESHABLE) + 1, seed=300)
    files = every[:MUTANTS] + [every[number] for number in UNMESHABLE]
    codes = send_all(service, [(PATHS[number // 5 % 3], name, data) for number, (name, data) in enumerate(files)])
    assert 0 < codes["fine"] < MUTANTS / 2, codes
    sound = [("/dfm/quick-info", name, (corpus / name).read_bytes()) for name in SOUND]
    assert send_all(service, sound) == {"fine": len(SOUND)}, "what they were made from is read before and after"
