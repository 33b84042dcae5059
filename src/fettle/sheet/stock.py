"""Sheet in stock: materials with density, strength and K factor, and the sizes of sheets (`data/sheet.yaml`)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from fettle.errors import BadRequest

HANDBOOK = "Machinery's Handbook, allowances for bends in sheet metal"
GROUP_K = {"soft": 0.55 / (math.pi / 2), "medium": 0.64 / (math.pi / 2), "hard": 0.71 / (math.pi / 2)}
"""K factors: the Handbook gives 0.55 t, 0.64 t and 0.71 t beside 1.57 r as length of a right-angled bend."""
USUAL_GROUP = "medium"
"""Taken where no material is given: soft steel and aluminum, what most sheet parts are made of."""
GROUP_NAMES = {
    "soft": "soft copper and brass",
    "medium": "soft steel and aluminum",
    "hard": "cold-rolled and stainless steel, bronze",
}


@dataclass(frozen=True, slots=True)
class SheetMaterial:
    name: str
    density_kg_m3: float
    tensile_strength_mpa: float
    k_group: str
    source: str


@dataclass(frozen=True, slots=True)
class Stock:
    materials: tuple[SheetMaterial, ...]
    sheets_mm: tuple[tuple[float, float], ...]


@cache
def shipped_stock() -> Stock:
    """The materials and sheets that come with Fettle."""
    data = yaml.load(files("fettle").joinpath("data/sheet.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader)
    return Stock(
        tuple(SheetMaterial(**entry) for entry in data["materials"]),
        tuple((float(long), float(short)) for long, short in data["sheets_mm"]),
    )


def find_material(name: str) -> SheetMaterial:
    """The one material whose name has this in it."""
    every = shipped_stock().materials
    exact = [one for one in every if one.name.lower() == name.strip().lower()]
    found = exact or [one for one in every if name.strip().lower() in one.name.lower()]
    if len(found) != 1:
        listed = ", ".join(one.name for one in found or every)
        what = "several sheet materials have" if found else "no sheet material has"
        raise BadRequest(
            f"{what} {name[:60]!r} in their name: {listed}"
            if found
            else f"{what} {name[:60]!r} in its name; there are {listed}"
        )
    return found[0]
