"""Accuracy of recognition on the face labels of two public data sets of machining features, MFCAD and CADNet.

The sets label each face with the operation that made it; recognition assigns it to a feature. `MFCAD`, `CADNET` and
`predicted` translate both into common labels. Known differences of definition:

* MFCAD's numbers follow the generator's list of features (the order of `MFCAD` below; a chamfer has one face, a
  6-sided pocket seven), whatever order a description of the set gives.
* A step that other cuts have opened, or that shares a face with a slab, is no STEP here: its faces are walls inside
  the part's box. A corner cut away on two sides is a POCKET of form "notch" here and a blind step there.
* Slots wider than half their length are POCKETs of form "slot" or "blind slot" here and slots there.
* A closed slot with round ends is a SLOT here and a circular-end pocket there; a groove of half a circle is a partial
  HOLE here and a circular slot there.
* The bevel at the mouth of a hole belongs to the HOLE here and is a chamfer there.
* A hole, slot or pocket of one axis and several diameters is one feature here: which of its stages was drilled as a
  hole of its own does not show.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.floor import corpus
from benchmarks.panoptic import PanopticCount, count_instances, feature_instances, total, touching_instances
from benchmarks.table import Table
from fettle.geometry.load import load
from fettle.geometry.part import Part, Plane
from fettle.recognize import recognize
from fettle.recognize.blend_feature import FILLET, ROUND
from fettle.recognize.feature import Recognition, Role
from fettle.recognize.kinds import role_table
from fettle.recognize.kinds.chamfer import CHAMFER
from fettle.recognize.kinds.hole import COUNTERSINK, Hole
from fettle.recognize.kinds.pocket import Pocket
from fettle.recognize.kinds.slab import SLAB_FACE
from fettle.recognize.kinds.slot import Slot
from fettle.recognize.kinds.wall import INNER_WALL, OUTER_WALL

MFCAD = ["chamfer", "passage", "passage", "passage", "slot", "slot", "step", "step", "step"]
MFCAD += ["pocket", "pocket", "pocket", "slot", "step", "step", "stock"]
CADNET = ["chamfer", "hole", "passage", "passage", "passage", "slot", "slot", "slot", "step", "step", "step", "ring"]
CADNET += [
    "hole",
    "pocket",
    "pocket",
    "pocket",
    "pocket",
    "slot",
    "slot",
    "slot",
    "step",
    "step",
    "step",
    "round",
    "stock",
]
GROOVE_DEG = 200.0
"""A partial hole of at most this angle is a round slot: half a circle; a hole opened by another cut keeps more."""
SHARED_WORDS = frozenset(MFCAD) & frozenset(CADNET) - {"chamfer"}
"""Words that both sets use in the meaning of our kind of that name; chamfers are named by the role of their face."""
CUT_KINDS = frozenset({"HOLE", "POCKET", "SLOT", "STEP", "CHAMFER", "ROUND", "FILLET"})
"""Kinds that are one operation of the sets; others hold faces of several."""
FORMS = {"pocket": "pocket", "passage": "passage", "slot": "slot", "blind slot": "slot", "notch": "step"}


def face_names(text: str) -> list[str]:
    """Names of the ADVANCED_FACEs in the order of the shells, which is the order of our face numbers."""
    flat = text.replace("\n", "")
    names = dict(re.findall(r"#(\d+)\s*=\s*ADVANCED_FACE\s*\(\s*'([^']*)'", flat))
    shells = re.findall(r"=\s*CLOSED_SHELL\s*\(\s*'[^']*'\s*,\s*\(([^)]*)\)", flat)
    return [names[number] for shell in shells for number in re.findall(r"#(\d+)", shell)]


def predicted(part: Part, found: Recognition) -> list[str]:
    """Label of every face in the words of the data sets, from the face's role and the features it belongs to."""
    words = [_by_role(part, face, role_table()[int(role)]) for face, role in enumerate(found.roles)]
    for feature in found.features:
        word = ""
        if isinstance(feature, Pocket):
            word = FORMS[feature.form]
        elif isinstance(feature, Slot):
            closed = feature.end_type == "round" and feature.open_ends == 0
            word = "ring" if feature.end_type == "ring" else "pocket" if closed else "slot"
        elif isinstance(feature, Hole):
            word = "slot" if feature.extent_deg < GROOVE_DEG else "hole"
        elif feature.kind.lower() in SHARED_WORDS:
            word = feature.kind.lower()
        for face in feature.faces:
            if word and words[face] in ("", "stock", "step"):
                words[face] = word
    return words


def _by_role(part: Part, face: int, role: Role) -> str:
    if role in (CHAMFER, COUNTERSINK):
        return "chamfer"
    if role in (ROUND, FILLET):
        return "round"
    if role in (OUTER_WALL, INNER_WALL, SLAB_FACE):
        return "stock" if _on_box(part, face) else "step"
    return ""


def _on_box(part: Part, face: int) -> bool:
    surface = part.faces[face].surface
    if not isinstance(surface, Plane):
        return False
    corners = np.array(np.meshgrid(*part.box.T)).reshape(3, -1).T
    return bool((corners @ surface.normal).max() - surface.origin @ surface.normal < 1e-4 * part.diagonal_mm)


def score(pairs: list[tuple[str, str]]) -> dict[str, tuple[float, float, int]]:
    """Precision, recall and number of faces of each label, from pairs (true, predicted)."""
    right = Counter(true for true, guess in pairs if true == guess)
    claimed = Counter(guess for _, guess in pairs)
    actual = Counter(true for true, _ in pairs)
    return {
        word: (right[word] / claimed[word] if claimed[word] else 0.0, right[word] / actual[word], actual[word])
        for word in sorted(actual)
    }


def labeled_parts(folder: Path) -> list[tuple[Path, list[str]]]:
    """Files of both sets with the true label of every face."""
    return [(path, [_words(path)[number] for number in numbers]) for path, numbers in _numbered_parts(folder)]


def _numbered_parts(folder: Path) -> list[tuple[Path, list[int]]]:
    """Files of both sets with the number of the class of every face, as the set has it."""
    labels = json.loads((folder / "mfcad" / "labels.json").read_text())
    mfcad = [
        (path, [labels[path.stem][int(name)] for name in face_names(path.read_text())])
        for path in sorted((folder / "mfcad").glob("*.step"))
    ]
    cadnet = [
        (path, [int(name) for name in face_names(path.read_text())])
        for path in sorted((folder / "cadnet").glob("*.st*p"))
    ]
    return mfcad + cadnet


def _words(path: Path) -> list[str]:
    """Labels by class number of the set that a file belongs to."""
    return MFCAD if path.parent.name == "mfcad" else CADNET


@dataclass(slots=True)
class Measured:
    """Pairs (true, predicted) of the labels of every face of a set, and its instances by label.

    The sets label faces only: true instances are faces of one class that touch, so that two cuts of one class that meet
    are one there.
    """

    pairs: list[tuple[str, str]] = field(default_factory=list)
    instances: dict[str, PanopticCount] = field(default_factory=dict)


def measure(folder: Path) -> dict[str, Measured]:
    """Faces and instances by set."""
    measured: dict[str, Measured] = {}
    for path, numbers in _numbered_parts(folder):
        part = load(path.read_bytes(), path.name).part
        found = recognize(part)
        true, guess = [_words(path)[number] for number in numbers], predicted(part, found)
        if len(guess) != len(true):
            raise ValueError(f"{path.name}: {len(true)} labels for {len(guess)} faces")
        own = measured.setdefault(path.parent.name, Measured())
        own.pairs.extend(zip(true, guess, strict=True))
        cuts = [one for one in found.features if one.kind in CUT_KINDS]
        count_instances(touching_instances(part, true, numbers), feature_instances(part, cuts, guess), own.instances)
        for face, (want, got) in enumerate(zip(true, guess, strict=True)):
            if want != got:
                print(f"  {path.name} face {face + 1}: {want}, recognized as {got or 'nothing'}", file=sys.stderr)
    return measured


def faces_and_instances(title: str, pairs: list[tuple[str, str]], instances: dict[str, PanopticCount]) -> Table:
    """Precision and recall of the faces of each label, and the panoptic quality of its instances."""
    rows = []
    for word, (precision, recall, count) in score(pairs).items():
        quality = f"{instances[word].quality:.4f}" if word in instances else "-"
        rows.append((word, f"{precision:.4f}", f"{recall:.4f}", str(count), quality))
    accuracy = sum(true == guess for true, guess in pairs) / len(pairs)
    whole = f", panoptic quality {total(instances.values()).quality:.4f}" if instances else ""
    title = f"{title}: {len(pairs)} faces, accuracy {accuracy:.4f}{whole}"
    return Table(title, ("label", "precision", "recall", "faces", "panoptic quality"), tuple(rows))


def tables() -> Iterator[Table]:
    for name, own in measure(corpus() / "labelled").items():
        yield faces_and_instances(name, own.pairs, own.instances)
