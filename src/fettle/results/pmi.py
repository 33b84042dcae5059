"""Dimensions, tolerances, datums and notes that the file itself carries, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fettle.results.record import Record


@dataclass(frozen=True, slots=True)
class DimensionEntry(Record):
    """A size, a distance or an angle that the file gives."""

    kind: Annotated[str, "Kind by ISO 10303-242, for example diameter or linear_distance."]
    nominal_mm: Annotated[float | None, "Nominal value of a length; null for an angle."]
    nominal_deg: Annotated[float | None, "Nominal value of an angle; null for a length."]
    lower: Annotated[float | None, "Lower limit in mm, or degrees for an angle; null without one."]
    upper: Annotated[float | None, "Upper limit in mm, or degrees for an angle; null without one."]
    fit: Annotated[str | None, "Tolerance class of ISO 286, for example H7; null without one."]
    it_grade: Annotated[int | None, "Coarsest grade of ISO 286 within the limits of a length; 0: finer than IT1."]
    modifiers: Annotated[tuple[str, ...], "For example theoretical (basic), auxiliary (reference), statistical."]
    text: Annotated[str, "How the file writes it; empty where it does not say."]
    fids: Annotated[tuple[str, ...], "Faces it holds for."]
    features: Annotated[tuple[str, ...], "Recognized features that these faces belong to, by their face id."]


@dataclass(frozen=True, slots=True)
class ToleranceEntry(Record):
    """A tolerance of form, orientation, location or run-out that the file gives."""

    kind: Annotated[str, "Kind by ISO 10303-242, for example position or surface_profile."]
    value_mm: Annotated[float, "Size of the tolerance zone."]
    zone: Annotated[str | None, "Form of the zone, for example cylindrical_or_circular; null for parallel surfaces."]
    modifiers: Annotated[tuple[str, ...], "For example maximum_material_requirement, projected or all_around."]
    modifier_sizes_mm: Annotated[Mapping[str, float], "Lengths that belong to modifiers, by their name."]
    datums: Annotated[tuple[str, ...], "Datums in order, for example A, B and C-D."]
    datum_modifiers: Annotated[tuple[tuple[str, ...], ...], "Modifiers of each datum."]
    fids: Annotated[tuple[str, ...], "Faces it holds for; none with all_over: the whole part."]
    features: Annotated[tuple[str, ...], "Recognized features that these faces belong to, by their face id."]


@dataclass(frozen=True, slots=True)
class DatumTargetEntry(Record):
    """A point, line or area that stands for a datum."""

    label: Annotated[str, "Letter and number, for example A1."]
    kind: Annotated[str, "For example point, circle or rectangle."]
    sizes_mm: Annotated[tuple[float, ...], "Diameter, or width and length."]
    fids: Annotated[tuple[str, ...], "Faces it lies on."]


@dataclass(frozen=True, slots=True)
class DatumEntry(Record):
    """A datum of the file."""

    label: Annotated[str, "Letter of the datum."]
    fids: Annotated[tuple[str, ...], "Faces of its feature."]
    targets: Annotated[tuple[DatumTargetEntry, ...], "Its targets."]


@dataclass(frozen=True, slots=True)
class NoteEntry(Record):
    """A text of the file."""

    text: Annotated[str, "The text."]
    fids: Annotated[tuple[str, ...], "Faces it points at; none: the whole part."]


@dataclass(frozen=True, slots=True)
class CallOutEntry(Record):
    """A thread, a diameter or a surface finish that a text of the file gives."""

    kind: Annotated[str, "thread, diameter or finish."]
    designation: Annotated[str, "As written, for example M6x1-6H."]
    count: Annotated[int | None, "How many, as in 4X."]
    diameter_mm: Annotated[float | None, "Nominal diameter; of a thread its major diameter."]
    pitch_mm: Annotated[float | None, "Pitch of a thread."]
    lower_mm: Annotated[float | None, "Lower limit of the diameter."]
    upper_mm: Annotated[float | None, "Upper limit of the diameter."]
    fit: Annotated[str | None, "Tolerance class, for example H7 or 6H."]
    depth_mm: Annotated[float | None, "Depth."]
    through: Annotated[bool, "The text says THRU."]
    ra_um: Annotated[float | None, "Arithmetic mean roughness."]
    rz_um: Annotated[float | None, "Mean height of the profile."]
    fids: Annotated[tuple[str, ...], "Faces that the text points at; none: it points at none."]
    features: Annotated[tuple[str, ...], "Features it means: those of its faces, else holes of its size."]


@dataclass(frozen=True, slots=True)
class GeneralToleranceEntry(Record):
    """A standard that holds for every dimension without a tolerance of its own."""

    standard: Annotated[str, "For example ISO 2768."]
    tolerance_class: Annotated[str, "Class of linear and angular sizes, for example m; empty where the text has none."]
    geometry_class: Annotated[str, "Class of form and position, for example K; empty where the text has none."]
    text: Annotated[str, "As written."]


@dataclass(frozen=True, slots=True)
class PmiCheck(Record):
    """Something of the file that does not agree with its model or with itself."""

    rule: Annotated[str, "nominal_differs, datum_without_face, datum_missing, tighter_than_datum or call_out_differs."]
    message: Annotated[str, "What disagrees, with both values, and what to do."]
    stated: Annotated[float | None, "What the file says."]
    found: Annotated[float | None, "What the model or the datum has."]
    unit: Annotated[str, "Unit of both: mm, deg or none."]
    fids: Annotated[tuple[str, ...], "Faces concerned."]


@dataclass(frozen=True, slots=True)
class PmiReport(Record):
    """What the file says about the accuracy of the part."""

    dimensions: Annotated[tuple[DimensionEntry, ...], "Sizes, distances and angles."]
    tolerances: Annotated[tuple[ToleranceEntry, ...], "Tolerances of form, orientation, location and run-out."]
    datums: Annotated[tuple[DatumEntry, ...], "Datums."]
    notes: Annotated[tuple[NoteEntry, ...], "Texts."]
    call_outs: Annotated[tuple[CallOutEntry, ...], "Threads, diameters and surface finishes that texts give."]
    general: Annotated[tuple[GeneralToleranceEntry, ...], "General tolerances that texts name."]
    checks: Annotated[tuple[PmiCheck, ...], "What does not agree with the model or with itself."]
    drawn_only: Annotated[tuple[str, ...], "Names of annotations that are only drawn, without values."]
    problems: Annotated[tuple[str, ...], "What could not be read, and why."]
