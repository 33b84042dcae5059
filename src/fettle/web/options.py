"""The options of an analysis, read from form fields and checked."""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping
from typing import Any

from fettle.app.errors import BadField
from fettle.app.options import JobOptions, check_units
from fettle.geometry.mesh_options import MAX_CURVATURE, MIN_CURVATURE

PULL: dict[str, Any] = {
    "type": "string",
    "default": "cardinal",
    "description": "cardinal, hemisphere, or a direction written x,y,z.",
    "examples": ["cardinal", "0,0,1"],
}
MAX_ALPHA_DEG = 44.9
"""Draft of 45 degrees is a cone, and no threshold of any process."""
NAMED_PULLS = ("cardinal", "hemisphere")


def read_options(fields: Mapping[str, str]) -> JobOptions:
    """What an analyze form asks for; a field that is absent or empty means its default."""
    alpha_min = _number(fields, "alpha_min", 0.0, MAX_ALPHA_DEG)
    alpha_warn = _number(fields, "alpha_warn", 0.0, MAX_ALPHA_DEG)
    default = JobOptions()
    return JobOptions(
        max_edge_mm=_number(fields, "max_edge", 1e-3, 1e4),
        curvature=_number(fields, "curvature", MIN_CURVATURE, MAX_CURVATURE),
        pull=check_pull(fields.get("pull") or default.pull),
        alpha_min_deg=default.alpha_min_deg if alpha_min is None else alpha_min,
        alpha_warn_deg=default.alpha_warn_deg if alpha_warn is None else alpha_warn,
        units=read_units(fields),
    )


def read_units(fields: Mapping[str, str]) -> str:
    """The length unit of a glTF file; meters where the form names none."""
    return check_units(fields.get("units", "").strip() or "m")


def read_quote_id(fields: Mapping[str, str]) -> str | None:
    """The quote an analysis is to be attached to, where the form names one."""
    text = fields.get("quote_id", "").strip()
    if not text:
        return None
    try:
        return str(uuid.UUID(text))
    except ValueError as fault:
        raise BadField("quote_id", f"quote_id is {text[:60]!r}; it must be the id of a quote of yours.") from fault


def read_pull(fields: Mapping[str, str]) -> str:
    """The pull of a recompute form, which must have one."""
    if not fields.get("pull"):
        raise BadField("pull", "The form field 'pull' is missing: cardinal, hemisphere, or a direction written x,y,z.")
    return check_pull(fields["pull"])


def check_pull(pull: str) -> str:
    """Normalize a pull direction; BadField for anything else."""
    text = pull.strip().lower()
    if text in NAMED_PULLS:
        return text
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 3 or not all(math.isfinite(number) for number in numbers) or math.hypot(*numbers) < 1e-9:
        raise BadField("pull", f"pull is {pull[:60]!r}; it must be cardinal, hemisphere, or a direction written x,y,z.")
    return ",".join(f"{number:.17g}" for number in numbers)


def _number(fields: Mapping[str, str], name: str, least: float, most: float) -> float | None:
    text = fields.get(name, "").strip()
    if not text or text.lower() == "auto":
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise BadField(name, f"{name} is {text[:60]!r}; it must be a number from {least:g} to {most:g}.")
    return value
