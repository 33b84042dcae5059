"""Length units by name, from the text of a STEP file: for contexts in which the kernel finds none."""

from __future__ import annotations

import math
import re

_CONTEXT = re.compile(rb"GLOBAL_UNIT_ASSIGNED_CONTEXT\s*\(\s*\(([^)]*)\)")
_CONVERTED = re.compile(rb"CONVERSION_BASED_UNIT\s*\(\s*'([^']*)'")
_SI = re.compile(rb"SI_UNIT\s*\(\s*(?:\.(\w+)\.|[$*])?\s*,\s*\.METRE\.\s*\)")
_MEASURE = re.compile(rb"WITH_UNIT\s*\(\s*(?:LENGTH_MEASURE\s*\(\s*)?([0-9.Ee+-]+)\s*\)?\s*,\s*#(\d+)")
_PREFIX_MM = {b"": 1000.0, b"CENTI": 10.0, b"MILLI": 1.0}
_SIZE_MM = {25.4: "inch", 304.8: "foot"}
_INCH = {"inch", "inches", "in", "in.", '"', "inch_unit", "inch unit"}
"""What systems call the inch; its size is read from the file, whatever the name."""


def common_name(name: str) -> str:
    """One name for all spellings of the inch, other names in lower case."""
    plain = name.strip().lower()
    return "inch" if plain in _INCH else plain


def length_units(text: bytes) -> list[str]:
    """Names of the length units that the contexts of the file assign, each once, in the order of the file."""
    found: dict[str, None] = {}
    for context in _CONTEXT.finditer(text):
        for reference in re.findall(rb"#(\d+)", context[1]):
            unit = re.search(rb"#%s\s*=\s*([^;]*);" % reference, text)
            if unit and b"LENGTH_UNIT" in unit[1]:
                found.setdefault(_name(unit[1]) or _name_by_size(unit[1], text))
    return [name for name in found if name]


def _name(unit: bytes) -> str:
    converted, metric = _CONVERTED.search(unit), _SI.search(unit)
    if converted:
        return common_name(converted[1].decode("latin-1"))
    return ((metric[1] or b"").decode("ascii").lower() + "metre") if metric else ""


def _name_by_size(unit: bytes, text: bytes) -> str:
    """Of a converted unit without a name: what is as long as it; empty where nothing is."""
    factor = re.search(rb"CONVERSION_BASED_UNIT\s*\(\s*'[^']*'\s*,\s*#(\d+)", unit)
    measure = factor and re.search(rb"#%s\s*=\s*([^;]*);" % factor[1], text)
    value = measure and _MEASURE.search(measure[1])
    base = value and re.search(rb"#%s\s*=\s*([^;]*);" % value[2], text)
    metric = base and _SI.search(base[1])
    if not value or not metric:
        return ""
    size_mm = float(value[1]) * _PREFIX_MM.get(metric[1] or b"", math.nan)
    return next((name for known, name in _SIZE_MM.items() if math.isclose(size_mm, known, rel_tol=1e-6)), "")
