"""Geometric tolerances of a STEP file."""

from __future__ import annotations

from fettle.geometry.pmi.datums import Datums
from fettle.geometry.pmi.dimensions import LOCATIONS, SIZES, Dimensions
from fettle.geometry.pmi.measures import measure
from fettle.geometry.pmi.part21 import Enum, Instance, Ref, StepFile, Unreadable, Value, refs_in
from fettle.geometry.pmi.records import GeometricTolerance, Place
from fettle.geometry.pmi.targets import Aspects

_KINDS = (
    "angularity",
    "circular_runout",
    "coaxiality",
    "concentricity",
    "cylindricity",
    "flatness",
    "line_profile",
    "parallelism",
    "perpendicularity",
    "position",
    "roundness",
    "straightness",
    "surface_profile",
    "symmetry",
    "total_runout",
)
_TYPES = {f"{kind.upper()}_TOLERANCE": kind for kind in _KINDS}
_GROUPED = {
    "ALL_AROUND_SHAPE_ASPECT": "all_around",
    "ALL_OVER_SHAPE_ASPECT": "all_over",
    "BETWEEN_SHAPE_ASPECT": "between",
}
_WHOLE_PART = "PRODUCT_DEFINITION_SHAPE"


class Tolerances:
    """Reads geometric tolerances; `zones[t]`: form of the zone of tolerance t, and its projected length in mm."""

    def __init__(self, file: StepFile, aspects: Aspects, datums: Datums, dimensions: Dimensions) -> None:
        self._file = file
        self._aspects = aspects
        self._datums = datums
        self._dimensions = dimensions
        self._forms: dict[int, str] = {}
        self._projected: dict[int, int] = {}
        projected = {
            (one.refs() or [0])[0]: one.refs()[-1] for one in file.of_type("PROJECTED_ZONE_DEFINITION") if one.refs()
        }
        for zone in file.of_type("TOLERANCE_ZONE"):
            values = zone.parts["TOLERANCE_ZONE"]
            if len(values) < 2:
                continue
            for tolerance in refs_in(values[-2]):
                if isinstance(values[-1], Ref) and file.has(int(values[-1])):
                    self._forms[tolerance] = str(file[int(values[-1])].attribute(0) or "").lower().replace(" ", "_")
                if zone.number in projected:
                    self._projected[tolerance] = projected[zone.number]

    def instances(self) -> list[Instance]:
        """All geometric tolerances in the order of the file."""
        return list(self._file.of_type("GEOMETRIC_TOLERANCE", "MODIFIED_GEOMETRIC_TOLERANCE", *_TYPES))

    def read(self, instance: Instance) -> GeometricTolerance:
        """The tolerance with its zone, modifiers, datums and faces."""
        kind = next((kind for name, kind in _TYPES.items() if name in instance.parts), None)
        if kind is None:
            raise Unreadable(f"#{instance.number} ({instance.type}) is a tolerance of no known kind")
        magnitude, target = self._common(instance)
        value, angular = measure(self._file, magnitude)
        if angular or value < 0.0:
            raise Unreadable(f"#{instance.number} ({instance.type}) has no length for a value")
        place, grouped = self._place(target)
        modifiers, sizes = self._modifiers(instance)
        return GeometricTolerance(
            kind=kind,
            value_mm=value,
            zone=self._forms.get(instance.number, ""),
            modifiers=tuple(dict.fromkeys([*modifiers, *grouped])),
            sizes_mm=tuple(sizes),
            datums=self._datums.references(_datum_references(instance)),
            place=place,
            entity=instance.number,
        )

    def _common(self, instance: Instance) -> tuple[int, int]:
        """Numbers of the magnitude and of what is toleranced."""
        names = ("GEOMETRIC_TOLERANCE", *_TYPES, "MODIFIED_GEOMETRIC_TOLERANCE")
        values = next((instance.parts[one] for one in names if len(instance.parts.get(one, ())) >= 4), None)
        if values is None or not isinstance(values[2], Ref):
            raise Unreadable(f"#{instance.number} ({instance.type}) has no value")
        return int(values[2]), int(values[3]) if isinstance(values[3], Ref) else 0

    def _place(self, target: int) -> tuple[Place, list[str]]:
        """Faces of what is toleranced, and how they belong together."""
        if not target:
            return Place(), []
        types = set(self._file[target].parts)
        if types & {*SIZES, *LOCATIONS}:
            return self._dimensions.place_of(target), []
        if _WHOLE_PART in types:
            return Place(), ["all_over"]
        grouped = [word for part, word in _GROUPED.items() if part in self._aspects.types(target)]
        return self._aspects.place((target,)), grouped

    def _modifiers(self, instance: Instance) -> tuple[list[str], list[tuple[str, float]]]:
        found: list[str] = []
        sizes: list[tuple[str, float]] = []
        for part in ("GEOMETRIC_TOLERANCE_WITH_MODIFIERS", "MODIFIED_GEOMETRIC_TOLERANCE"):
            found.extend(_enums(instance.parts.get(part, [])))
        with_size = {
            "UNEQUALLY_DISPOSED_GEOMETRIC_TOLERANCE": "unequally_disposed",
            "GEOMETRIC_TOLERANCE_WITH_DEFINED_UNIT": "per_unit",
            "GEOMETRIC_TOLERANCE_WITH_DEFINED_AREA_UNIT": "per_unit_second",
            "GEOMETRIC_TOLERANCE_WITH_MAXIMUM_TOLERANCE": "maximum_tolerance",
        }
        for part, word in with_size.items():
            numbers = refs_in(instance.parts.get(part, []))
            if numbers:
                if word != "per_unit_second":
                    found.append(word)
                sizes.append((word, measure(self._file, numbers[0])[0]))
        if instance.number in self._projected:
            found.append("projected")
            sizes.append(("projected", measure(self._file, self._projected[instance.number])[0]))
        return found, sizes


def _datum_references(instance: Instance) -> Value:
    """The list of datum systems: an attribute of its own type in a complex instance, the fifth in a simple one."""
    part = instance.parts.get("GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE")
    if part:
        return part[-1]
    values = next((instance.parts[one] for one in _TYPES if len(instance.parts.get(one, ())) >= 5), None)
    return values[4] if values is not None else None


def _enums(values: list[Value]) -> list[str]:
    found: list[str] = []
    for value in values:
        if isinstance(value, Enum):
            found.append(value.lower())
        elif isinstance(value, list):
            found.extend(_enums(value))
    return found
