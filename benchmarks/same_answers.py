"""Compare the results of two versions of the engine over the whole corpus.

    python -m benchmarks.same_answers save BEFORE       with the old version
    python -m benchmarks.same_answers save AFTER        with the new version
    python -m benchmarks.same_answers compare BEFORE AFTER

`save` runs `fettle analyze --format json` over every part file of the corpus (folder FETTLE_CORPUS) and writes one JSON
file a part, refusals included. `compare` lists the fields that only AFTER has, and the texts for people that changed,
each once. Every other difference is printed; the exit code is 1 if there is one.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.floor import corpus

SUFFIXES = {".step", ".stp", ".glb", ".gltf"}
"""File name extensions of the part files."""
DERIVED = ("result_sha256", "engine_version")
"""Fields that are not compared: they follow from the rest of a result, or name the version."""
TEXTS = ("message",)
"""Fields with sentences for people: their changes are listed apart, once per text, and are no difference."""
NUMBER = re.compile(r"\d+(\.\d+)?")
"""Shown as N in changed texts, so that one sentence with many values is listed once."""
BATCH = 40
"""Files analyzed by one process: its start is paid once for all of them."""
SHOWN = 40
"""Differences printed in full; the others are counted."""

Steps = tuple[str, ...]
"""Keys and list indices from the root of a JSON document to a value."""
ADDED = object()
"""Stands for the new value of a field that only the new document has."""


def save(folder: Path) -> None:
    """Write the result, or the refusal, of every part file of the corpus into `folder`."""
    root = corpus().resolve()
    files = sorted(path for path in root.rglob("*") if path.suffix.lower() in SUFFIXES)
    folder.mkdir(parents=True, exist_ok=True)
    for start in range(0, len(files), BATCH):
        batch = files[start : start + BATCH]
        command = [sys.executable, "-m", "fettle", "analyze", *map(str, batch), "--format", "json"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        printed = json.loads(done.stdout)
        for path, result in zip(batch, printed["results"] if len(batch) > 1 else [printed], strict=True):
            name = path.relative_to(root).as_posix().replace("/", "__")
            result.pop("file", None)
            text = json.dumps(result, indent=1, sort_keys=True).replace(str(root), "")
            (folder / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{start + len(batch)} of {len(files)}", flush=True)


def compare(before: Path, after: Path) -> int:
    """Print the differences between two saved folders; return their number, not counting added fields and texts."""
    added: Counter[str] = Counter()
    texts: Counter[tuple[str, str]] = Counter()
    wrong = 0
    names = sorted(path.name for path in before.iterdir())
    missing = set(names) ^ {path.name for path in after.iterdir()}
    if missing:
        raise SystemExit(f"not the same files in both folders: {sorted(missing)[:5]}")
    for name in names:
        old, new = (json.loads((folder / name).read_text(encoding="utf-8")) for folder in (before, after))
        for steps, one, other in differences(old, new):
            last = steps[-1] if steps else ""
            if last in DERIVED:
                continue
            if one is None and other is ADDED:
                added[".".join(step for step in steps if not step.isdigit())] += 1
            elif last in TEXTS:
                texts[NUMBER.sub("N", str(one)), NUMBER.sub("N", str(other))] += 1
            else:
                wrong += 1
                if wrong <= SHOWN:
                    print(f"{name}: {'.'.join(steps)}: {one!r} -> {other!r}")
    print(f"{len(names)} files compared, {wrong} differences")
    print(f"added fields: {dict(added) or 'none'}")
    for (one, other), count in texts.most_common():
        print(f"text, {count} times: {one}\n      now: {other}")
    return wrong


def differences(old: Any, new: Any, steps: Steps = ()) -> Iterator[tuple[Steps, Any, Any]]:
    """Yield (steps, old, new) for every leaf that differs; `new` is `ADDED` for a field that only `new` has."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            if key not in old:
                yield (*steps, key), None, ADDED
            elif key not in new:
                yield (*steps, key), old[key], "missing"
            else:
                yield from differences(old[key], new[key], (*steps, key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(one, other, (*steps, str(number)))
    elif old != new:
        yield steps, old, new


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["save", folder]:
            save(Path(folder))
        case ["compare", one, other]:
            sys.exit(bool(compare(Path(one), Path(other))))
        case _:
            sys.exit(__doc__)
