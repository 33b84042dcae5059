"""Dimensions of a STEP file: sizes, distances and angles with their limits."""

from __future__ import annotations

from fettle.geometry.pmi.measures import is_measure, measure
from fettle.geometry.pmi.part21 import Instance, Ref, StepFile, Unreadable, refs_in
from fettle.geometry.pmi.records import Place, StatedDimension
from fettle.geometry.pmi.targets import Aspects

SIZES = ("DIMENSIONAL_SIZE", "ANGULAR_SIZE", "DIMENSIONAL_SIZE_WITH_PATH", "DIMENSIONAL_SIZE_WITH_DATUM_FEATURE")
LOCATIONS = (
    "DIMENSIONAL_LOCATION",
    "ANGULAR_LOCATION",
    "DIRECTED_DIMENSIONAL_LOCATION",
    "DIMENSIONAL_LOCATION_WITH_PATH",
)
_ITEM_LIST = "COMPOUND_REPRESENTATION_ITEM"
_LIMITS = ("lower limit", "upper limit")
_LIMIT_QUALIFIERS = {"minimum": "lower limit", "maximum": "upper limit"}


class Dimensions:
    """Reads dimensions; `tolerances[d]` and `representations[d]` are those of dimension d."""

    def __init__(self, file: StepFile, aspects: Aspects) -> None:
        self._file = file
        self._aspects = aspects
        self._tolerances: dict[int, list[Instance]] = {}
        self._representations: dict[int, list[int]] = {}
        for tolerance in file.of_type("PLUS_MINUS_TOLERANCE"):
            for dimension in refs_in(tolerance.attribute(1, "PLUS_MINUS_TOLERANCE")):
                self._tolerances.setdefault(dimension, []).append(tolerance)
        for link in file.of_type("DIMENSIONAL_CHARACTERISTIC_REPRESENTATION"):
            ends = link.refs()
            if len(ends) == 2:
                self._representations.setdefault(ends[0], []).append(ends[1])

    def instances(self) -> list[Instance]:
        """All dimensions in the order of the file, valued or not."""
        return list(self._file.of_type(*SIZES, *LOCATIONS))

    def read(self, instance: Instance) -> StatedDimension | None:
        """The dimension; None where the file gives it no value, so that it is only drawn."""
        values, notes = self._values(instance.number)
        lower_deviation, upper_deviation, fit = self._deviations(instance.number)
        nominal, angular = values.get("nominal value", (None, False))
        lower, upper = (values.get(name, (None, False))[0] for name in _LIMITS)
        if nominal is None and lower is None and upper is None:
            return None
        if nominal is None:
            angular = values[next(name for name in _LIMITS if name in values)][1]
            if lower is not None and upper is not None:
                nominal = (lower + upper) / 2
        if nominal is not None and lower_deviation is not None and lower is None:
            lower = nominal + lower_deviation
        if nominal is not None and upper_deviation is not None and upper is None:
            upper = nominal + upper_deviation
        if lower is not None and upper is not None and lower > upper:
            lower, upper = upper, lower
        if "DIRECTED_DIMENSIONAL_LOCATION" in instance.parts:
            notes.append("directed")
        return StatedDimension(
            kind=_kind(instance),
            angular=angular,
            nominal=nominal,
            lower=lower,
            upper=upper,
            fit=fit,
            modifiers=tuple(dict.fromkeys(note.replace(" ", "_") for note in notes)),
            place=self._place(instance),
            entity=instance.number,
        )

    def place_of(self, number: int) -> Place:
        """Faces of a dimension that another instance refers to."""
        return self._place(self._file[number])

    def _place(self, instance: Instance) -> Place:
        aspects = _aspects_of(instance)
        if any(one in instance.parts for one in SIZES):
            return self._aspects.place(aspects)
        ends = tuple(self._aspects.place((aspect,)).faces for aspect in aspects)
        return self._aspects.place(aspects, ends if len(ends) == 2 else ())

    def _values(self, dimension: int) -> tuple[dict[str, tuple[float, bool]], list[str]]:
        """Values by name (nominal value, lower limit, upper limit) with whether they are angles; modifiers."""
        values: dict[str, tuple[float, bool]] = {}
        notes: list[str] = []
        for representation in self._representations.get(dimension, ()):
            for item in self._items(refs_in(self._file[representation].attribute(1))):
                instance = self._file[item]
                if is_measure(instance):
                    name, qualifiers = _name(instance).lower(), self._qualifiers(instance)
                    if name not in _LIMITS:
                        limit = next((_LIMIT_QUALIFIERS[one] for one in qualifiers if one in _LIMIT_QUALIFIERS), None)
                        name = "nominal value"
                        if limit is not None:
                            name = limit
                            notes.extend(one for one in qualifiers if one in _LIMIT_QUALIFIERS)
                    values[name] = measure(self._file, item)
                elif "DESCRIPTIVE_REPRESENTATION_ITEM" in instance.parts:
                    kind, text = (*instance.parts["DESCRIPTIVE_REPRESENTATION_ITEM"], "", "")[:2]
                    if str(kind).lower() == "dimensional note":
                        notes.append(str(text).lower())
        return values, notes

    def _items(self, numbers: list[int]) -> list[int]:
        """The items and those of the lists among them, each once."""
        seen: dict[int, None] = {}
        waiting = numbers[::-1]
        while waiting:
            number = waiting.pop()
            if number not in seen:
                seen[number] = None
                values = self._file[number].parts.get(_ITEM_LIST)
                waiting.extend(reversed(refs_in(values) if values else []))
        return list(seen)

    def _qualifiers(self, instance: Instance) -> list[str]:
        numbers = refs_in(instance.parts.get("QUALIFIED_REPRESENTATION_ITEM", []))
        found = (self._file[number] for number in numbers)
        return [str(one.attribute(0)).lower() for one in found if "TYPE_QUALIFIER" in one.parts]

    def _deviations(self, dimension: int) -> tuple[float | None, float | None, str]:
        """Lower and upper deviation from nominal, and the tolerance class."""
        lower: float | None = None
        upper: float | None = None
        fit = ""
        for tolerance in self._tolerances.get(dimension, ()):
            for number in refs_in(tolerance.attribute(0, "PLUS_MINUS_TOLERANCE")):
                limits = self._file[number]
                if "LIMITS_AND_FITS" in limits.parts:
                    form, _, grade = (*limits.parts["LIMITS_AND_FITS"], "", "", "")[:3]
                    fit = f"{form or ''}{grade or ''}".replace(" ", "")
                elif "TOLERANCE_VALUE" in limits.parts:
                    ends = limits.refs()
                    if len(ends) != 2:
                        raise Unreadable(f"#{number} (TOLERANCE_VALUE) has {len(ends)} limits instead of 2")
                    lower, upper = (measure(self._file, end)[0] for end in ends)
        return lower, upper, fit


def _aspects_of(instance: Instance) -> list[int]:
    for name in SIZES:
        if instance.parts.get(name):
            return [int(one) for one in instance.parts[name][:1] if isinstance(one, Ref)]
    for name in ("SHAPE_ASPECT_RELATIONSHIP", *LOCATIONS):
        if len(instance.parts.get(name, ())) >= 4:
            return [int(one) for one in instance.parts[name][2:4] if isinstance(one, Ref)]
    return []


def _kind(instance: Instance) -> str:
    """The name that the file gives the dimension; the standard lists the names of every type."""
    for name in SIZES:
        if len(instance.parts.get(name, ())) >= 2:
            return str(instance.parts[name][1] or _default(name)).strip().lower().replace(" ", "_")
    for name in ("SHAPE_ASPECT_RELATIONSHIP", *LOCATIONS):
        if instance.parts.get(name):
            return str(instance.parts[name][0] or _default(name)).strip().lower().replace(" ", "_")
    raise Unreadable(f"#{instance.number} ({instance.type}) is no dimension")


def _default(name: str) -> str:
    return "angle" if name.startswith("ANGULAR") else "linear distance"


def _name(instance: Instance) -> str:
    for part in ("REPRESENTATION_ITEM", "MEASURE_REPRESENTATION_ITEM"):
        values = instance.parts.get(part, ())
        if values and isinstance(values[0], str):
            return values[0]
    return ""
