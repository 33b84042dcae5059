"""Accuracy and speed of recognition on random blocks whose cuts, and so the labels of all faces, are known.

`apart`: tools keep clear of one another; `mixed`: they may meet; `machined`: they meet as in the public data sets.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from benchmarks.labeled import predicted, score
from benchmarks.part_generators.machined_blocks import machined_block
from benchmarks.part_generators.random_blocks import random_block, true_labels
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


def main() -> None:
    _print_score("machined", *measure_machined(MACHINED_SEEDS))
    for apart, seeds in ((True, range(100)), (False, range(1000, 1100))):
        _print_score("apart" if apart else "mixed", *measure(seeds, apart))


def _print_score(name: str, pairs: list[tuple[str, str]], slowest_ms: float, without_role: int) -> None:
    accuracy = sum(true == guess for true, guess in pairs) / len(pairs)
    sys.stdout.write(f"{name}: {len(pairs)} faces, accuracy {accuracy:.4f}, slowest {slowest_ms:.2f} ms a face, ")
    sys.stdout.write(f"{without_role} faces without a role\n")
    for word, (precision, recall, count) in score(pairs).items():
        sys.stdout.write(f"  {word:8} precision {precision:.4f} recall {recall:.4f} faces {count}\n")


if __name__ == "__main__":
    main()
