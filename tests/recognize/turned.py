"""Turned and mill-turn parts of known profile, built by code, each with the full list of its features.

A part is a list of cuts into a stack of diameters; what it must be recognized as follows from how it was built. Sizes
are millimeters; z runs along the axis from the first diameter on.
"""

from __future__ import annotations

import math
import random
from typing import Any

from tests.recognize.words import Expected, Recipe, at, box, cut, cyl, groove, prism, shaft, union

Case = tuple[Recipe, list[Expected]]


def stack(*steps: tuple[float, float]) -> Recipe:
    """Diameters and lengths one after the other, revolved from one outline."""
    outline: list[list[float]] = [[0.0, 0.0]]
    z = 0.0
    for d, length in steps:
        outline += [[d / 2, z], [d / 2, z + length]]
        z += length
    return {"revolve": {"points": [*outline, [0.0, z]]}}


def turned_list(*steps: tuple[float, float]) -> list[Expected]:
    """What a stack of diameters is recognized as: its diameters, and a face at every step and end."""
    return [*(shaft(d, length, offset_mm=0) for d, length in steps), *[("SHOULDER", {})] * (len(steps) + 1)]


def ring(inner: float, outer: float, z: float, width: float) -> Recipe:
    """A ring of rectangular section, radii from inner to outer."""
    return {"revolve": {"points": [[inner, z], [outer, z], [outer, z + width], [inner, z + width]]}}


def across(d: float, z: float, deg: float = 0.0, reach: float = 200.0, start: float = -100.0) -> Recipe:
    """A bar of a diameter square to the axis at a height, turned about the axis."""
    lying = at({"turn": {"of": cyl(d, reach), "axis": [0, 1, 0], "deg": 90}}, start, 0, z)
    return {"turn": {"of": lying, "axis": [0, 0, 1], "deg": deg}}


def polygon(count: int, width_across: float, height: float) -> Recipe:
    """A prism of so many flats, with this width across opposite ones."""
    radius = width_across / 2 / math.cos(math.pi / count)
    points = [
        [radius * math.cos(2 * math.pi * k / count), radius * math.sin(2 * math.pi * k / count)] for k in range(count)
    ]
    return prism(points, height)


def flat(count: int, distance: float, length: float, **fields: Any) -> Expected:
    return "FLAT", {"count": count, "distance_mm": distance, "length_mm": length, **fields}


def taper(large: float, small: float, length: float) -> Expected:
    angle = 2 * math.degrees(math.atan2((large - small) / 2, length))
    sizes = {"large_diameter_mm": large, "small_diameter_mm": small, "length_mm": length, "angle_deg": angle}
    return "TAPER", sizes


def hole(d: float, depth: float, through: bool) -> Expected:
    return "HOLE", {"diameter_mm": d, "depth_mm": depth, "through": through}


def cross_hole(d: float) -> Expected:
    return "HOLE", {"diameter_mm": d, "through": True}


def chamfered(d: float, length: float, leg: float) -> Case:
    """A bar with both edges broken: the length is that of the drawing."""
    part = {"chamfer": {"of": cyl(d, length), "c": leg, "edges": [[-d / 2, 0, 0], [-d / 2, 0, length]]}}
    width = leg * math.sqrt(2)
    return part, [*turned_list((d, length)), *[("CHAMFER", {"width_mm": width, "angle_deg": 45})] * 2]


def families() -> dict[str, Case]:
    """Every part by a name that says what it is."""
    return {
        **_shafts(),
        **_grooves(),
        **_tapers(),
        **_bores(),
        **_live(),
        **_threads(),
        **{f"mill-turn part {seed}": mill_turn(seed) for seed in range(16)},
    }


def _shafts() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for steps in (
        [(20, 60)],
        [(5, 85)],
        [(40, 30), (20, 20)],
        [(30, 10), (20, 25), (12, 30)],
        [(12, 20), (30, 8), (16, 40)],
        [(10, 15), (14, 20), (22, 6), (14, 25), (8, 10)],
        [(60, 12), (25, 30)],
        [(6, 4), (3, 9)],
        [(25, 40), (24, 12)],
        [(50, 8), (30, 36), (50, 8)],
    ):
        label = ", ".join(f"{d:g} x {length:g}" for d, length in steps)
        found[f"shaft of {label}"] = (stack(*steps), turned_list(*steps))
    for d, length, leg in ((20, 50, 1), (8, 30, 0.5), (40, 25, 2)):
        found[f"shaft of {d} x {length} with edges broken by {leg}"] = chamfered(d, length, leg)
    for d, radius in ((12, 0.4), (12, 1.5), (8, 3)):
        part = {"fillet": {"of": stack((20, 40), (d, 20)), "r": radius, "edges": [[d / 2, 0, 40]]}}
        found[f"shoulder of 20 on {d} with a fillet of {radius}"] = (
            part,
            [*turned_list((20, 40), (d, 20)), ("FILLET", {"radius_mm": radius})],
        )
    for offset in (1.5, 4.0):
        part = union(cyl(30, 20), at(cyl(20, 15), offset, 0, 20))
        expected: list[Expected] = [shaft(30, 20, offset_mm=0), shaft(20, 15, offset_mm=offset)]
        expected += [("SHOULDER", {})] * 3
        found[f"eccentric of 20 set off by {offset}"] = (part, expected)
    return found


def _grooves() -> dict[str, Case]:
    found: dict[str, Case] = {}
    bar = (20, 60)
    for width, depth in ((1.3, 0.5), (0.75, 0.5), (3.2, 2.0), (5, 4), (6, 1)):
        tool = ring(10 - depth, 12, 30, width)
        expected = [
            groove("outside", width, depth, 20 - 2 * depth, corner_radius_mm=0, relief=False),
            *turned_list(bar),
        ]
        found[f"groove of {width} x {depth} around 20"] = (cut(stack(bar), tool), expected)
    for r in (0.2, 0.8):
        edges = [[8, 0, 30], [8, 0, 34]]
        part = {"fillet": {"of": cut(stack(bar), ring(8, 12, 30, 4)), "r": r, "edges": edges}}
        expected = [
            groove("outside", 4, 2, 16, corner_radius_mm=r),
            *turned_list(bar),
            *[("FILLET", {"radius_mm": r})] * 2,
        ]
        found[f"groove with corners of {r}"] = (part, expected)
    found["round groove of a torus"] = (
        cut(stack(bar), at({"torus": {"D": 20, "d": 4}}, 0, 0, 30)),
        [groove("outside", 4, 2, 16, corner_radius_mm=2, relief=False), *turned_list(bar)],
    )
    found["groove of a V"] = (
        cut(stack(bar), {"revolve": {"points": [[7, 30], [11, 26], [11, 34]]}}),
        [groove("outside", 6, 3, 14, corner_radius_mm=0, relief=False), *turned_list(bar)],
    )
    found["groove of a belt"] = (
        cut(stack((60, 30)), {"revolve": {"points": [[20, 11], [31, 7], [31, 23], [20, 19]]}}),
        [groove("outside", 8 + 80 / 11, 10, 40, relief=False), *turned_list((60, 30))],
    )
    found["two grooves"] = (
        cut(stack(bar), ring(9, 12, 10, 2), ring(8.5, 12, 40, 1.6)),
        [groove("outside", 2, 1, 18), groove("outside", 1.6, 1.5, 17), *turned_list(bar)],
    )
    for width, depth in ((2, 0.3), (3, 1)):
        part = cut(stack((30, 20), (16, 25)), ring(8 - depth, 10, 20, width))
        relief = groove("outside", width, depth, 16 - 2 * depth, relief=True, corner_radius_mm=0)
        found[f"relief of {width} x {depth} at a shoulder"] = (part, [relief, *turned_list((30, 20), (16, 25))])
    found["groove in a face"] = (
        cut(stack((60, 20)), ring(15, 20, 17, 10)),
        [groove("face", 5, 3, 35, corner_radius_mm=0), shaft(60, 20), *[("SHOULDER", {})] * 3],
    )
    found["groove in a bore"] = (
        cut(stack((40, 50)), cyl(20, 50), ring(9, 12, 20, 2.2)),
        [groove("inside", 2.2, 2, 24), ("HOLE", {"diameter_mm": 20, "through": True}), *turned_list((40, 50))],
    )
    found["neck that is too wide for a groove"] = (
        stack((20, 30), (16, 25), (20, 30)),
        turned_list((20, 30), (16, 25), (20, 30)),
    )
    return found


def _tapers() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for large, small, length in ((30, 20, 40), (24, 22, 50), (12, 4, 10), (40, 25, 15)):
        outline = [[0, 0], [large / 2, 0], [large / 2, 20], [small / 2, 20 + length], [0, 20 + length]]
        expected = [shaft(large, 20), taper(large, small, length), *[("SHOULDER", {})] * 2]
        found[f"taper of {large} to {small} over {length}"] = ({"revolve": {"points": outline}}, expected)
    found["taper between two diameters"] = (
        {"revolve": {"points": [[0, 0], [15, 0], [15, 20], [10, 45], [10, 65], [0, 65]]}},
        [shaft(30, 20), taper(30, 20, 25), shaft(20, 20), *[("SHOULDER", {})] * 2],
    )
    found["pin with a point of 60 degrees"] = (
        {"revolve": {"points": [[0, 0], [5, 0], [5, 40], [0, 40 + 5 * math.sqrt(3)]]}},
        [shaft(10, 40), taper(10, 0, 5 * math.sqrt(3)), ("SHOULDER", {})],
    )
    return found


def _bores() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for d, bore in ((40, 20), (16, 13), (60, 12)):
        found[f"bushing of {d} with a bore of {bore}"] = (
            cut(stack((d, 30)), cyl(bore, 30)),
            [hole(bore, 30, True), *turned_list((d, 30))],
        )
    for bore, depth in ((10, 15), (6, 25)):
        found[f"shaft with a blind bore of {bore} x {depth}"] = (
            cut(stack((24, 50)), at(cyl(bore, depth), 0, 0, 50 - depth)),
            [hole(bore, depth, False), *turned_list((24, 50))],
        )
    found["stepped bore"] = (
        cut(stack((50, 40)), cyl(20, 40), at(cyl(32, 15), 0, 0, 25)),
        [("HOLE", {"diameter_mm": 20, "through": True, "total_depth_mm": 40}), *turned_list((50, 40))],
    )
    found["center hole of 60 degrees"] = (
        cut(
            stack((20, 80)),
            {"revolve": {"points": [[0, 70], [1.25, 70], [1.25, 77], [3, 77 + 1.75 * math.sqrt(3)], [0, 81]]}},
        ),
        [("HOLE", {"diameter_mm": 2.5, "through": False, "center_hole": True}), *turned_list((20, 80))],
    )
    return found


def _live() -> dict[str, Case]:
    found: dict[str, Case] = {}
    bar = (20, 60)
    for d, degs in ((5, (0,)), (3, (0, 90)), (4, (0, 45)), (2.5, (0, 60, 120))):
        tools = [across(d, 12 + 14 * k, deg) for k, deg in enumerate(degs)]
        found[f"cross holes of {d} at {', '.join(map(str, degs))} degrees"] = (
            cut(stack(bar), *tools),
            [*[cross_hole(d)] * len(degs), *turned_list(bar)],
        )
    found["blind cross hole"] = (
        cut(stack(bar), across(6, 30, reach=30, start=4)),
        [("HOLE", {"diameter_mm": 6, "through": False, "total_depth_mm": 6}), *turned_list(bar)],
    )
    for count in (3, 6):
        pattern = [
            {"turn": {"of": at(cyl(5, 40), 18, 0, -5), "axis": [0, 0, 1], "deg": 360.0 * k / count}}
            for k in range(count)
        ]
        found[f"flange with {count} holes on a circle"] = (
            cut(stack((50, 12), (20, 30)), *pattern),
            [*[hole(5, 12, True)] * count, *turned_list((50, 12), (20, 30))],
        )
    for depth, length in ((2, 15), (4, 25)):
        part = cut(stack(bar), at(box(20, 40, length), 10 - depth, -20, 60 - length))
        found[f"flat {depth} deep at the end"] = (part, [flat(1, 10 - depth, length, form="flat"), *turned_list(bar)])
    found["flat in the middle"] = (
        cut(stack(bar), at(box(20, 40, 12), 8, -20, 20)),
        [flat(1, 8, 12, form="flat"), *turned_list(bar)],
    )
    for width in (16, 12):
        tools = [at(box(40, 40, 18), -20, y, 42) for y in (width / 2, -40 - width / 2)]
        found[f"two flats of {width}"] = (
            cut(stack(bar), *tools),
            [flat(2, width / 2, 18, form="two_flats", across_mm=width), *turned_list(bar)],
        )
    for count, name, width in ((4, "square", 12), (6, "hexagon", 14)):
        corner = width / math.cos(math.pi / count)
        part = union(stack((30, 20)), at(polygon(count, width, 15), 0, 0, 20))
        found[f"{name} of {width} on a shaft"] = (
            part,
            [flat(count, width / 2, 15, form=name, across_mm=width), shaft(30, 20), *[("SHOULDER", {})] * 3]
            if corner < 30
            else [],
        )
    for width in (17, 24):
        part = union(polygon(6, width, 10), at(cyl(12, 30), 0, 0, 10))
        found[f"bolt with a hexagon of {width}"] = (
            part,
            [flat(6, width / 2, 10, form="hexagon", across_mm=width), shaft(12, 30), *[("SHOULDER", {})] * 3],
        )
    for width, depth, length in ((6, 3.5, 25), (8, 4, 30)):
        ends = [at(cyl(width, 20), 0, s * (length - width) / 2, 0) for s in (-1, 1)]
        tool = union(at(box(width, length - width, 20), -width / 2, -(length - width) / 2, 0), *ends)
        lying = {"turn": {"of": tool, "axis": [1, 0, 0], "deg": 90}}
        part = cut(stack((30, 60)), at(lying, 0, -15 + depth, 30))
        key = {"width_mm": width, "depth_mm": depth, "length_mm": length, "form": "outside", "diameter_mm": 30}
        found[f"keyway of {width} x {depth} x {length}"] = (part, [("KEYWAY", key), *turned_list((30, 60))])
    found["keyway open at the end"] = (
        cut(stack((30, 60)), at(box(8, 20, 30), -4, 11, 40)),
        [("KEYWAY", {"width_mm": 8, "depth_mm": 4, "length_mm": 20, "form": "outside"}), *turned_list((30, 60))],
    )
    found["keyway in a bore"] = (
        cut(stack((50, 30)), cyl(25, 30), at(box(8, 20, 30), -4, -4.2, 0)),
        [
            ("KEYWAY", {"width_mm": 8, "depth_mm": 3.3, "length_mm": 30, "form": "inside", "diameter_mm": 25}),
            ("HOLE", {"diameter_mm": 25, "through": True}),
            *turned_list((50, 30)),
        ],
    )
    found["slot of a screwdriver"] = (
        cut(stack((20, 30)), at(box(40, 2, 5), -20, -1, 27)),
        [("SLOT", {"width_mm": 2, "depth_mm": 3}), *turned_list((20, 30))],
    )
    return found


def _threads() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for name, d, nominal, pitch in (("M3", 2.927, 3, 0.5), ("M10", 9.883, 10, 1.5), ("M6", 5.913, 6, 1)):
        length, width = 2 * nominal, 2 * pitch
        part = cut(stack((2 * nominal, 10), (d, length)), ring(d / 2 - pitch, nominal, 10, width))
        thread = {
            "internal": False,
            "form": "sized",
            "major_diameter_mm": nominal,
            "pitch_mm": pitch,
            "length_mm": length - width,
            "runout_mm": width,
        }
        expected: list[Expected] = [
            ("THREAD", thread),
            groove("outside", width, pitch, d - 2 * pitch, relief=True),
            *turned_list((2 * nominal, 10), (d, length)),
        ]
        found[f"stud drawn for {name} with a relief"] = (part, expected)
    found["bore drawn for M8"] = (
        cut(stack((20, 30)), at(cyl(6.78, 16), 0, 0, 14)),
        [
            ("THREAD", {"internal": True, "form": "sized", "major_diameter_mm": 8, "pitch_mm": 1.25}),
            hole(6.78, 16, False),
            *turned_list((20, 30)),
        ],
    )
    return found


def mill_turn(seed: int) -> Case:
    """A shaft of three to five diameters, each 30 long with one groove, cross hole, flat or keyway in its middle, and a
    bore from its end."""
    dice = random.Random(seed)
    diameters = dice.sample([24.0, 28.0, 32.0, 36.0, 40.0, 44.0], dice.randint(3, 5))
    steps = [(d, 30.0) for d in diameters]
    tools: list[Recipe] = []
    expected = turned_list(*steps)
    for place, d in enumerate(diameters):
        z, deg = 30.0 * place + 15.0, 360.0 * dice.random()
        what = dice.choice(["groove", "cross hole", "flat", "keyway", "nothing"])
        if what == "groove":
            width, depth = dice.choice([(1.6, 1.0), (3.0, 2.0), (5.0, 1.5)])
            tools.append(ring(d / 2 - depth, d, z, width))
            expected.append(groove("outside", width, depth, d - 2 * depth, relief=False))
        elif what == "cross hole":
            tools.append(across(5.0, z, deg))
            expected += [("HOLE", {"diameter_mm": 5.0, "through": True})]
        elif what == "flat":
            lying = at(box(40, 80, 12), d / 2 - 3, -40, z - 6)
            tools.append({"turn": {"of": lying, "axis": [0, 0, 1], "deg": deg}})
            expected.append(flat(1, d / 2 - 3, 12, form="flat"))
        elif what == "keyway":
            lying = at(box(40, 8, 20), d / 2 - 4, -4, z - 10)
            tools.append({"turn": {"of": lying, "axis": [0, 0, 1], "deg": deg}})
            key = {"width_mm": 8, "depth_mm": 4, "length_mm": 20, "diameter_mm": d, "form": "outside"}
            expected.append(("KEYWAY", key))
    if dice.random() < 0.5 and all(name != "HOLE" for name, _ in expected):
        depth = dice.choice([12.0, 25.0])
        tools.append(at(cyl(10, depth), 0, 0, 30 * len(steps) - depth))
        expected.append(hole(10, depth, False))
    return cut(stack(*steps), *tools) if tools else stack(*steps), expected
