"""Facts of bodies by numbers, for properties of plans and prices that need no geometry."""

from __future__ import annotations

import math
from dataclasses import replace

from fettle.results.making import (
    AskedTolerance,
    BoreStage,
    MachinedFeature,
    MachiningFacts,
    MachiningSetup,
    MakingFacts,
)
from fettle.results.making.turning import TurnedCut, TurningFacts

EMPTY = MachinedFeature(
    fid="1",
    fids=("1",),
    kind="POCKET",
    setup_3axis=1,
    setup_5axis=1,
    volume_mm3=0.0,
    depth_mm=0.0,
    width_mm=0.0,
    length_mm=0.0,
    floor_mm2=0.0,
    wall_mm2=0.0,
    corner_radius_mm=None,
    corner_turns=0.0,
    through=False,
    open=False,
    flat_bottom=True,
    thread=None,
    thread_pitch_mm=None,
    undercut=False,
    stages=(),
)


def pocket(length: float, width: float, depth: float, radius: float, setup: int = 1) -> MachinedFeature:
    """A rectangular pocket with four upright corners."""
    floor = length * width - (4.0 - math.pi) * radius**2
    perimeter = 2.0 * (length + width) - (8.0 - 2.0 * math.pi) * radius
    return replace(
        EMPTY,
        setup_3axis=setup,
        volume_mm3=floor * depth,
        depth_mm=depth,
        width_mm=width,
        length_mm=length,
        floor_mm2=floor,
        wall_mm2=perimeter * depth,
        corner_radius_mm=radius,
        corner_turns=4.0,
    )


def hole(diameter: float, depth: float, setup: int = 1) -> MachinedFeature:
    """A blind drilled hole."""
    return replace(
        EMPTY,
        fid="2",
        fids=("2",),
        kind="HOLE",
        setup_3axis=setup,
        volume_mm3=math.pi / 4.0 * diameter**2 * depth,
        depth_mm=depth,
        width_mm=diameter,
        length_mm=depth,
        wall_mm2=math.pi * diameter * depth,
        flat_bottom=False,
        stages=(BoreStage(diameter, depth),),
    )


def block(
    size: tuple[float, float, float],
    features: tuple[MachinedFeature, ...],
    setups: int = 2,
    tolerances: tuple[AskedTolerance, ...] = (),
) -> MakingFacts:
    """A block with features; set-ups beyond the second look at its long sides."""
    length, width, height = sorted(size, reverse=True)
    flat, long = MachiningSetup((length, width), height, False), MachiningSetup((length, height), width, False)
    sides = 2.0 * (length + width) * height
    machining = MachiningFacts(
        features=features,
        setups_3axis=(flat, flat, long, long)[:setups],
        setups_5axis=(flat, flat),
        unreached_3axis_mm2=0.0,
        unreached_5axis_mm2=0.0,
        freeform_mm2=0.0,
        outline_mm2=sides,
        edge_mm=4.0 * (length + width + height),
        tolerances=tolerances,
        turning=None,
    )
    volume = length * width * height - sum(feature.volume_mm3 for feature in features)
    area = 2.0 * length * width + sides
    return MakingFacts(1, 1, volume, area, (length, width, height), machining, None, None, None, None)


def shaft(diameter: float, length: float, seat: float = 0.0) -> MakingFacts:
    """A shaft with a seat of a smaller diameter along half of it."""
    cuts = tuple(
        TurnedCut(
            str(number), "outside", d, d, length / 2, length / 2, math.pi / 8 * d**2 * length, 0, 1, False, 0, None
        )
        for number, d in enumerate((diameter, seat or diameter), 1)
    )
    facts = block((length, diameter, diameter), ())
    assert facts.machining is not None
    turning = TurningFacts(diameter, length, cuts, (), length / diameter)
    return replace(facts, machining=replace(facts.machining, turning=turning))
