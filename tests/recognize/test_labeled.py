"""A sample of the labeled sets; `python -m benchmarks labeled` scores all of them."""

from __future__ import annotations

from pathlib import Path

from benchmarks.labeled import labeled_parts, predicted, score
from fettle.geometry.load import load
from fettle.recognize import recognize

EVERY = 10


def test_sample_of_the_labeled_sets(corpus: Path) -> None:
    parts = labeled_parts(corpus / "labelled")
    machined = [item for item in parts if item[0].parent.name == "mfcad"]
    drilled = [item for item in parts if item[0].parent.name == "cadnet"]
    pairs = []
    for path, true in [*machined[::EVERY], *drilled]:
        part = load(path.read_bytes(), path.name).part
        guess = predicted(part, recognize(part))
        pairs.extend(zip(true, guess, strict=True))
    for word, (precision, recall, _) in score(pairs).items():
        assert precision >= 0.99, word
        assert recall >= 0.99, word
