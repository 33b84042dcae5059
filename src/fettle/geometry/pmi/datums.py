"""Datums of a STEP file, their targets, and how tolerances refer to them."""

from __future__ import annotations

from fettle.geometry.pmi.measures import is_measure, measure
from fettle.geometry.pmi.part21 import Enum, Instance, Ref, StepFile, Typed, Unreadable, Value, refs_in
from fettle.geometry.pmi.records import Datum, DatumReference, DatumTarget
from fettle.geometry.pmi.targets import Aspects

_TARGETS = ("PLACED_DATUM_TARGET_FEATURE", "DATUM_TARGET")
_REFERENCES = ("DATUM_REFERENCE_COMPARTMENT", "DATUM_REFERENCE_ELEMENT", "GENERAL_DATUM_REFERENCE")
_OLD_REFERENCES = ("DATUM_REFERENCE", "REFERENCED_MODIFIED_DATUM")
_MAX_REFERENCES = 100
"""Most datums that one tolerance is read with; drawings have three."""


MISSING = "?"
"""Label of a reference to a datum that is not in the file."""


def label_of(datum: Instance) -> str:
    """Letter of a datum."""
    values = datum.parts.get("DATUM") or datum.parts.get("COMMON_DATUM") or [None]
    label = values[-1]
    if not isinstance(label, str) or isinstance(label, Enum) or not label.strip():
        raise Unreadable(f"#{datum.number} (DATUM) has no letter")
    return label.strip()


class Datums:
    """Reads datums with the faces of their features, and references to them."""

    def __init__(self, file: StepFile, aspects: Aspects) -> None:
        self._file = file
        self._aspects = aspects
        self._features: dict[int, list[int]] = {}
        for feature, datums in aspects.datum_of.items():
            for datum in datums:
                self._features.setdefault(datum, []).append(feature)
        self._sizes = self._representations() if any(True for _ in file.of_type(*_TARGETS)) else {}

    def _representations(self) -> dict[int, list[int]]:
        """Numbers of the representations of what has a property, as a datum target has its size."""
        found: dict[int, list[int]] = {}
        definitions = {
            one.number: refs_in(one.parts["PROPERTY_DEFINITION"])[-1:]
            for one in self._file.of_type("PROPERTY_DEFINITION")
        }
        for link in self._file.of_type("SHAPE_DEFINITION_REPRESENTATION", "SHAPE_REPRESENTATION_WITH_PARAMETERS"):
            ends = link.refs()
            if len(ends) == 2 and ends[0] in definitions:
                for target in definitions[ends[0]]:
                    found.setdefault(target, []).append(ends[1])
        return found

    def instances(self) -> list[Instance]:
        """All datums in the order of the file."""
        return list(self._file.of_type("DATUM"))

    def read(self, instance: Instance) -> Datum:
        """The datum with its faces and its targets."""
        label = label_of(instance)
        features = self._features.get(instance.number, [])
        targets = [one for one in features if self._file.keyword(one) in _TARGETS]
        found = tuple(sorted((self._target(label, one) for one in targets), key=lambda one: one.label))
        on = [aspect for target in targets for aspect in self._aspects.features_of_target.get(target, ())]
        # some systems attach the faces to the datum itself, not to its feature
        owners = [instance.number, *(one for one in features if one not in targets), *on]
        return Datum(label, self._aspects.place(owners), found)

    def _target(self, datum: str, number: int) -> DatumTarget:
        values = next(iter(self._file[number].parts.values()))
        kind, suffix = values[1] if len(values) > 1 else None, values[-1]
        place = self._aspects.place([number, *self._aspects.features_of_target.get(number, ())])
        return DatumTarget(
            f"{datum}{suffix or ''}", str(kind or "").replace(" ", "_"), self._target_sizes(number), place
        )

    def _target_sizes(self, number: int) -> tuple[float, ...]:
        sizes = []
        for representation in self._sizes.get(number, ()):
            for item in refs_in(self._file[representation].attribute(1)):
                instance = self._file[item]
                if is_measure(instance):
                    sizes.append(measure(self._file, item)[0])
        return tuple(sizes)

    def references(self, value: Value) -> tuple[DatumReference, ...]:
        """Compartments of the datum system, or the datum references of older files in the order of their rank."""
        found: list[DatumReference] = []
        ranked: list[tuple[float, DatumReference]] = []
        for number in refs_in(value)[:_MAX_REFERENCES]:
            if not self._file.has(number):
                found.append(DatumReference(MISSING))
                continue
            instance = self._file[number]
            if "DATUM_SYSTEM" in instance.parts:
                values = instance.parts["DATUM_SYSTEM"]
                compartments = refs_in(values[-1] if values else None)[:_MAX_REFERENCES]
                found.extend(
                    self._reference(self._file[one]) if self._file.has(one) else DatumReference(MISSING)
                    for one in compartments
                )
            elif any(one in instance.parts for one in _OLD_REFERENCES):
                ranked.append(self._old_reference(instance))
            else:
                found.append(self._reference(instance))
        return tuple(found) + tuple(one for _, one in sorted(ranked, key=lambda pair: pair[0]))

    def _label(self, number: int) -> str:
        return label_of(self._file[number]) if self._file.has(number) else MISSING

    def _old_reference(self, instance: Instance) -> tuple[float, DatumReference]:
        values = next(instance.parts[one] for one in _OLD_REFERENCES if one in instance.parts)
        rank, datum = (*values, None, None)[:2]
        if not isinstance(datum, Ref):
            raise Unreadable(f"#{instance.number} ({instance.type}) refers to no datum")
        modifiers = _modifiers(values[2:])
        return (rank if isinstance(rank, float) else 0.0), DatumReference(self._label(int(datum)), modifiers)

    def _reference(self, instance: Instance) -> DatumReference:
        values = next((instance.parts[one] for one in _REFERENCES if len(instance.parts.get(one, ())) >= 2), None)
        if values is None:
            raise Unreadable(f"#{instance.number} ({instance.type}) is no reference to a datum")
        base, modifiers = values[-2], list(_modifiers(values[-1], self._file))
        labels = []
        for number in refs_in(base)[:_MAX_REFERENCES]:
            if not self._file.has(number):
                labels.append(MISSING)
                continue
            one = self._file[number]
            if any(part in one.parts for part in ("DATUM", "COMMON_DATUM")):
                labels.append(label_of(one))
            else:
                element = next((one.parts[part] for part in _REFERENCES if len(one.parts.get(part, ())) >= 2), None)
                datum = element[-2] if element is not None else None
                if not isinstance(datum, Ref):
                    raise Unreadable(f"#{number} ({one.type}) is no reference to a datum")
                labels.append(self._label(int(datum)))
                modifiers.extend(_modifiers(element[-1] if element else None, self._file))
        if not labels:
            raise Unreadable(f"#{instance.number} ({instance.type}) refers to no datum")
        return DatumReference("-".join(labels), tuple(dict.fromkeys(modifiers)))


def _modifiers(value: Value, file: StepFile | None = None) -> tuple[str, ...]:
    """Enumeration values inside a value in lower case; of modifiers with a value, their kind."""
    found: list[str] = []
    waiting: list[Value] = [value]
    while waiting:
        one = waiting.pop(0)
        if isinstance(one, Enum):
            found.append(one.lower())
        elif isinstance(one, Typed):
            waiting[:0] = one.values
        elif isinstance(one, list):
            waiting[:0] = one
        elif isinstance(one, Ref) and file is not None:
            waiting[:0] = [
                kind for values in file[int(one)].parts.values() for kind in values if isinstance(kind, Enum)
            ]
    return tuple(found)
