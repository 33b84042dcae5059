"""Turned parts with teeth: gears, splines outside and in bores, knurls, each with the full list of its features."""

from __future__ import annotations

import math

from tests.counts import some
from tests.recognize.turned import Case, hole, stack, turned_list
from tests.recognize.words import Recipe, at, box, cut, cyl, prism, shaft, union


def gear_prism(teeth: int, module: float, width: float) -> Recipe:
    """A gear with straight flanks: tips one module above the pitch circle, roots 1.25 below it."""
    root, tip, pitch = (teeth / 2 - 1.25) * module, (teeth / 2 + 1) * module, 2 * math.pi / teeth
    shares = ((root, -0.25), (tip, -0.1), (tip, 0.1), (root, 0.25))
    points = [
        [radius * math.cos((k + share) * pitch), radius * math.sin((k + share) * pitch)]
        for k in range(teeth)
        for radius, share in shares
    ]
    return prism(points, width)


def ring_gear_void(teeth: int, module: float, width: float) -> Recipe:
    """What an internal gear with straight flanks leaves open: tips one module inside the pitch circle, roots 1.25
    outside it."""
    tip, root, pitch = (teeth / 2 - 1) * module, (teeth / 2 + 1.25) * module, 2 * math.pi / teeth
    shares = ((tip, -0.4), (root, -0.25), (root, 0.25), (tip, 0.4))
    points = [
        [radius * math.cos((k + share) * pitch), radius * math.sin((k + share) * pitch)]
        for k in range(teeth)
        for radius, share in shares
    ]
    return union(prism(points, width), cyl(2 * tip, width))


def spline_prism(keys: int, d: float, tip: float, key: float, width: float) -> Recipe:
    """A spline shaft of ISO 14: keys of one width with parallel sides on a core."""
    keyed = [
        {"turn": {"of": at(box(tip, key, width), 0, -key / 2, 0), "axis": [0, 0, 1], "deg": 360 * k / keys}}
        for k in range(keys)
    ]
    return union(cyl(d, width), {"common": [cyl(tip, width), union(*keyed)]})


def toothed_parts() -> dict[str, Case]:
    """Sizes of one kind: all with full counts, else every other."""
    found: dict[str, Case] = {}
    for teeth, module, width in some(((20, 0.5, 6), (40, 0.5, 3), (12, 2, 15), (60, 1, 10), (17, 1.25, 8)), every=2):
        tip = (teeth + 2) * module
        bore = round(tip / 3)
        gear = {"form": "gear", "teeth": teeth, "module_mm": module, "tip_diameter_mm": tip, "width_mm": width}
        found[f"gear of {teeth} teeth, module {module}"] = (
            cut(gear_prism(teeth, module, width), cyl(bore, width)),
            [("GEAR", gear), hole(bore, width, True), *[("SHOULDER", {})] * 2],
        )
    found["pinion on a shaft"] = (
        union(gear_prism(14, 1, 12), at(cyl(8, 30), 0, 0, 12), at(cyl(8, 10), 0, 0, -10)),
        [("GEAR", {"teeth": 14, "module_mm": 1, "width_mm": 12}), shaft(8, 30), shaft(8, 10), *[("SHOULDER", {})] * 4],
    )
    for keys, d, tip, key in some(((6, 23, 26, 6), (8, 32, 36, 6), (6, 11, 14, 3)), every=2):
        spline = {"form": "spline", "internal": False, "teeth": keys, "tip_diameter_mm": tip, "root_diameter_mm": d}
        found[f"spline shaft {keys} x {d} x {tip}"] = (
            union(spline_prism(keys, d, tip, key, 30), at(cyl(d - 3, 40), 0, 0, 30)),
            [("GEAR", {**spline, "width_mm": 30, "module_mm": None}), shaft(d - 3, 40), *[("SHOULDER", {})] * 3],
        )
        found[f"hub with a bore for the spline {keys} x {d} x {tip}"] = (
            cut(stack((60, 25)), at(spline_prism(keys, d, tip, key, 35), 0, 0, -5)),
            [
                ("GEAR", {**spline, "internal": True, "tip_diameter_mm": d, "root_diameter_mm": tip, "width_mm": 25}),
                *turned_list((60, 25)),
            ],
        )
    for teeth, module in some(((24, 1.5), (40, 1)), every=2):
        inner, outer = (teeth - 2) * module, (teeth + 2.5) * module
        found[f"ring gear of {teeth} teeth, module {module}"] = (
            cut(stack((outer + 20, 12)), at(ring_gear_void(teeth, module, 22), 0, 0, -5)),
            [
                (
                    "GEAR",
                    {
                        "form": "gear", "internal": True, "teeth": teeth, "module_mm": module,
                        "tip_diameter_mm": inner, "root_diameter_mm": outer, "width_mm": 12,
                    },
                ),
                *turned_list((outer + 20, 12)),
            ],
        )  # fmt: skip
    crests = 40
    points = [
        [r * math.cos((2 * k + s) * math.pi / crests), r * math.sin((2 * k + s) * math.pi / crests)]
        for k in range(crests)
        for s, r in ((0, 10.0), (1, 9.5))
    ]
    found["knurl of 40 crests"] = (
        union(prism(points, 12), at(cyl(12, 20), 0, 0, 12)),
        [("KNURL", {"count": 40, "diameter_mm": 20, "length_mm": 12}), shaft(12, 20), *[("SHOULDER", {})] * 3],
    )
    return found
