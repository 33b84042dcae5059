"""Every real file ends in a right answer or a refusal with a reason, and none harms anything but its own child."""

from __future__ import annotations

import random
import re
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from fettle.app.isolation.sandbox import Limits, run
from fettle.errors import FettleError, InputRefused, KernelFailure, KernelTimedOut
from fettle.geometry.csg import build
from tests.counts import FULL
from tests.geometry import sandboxed
from tests.geometry.sandboxed import Facts
from tests.patience import PATIENCE_S, slowness
from tests.real_parts import read

AT_ONCE = 2
EVERY_MFCAD = 10
"""Two hundred parts of one kind: every tenth is looked at."""

MUTANTS = 300 if FULL else 60
WAYS = ("flip", "delete", "digit", "truncate")


@cache
def limits() -> Limits:
    return Limits(wall_s=PATIENCE_S, cpu_s=60 * slowness(), memory_bytes=1024**3)


def outcome(data: bytes, name: str) -> Facts | FettleError:
    """What became of a file in a child of its own; anything else than an answer or our own error is a failure."""
    try:
        return run(sandboxed.facts, (data, name), limits())
    except FettleError as error:
        return error


def outcomes(files: list[tuple[str, bytes]]) -> dict[str, Facts | FettleError]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(pool.map(lambda file: (file[0], outcome(file[1], file[0])), files))


def step_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".step", ".stp"))


@pytest.fixture(scope="module")
def parts(corpus: Path) -> dict[str, Facts]:
    """Every STEP file that is not meant to be hostile, by its path below its folder."""
    folders = {corpus / name: 1 for name in ("machined", "printed", "units", "labelled/cadnet")}
    folders[corpus / "labelled" / "mfcad"] = EVERY_MFCAD
    return {
        str(path.relative_to(folder)): sandboxed.facts_of(read(path))
        for folder, every in folders.items()
        for path in step_files(folder)[::every]
    }


def test_every_part_is_read_closed_and_its_volume_is_what_its_mesh_encloses(parts: dict[str, Facts]) -> None:
    assert len(parts) > 50
    assert {name for name, facts in parts.items() if not facts.watertight or facts.open_edges} == set()
    # the mesh cuts corners by a thousandth of the diagonal at most
    off = {name: facts for name, facts in parts.items() if abs(facts.meshed_mm3 / facts.volume_mm3 - 1) > 0.01}
    assert {name: facts for name, facts in off.items() if "the mesh" not in "".join(facts.warnings)} == {}
    assert len(off) <= 1


def test_known_volumes_and_twins(parts: dict[str, Facts]) -> None:
    assert parts["cuboid.step"].volume_mm3 == pytest.approx(98322.384, rel=1e-6)
    assert parts["tet.step"].volume_mm3 == pytest.approx(8000 / 3, rel=1e-6)
    first, second = (parts[f"twins/base_interface_{schema}.STEP"] for schema in ("AP203", "AP214"))
    assert first == second


def test_hostile_files_harm_only_their_child(corpus: Path) -> None:
    said = outcomes([(path.name, path.read_bytes()) for path in step_files(corpus / "hostile")])
    assert len(said) == 7
    for name, end in said.items():
        assert isinstance(end, InputRefused | KernelFailure), name
        assert len(str(end)) > 20
    good = outcome(build({"box": [10, 10, 10]}), "cube.step")
    assert isinstance(good, Facts)
    assert good.volume_mm3 == pytest.approx(1000)


def test_every_gltf_ends_in_an_answer_or_a_reason(corpus: Path) -> None:
    files = [
        (path.name, path.read_bytes())
        for folder in ("gltf", "gltf-broken")
        for path in sorted((corpus / folder).rglob("*"))
        if path.suffix.lower() in (".glb", ".gltf")
    ]
    # no kernel is at work here: one child reads them all
    ends = run(sandboxed.outcomes, (files,), limits())
    assert len(ends) == len(files) > 100
    assert all(text is None or len(text) > 20 for _, text in ends)


def mutant(data: bytes, seed: int) -> bytes:
    """The file with one kind of damage, decided by the seed."""
    dice = random.Random(seed)
    way = WAYS[seed % len(WAYS)]
    body = data.index(b"DATA;")
    if way == "truncate":
        return data[: dice.randrange(len(data))]
    if way == "delete":
        lines = data.split(b"\n")
        del lines[dice.randrange(len(lines))]
        return b"\n".join(lines)
    damaged = bytearray(data)
    if way == "flip":
        for _ in range(dice.randint(1, 4)):
            damaged[dice.randrange(body, len(data))] ^= 1 << dice.randrange(8)
    else:
        digits = [found.start() for found in re.finditer(rb"\d", data) if found.start() > body]
        for place in dice.sample(digits, 3):
            damaged[place] = ord("0") + dice.randrange(10)
    return bytes(damaged)


def test_damaged_files_are_all_answered() -> None:
    part = build(
        {
            "fillet": {
                "of": {
                    "cut": [{"box": [20, 20, 8]}, {"move": {"of": {"cylinder": {"d": 6, "h": 8}}, "by": [10, 10, 0]}}]
                },
                "r": 2,
                "edges": "z",
            }
        }
    )
    ends = outcomes([(f"{seed}.step", mutant(part, seed)) for seed in range(MUTANTS)])
    assert len(ends) == MUTANTS
    assert [name for name, end in ends.items() if isinstance(end, KernelTimedOut)] == []
    reasons = {name: str(end) for name, end in ends.items() if isinstance(end, FettleError)}
    assert all(len(reason) > 20 for reason in reasons.values())
    # a truncated file never passes for a whole one, unless only its last line end is gone
    assert all(isinstance(ends[f"{seed}.step"], InputRefused) for seed in range(3, MUTANTS, 4))
    whole = outcome(part, "part.step")
    assert isinstance(whole, Facts)
    assert whole.faces == 11
