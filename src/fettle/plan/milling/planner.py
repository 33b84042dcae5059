"""The plan of a milled part: stock, set-ups, and the operations of each, every one named after the feature it cuts."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fettle.errors import BadRequest
from fettle.plan.checks import check_configuration, known_volume_mm3, row_of
from fettle.plan.cutting import face_approach_mm, spindle_rpm, table_feed_mm_min
from fettle.plan.milling.cutting_data import MillingData, MillingFamily
from fettle.plan.milling.features import CuttingJob, feature_operations
from fettle.plan.milling.stock import choose_plate
from fettle.plan.milling.tools import ball_step_mm, end_mill, end_mills
from fettle.plan.plan import Operation, ProcessPlan, RawStock
from fettle.plan.rate_card import ProcessRates, StockMaterial, typed_data
from fettle.plan.tolerances import tolerance_operations
from fettle.results.making import MachiningFacts, MachiningSetup, MakingFacts
from fettle.results.record import Triple

CONFIGURATIONS = ("3-axis", "5-axis")


@dataclass(frozen=True, slots=True)
class _Job:
    """A body on a machine: what all operations of it are computed from."""

    part_mm3: float
    box_mm: Triple
    machining: MachiningFacts
    machine: str
    data: MillingData
    family: MillingFamily
    setups: tuple[MachiningSetup, ...]
    stock: RawStock


def plan_milling(
    facts: MakingFacts, configuration: str, material: StockMaterial, quantity: int, rates: ProcessRates
) -> ProcessPlan:
    """The plan of a body on a 3-axis or 5-axis mill."""
    job = _job(facts, configuration, material, rates)
    operations = list(_operations(job, rates))
    owners = {face: feature.fid for feature in job.machining.features for face in feature.fids}
    asked = job.machining.tolerances
    operations += tolerance_operations(asked, operations, owners, job.machine, job.data.tolerance)
    return ProcessPlan(
        process="cnc",
        configuration=configuration,
        material=material.name,
        quantity=quantity,
        stock=job.stock,
        operations=tuple(operations),
        purchases=(),
        assumptions=tuple(_assumptions(job)),
    )


def _job(facts: MakingFacts, configuration: str, material: StockMaterial, rates: ProcessRates) -> _Job:
    check_configuration("cnc", configuration, CONFIGURATIONS)
    volume_mm3, machining = known_volume_mm3(facts), facts.machining
    if machining is None:
        raise BadRequest(f"Body {facts.body} cannot be planned for milling: the directions that reach it are unknown.")
    data = typed_data(rates, MillingData)
    setups = machining.setups_3axis if configuration == "3-axis" else machining.setups_5axis
    return _Job(
        part_mm3=volume_mm3,
        box_mm=facts.box_mm,
        machining=machining,
        machine=configuration,
        data=data,
        family=row_of(data.families, material, rates),
        setups=setups,
        stock=choose_plate(facts.box_mm, material, data),
    )


def _operations(job: _Job, rates: ProcessRates) -> Iterator[Operation]:
    times = job.data.times
    length, width, thickness = job.stock.size_mm
    cut_mm2 = (length + width) * thickness
    saw = rates.machine("saw")
    yield Operation("Saw from plate", "saw", saw.setup_min, times.saw_min + cut_mm2 / job.family.saw_mm2_min)
    sides: list[Operation] = [
        *(_facing(job, number, setup) for number, setup in enumerate(job.setups, 1) if setup.faced_mm[1] > 0.0),
        *_outside(job),
        *_freeform(job),
    ]
    cutting = [*sides, *_features(job, sides)]
    for number, setup in enumerate(job.setups, 1):
        yield _clamping(job, rates, number, setup)
        here = [step for step in cutting if step.setup == number]
        yield from here
        tools = {step.tool for step in here if step.tool}
        if tools:
            yield Operation(
                f"Tool changes, set-up {number}",
                job.machine,
                0.0,
                len(tools) * times.tool_change_min,
                setup=number,
                figures={"tools": float(len(tools))},
            )
    tilts = len(job.machining.setups_3axis) - len(job.setups)
    if job.machine == "5-axis" and tilts > 0:
        yield Operation(
            "Tilt the part", job.machine, 0.0, tilts * times.index_min, figures={"directions": float(tilts)}
        )
    count = sum(feature.kind != "CHAMFER" for feature in job.machining.features)
    yield Operation(
        "Deburr",
        "bench",
        0.0,
        job.machining.edge_mm / 1000.0 * times.deburr_min_per_m,
        setup=len(job.setups),
        figures={"edge_mm": job.machining.edge_mm},
    )
    yield Operation(
        "Inspect",
        "inspection",
        rates.machine("inspection").setup_min,
        times.inspect_min + count * times.inspect_feature_min * times.inspected_share,
        setup=len(job.setups),
        figures={"features": float(count)},
    )


def _clamping(job: _Job, rates: ProcessRates, number: int, setup: MachiningSetup) -> Operation:
    """Setting the machine up once, and changing the piece for every part."""
    factor = job.data.times.askew_factor if setup.askew else 1.0
    return Operation(
        f"Set-up {number}{', on an angle' if setup.askew else ''}",
        job.machine,
        rates.machine(job.machine).setup_min * factor,
        job.data.times.load_min * factor,
        setup=number,
    )


def _facing(job: _Job, number: int, setup: MachiningSetup) -> Operation:
    """The side that looks at the spindle is milled flat in paths along its length."""
    mill, family = job.data.facing, job.family
    length, width = setup.faced_mm
    rpm = min(spindle_rpm(family.speed_m_min, mill.diameter_mm), job.data.mill.largest_rpm)
    feed = min(table_feed_mm_min(rpm, mill.teeth, family.largest_chip_mm), job.data.mill.largest_feed_mm_min)
    passes = math.ceil(width / (mill.diameter_mm * (1.0 - mill.overlap)) - 1e-9)
    approach = face_approach_mm(mill.diameter_mm, min(width / passes, mill.diameter_mm))
    return Operation(
        f"Face {length:.0f} x {width:.0f} mm",
        job.machine,
        0.0,
        passes * (length + approach + mill.diameter_mm / 2.0) / feed + job.data.times.position_min,
        setup=number,
        tool=f"face mill {mill.diameter_mm:g} mm",
        figures={"rpm": rpm, "feed_mm_min": feed, "passes": float(passes), "approach_mm": approach},
    )


def _outside(job: _Job) -> Iterator[Operation]:
    """The outside is roughed and its walls finished with one end mill, that which is the fastest for both."""
    data, machining = job.data, job.machining
    height = max((setup.height_mm for setup in job.setups), default=0.0)
    roughed_mm3, walls_mm2 = _roughed_mm3(job), machining.outline_mm2
    ways = []
    for rough, finish in zip(
        end_mills(data, job.family, height / 2.0), end_mills(data, job.family, height), strict=True
    ):
        swept = data.finishing.axial * finish.diameter_mm * data.finishing.feed_share * finish.feed_mm_min
        ways.append((roughed_mm3 / rough.removal_mm3_min, walls_mm2 / swept, rough))
    rough_min, walls_min, mill = min(ways, key=lambda way: way[0] + way[1])
    if roughed_mm3 > 0.0:
        yield Operation(
            "Rough the outside",
            job.machine,
            0.0,
            rough_min + data.times.position_min,
            tool=mill.name,
            figures={
                "volume_mm3": roughed_mm3,
                "rpm": mill.rpm,
                "feed_mm_min": mill.feed_mm_min,
                "removal_mm3_min": mill.removal_mm3_min,
            },
        )
    if walls_mm2 > 0.0:
        yield Operation(
            "Finish outer walls", job.machine, 0.0, walls_min, tool=mill.name, figures={"area_mm2": walls_mm2}
        )


def _roughed_mm3(job: _Job) -> float:
    """Volume between stock and part beside facing and features. What the plate is thicker than it need be is left
    out: deeper facing takes it off, and no part costs more for being thinner."""
    faced = sum(setup.faced_mm[0] * setup.faced_mm[1] * job.data.facing.allowance_mm for setup in job.setups)
    in_features = sum(feature.volume_mm3 for feature in job.machining.features)
    length, width, _ = job.stock.size_mm
    needed = length * width * (job.box_mm[2] + 2.0 * job.data.facing.allowance_mm)
    return max(0.0, needed - job.part_mm3 - faced - in_features)


def _features(job: _Job, sides: Sequence[Operation]) -> Iterator[Operation]:
    """The operations of every feature; each prefers tools that its set-up has already."""
    cutting = CuttingJob(job.machine, job.data, job.family)
    in_use: dict[int, set[str]] = defaultdict(set)
    for step in sides:
        in_use[step.setup].add(step.tool)
    for feature in job.machining.features:
        setup = feature.setup_3axis if job.machine == "3-axis" else feature.setup_5axis
        if setup is not None:
            for step in feature_operations(cutting, feature, setup, frozenset(in_use[setup])):
                in_use[setup].add(step.tool)
                yield step


def _freeform(job: _Job) -> Iterator[Operation]:
    """Faces that stand askew to every set-up, line by line with a ball-nose cutter."""
    data, area = job.data, job.machining.freeform_mm2
    if area > 0.0:
        ball = end_mill(data, job.family, data.finishing.ball_mm, 0.0)
        step = ball_step_mm(data.finishing.ball_mm, data.finishing.ridge_mm)
        yield Operation(
            "Finish sloped and freeform faces",
            job.machine,
            0.0,
            area / (step * ball.feed_mm_min),
            tool=f"ball-nose cutter {data.finishing.ball_mm:g} mm",
            figures={"area_mm2": area, "step_mm": step, "feed_mm_min": ball.feed_mm_min},
        )


def _assumptions(job: _Job) -> Iterator[str]:
    machining = job.machining
    unreached = machining.unreached_3axis_mm2 if job.machine == "3-axis" else machining.unreached_5axis_mm2
    if unreached > 0.0:
        yield f"{unreached:.0f} mm2 of the surface is reached from no side; making it is not in the price."
    tapped = sum(feature.thread is not None for feature in machining.features)
    if tapped:
        yield f"Holes of a tap drill's size are tapped: {tapped}."
    sharp = sum(feature.corner_radius_mm == 0.0 for feature in machining.features)
    if sharp:
        yield f"Sharp inside corners are left with a radius of 0.5 mm: {sharp} features."
