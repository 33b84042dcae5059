"""Texts of a STEP file that stand for themselves, and annotations that are only drawn."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fettle.geometry.pmi.part21 import Ref, StepFile, Unreadable, Value, refs_in
from fettle.geometry.pmi.records import Note
from fettle.geometry.pmi.targets import Aspects

MAX_TEXT = 4000
"""Longest text that is kept, in letters: a page of notes."""
_ITEM_NAMES = {"semantic text": None, "pmi validation property": "equivalent unicode string"}
"""Properties that hold texts, with the name of the item that is the text; None for any."""
_FRAME = re.compile(r"^(?:DIM|FCF|DTM|TXT|DTT)(?=\\)|\\[wnx](?:TXT|FCF|DIM)?")
_LINKS = ("DRAUGHTING_MODEL_ITEM_ASSOCIATION", "DRAUGHTING_MODEL_ITEM_ASSOCIATION_WITH_PLACEHOLDER")
_CALLOUTS = ("DRAUGHTING_CALLOUT", "DRAUGHTING_ELEMENTS", "LEADER_DIRECTED_CALLOUT")


@dataclass(frozen=True, slots=True)
class Texts:
    """`notes`: in the order of the file. `of_instance[n]`: how the file writes dimension or tolerance n in one line.
    `drawn_only`: names of call-outs without values."""

    notes: tuple[Note, ...]
    of_instance: dict[int, str]
    drawn_only: tuple[str, ...]


def read_texts(file: StepFile, aspects: Aspects, unvalued: list[int]) -> Texts:
    """Every text of the file. `unvalued`: dimensions without values: their call-outs are only drawn."""
    meanings: dict[int, set[int]] = {}
    for link in file.of_type(*_LINKS):
        values = next(link.parts[one] for one in _LINKS if one in link.parts)
        if len(values) >= 5 and isinstance(values[2], Ref):
            for callout in refs_in(values[4]):
                meanings.setdefault(callout, set()).add(int(values[2]))
    callouts: dict[int, list[int]] = {}
    for callout, means in meanings.items():
        for one in means:
            callouts.setdefault(one, []).append(callout)
    texts = _property_texts(file)
    notes = []
    for definition, (of, text) in texts["semantic text"].items():
        linked = [aspect for callout in callouts.get(definition, ()) for aspect in sorted(meanings[callout])]
        notes.append(Note(text[:MAX_TEXT], aspects.place([of, *linked])))
    lines: dict[int, str] = {}
    for of, text in texts["pmi validation property"].values():
        # a call-out says more than its dimension alone: 4X M12x1.75-6H instead of 12
        for one in (of, *sorted(meanings.get(of, ()))):
            lines[one] = max(lines.get(one, ""), _one_line(text)[:MAX_TEXT], key=len)
    semantic = set(texts["semantic text"])
    return Texts(tuple(notes), lines, _drawn_only(file, meanings, semantic, set(unvalued)))


def _one_line(text: str) -> str:
    """A text without the marks that say where its frame and its compartments begin."""
    return " ".join(_FRAME.sub(" ", text).split())


def _property_texts(file: StepFile) -> dict[str, dict[int, tuple[int, str]]]:
    """By the name of a property and the number of its definition: what it belongs to, and its text."""
    found: dict[str, dict[int, tuple[int, str]]] = {name: {} for name in _ITEM_NAMES}
    names = {name for name, item in _ITEM_NAMES.items() if file.mentions(item or name)}
    owners = {}
    for definition in file.of_type("PROPERTY_DEFINITION") if names else ():
        values = definition.parts["PROPERTY_DEFINITION"]
        if len(values) >= 3 and values[0] in names:
            owners[definition.number] = (str(values[0]), _owner(file, values[2]))
    for link in file.of_type("PROPERTY_DEFINITION_REPRESENTATION") if owners else ():
        ends = link.refs()
        if len(ends) == 2 and ends[0] in owners:
            name, of = owners[ends[0]]
            text = _text_of(file, ends[1], _ITEM_NAMES[name])
            if text:
                found[name][ends[0]] = (of, text)
    return found


def _owner(file: StepFile, value: Value) -> int:
    """What a property belongs to; an item of a drawing is named through its place in it."""
    number = int(value) if isinstance(value, Ref) else 0
    if file.keyword(number) == "CHARACTERIZED_ITEM_WITHIN_REPRESENTATION":
        items = [one for one in file[number].refs() if file.keyword(one) in _CALLOUTS]
        return items[0] if items else number
    return number


def _text_of(file: StepFile, representation: int, item_name: str | None) -> str:
    """Texts of a representation; `item_name`: only those of this name."""
    try:
        items = [file[number] for number in refs_in(file[representation].attribute(1))]
    except Unreadable:
        return ""
    values = [
        one.parts["DESCRIPTIVE_REPRESENTATION_ITEM"] for one in items if "DESCRIPTIVE_REPRESENTATION_ITEM" in one.parts
    ]
    texts = [str(one[1]).strip() for one in values if len(one) == 2 and item_name in (None, one[0])]
    return "\n".join(text for text in texts if text)


def _drawn_only(file: StepFile, meanings: dict[int, set[int]], texts: set[int], unvalued: set[int]) -> tuple[str, ...]:
    """Names of call-outs that are linked to nothing with a value."""
    names = []
    for callout in file.of_type(*_CALLOUTS):
        means = {one for one in meanings.get(callout.number, ()) if _has_value(file, one) and one not in unvalued}
        if not means and not texts & meanings.get(callout.number, set()):
            name = next((values[0] for values in callout.parts.values() if values and isinstance(values[0], str)), "")
            names.append(name.strip() or f"#{callout.number}")
    return tuple(names)


_VALUED = ("TOLERANCE", "DIMENSIONAL", "ANGULAR_", "DATUM")


def _has_value(file: StepFile, number: int) -> bool:
    """Whether an instance is a dimension, a tolerance or a datum, not only an aspect of the shape."""
    if not file.has(number):
        return False
    try:
        return any(word in part for part in file[number].parts for word in _VALUED)
    except Unreadable:
        return False
