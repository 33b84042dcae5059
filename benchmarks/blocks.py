"""Accuracy and speed of recognition on random blocks whose cuts, and so the labels of all faces, are known.

`apart`: tools keep clear of one another; `mixed`: they may meet; `machined`: they meet as in the public data sets.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from benchmarks.labeled import faces_and_instances, predicted
from benchmarks.part_generators.machined_blocks import machined_block
from benchmarks.part_generators.random_blocks import random_block, true_labels
from benchmarks.table import Table
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.recognize import recognize

MACHINED_SEEDS = range(8000, 8030)


def measure(seeds: range, apart: bool) -> tuple[list[tuple[str, str]], float, int]:
    """Pairs (true, predicted) of the labels of every face, the slowest recognition in ms a face, and the number of
    faces without a role, over one random block a seed."""
    pairs: list[tuple[str, str]] = []
    slowest, without_role = 0.0, 0
    for seed in seeds:
        tree, tools = random_block(seed, 3 + seed % 6, apart)
        part = load(build(tree), "part.step").part
        start = time.process_time()
        found = recognize(part)
        slowest = max(slowest, (time.process_time() - start) * 1e3 / len(part.faces))
        without_role += int((found.roles == 0).sum())
        true, guess = true_labels(part, tools), predicted(part, found)
        pairs.extend(zip(true, guess, strict=True))
        wrong = Counter((want, got or "nothing") for want, got in zip(true, guess, strict=True) if want != got)
        if apart:
            for (want, got), count in sorted(wrong.items()):
                sys.stderr.write(f"  block {seed}: {count} faces of a {want}, recognized as {got}\n")
    return pairs, slowest, without_role


def measure_machined(seeds: range) -> tuple[list[tuple[str, str]], float, int]:
    """The same over blocks of `machined_block`."""
    pairs: list[tuple[str, str]] = []
    slowest, without_role = 0.0, 0
    for seed in seeds:
        part, true, _ = machined_block(seed, 3 + seed % 8)
        start = time.process_time()
        found = recognize(part)
        slowest = max(slowest, (time.process_time() - start) * 1e3 / len(part.faces))
        without_role += int((found.roles == 0).sum())
        pairs.extend(zip(true, predicted(part, found), strict=True))
    return pairs, slowest, without_role


def tables() -> Iterator[Table]:
    yield _table("machined", *measure_machined(MACHINED_SEEDS))
    for apart, seeds in ((True, range(100)), (False, range(1000, 1100))):
        yield _table("apart" if apart else "mixed", *measure(seeds, apart))


def _table(name: str, pairs: list[tuple[str, str]], slowest_ms: float, without_role: int) -> Table:
    note = f"Slowest {slowest_ms:.2f} ms a face; {without_role} faces without a role."
    return replace(faces_and_instances(name, pairs, {}), notes=(note,))
