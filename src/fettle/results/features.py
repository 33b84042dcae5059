"""What was recognized on a part: face roles, features with their dimensions, and what the pull direction means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Self

from fettle.results.record import JsonObject, Record, Triple, record_fields

Dimensions = Mapping[str, Any]
"""Dimensions of a feature by name, as JSON: what a kind has is declared by its class in `fettle.recognize`."""


@dataclass(frozen=True, slots=True)
class FeatureTolerance(Record):
    """What the file asks of the accuracy of a feature."""

    kind: Annotated[str, "size, finish, or the kind of a geometric tolerance, for example position."]
    text: Annotated[str, "As a drawing would say it, for example position 0.2 mm to A, B."]
    width_mm: Annotated[float | None, "Width of the tolerance zone; null for a finish."]
    it_grade: Annotated[int | None, "Coarsest grade of ISO 286 within it, 0 finer than IT1; null where none applies."]
    ra_um: Annotated[float | None, "Arithmetic mean roughness of a finish; null for others."]


# Not frozen, as findings: a part has hundreds.
@dataclass(slots=True)
class FeatureEntry(Record):
    """A recognized feature. In JSON its `dimensions` stand beside the other fields, after `related_fids`."""

    fid: Annotated[str, "Face that names the feature: its largest."]
    kind: Annotated[str, "Kind of the feature, for example HOLE."]
    related_fids: Annotated[tuple[str, ...], "Every face of the feature, the largest first."]
    dimensions: Annotated[Dimensions, "Dimensions of its kind by name."]
    thickness_min_mm: Annotated[float | None, "Smallest wall thickness behind its faces."]
    thickness_mean_mm: Annotated[float | None, "Mean wall thickness behind its faces, weighted by area."]
    clearance_min_mm: Annotated[float | None, "Smallest distance across the air in front of its faces."]
    draft_min_deg: Annotated[float | None, "Smallest draft of its faces against the pull direction."]
    area_mm2: Annotated[float, "Area of its faces."]
    tolerances: Annotated[tuple[FeatureTolerance, ...], "What the file asks of the accuracy of its faces."] = ()

    def to_dict(self) -> JsonObject:
        shown = super(FeatureEntry, self).to_dict()
        first = {key: shown.pop(key) for key in ("fid", "kind", "related_fids")}
        return {**first, **shown.pop("dimensions"), **shown}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        own = {one.name: data[one.key] for one in record_fields(cls) if one.name != "dimensions" and one.required}
        tolerances = tuple(FeatureTolerance.from_dict(one) for one in data.get("tolerances", ()))
        dimensions = {name: value for name, value in data.items() if name not in own and name != "tolerances"}
        read = {**own, "related_fids": tuple(own["related_fids"]), "tolerances": tolerances}
        return cls(**read, dimensions=dimensions)


@dataclass(frozen=True, slots=True)
class PullCandidate(Record):
    """A pull direction that was tried."""

    direction: Annotated[Triple, "Unit vector."]
    undercut_area_mm2: Annotated[float, "Area that cannot be pulled free."]
    low_draft_area_mm2: Annotated[float, "Area with less draft than alpha_warn_deg."]
    depth_mm: Annotated[float, "Size of the part along the direction."]


@dataclass(frozen=True, slots=True)
class Manufacturability(Record):
    """Undercuts and low draft for the pull direction. An undercut counts once however many faces it has."""

    pull_dir: Annotated[Triple, "Pull direction, unit vector."]
    alpha_min_deg: Annotated[float, "Undercut threshold."]
    alpha_warn_deg: Annotated[float, "Low-draft threshold."]
    n_undercuts: Annotated[int, "Connected undercut regions."]
    n_low_draft: Annotated[int, "Faces of low draft."]
    pull_mode: Annotated[str, "How the direction was chosen: given, cardinal or hemisphere."]
    candidates: Annotated[tuple[PullCandidate, ...], "Directions that were tried, the best first."]
    undercut_fids: Annotated[tuple[str, ...], "Faces that are undercut."]
    low_draft_fids: Annotated[tuple[str, ...], "Faces of low draft."]


@dataclass(frozen=True, slots=True)
class Coverage(Record):
    """Share of the part whose role was recognized, 0 to 1."""

    faces: Annotated[float, "Share of the faces, 0 to 1."]
    area: Annotated[float, "Share of the area, 0 to 1."]


@dataclass(frozen=True, slots=True)
class PatternEntry(Record):
    """Equal holes or slots on a circle, a line or a grid; each of them is a feature as well."""

    kind: Annotated[str, "Kind of its features: HOLE, SLOT or KEYWAY."]
    form: Annotated[str, "circle, line or grid."]
    count: Annotated[int, "Number of features."]
    pitch_mm: Annotated[float | None, "Distance between neighbors on a line, or along the rows of a grid."]
    row_pitch_mm: Annotated[float | None, "Distance between the rows of a grid."]
    rows: Annotated[int | None, "Rows of a grid."]
    columns: Annotated[int | None, "Features in each row of a grid; at least as many as rows."]
    diameter_mm: Annotated[float | None, "Diameter of the circle."]
    pitch_deg: Annotated[float | None, "Angle between neighbors on a circle."]
    center_mm: Annotated[Triple, "Middle of the features."]
    fids: Annotated[tuple[str, ...], "Faces that name the features, along the pattern."]


@dataclass(frozen=True, slots=True)
class FeatureList(Record):
    """Roles of all faces, features, and what the pull direction means for them."""

    roles_by_fid: Annotated[Mapping[str, int], "Role code of every face."]
    role_names: Annotated[Mapping[str, str], "Name of every role code."]
    features: Annotated[tuple[FeatureEntry, ...], "Features with their dimensions."]
    manufacturability: Annotated[Manufacturability, "Undercuts and draft for the pull direction."]
    coverage: Annotated[Coverage, "Share of the part whose role is known."]
    patterns: Annotated[tuple[PatternEntry, ...], "Equal holes or slots on a circle, a line or a grid."]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads what `to_dict` wrote, also before patterns were added."""
        return super(FeatureList, cls).from_dict({"patterns": (), **data})
