"""What a caller of an analysis may choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from fettle.app.errors import BadField
from fettle.geometry.length_units import UNITS_MM
from fettle.geometry.mesh_options import MeshOptions
from fettle.measure.draft_limits import ALPHA_MIN_DEG, ALPHA_WARN_DEG


@dataclass(frozen=True, slots=True)
class JobOptions:
    """What the caller asked for; None is auto. `units`: length unit of a file that carries none, None its format's.
    `packs`: references of the caller's own rule packs to judge by (see `pack_versions`)."""

    max_edge_mm: float | None = None
    curvature: float | None = None
    pull: str = "cardinal"
    alpha_min_deg: float = ALPHA_MIN_DEG
    alpha_warn_deg: float = ALPHA_WARN_DEG
    units: str | None = None
    packs: tuple[str, ...] = ()

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> JobOptions:
        """The options of a job's row."""
        return cls(**{**stored, "packs": tuple(stored.get("packs", ()))})

    def to_store(self) -> dict[str, Any]:
        """The options as a job's row has them; without packs as versions before them wrote it."""
        stored = asdict(self)
        if not self.packs:
            del stored["packs"]
        return stored

    def mesh(self) -> MeshOptions:
        """How fine the mesh is to be; BadRequest for what cannot be."""
        return MeshOptions(self.max_edge_mm, self.curvature)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Sides of a part that is analyzed, in mm."""

    min_side_mm: float = 0.01
    max_side_mm: float = 3000.0


@dataclass(frozen=True, slots=True)
class ModuleChoice:
    """A rule module to judge by. `module`: key of one in force, or the file name of `document`, the caller's own bytes.

    `configurations`: None for all.
    """

    module: str
    document: bytes | None = None
    configurations: tuple[str, ...] | None = None


def check_units(units: str) -> str:
    """Return a known length unit; BadField for another."""
    if units not in UNITS_MM:
        raise BadField("units", f"units is {units[:60]!r}; it must be one of {', '.join(UNITS_MM)}.")
    return units
