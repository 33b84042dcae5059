"""Dimensions, geometric tolerances, datums and notes of a part as plain data.

Faces are positions in `Part.faces`, counted from 0. Lengths are millimeters and angles degrees whatever the file's
units are. Names of kinds and modifiers are those of ISO 10303-242 in lower case with underscores, for example
`surface_profile` or `maximum_material_requirement`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """What a requirement is attached to.

    `faces`: every face that is meant, ascending. `sides`: the faces of the two ends of a distance or an angle; empty
    for a size. `direct`: the file names faces; False where it names edges, and `faces` are those beside them.
    """

    faces: tuple[int, ...] = ()
    sides: tuple[tuple[int, ...], ...] = ()
    direct: bool = True


@dataclass(frozen=True, slots=True)
class StatedDimension:
    """A size, a distance or an angle.

    `nominal`, `lower` and `upper` (limits of the size, not deviations): mm, or degrees where `angular`; None where the
    file has no such value. `nominal` is the middle of the limits where the file has only those. `fit`: tolerance class
    of ISO 286, for example H7; empty without one. `text`: how the file writes it, where it says so. `entity`: number
    of the instance in the file.
    """

    kind: str
    angular: bool
    nominal: float | None
    lower: float | None
    upper: float | None
    fit: str
    modifiers: tuple[str, ...]
    place: Place
    text: str = ""
    entity: int = 0


@dataclass(frozen=True, slots=True)
class DatumReference:
    """A compartment of a tolerance frame: `label` is A, or A-B for a common datum."""

    label: str
    modifiers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GeometricTolerance:
    """A tolerance of form, orientation, location or run-out.

    `zone`: form of the tolerance zone, for example `cylindrical_or_circular`; empty where the file has none, which
    means the space between two parallel planes or offset surfaces. `sizes_mm`: values that belong to a modifier by its
    name (`projected`, `unequally_disposed`, `per_unit_length`, `maximum_tolerance`).
    """

    kind: str
    value_mm: float
    zone: str
    modifiers: tuple[str, ...]
    sizes_mm: tuple[tuple[str, float], ...]
    datums: tuple[DatumReference, ...]
    place: Place
    text: str = ""
    entity: int = 0


@dataclass(frozen=True, slots=True)
class DatumTarget:
    """A point, line or area of a face that stands for a datum: `label` as in A1; `sizes_mm`: diameter, or length and
    width."""

    label: str
    kind: str
    sizes_mm: tuple[float, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Datum:
    """A datum by its letter, with the faces of its feature and its targets."""

    label: str
    place: Place
    targets: tuple[DatumTarget, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """A text of the file, with the faces it points at; without faces it holds for the whole part."""

    text: str
    place: Place = Place()


@dataclass(frozen=True, slots=True)
class Pmi:
    """All that a file says about the accuracy of the part.

    `drawn_only`: names of annotations that are only drawn: the file gives lines to look at and no values.
    `problems`: sentences about what could not be read, and why.
    """

    dimensions: tuple[StatedDimension, ...] = ()
    tolerances: tuple[GeometricTolerance, ...] = ()
    datums: tuple[Datum, ...] = ()
    notes: tuple[Note, ...] = ()
    drawn_only: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
