"""Color scales that people with any color vision can read: lightness alone already tells the order.

Both scales are drawn in OKLab (B. Ottosson, "A perceptual color space for image processing", 2020), where equal
steps look equal. Colors are linear RGB in 0..1, as glTF wants vertex colors; `hex_color` gives the sRGB text of one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Colors = NDArray[np.float64]
"""Shape (n, 3), linear RGB in 0..1."""

NO_READING = (0.35, 0.35, 0.35)
"""Linear gray of points that have no reading; no scale passes through a gray as dark."""

_STEPS = 256

_OKLAB_TO_LMS = np.array(
    [[1.0, 0.3963377774, 0.2158037573], [1.0, -0.1055613458, -0.0638541728], [1.0, -0.0894841775, -1.2914855480]]
)
_LMS_TO_RGB = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)


def length_colors(values: NDArray[np.float64], low: float, high: float) -> Colors:
    """Dark violet at `low` through teal to yellow at `high`; nan is gray. `values`: shape (n,)."""
    return _look_up(_LENGTH_TABLE, values, low, high)


def angle_colors(values: NDArray[np.float64], low: float, high: float) -> Colors:
    """Orange at `low` through near-white in the middle to blue at `high`; nan is gray. `values`: shape (n,)."""
    return _look_up(_ANGLE_TABLE, values, low, high)


def category_colors(codes: NDArray[np.integer], palette: Sequence[str]) -> Colors:
    """The color of each code (n,), an index into the palette of sRGB texts `#rrggbb`; negative codes are gray."""
    linear = linear_colors(palette)
    colors: Colors = np.where((codes < 0)[:, None], NO_READING, linear[codes])
    return colors


def linear_colors(palette: Sequence[str]) -> Colors:
    """Linear RGB of sRGB texts `#rrggbb`."""
    table = np.array([[int(text[k : k + 2], 16) / 255.0 for k in (1, 3, 5)] for text in palette])
    linear: Colors = np.where(table <= 0.04045, table / 12.92, ((table + 0.055) / 1.055) ** 2.4)
    return linear


def hex_color(linear: NDArray[np.float64]) -> str:
    """`#rrggbb` of one linear color, shape (3,)."""
    srgb = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 1e-12) ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * float(channel)):02x}" for channel in srgb)


def _look_up(table: Colors, values: NDArray[np.float64], low: float, high: float) -> Colors:
    missing = ~np.isfinite(values)
    place = np.where(missing, 0.0, (np.where(missing, low, values) - low) / max(high - low, 1e-12))
    row = np.rint(np.clip(place, 0.0, 1.0) * (_STEPS - 1)).astype(np.intp)
    colors: Colors = table.take(row, axis=0)
    colors[missing] = NO_READING
    return colors


def _table(anchors: list[tuple[float, float, float, float]]) -> Colors:
    """256 linear colors through anchors of (place 0..1, OKLab lightness, chroma, hue in degrees)."""
    place, lightness, chroma, hue_deg = np.array(anchors).T
    at = np.linspace(0.0, 1.0, _STEPS)
    hue = np.radians(np.interp(at, place, hue_deg))
    radius = np.interp(at, place, chroma)
    oklab = np.column_stack([np.interp(at, place, lightness), radius * np.cos(hue), radius * np.sin(hue)])
    table: Colors = np.clip((oklab @ _OKLAB_TO_LMS.T) ** 3 @ _LMS_TO_RGB.T, 0.0, 1.0)
    return table


_LENGTH_TABLE = _table([(0.0, 0.28, 0.13, 305.0), (0.5, 0.60, 0.10, 195.0), (1.0, 0.92, 0.17, 105.0)])
_ANGLE_TABLE = _table(
    [(0.0, 0.45, 0.13, 55.0), (0.499, 0.95, 0.01, 55.0), (0.501, 0.95, 0.01, 255.0), (1.0, 0.45, 0.13, 255.0)]
)
