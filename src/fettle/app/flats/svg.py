"""The flat pattern as a drawing for people: outlines, dashed bend lines with numbers, marks, bend table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from fettle.results.flat import BendLine, FlatPattern, FlatPiece

MARGIN_FRACTION = 0.04
TABLE_ROWS_MIN = 1
STYLE = (
    ".cut{fill:#e8edf2;fill-rule:evenodd;stroke:#17212b}"
    ".up{stroke:#1f5fbf}.down{stroke:#c02f2f}.mark{stroke:#2f8f4e;fill:none}"
    "text{font-family:sans-serif;fill:#17212b}"
)


def write_svg(flat: FlatPattern) -> bytes:
    """One drawing, Y upwards, 1 unit = 1 mm, with the bend table below."""
    long, short = flat.size_mm
    unit = max(long, short) / 100
    margin = 100 * unit * MARGIN_FRACTION
    rows = _table(flat)
    height = short + 2 * margin + (len(rows) + TABLE_ROWS_MIN) * 2.6 * unit
    width = max(long, 96 * unit) + 2 * margin
    loops = (flat.outer, *(one.pieces for one in flat.cutouts))
    body = [
        f'<path class="cut" stroke-width="{_n(0.25 * unit)}" d="{" ".join(_path(loop) for loop in loops)}"/>',
        *(f'<path class="mark" stroke-width="{_n(0.2 * unit)}" d="{_path(mark.pieces)}"/>' for mark in flat.marks),
        *(_bend_line(bend, unit) for bend in flat.bends),
    ]
    texts = [_number(bend, unit, short + margin) for bend in flat.bends]
    texts += [
        f'<text x="{_n(margin)}" y="{_n(short + 2 * margin + (row + 1) * 2.6 * unit)}" '
        f'font-size="{_n(1.7 * unit)}">{escape(text)}</text>'
        for row, text in enumerate(rows)
    ]
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}mm" height="{_n(height)}mm" '
        f'viewBox="0 0 {_n(width)} {_n(height)}"><style>{STYLE}</style>'
        f'<g transform="translate({_n(margin)} {_n(short + margin)}) scale(1 -1)">{"".join(body)}</g>'
        f"<g>{''.join(texts).replace('@MARGIN', _n(margin))}</g></svg>"
    )
    return drawing.encode()


def _bend_line(bend: BendLine, unit: float) -> str:
    return "".join(
        f'<line class="{bend.direction}" stroke-width="{_n(0.2 * unit)}" '
        f'stroke-dasharray="{_n(1.5 * unit)} {_n(unit)}" '
        f'x1="{_n(one.start_mm[0])}" y1="{_n(one.start_mm[1])}" x2="{_n(one.end_mm[0])}" y2="{_n(one.end_mm[1])}"/>'
        for one in bend.segments
    )


def _number(bend: BendLine, unit: float, bottom: float) -> str:
    if not bend.segments:
        return ""
    longest = max(bend.segments, key=lambda one: math.dist(one.start_mm, one.end_mm))
    x, y = ((a + b) / 2 for a, b in zip(longest.start_mm, longest.end_mm, strict=True))
    size = 1.9 * unit
    return (
        f'<text text-anchor="middle" font-size="{_n(size)}" '
        f'transform="translate(@MARGIN 0)" x="{_n(x + 0.8 * size)}" y="{_n(bottom - y - 0.4 * size)}">'
        f"{bend.line}</text>"
    )


def _table(flat: FlatPattern) -> list[str]:
    long, short = flat.size_mm
    rows = [f"{long:.2f} x {short:.2f} mm, sheet {flat.thickness_mm:g} mm; {flat.allowance.source}"]
    rows += [
        f"{bend.line}: {bend.kind} {bend.direction} {bend.angle_deg:g}°, inside radius {bend.inner_radius_mm:g} mm, "
        f"length {bend.length_mm:.2f} mm, allowance {bend.allowance_mm:.3f} mm, K {bend.k_factor:.3f}, "
        f"fold {bend.order}."
        for bend in flat.bends
    ]
    return rows


def _path(pieces: Sequence[FlatPiece]) -> str:
    if not pieces:
        return ""
    steps = [f"M{_n(pieces[0].start_mm[0])} {_n(pieces[0].start_mm[1])}"]
    for piece in pieces:
        steps += _steps(piece)
    return "".join(steps) + "Z"


def _steps(piece: FlatPiece) -> list[str]:
    x, y = piece.end_mm
    if piece.center_mm is None or piece.radius_mm is None or piece.sweep_deg is None:
        return [f"L{_n(x)} {_n(y)}"]
    radius, sense = _n(piece.radius_mm), int(piece.sweep_deg > 0)
    if abs(piece.sweep_deg) > 360.0 - 1e-4:
        across = [2 * c - s for c, s in zip(piece.center_mm, piece.start_mm, strict=True)]
        return [
            f"A{radius} {radius} 0 0 {sense} {_n(across[0])} {_n(across[1])}",
            f"A{radius} {radius} 0 0 {sense} {_n(x)} {_n(y)}",
        ]
    wide = int(abs(piece.sweep_deg) > 180.0)
    return [f"A{radius} {radius} 0 {wide} {sense} {_n(x)} {_n(y)}"]


def _n(value: float) -> str:
    return f"{value:.6g}"
