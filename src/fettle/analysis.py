"""A part analysed: what it is (recognition) and how it measures, for one pull direction."""

from __future__ import annotations

from dataclasses import dataclass

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Part
from fettle.measure.reading import Access, Cavities, Draft, Overhang, Pull, WallField
from fettle.recognize.feature import Recognition


@dataclass(frozen=True, slots=True)
class Options:
    """`pull`: cardinal, hemisphere or "x,y,z"; the two angles are the undercut and the low-draft threshold."""

    pull: str = "cardinal"
    alpha_min_deg: float = 0.5
    alpha_warn_deg: float = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """Everything the rules may ask about a part. Plain data: picklable, and no kernel is needed to judge it."""

    part: Part
    mesh: Mesh
    options: Options
    recognition: Recognition
    thickness: WallField
    clearance: WallField
    pull: Pull
    draft: Draft
    access: Access
    overhang: Overhang
    cavities: Cavities
