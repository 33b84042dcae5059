"""Bodies that changed between two revisions of an assembly."""

from __future__ import annotations

from typing import Any

from fettle.results import AnalysisResult, BodyEntry

VOLUME_TOLERANCE = 1e-6
"""Relative difference of volumes that are the same."""


def compare_bodies(old: AnalysisResult, new: AnalysisResult) -> list[dict[str, Any]]:
    """Bodies that are new, gone, met in another number, of another shape, or judged otherwise. Bodies of one name are
    one body where their shape is; of several shapes under one name the first that is left."""
    left = list(new.bodies)
    pairs: list[tuple[BodyEntry | None, BodyEntry | None]] = []
    for body in old.bodies:
        alike = [other for other in left if other.name == body.name]
        if len(old.bodies) == len(new.bodies) == 1:
            alike = left
        partner = next((other for other in alike if _same_volume(body, other)), alike[0] if alike else None)
        if partner is not None:
            left.remove(partner)
        pairs.append((body, partner))
    pairs += [(None, other) for other in left]
    return [_change(*pair) for pair in pairs if _state(pair[0]) != _state(pair[1]) or not _same_volume(*pair)]


def _change(old: BodyEntry | None, new: BodyEntry | None) -> dict[str, Any]:
    shown = new or old
    return {
        "name": shown.name if shown else "",
        "old": _told(old),
        "new": _told(new),
    }


def _told(body: BodyEntry | None) -> dict[str, Any] | None:
    if body is None:
        return None
    return {"body": body.body, "count": body.count, "made": body.made, "severity": body.severity} | {
        "volume_cm3": body.geometry.volume_cm3
    }


def _state(body: BodyEntry | None) -> tuple[object, ...] | None:
    return None if body is None else (body.count, body.made, body.severity)


def _same_volume(one: BodyEntry | None, two: BodyEntry | None) -> bool:
    if one is None or two is None:
        return one is two
    first, second = one.geometry.volume_cm3, two.geometry.volume_cm3
    if first is None or second is None:
        return first is second
    return abs(first - second) <= VOLUME_TOLERANCE * max(abs(first), abs(second))
