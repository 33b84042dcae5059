"""Builds the record of a turned part from what was recognized."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from fettle.geometry.part import Freeform, fid
from fettle.results.record import Triple, rounded
from fettle.results.turned import LiveTooling, Place, ProfileSegment, TurnedAxis, TurnedGeometry, TurnedProfile

if TYPE_CHECKING:
    from fettle.recognize.feature import Recognition
    from fettle.recognize.turned_part import Segment

DECIMALS = 6
"""Decimals of lengths in a profile, mm: positions along the axis are differences of coordinates, so that zeros come out
as traces of rounding."""


def turned_of(recognition: Recognition) -> TurnedGeometry | None:
    """The turned part, None where the part is not turned."""
    turned = recognition.turned
    if turned is None:
        return None
    return TurnedGeometry(
        axis=_triple(turned.axis.tolist()),
        position_mm=_triple(turned.origin.tolist()),
        area_fraction=rounded(turned.axes[0].area_fraction),
        length_mm=_length(turned.length_mm),
        diameter_mm=_length(turned.diameter_mm),
        profile=TurnedProfile(
            outside=tuple(_segment(one) for one in turned.outside), inside=tuple(_segment(one) for one in turned.inside)
        ),
        axes=tuple(
            TurnedAxis(_triple(one.direction), _triple(one.position_mm), rounded(one.area_fraction))
            for one in turned.axes
        ),
        live=tuple(
            LiveTooling(
                fid=fid(recognition.features[one.feature].faces[0]),
                what=one.what,
                z_mm=_length(one.z_mm),
                angle_deg=None if one.angle_deg is None else _length(one.angle_deg),
            )
            for one in recognition.live
        ),
    )


def _segment(segment: Segment) -> ProfileSegment:
    kind: Literal["line", "arc", "curve"] = (
        "curve" if isinstance(segment.surface, Freeform) else "line" if segment.center is None else "arc"
    )
    return ProfileSegment(
        type=kind,
        start_mm=_place(segment.start),
        end_mm=_place(segment.end),
        center_mm=None if segment.center is None else _place(segment.center),
        radius_mm=None if segment.radius_mm is None else _length(segment.radius_mm),
        fids=tuple(fid(face) for face in sorted(segment.faces)),
    )


def _place(point: tuple[float, float]) -> Place:
    return _length(point[0]), _length(point[1])


def _length(value: float) -> float:
    return rounded(round(value, DECIMALS) + 0.0)


def _triple(values: Iterable[float]) -> Triple:
    x, y, z = (rounded(round(value, 9) + 0.0) for value in values)
    return x, y, z
