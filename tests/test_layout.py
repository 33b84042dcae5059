"""What the source looks like: files that can be read in one sitting, one name for one thing, no layer reading the files
of a layer above. Each check lists the offenders."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import fettle

PACKAGE = Path(fettle.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
LONGEST_FILE = 400
LAYERS = ("geometry", "measure", "recognize", "rules", "quote", "app", "agent", "web", "cli")
"""From the bottom to the top; a layer may read the packaged files of its own and of those below."""


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def test_no_file_is_longer_than_what_is_read_in_one_sitting() -> None:
    lengths = {name_of(path): len(path.read_text().splitlines()) for path in SOURCES}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_two_public_classes_share_a_name() -> None:
    """The client is left out: it is a program of its own, and names things as its users know them."""
    homes: dict[str, list[str]] = defaultdict(list)
    for path in (source for source in SOURCES if not name_of(source).startswith("client/")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(name_of(path))
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def test_no_layer_reads_the_packaged_files_of_a_layer_above() -> None:
    """What imports do not show: `files("fettle.web")`, `files("fettle") / "web"`, a template loader."""
    offenders = [
        f"{name_of(path)} reads files of {above}"
        for layer, name in enumerate(LAYERS)
        for path in sorted((PACKAGE / name).rglob("*.py"))
        for above in LAYERS[layer + 1 :]
        if re.search(rf'"fettle\.{above}[".]|files\("fettle"\) / "{above}"', path.read_text())
    ]
    assert offenders == []
