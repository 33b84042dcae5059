"""The flat pattern as DXF, the way shops read it: R2004, millimeters, true lines, arcs and circles on named layers."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

from ezdxf._options import options
from ezdxf.document import Drawing
from ezdxf.filemanagement import new
from ezdxf.layouts.layout import Modelspace

from fettle.results.flat import FlatPattern, FlatPiece

CUT, BEND_UP, BEND_DOWN, ENGRAVE = "CUT", "BEND_UP", "BEND_DOWN", "ENGRAVE"
LAYERS = {CUT: (7, "CONTINUOUS"), BEND_UP: (5, "DASHED"), BEND_DOWN: (1, "DASHED"), ENGRAVE: (3, "CONTINUOUS")}
"""Color number and line type of each layer."""
MILLIMETERS, METRIC = 4, 1


def write_dxf(flat: FlatPattern) -> bytes:
    """Outlines on CUT, bend lines on BEND_UP and BEND_DOWN, marks on ENGRAVE; the same flat gives the same bytes."""
    before = options.write_fixed_meta_data_for_testing
    # the library would write times and random ids of its own
    options.write_fixed_meta_data_for_testing = True
    try:
        document = _document(flat)
        text = io.StringIO()
        document.write(text)
    finally:
        options.write_fixed_meta_data_for_testing = before
    return document.encode(text.getvalue())


def _document(flat: FlatPattern) -> Drawing:
    document = new("R2004", setup=["linetypes"])
    document.header["$INSUNITS"] = MILLIMETERS
    document.header["$MEASUREMENT"] = METRIC
    for name, (color, line_type) in LAYERS.items():
        document.layers.add(name, color=color, linetype=line_type)
    space = document.modelspace()
    for loop in (flat.outer, *(one.pieces for one in flat.cutouts)):
        _draw(space, loop, CUT)
    for mark in flat.marks:
        _draw(space, mark.pieces, ENGRAVE)
    for bend in flat.bends:
        layer = BEND_UP if bend.direction == "up" else BEND_DOWN
        for segment in bend.segments:
            space.add_line(segment.start_mm, segment.end_mm, dxfattribs={"layer": layer})
    return document


def _draw(space: Modelspace, pieces: Sequence[FlatPiece], layer: str) -> None:
    attributes = {"layer": layer}
    for piece in pieces:
        if piece.center_mm is None or piece.radius_mm is None or piece.sweep_deg is None:
            space.add_line(piece.start_mm, piece.end_mm, dxfattribs=attributes)
        elif abs(piece.sweep_deg) > 360.0 - 1e-4:
            space.add_circle(piece.center_mm, piece.radius_mm, dxfattribs=attributes)
        else:
            ends = [_angle(piece.center_mm, point) for point in (piece.start_mm, piece.end_mm)]
            low, high = ends if piece.sweep_deg > 0 else ends[::-1]
            space.add_arc(piece.center_mm, piece.radius_mm, low, high, dxfattribs=attributes)


def _angle(center: tuple[float, float], point: tuple[float, float]) -> float:
    return math.degrees(math.atan2(point[1] - center[1], point[0] - center[0])) % 360.0
