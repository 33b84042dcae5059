"""Writes docs/formats.md from the table of readers: run `python -m docs.generate_formats` after a change."""

from __future__ import annotations

from pathlib import Path

from fettle.geometry.file_formats import READERS
from fettle.geometry.length_units import UNITS_MM
from fettle.geometry.reader import Reader

PAGE = Path(__file__).parent / "formats.md"
HEAD = """<!-- Written by docs/generate_formats.py; edit src/fettle/geometry/readers, not this page. -->
# File formats

The extension tells the format, and the first bytes of the file must agree with it.

| format | extensions | media type | geometry | length unit | read by |
|---|---|---|---|---|---|
"""
TAIL = f"""
Exact geometry gives exact areas and volumes. Triangles are grouped into planes, cylinders, cones, spheres and \
tori that are fitted to them. Where a file carries no length unit, `units` ({", ".join(UNITS_MM)}) names it.
"""


def page() -> str:
    return HEAD + "".join(_line(row) for row in READERS) + TAIL


def _line(row: Reader) -> str:
    extensions = ", ".join(f"`{extension}`" for extension in row.extensions)
    geometry = "exact" if row.exact else "triangles"
    unit = f"`{row.default_unit}` unless named" if row.default_unit else "its own"
    interfaces = "library, command line, API" if row.over_http else "library, command line"
    return f"| {row.name} | {extensions} | `{row.media_type}` | {geometry} | {unit} | {interfaces} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
