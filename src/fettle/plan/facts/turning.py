"""Measures what turning starts from: the profile cut by cut, bores, grooves and threads, and what is not turned."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from fettle.plan.facts.machined_features import stage_mm3
from fettle.recognize.feature import Feature
from fettle.recognize.kinds.flat import ShaftFlat
from fettle.recognize.kinds.gear import Gear
from fettle.recognize.kinds.groove import Groove
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.knurl import Knurl
from fettle.recognize.kinds.thread import TurnedThread
from fettle.recognize.turned_part import Segment, TurnedPart
from fettle.results.making.turning import TurnedCut, TurningFacts
from fettle.results.record import rounded

if TYPE_CHECKING:
    from fettle.analysis import Analysis

PARALLEL_COS = 0.9998
"""Directions within 1 degree are parallel."""
DEFAULT_PITCH_SHARE = 0.15
"""Pitch over diameter of a thread whose pitch is unknown: that of coarse metric threads from M6 to M12."""


def turning_facts(analysis: Analysis, fids: list[str]) -> TurningFacts | None:
    """Facts of a body; None where it is not turned. `fids`: the file's names of its faces."""
    recognition, turned = analysis.recognition, analysis.recognition.turned
    if turned is None:
        return None
    features = recognition.features
    live = {one.feature for one in recognition.live}
    turned_features = [feature for number, feature in enumerate(features) if number not in live]
    owner = {face: feature.faces[0] for feature in reversed(turned_features) for face in feature.faces}
    cut_apart = {face for feature in turned_features if isinstance(feature, Groove) for face in feature.faces}
    outside = [
        _outside(segment, fids[owner.get(segment.faces[0], segment.faces[0])])
        for segment in turned.outside
        if not cut_apart.intersection(segment.faces)
    ]
    made = [one for number, one in enumerate(features) if number not in live or isinstance(one, Gear | ShaftFlat)]
    others = [cut for feature in made if (cut := _cut(feature, fids, turned)) is not None]
    length = sum(cut.length_mm for cut in outside)
    mean_mm2 = sum(cut.volume_mm3 for cut in outside) / length if length > 0.0 else 0.0
    mean_mm = 2.0 * math.sqrt(mean_mm2 / math.pi)
    return TurningFacts(
        diameter_mm=rounded(turned.diameter_mm),
        length_mm=rounded(turned.length_mm),
        cuts=(*outside, *others),
        live=tuple(fids[features[one.feature].faces[0]] for one in recognition.live),
        slenderness=rounded(turned.length_mm / mean_mm) if mean_mm > 0.0 else 1.0,
    )


def _outside(segment: Segment, fid: str) -> TurnedCut:
    """A line or arc of the outer profile; an arc counts as its chord in volume, and as itself in path."""
    (z1, r1), (z2, r2) = segment.start, segment.end
    along = abs(z2 - z1)
    return _turned_cut(
        fid,
        "outside",
        diameter=2.0 * max(r1, r2),
        end_diameter=2.0 * min(r1, r2),
        length=along,
        path=math.hypot(z2 - z1, r2 - r1),
        volume=math.pi / 3.0 * along * (r1 * r1 + r1 * r2 + r2 * r2),
    )


def _cut(feature: Feature, fids: list[str], turned: TurnedPart) -> TurnedCut | None:
    """A groove, bore, thread, knurl or gear; None for what the profile has already."""
    fid = fids[feature.faces[0]]
    if isinstance(feature, Groove):
        return _groove(feature, fid)
    if isinstance(feature, Hole):
        return _bore(feature, fid, turned)
    if isinstance(feature, TurnedThread):
        major = feature.major_diameter_mm
        return _turned_cut(
            fid,
            "thread",
            diameter=major,
            end_diameter=feature.minor_diameter_mm or major,
            length=feature.length_mm,
            path=feature.length_mm,
            pitch=feature.pitch_mm or DEFAULT_PITCH_SHARE * major,
            internal=feature.internal,
            thread=feature.thread_candidates[0] if feature.thread_candidates else None,
        )
    if isinstance(feature, Knurl):
        return _turned_cut(
            fid,
            "knurl",
            diameter=feature.diameter_mm,
            end_diameter=feature.diameter_mm,
            length=feature.length_mm,
            path=feature.length_mm,
            pitch=feature.pitch_mm,
        )
    if isinstance(feature, Gear):
        return _turned_cut(
            fid,
            "gear",
            diameter=feature.tip_diameter_mm,
            end_diameter=feature.root_diameter_mm,
            length=feature.width_mm,
            path=feature.width_mm,
            count=feature.teeth,
        )
    if isinstance(feature, ShaftFlat):
        return _flat(feature, fid, turned)
    return None


def _flat(flat: ShaftFlat, fid: str, turned: TurnedPart) -> TurnedCut:
    """Segments of the bar cut away by planes at a distance from the axis."""
    radius, distance = turned.diameter_mm / 2.0, min(flat.distance_mm, turned.diameter_mm / 2.0)
    chord = 2.0 * math.sqrt(radius * radius - distance * distance)
    segment = radius * radius * math.acos(distance / radius) - distance * chord / 2.0
    return _turned_cut(
        fid,
        "flat",
        diameter=turned.diameter_mm,
        end_diameter=2.0 * distance,
        length=flat.length_mm,
        path=chord,
        volume=flat.count * segment * flat.length_mm,
        count=flat.count,
    )


def _groove(groove: Groove, fid: str) -> TurnedCut:
    """A ring of rectangular section."""
    floor, depth, width = groove.diameter_mm, groove.depth_mm, groove.width_mm
    mean = floor if groove.form == "face" else floor + depth if groove.form == "outside" else floor - depth
    outer = floor + 2.0 * depth if groove.form == "outside" else floor
    return _turned_cut(
        fid,
        "groove",
        diameter=outer,
        end_diameter=floor,
        length=width,
        path=depth,
        volume=math.pi * max(mean, 0.0) * width * depth,
        internal=groove.form == "inside",
    )


def _bore(hole: Hole, fid: str, turned: TurnedPart) -> TurnedCut | None:
    """A bore on the axis: drilled, the rest of its stages bored."""
    along = float(np.array(hole.axis) @ turned.axis)
    if abs(along) < PARALLEL_COS:
        return None
    volume = sum(stage_mm3(stage) for stage in hole.stages if stage.type != "groove")
    return _turned_cut(
        fid,
        "bore",
        diameter=hole.diameter_mm,
        end_diameter=hole.diameter_mm,
        length=hole.depth_mm,
        path=hole.depth_mm,
        volume=volume,
        internal=True,
        end=0 if hole.through else 1 if along > 0.0 else 2,
    )


def _turned_cut(
    fid: str,
    kind: Literal["outside", "groove", "bore", "thread", "knurl", "gear", "flat"],
    *,
    diameter: float,
    end_diameter: float,
    length: float,
    path: float,
    volume: float = 0.0,
    pitch: float = 0.0,
    count: int = 1,
    internal: bool = False,
    end: int = 0,
    thread: str | None = None,
) -> TurnedCut:
    return TurnedCut(
        fid=fid,
        kind=kind,
        diameter_mm=rounded(diameter),
        end_diameter_mm=rounded(end_diameter),
        length_mm=rounded(length),
        path_mm=rounded(path),
        volume_mm3=rounded(volume),
        pitch_mm=rounded(pitch),
        count=count,
        internal=internal,
        end=end,
        thread=thread,
    )
