"""Time and material of a build: what one part takes, what all parts on a plate share, and how many fit on it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as checked

from fettle.errors import BadRequest
from fettle.plan.rate_card import NotNegativeNumber, PositiveNumber
from fettle.results.making.printing import PrintOrientation
from fettle.sheet.nesting import count_rows


@checked(frozen=True, slots=True, kw_only=True, config=ConfigDict(extra="forbid"))
class PrinterData:
    """A kind of printer; see the comments of the rate card."""

    printer: str
    platform_mm: tuple[PositiveNumber, PositiveNumber, PositiveNumber]
    gap_mm: NotNegativeNumber
    layer_mm: PositiveNumber
    rate_cm3_h: dict[str, PositiveNumber]
    layer_s: NotNegativeNumber
    layers_shared: bool
    shell_mm: NotNegativeNumber
    infill: NotNegativeNumber
    support_density: NotNegativeNumber
    foot_mm: NotNegativeNumber
    start_min: NotNegativeNumber
    plate_operator_min: NotNegativeNumber
    part_operator_min: NotNegativeNumber
    support_min_per_cm2: NotNegativeNumber
    saw_min: NotNegativeNumber
    saw_min_per_cm2: NotNegativeNumber
    order_operator_min: NotNegativeNumber
    waste: NotNegativeNumber
    days: int = Field(ge=0)
    relief: bool
    least_plate: PositiveNumber
    source: str


@dataclass(frozen=True, slots=True)
class Build:
    """`per_plate`: parts that fit on a plate; `part_min`: machine time that a part adds; `shared_min`: that a plate
    takes however many parts are on it; `support_min`: machine time of its supports; `part_mm3`, with the foot, and
    `support_mm3`: material that is deposited for a part."""

    per_plate: int
    layers: int
    part_min: float
    support_min: float
    shared_min: float
    part_mm3: float
    support_mm3: float


def plan_build(
    orientation: PrintOrientation, volume_mm3: float, area_mm2: float, rate_cm3_h: float, data: PrinterData
) -> Build:
    """The build of a part laid as given, at so much material an hour; raises BadRequest where it is larger than the
    printer."""
    per_plate = parts_per_plate(orientation, data)
    foot = data.foot_mm
    footprint_mm2 = orientation.footprint_mm[0] * orientation.footprint_mm[1]
    layers = math.ceil((orientation.height_mm + foot) / data.layer_mm - 1e-9)
    # the foot stands under the part's rectangle: its own shadow is not known here
    foot_mm3 = data.support_density * foot * footprint_mm2
    part_mm3 = deposited_mm3(volume_mm3, area_mm2, data.shell_mm, data.infill) + foot_mm3
    support_mm3 = data.support_density * orientation.support_mm3
    min_per_mm3 = 60.0 / (rate_cm3_h * 1000.0)
    layers_min = layers * data.layer_s / 60.0
    return Build(
        per_plate=per_plate,
        layers=layers,
        part_min=part_mm3 * min_per_mm3 + (0.0 if data.layers_shared else layers_min),
        support_min=support_mm3 * min_per_mm3,
        shared_min=data.start_min + (layers_min if data.layers_shared else 0.0),
        part_mm3=part_mm3,
        support_mm3=support_mm3,
    )


def deposited_mm3(volume_mm3: float, area_mm2: float, shell_mm: float, infill: float) -> float:
    """Material of a part whose skin of `shell_mm` is solid and whose inside is filled to the share `infill`."""
    solid = min(volume_mm3, area_mm2 * shell_mm)
    return solid + infill * (volume_mm3 - solid)


def parts_per_plate(orientation: PrintOrientation, data: PrinterData) -> int:
    """Parts beside each other on a plate, in rows, the better of both ways; raises BadRequest for none."""
    length, width, height = data.platform_mm
    size = orientation.footprint_mm
    count = max(count_rows(way, (length, width), data.gap_mm, border=0.0) for way in (size, size[::-1]))
    if count == 0 or orientation.height_mm + data.foot_mm > height:
        raise BadRequest(
            f"The part is {size[0]:g} x {size[1]:g} x {orientation.height_mm:g} mm as it would be printed; the printer "
            f"builds {length:g} x {width:g} x {height:g} mm. Divide it or choose another process."
        )
    return count


def share_of_plate(shared: float, per_plate: int, quantity: int, least_plate: float = 1.0) -> float:
    """What a part pays of something that a whole plate costs: its share of a full plate, but the order at least
    `least_plate` of one."""
    return shared * max(least_plate / quantity, 1.0 / per_plate)
