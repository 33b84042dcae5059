"""Parts to try Fettle with, as recipes of solids: one is milled, one bent from sheet, one turned; each has something
that the rules remark on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fettle.app.errors import NotFound


@dataclass(frozen=True, slots=True)
class Sample:
    """A part that anybody may analyze. `recipe`: as `fettle.geometry.csg` reads it."""

    key: str
    name: str
    about: str
    recipe: Mapping[str, object]

    @property
    def filename(self) -> str:
        return f"{self.key}.step"


def find_sample(key: str) -> Sample:
    for sample in SAMPLES:
        if sample.key == key:
            return sample
    raise NotFound(f"There is no sample part {key[:60]!r}; there are {', '.join(one.key for one in SAMPLES)}.")


def _moved(shape: Mapping[str, object], x: float, y: float, z: float) -> dict[str, object]:
    return {"move": {"of": shape, "by": [x, y, z]}}


def _turned(shape: Mapping[str, object], axis: tuple[int, int, int], deg: float) -> dict[str, object]:
    return {"turn": {"of": shape, "axis": list(axis), "deg": deg}}


def _rod(diameter: float, height: float) -> dict[str, object]:
    return {"cylinder": {"d": diameter, "h": height}}


def _rounded(x: float, y: float, z: float, radius: float) -> dict[str, object]:
    """A box with rounded upright edges: what an end mill leaves."""
    return {"fillet": {"of": {"box": [x, y, z]}, "r": radius, "edges": "z"}}


def _plate() -> dict[str, object]:
    """Milled: a plate with counterbored holes, a deep pocket of tight corners and a thin web between two slots."""
    bores = [tool for x in (15, 105) for tool in (_moved(_rod(9, 40), x, 15, -4), _moved(_rod(15, 8), x, 15, 17))]
    slots = [_moved(_rounded(36, 8, 40, 3), 42, y, -4) for y in (44, 52.7)]
    pocket = _moved(_rounded(40, 24, 18, 1.2), 40, 8, 8)
    return {"cut": [{"box": [120, 70, 20]}, *bores, *slots, pocket]}


def _angle() -> dict[str, object]:
    """Bent from 2 mm sheet: an angle with a tight bend and a hole close to it."""
    corner = {"prism": {"points": [[0, 0], [50, 0], [50, 2], [2, 2], [2, 40], [0, 40]], "h": 60}}
    inside = {"fillet": {"of": corner, "r": 1, "edges": [[2, 2, 30]]}}
    bent = {"fillet": {"of": inside, "r": 3, "edges": [[0, 0, 30]]}}
    down = [_moved(_turned(_rod(6, 10), (1, 0, 0), -90), x, -4, z) for x, z in ((36, 15), (36, 45), (8, 30))]
    aside = [_moved(_turned(_rod(5, 10), (0, 1, 0), 90), -4, 28, z) for z in (15, 45)]
    return {"cut": [bent, *down, *aside]}


def _pin() -> dict[str, object]:
    """Turned: a stepped pin with a narrow groove, a long thin end and a cross hole."""
    profile = [[0, 0], [3, 0], [3, 60], [8, 60], [8, 74], [7, 74], [7, 74.8], [8, 74.8], [8, 90], [0, 90]]
    return {"cut": [{"revolve": {"points": profile}}, _moved(_turned(_rod(3, 20), (0, 1, 0), 90), -10, 0, 84)]}


SAMPLES = (
    Sample("milled-plate", "Milled plate", "deep pocket with tight corners, a web of 0.7 mm", _plate()),
    Sample("bent-angle", "Bent angle", "2 mm sheet, a hole close to the bend", _angle()),
    Sample("turned-pin", "Turned pin", "sharp corners, a groove and a cross hole", _pin()),
)
