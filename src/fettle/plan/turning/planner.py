"""The plan of a turned part: bar, facing, the outside cut by cut, bores, grooves, threads, parting, driven tools."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fettle.errors import BadRequest
from fettle.plan.checks import check_configuration, known_volume_mm3, row_of
from fettle.plan.cutting import drill_approach_mm, spindle_rpm, turning_min, turning_removal_mm3_min
from fettle.plan.plan import Operation, ProcessPlan, RawStock
from fettle.plan.rate_card import ProcessRates, StockMaterial, typed_data
from fettle.plan.tolerances import tolerance_operations
from fettle.plan.turning.cutting_data import TurningData, TurningFamily
from fettle.plan.turning.driven import driven_operations
from fettle.results.making import MakingFacts
from fettle.results.making.turning import TurnedCut, TurningFacts

CONFIGURATIONS = ("bar", "mill-turn")
LEAST_ROUGHED = 1e-3
"""Share of a cut's volume below which finishing alone takes the bar down to it."""


class NotTurned(BadRequest):
    code = "not_turned"


@dataclass(frozen=True, slots=True)
class _Job:
    """A body on a lathe. `slow`: factor at least 1 on cuts of the outside of a slender part."""

    turning: TurningFacts
    machine: str
    data: TurningData
    family: TurningFamily
    bar_mm: float
    slow: float


def plan_turning(
    facts: MakingFacts, configuration: str, material: StockMaterial, quantity: int, rates: ProcessRates
) -> ProcessPlan:
    """The plan of a body from bar, on a lathe or on a mill-turn center."""
    check_configuration("turning", configuration, CONFIGURATIONS)
    known_volume_mm3(facts)
    turning = facts.machining.turning if facts.machining else None
    if turning is None or facts.machining is None:
        raise NotTurned(f"Body {facts.body} is no turned part: less than half of its surface is round about one axis.")
    data = typed_data(rates, TurningData)
    family = row_of(data.families, material, rates)
    bar_mm = _bar_mm(turning.diameter_mm, data)
    slow = max(1.0, turning.slenderness / data.lathe.free_length)
    job = _Job(turning, configuration, data, family, bar_mm, slow)
    features = [one for one in facts.machining.features if one.fid in turning.live]
    driven = list(driven_operations(features, turning.cuts, configuration, material, data.times, rates))
    done = [*_operations(job, rates), *driven, *_after(job, rates)]
    owners = {face: feature.fid for feature in features for face in feature.fids}
    done += tolerance_operations(facts.machining.tolerances, done, owners, configuration, data.tolerance)
    return ProcessPlan(
        process="turning",
        configuration=configuration,
        material=material.name,
        quantity=quantity,
        stock=_stock(job, material),
        operations=tuple(done),
        purchases=(),
        assumptions=tuple(_assumptions(job, done)),
    )


def _bar_mm(diameter_mm: float, data: TurningData) -> float:
    """The smallest stocked bar, that of the part's own size included; the part's size beyond the list."""
    return next((bar for bar in sorted(data.stock.bar_mm) if bar >= diameter_mm - data.stock.same_mm), diameter_mm)


def _stock(job: _Job, material: StockMaterial) -> RawStock:
    """A length of bar with what facing and parting take, and its share of the remnant."""
    stock = job.data.stock
    piece = job.turning.length_mm + stock.facing_mm + stock.parting_mm
    charged = piece * stock.length_mm / (stock.length_mm - stock.remnant_mm)
    mass_kg = math.pi / 4.0 * job.bar_mm**2 * charged * material.density_kg_m3 / 1e9
    return RawStock("bar", (job.bar_mm, piece), mass_kg)


def _operations(job: _Job, rates: ProcessRates) -> Iterator[Operation]:
    times, cuts = job.data.times, job.turning.cuts
    yield Operation("Set up the lathe", job.machine, rates.machine(job.machine).setup_min, 0.0)
    if job.bar_mm <= job.data.largest_mm[job.machine]:
        yield Operation("Feed the bar", job.machine, 0.0, times.bar_feed_min)
    else:
        yield Operation("Clamp the blank", job.machine, 0.0, times.second_side_min)
    yield _across(job, "Face", job.bar_mm, 0.0, "facing tool", setup=1)
    cutting = [step for cut in cuts for step in _cut_operations(job, cut, _setup(cut, cuts))]
    yield from cutting
    if any(step.setup == 2 for step in cutting):
        yield Operation("Hand over to the second side", job.machine, 0.0, times.second_side_min, setup=2)
    yield _across(job, "Part off", job.bar_mm, _parted_bore_mm(job), "parting blade", setup=1)
    tools = {step.tool for step in cutting if step.tool} | {"facing tool", "parting blade"}
    yield Operation(
        "Tool changes", job.machine, 0.0, len(tools) * times.tool_index_min, figures={"tools": float(len(tools))}
    )


def _setup(cut: TurnedCut, cuts: tuple[TurnedCut, ...]) -> int:
    """Bores from the end that has fewer of them are made on the second side, all else on the first."""
    ends = [one.end for one in cuts if one.end]
    back = 2 if ends.count(1) >= ends.count(2) else 1
    return 2 if cut.end == back else 1


def _cut_operations(job: _Job, cut: TurnedCut, setup: int) -> Iterator[Operation]:
    if cut.kind == "outside":
        yield from _outside(job, cut)
    elif cut.kind == "bore":
        yield from _bore(job, cut, setup)
    elif cut.kind == "groove":
        yield _groove(job, cut)
    elif cut.kind == "thread":
        yield _thread(job, cut)
    elif cut.kind == "knurl":
        minutes = turning_min(
            cut.diameter_mm, cut.length_mm, job.family.rough_feed_mm, _speed(job, cut.diameter_mm) / 4.0
        )
        yield _step(
            job, cut, 1, f"Knurl {cut.diameter_mm:g} mm", minutes, "knurling wheels", {"length_mm": cut.length_mm}
        )


def _outside(job: _Job, cut: TurnedCut) -> Iterator[Operation]:
    """Roughed from the bar, finished along the profile; a slender part is cut slower."""
    family, diameter = job.family, cut.diameter_mm
    name = f"{diameter:g} mm" if diameter == cut.end_diameter_mm else f"{cut.end_diameter_mm:.4g} to {diameter:.4g} mm"
    removed = max(0.0, math.pi / 4.0 * job.bar_mm**2 * cut.length_mm - cut.volume_mm3)
    rate = turning_removal_mm3_min(_speed(job, job.bar_mm), family.rough_feed_mm, family.rough_depth_mm)
    if removed > LEAST_ROUGHED * cut.volume_mm3:
        yield _step(
            job, cut, 1, f"Rough {name}", job.slow * removed / rate, "roughing insert",
            {"volume_mm3": removed, "removal_mm3_min": rate, "speed_m_min": _speed(job, job.bar_mm)},
        )  # fmt: skip
    mean = max((diameter + cut.end_diameter_mm) / 2.0, 0.1)
    speed = _speed(job, mean)
    yield _step(
        job, cut, 1, f"Finish {name}", job.slow * turning_min(mean, cut.path_mm, family.finish_feed_mm, speed),
        "finishing insert", {"path_mm": cut.path_mm, "speed_m_min": speed, "feed_mm": family.finish_feed_mm},
    )  # fmt: skip


def _bore(job: _Job, cut: TurnedCut, setup: int) -> Iterator[Operation]:
    """Drilled up to the largest drill; what is wider, and the stages, bored."""
    family, lathe = job.family, job.data.lathe
    drill = min(cut.diameter_mm, lathe.largest_drill_mm)
    rpm = min(spindle_rpm(family.drill_m_min, drill), lathe.largest_rpm)
    slow = max(1.0, cut.length_mm / (lathe.free_bore * cut.diameter_mm))
    feed = rpm * family.drill_feed_per_diameter * drill / slow
    yield _step(
        job, cut, setup, f"Drill {drill:.4g} mm, {cut.length_mm:.1f} deep",
        (cut.length_mm + drill_approach_mm(drill, lathe.point_deg)) / feed, f"drill {drill:.4g} mm",
        {"rpm": rpm, "feed_mm_min": feed},
    )  # fmt: skip
    rest = cut.volume_mm3 - math.pi / 4.0 * drill**2 * cut.length_mm
    if rest > 1e-3 * cut.volume_mm3:
        speed = _speed(job, cut.diameter_mm)
        rate = turning_removal_mm3_min(speed, family.rough_feed_mm, family.rough_depth_mm) * lathe.boring_share
        finish = turning_min(cut.diameter_mm, cut.length_mm, family.finish_feed_mm, speed) / lathe.boring_share
        yield _step(
            job, cut, setup, f"Bore {cut.diameter_mm:.4g} mm", slow * (rest / rate + finish), "boring bar",
            {"volume_mm3": rest, "removal_mm3_min": rate},
        )  # fmt: skip


def _groove(job: _Job, cut: TurnedCut) -> Operation:
    """Plunged in as many widths of the blade as the groove has; a deep one is pecked."""
    blade = min(cut.length_mm, job.data.stock.parting_mm)
    plunges = math.ceil(cut.length_mm / blade - 1e-9)
    slow = max(1.0, cut.path_mm / (job.data.lathe.free_bore * blade))
    if cut.internal:
        slow /= job.data.lathe.boring_share
    speed = _speed(job, cut.diameter_mm)
    minutes = plunges * turning_min(cut.diameter_mm, cut.path_mm, job.family.groove_feed_mm, speed) * slow
    return _step(
        job, cut, 1, f"Groove {cut.length_mm:.4g} wide, {cut.path_mm:.4g} deep", minutes,
        f"grooving blade {blade:.4g} mm", {"plunges": float(plunges), "speed_m_min": speed},
    )  # fmt: skip


def _thread(job: _Job, cut: TurnedCut) -> Operation:
    """Small inside threads are tapped, in and out; others cut with a single point in passes."""
    lathe = job.data.lathe
    rpm = min(spindle_rpm(job.family.thread_m_min, cut.diameter_mm), lathe.largest_rpm)
    tapped = cut.internal and cut.diameter_mm <= lathe.largest_tap_mm
    # 0.613 pitches is the depth of an outside thread of 60 degrees (ISO 68-1)
    passes = 2 if tapped else math.ceil(0.613 * cut.pitch_mm / lathe.thread_pass_mm) + 1
    if tapped:
        rpm /= 4.0
    minutes = passes * (cut.length_mm + 2.0 * cut.pitch_mm) / (rpm * cut.pitch_mm)
    name = cut.thread or f"{cut.diameter_mm:g} x {cut.pitch_mm:g}"
    what, tool = ("Tap", "tap") if tapped else ("Cut thread", "threading insert")
    return _step(
        job, cut, 1, f"{what} {name}", minutes, f"{tool} {name}",
        {"passes": float(passes), "rpm": rpm, "pitch_mm": cut.pitch_mm},
    )  # fmt: skip


def _across(job: _Job, name: str, from_mm: float, to_mm: float, tool: str, setup: int) -> Operation:
    """A cut from the outside to a bore or to the axis, at the mean diameter."""
    feed = job.family.finish_feed_mm if name == "Face" else job.family.groove_feed_mm
    mean = max((from_mm + to_mm) / 2.0, 0.1)
    minutes = turning_min(mean, (from_mm - to_mm) / 2.0, feed, _speed(job, mean))
    return Operation(
        name, job.machine, 0.0, minutes, (), setup, tool, {"speed_m_min": _speed(job, mean), "feed_mm": feed}
    )


def _parted_bore_mm(job: _Job) -> float:
    """Diameter of the through bore that the parting blade ends in."""
    return max((cut.diameter_mm for cut in job.turning.cuts if cut.kind == "bore" and cut.end == 0), default=0.0)


def _speed(job: _Job, diameter_mm: float) -> float:
    """Cutting speed in m/min at a diameter, within the spindle's revolutions."""
    return min(job.family.speed_m_min, math.pi * max(diameter_mm, 0.1) * job.data.lathe.largest_rpm / 1000.0)


def _step(
    job: _Job, cut: TurnedCut, setup: int, name: str, minutes: float, tool: str, figures: Mapping[str, float]
) -> Operation:
    return Operation(name, job.machine, 0.0, minutes, (cut.fid,), setup, tool, dict(figures))


def _after(job: _Job, rates: ProcessRates) -> Iterator[Operation]:
    times, count = job.data.times, len(job.turning.cuts) + len(job.turning.live)
    yield Operation("Deburr", "bench", 0.0, times.deburr_min)
    yield Operation(
        "Inspect", "inspection", rates.machine("inspection").setup_min,
        times.inspect_min + count * times.inspect_cut_min * times.inspected_share, figures={"features": float(count)},
    )  # fmt: skip


def _assumptions(job: _Job, done: Sequence[Operation]) -> Iterator[str]:
    made = {face for step in done for face in step.fids}
    left = sum(face not in made for face in job.turning.live)
    if left:
        yield f"Features that are not turned and have no price: {left}."
    if job.bar_mm > job.data.largest_mm[job.machine]:
        yield f"A bar of {job.bar_mm:g} mm does not run through the spindle; blanks are sawn and clamped one by one."
    if job.turning.live and job.machine == "bar":
        yield "What is not turned is milled in a set-up of its own."
