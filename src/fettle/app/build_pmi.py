"""Builds the typed record of a part's PMI."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fettle.geometry.part import Cylinder, Part, fid
from fettle.geometry.pmi.records import Datum, GeometricTolerance, Pmi, StatedDimension
from fettle.pmi.call_outs import INCH_MM, CallOut, call_outs, general_tolerances
from fettle.pmi.checks import agrees, check_pmi
from fettle.pmi.iso286 import grade_of
from fettle.recognize.feature import Feature
from fettle.results.pmi import (
    CallOutEntry,
    DatumEntry,
    DatumTargetEntry,
    DimensionEntry,
    GeneralToleranceEntry,
    NoteEntry,
    PmiCheck,
    PmiReport,
    ToleranceEntry,
)
from fettle.results.record import reading, rounded


def pmi_report(part: Part, features: Sequence[Feature]) -> PmiReport | None:
    """Dimensions, tolerances, datums and notes with the features they belong to; None where the file has none."""
    pmi = part.pmi
    if pmi is None:
        return None
    owners = _features_by_face(features)
    unit_mm = INCH_MM if part.source.length_unit == "inch" else 1.0
    return PmiReport(
        dimensions=tuple(_dimension(one, owners) for one in pmi.dimensions),
        tolerances=tuple(_tolerance(one, owners) for one in pmi.tolerances),
        datums=tuple(_datum(one) for one in pmi.datums),
        notes=tuple(NoteEntry(one.text, _fids(one.place.faces)) for one in pmi.notes),
        call_outs=tuple(_call_outs(part, features, owners, unit_mm)),
        general=tuple(
            GeneralToleranceEntry(one.standard, one.tolerance_class, one.geometry_class, one.text)
            for note in pmi.notes
            for one in general_tolerances(note.text)
        ),
        checks=tuple(
            PmiCheck(one.rule, one.message, reading(one.stated), reading(one.found), one.unit, _fids(one.faces))
            for one in check_pmi(part, pmi, unit_mm)
        ),
        drawn_only=pmi.drawn_only,
        problems=pmi.problems,
    )


def _dimension(one: StatedDimension, owners: dict[int, str]) -> DimensionEntry:
    length = None if one.angular else one.nominal
    grade = None
    if length is not None and one.lower is not None and one.upper is not None:
        grade = grade_of(length, one.upper - one.lower)
    return DimensionEntry(
        kind=one.kind,
        nominal_mm=reading(length),
        nominal_deg=reading(one.nominal) if one.angular else None,
        lower=reading(one.lower),
        upper=reading(one.upper),
        fit=one.fit or None,
        it_grade=grade,
        modifiers=one.modifiers,
        text=one.text,
        fids=_fids(one.place.faces),
        features=_owners(one.place.faces, owners),
    )


def _tolerance(one: GeometricTolerance, owners: dict[int, str]) -> ToleranceEntry:
    return ToleranceEntry(
        kind=one.kind,
        value_mm=rounded(one.value_mm),
        zone=one.zone or None,
        modifiers=one.modifiers,
        modifier_sizes_mm={name: rounded(size) for name, size in one.sizes_mm},
        datums=tuple(datum.label for datum in one.datums),
        datum_modifiers=tuple(datum.modifiers for datum in one.datums),
        fids=_fids(one.place.faces),
        features=_owners(one.place.faces, owners),
    )


def _call_outs(
    part: Part, features: Sequence[Feature], owners: dict[int, str], unit_mm: float
) -> Iterator[CallOutEntry]:
    """Call-outs of the notes, and the threads among the dimensions: a thread is no dimension of its own in a file."""
    pmi = part.pmi or Pmi()
    for note in pmi.notes:
        for one in call_outs(note.text, unit_mm):
            yield _call_out(one, part, note.place.faces, features, owners)
    for dimension in pmi.dimensions:
        for one in call_outs(dimension.text, unit_mm):
            if one.kind == "thread":
                yield _call_out(one, part, dimension.place.faces, features, owners)


def _call_out(
    one: CallOut, part: Part, faces: tuple[int, ...], features: Sequence[Feature], owners: dict[int, str]
) -> CallOutEntry:
    meant = _owners(faces, owners) if faces or one.kind == "finish" else _holes_of_its_size(one, part, features)
    return CallOutEntry(
        kind=one.kind,
        designation=one.designation,
        count=one.count,
        diameter_mm=reading(one.diameter_mm),
        pitch_mm=reading(one.pitch_mm),
        lower_mm=reading(one.lower_mm),
        upper_mm=reading(one.upper_mm),
        fit=one.fit or None,
        depth_mm=reading(one.depth_mm),
        through=one.through,
        ra_um=reading(one.ra_um),
        rz_um=reading(one.rz_um),
        fids=_fids(faces),
        features=meant,
    )


def _holes_of_its_size(one: CallOut, part: Part, features: Sequence[Feature]) -> tuple[str, ...]:
    """Features with a hollow cylinder that can be what the text means."""
    found = []
    for feature in features:
        faces = (part.faces[number] for number in feature.faces)
        hollow = (face.surface for face in faces if face.convex is False)
        bores = [surface for surface in hollow if isinstance(surface, Cylinder)]
        if feature.kind == "HOLE" and any(agrees(one, 2.0 * bore.radius_mm) for bore in bores):
            found.append(fid(feature.faces[0]))
    return tuple(found)


def _datum(one: Datum) -> DatumEntry:
    targets = tuple(
        DatumTargetEntry(
            target.label, target.kind, tuple(rounded(size) for size in target.sizes_mm), _fids(target.place.faces)
        )
        for target in one.targets
    )
    return DatumEntry(one.label, _fids(one.place.faces), targets)


def _features_by_face(features: Sequence[Feature]) -> dict[int, str]:
    """Face id of the first feature that has a face, by face."""
    owners: dict[int, str] = {}
    for feature in features:
        for face in feature.faces:
            owners.setdefault(face, fid(feature.faces[0]))
    return owners


def _owners(faces: Iterable[int], owners: dict[int, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(owners[face] for face in faces if face in owners))


def _fids(faces: Iterable[int]) -> tuple[str, ...]:
    return tuple(fid(face) for face in faces)
