"""What is not turned on a turned part: driven tools of a mill-turn center, or a milling set-up of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fettle.plan.milling.cutting_data import MillingData
from fettle.plan.milling.features import CuttingJob, feature_operations
from fettle.plan.milling.tools import end_mills
from fettle.plan.plan import Operation
from fettle.plan.rate_card import ProcessRates, StockMaterial, shipped_rates, typed_data
from fettle.plan.turning.cutting_data import LatheTimes
from fettle.results.making import MachinedFeature
from fettle.results.making.turning import TurnedCut

MILLING_SETUP = 3
"""Number of the clamping in the mill: after both sides of the lathe."""


def driven_operations(
    features: Sequence[MachinedFeature],
    cuts: Sequence[TurnedCut],
    configuration: str,
    material: StockMaterial,
    times: LatheTimes,
    rates: ProcessRates,
) -> Iterator[Operation]:
    """Operations on the features that are not turned, and on gears and flats among the cuts, with the cutting data of
    milling. On a bar lathe they are a set-up of their own in a mill; a mill-turn center indexes its spindle."""
    toothed, flats = ([cut for cut in cuts if cut.kind == kind] for kind in ("gear", "flat"))
    if not (features or toothed or flats):
        return
    data = typed_data(shipped_rates("cnc"), MillingData)
    on_mill = configuration == "bar"
    machine, setup = ("mill", MILLING_SETUP) if on_mill else (configuration, 1)
    if on_mill:
        yield Operation("Set up the mill", machine, rates.machine(machine).setup_min, times.live_load_min, setup=setup)
    job = CuttingJob(machine, data, data.families[material.family])
    tools: set[str] = set()
    for feature in features:
        for step in feature_operations(job, feature, setup, frozenset(tools)):
            tools.add(step.tool)
            yield step
    for step in (*(_teeth(job, cut, times, setup) for cut in toothed), *(_flat(job, cut, setup) for cut in flats)):
        tools.add(step.tool)
        yield step
    count = len(features) + len(toothed) + sum(cut.count for cut in flats)
    yield Operation(
        "Driven tools: index and change",
        machine,
        0.0,
        count * times.live_index_min + len(tools) * data.times.tool_change_min,
        setup=setup,
        figures={"features": float(count), "tools": float(len(tools))},
    )


def _teeth(job: CuttingJob, cut: TurnedCut, times: LatheTimes, setup: int) -> Operation:
    """Teeth cut one by one, with the run-in of the cutter."""
    way = cut.count * (cut.length_mm + cut.diameter_mm - cut.end_diameter_mm)
    return Operation(
        f"Cut {cut.count} teeth",
        job.machine,
        0.0,
        way / times.gear_mm_min,
        (cut.fid,),
        setup,
        "gear cutter",
        {"teeth": float(cut.count), "way_mm": way},
    )


def _flat(job: CuttingJob, cut: TurnedCut, setup: int) -> Operation:
    """Planes roughed and finished with the end mill that is the fastest for both."""
    finishing, floor_mm2 = job.data.finishing, cut.count * cut.path_mm * cut.length_mm
    ways = (
        (
            cut.volume_mm3 / mill.removal_mm3_min
            + floor_mm2 / (finishing.radial * mill.diameter_mm * finishing.feed_share * mill.feed_mm_min),
            mill,
        )
        for mill in end_mills(job.data, job.family, (cut.diameter_mm - cut.end_diameter_mm) / 2.0)
    )
    minutes, mill = min(ways, key=lambda way: way[0])
    return Operation(
        f"Mill {cut.count} flat{'s' if cut.count > 1 else ''}",
        job.machine,
        0.0,
        minutes,
        (cut.fid,),
        setup,
        mill.name,
        {"volume_mm3": cut.volume_mm3, "area_mm2": floor_mm2},
    )
