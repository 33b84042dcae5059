"""Price of an investment casting: printed pattern, ceramic shell, poured metal, labor, finishing and margin.

A pure function of geometry, material, quantity and finishes, computed in Decimal. All constants are in the rate card
(data/pricing.yaml). The breakdown is for the whole order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal, localcontext
from itertools import permutations
from math import prod

from fettle.errors import BadRequest
from fettle.quote.catalog import Family, Finish, Material, PricingModel, RateCard, shipped_catalog

CENT = Decimal("0.01")
PI = Decimal("3.14159265358979323846")
AXES = ("x", "y", "z")
THINNEST_WALL_MM = Decimal("0.01")
"""No casting has walls as thin as foil: more area than they would have is a mistake of the caller."""


class ImpossibleGeometry(BadRequest):
    code = "impossible_geometry"


class PartTooLarge(BadRequest):
    code = "part_too_large"


class QuantityOutOfRange(BadRequest):
    code = "quantity_out_of_range"


@dataclass(frozen=True, slots=True)
class Geometry:
    """Geometry that the price depends on; `box_mm`: side lengths along x, y and z."""

    volume_cm3: Decimal
    surface_area_cm2: Decimal
    box_mm: tuple[Decimal, Decimal, Decimal]

    @property
    def box_cm3(self) -> Decimal:
        return prod(self.box_mm, start=Decimal(1)) / 1000


def exact_geometry(
    volume_cm3: float | None, surface_area_cm2: float | None, box_mm: tuple[float, float, float]
) -> Geometry:
    """Geometry in Decimal, with exactly the digits of the numbers in JSON; NaN where one is unknown (None, nan)."""
    x, y, z = (Decimal(repr(side)) for side in box_mm)
    volume, area = (Decimal("nan" if value is None else repr(value)) for value in (volume_cm3, surface_area_cm2))
    return Geometry(volume, area, (x, y, z))


@dataclass(frozen=True, slots=True)
class Price:
    """Price of an order; all amounts but `unit_price` are for the whole order: the four costs and the margin add up to
    `total_price`, which is `unit_price` times quantity."""

    unit_price: Decimal
    total_price: Decimal
    metal_cost: Decimal
    shell_cost: Decimal
    labor_cost: Decimal
    post_processing_cost: Decimal
    margin: Decimal
    currency: str
    lead_time_days: int
    rate_card_version: str
    mass_kg: Decimal
    parts_per_tree: int


def price(
    geometry: Geometry,
    material: Material,
    quantity: int,
    finishes: Sequence[Finish] = (),
    rates: RateCard | None = None,
) -> Price:
    """Price of `quantity` castings of a part; raises BadRequest if it cannot be cast."""
    rates = rates or shipped_catalog().rates
    with localcontext(Context(prec=28)):
        _check(geometry, material, quantity, rates)
        family = rates.families[material.family]
        mass_kg = geometry.volume_cm3 * material.density_kg_m3 / 1_000_000
        order = _Order(
            geometry=geometry,
            material=material,
            family=family,
            quantity=quantity,
            mass_kg=mass_kg,
            coats=family.coats + (max(geometry.box_mm) > rates.shell.extra_coat_above_mm),
            parts_per_tree=_parts_per_tree(geometry, mass_kg, family, rates),
            rates=rates,
        )
        return _price(order, finishes)


@dataclass(frozen=True, slots=True)
class _Order:
    """An order: parts of `mass_kg` each, with `coats` layers of ceramic, cast on trees of `parts_per_tree`."""

    geometry: Geometry
    material: Material
    family: Family
    quantity: int
    mass_kg: Decimal
    coats: int
    parts_per_tree: int
    rates: RateCard

    @property
    def trees(self) -> Decimal:
        """Number of trees that is paid, at least 1; fractional, because other orders fill the rest of the last tree."""
        return max(Decimal(1), Decimal(self.quantity) / self.parts_per_tree)

    @property
    def poured_kg(self) -> Decimal:
        return self.mass_kg / self.family.yield_


def _price(order: _Order, finishes: Sequence[Finish]) -> Price:
    rates, quantity = order.rates, order.quantity
    metal, shell, labor = _metal(order), _shell(order), _labor(order)
    post = sum((_finish_cost(order, finish) for finish in finishes), Decimal(0))

    step = rates.markup.small_order / (1 + quantity / rates.markup.small_order_quantity)
    markup = (rates.markup.base + step).quantize(Decimal("0.0001"), ROUND_HALF_UP)
    order_price = max((metal + shell + labor + post) * (1 + markup), rates.markup.minimum_order)
    unit_price = _cents(order_price / quantity)
    total_price = unit_price * quantity
    costs = [_cents(cost) for cost in (metal, shell, labor, post)]
    return Price(
        unit_price=unit_price,
        total_price=total_price,
        metal_cost=costs[0],
        shell_cost=costs[1],
        labor_cost=costs[2],
        post_processing_cost=costs[3],
        margin=total_price - sum(costs),
        currency=rates.currency,
        lead_time_days=_lead_time_days(order, finishes),
        rate_card_version=rates.version,
        mass_kg=order.mass_kg,
        parts_per_tree=order.parts_per_tree,
    )


def _metal(order: _Order) -> Decimal:
    """Cost of the metal: bought, melted and poured, scrap included."""
    family, rates = order.family, order.rates.metal
    revert_kg = (order.poured_kg - order.mass_kg) * (1 - rates.revert_value)
    bought_kg = order.mass_kg + revert_kg + order.poured_kg * family.melt_loss
    each = order.material.cost_per_kg * bought_kg + order.poured_kg * family.melt_per_kg
    return (order.quantity * each + order.trees * family.pour_per_tree) / (1 - rates.scrap)


def _shell(order: _Order) -> Decimal:
    """Cost of the patterns and of the ceramic shells, scrap included."""
    rates, geometry = order.rates.shell, order.geometry
    patterns = order.quantity * (rates.pattern_per_part + rates.pattern_per_cm3 * geometry.volume_cm3)
    coated_cm2 = rates.area_factor * order.quantity * geometry.surface_area_cm2 + rates.sprue_cm2 * order.trees
    ceramic = coated_cm2 * order.coats * rates.coat_per_cm2
    return (patterns + ceramic + rates.firing_per_tree * order.trees) / (1 - order.rates.metal.scrap)


def _labor(order: _Order) -> Decimal:
    """Cost of labor, with a learning curve over the quantity."""
    rates, family = order.rates.labor, order.family
    learned = (Decimal(order.quantity) ** -rates.learning_exponent).quantize(Decimal("0.000001"), ROUND_HALF_UP)
    order_min = rates.order_min + family.order_min
    trees_min = order.trees * (rates.tree_min + rates.coat_min_per_tree * order.coats)
    part_min = rates.part_min + rates.cut_min_per_kg * order.poured_kg * family.cut_factor
    minutes = order_min + trees_min + order.quantity * part_min * max(rates.learning_floor, learned)
    return rates.rate_per_hour / 60 * minutes


def _finish_cost(order: _Order, finish: Finish) -> Decimal:
    """Cost of one finishing option."""
    quantity, geometry = order.quantity, order.geometry
    units = {
        PricingModel.PER_PART: Decimal(quantity),
        PricingModel.PER_KG: order.mass_kg * quantity,
        PricingModel.PER_CM2: geometry.surface_area_cm2 * quantity,
        PricingModel.PER_BATCH: max(Decimal(1), quantity * geometry.box_cm3 / order.rates.finishing.batch_cm3),
        PricingModel.PER_ORDER: Decimal(1),
    }
    return finish.cost_per_unit * units[finish.pricing_model]


def _lead_time_days(order: _Order, finishes: Sequence[Finish]) -> int:
    """Working days from order to shipping; whole trees are cast."""
    time, quantity = order.rates.lead_time, order.quantity
    pattern = max(time.pattern_min, _ceil(quantity * order.geometry.volume_cm3 / time.pattern_cm3_per_day) + 1)
    shell = _ceil(Decimal(order.coats) / time.coats_per_day)
    trees = _ceil(Decimal(quantity) / order.parts_per_tree)
    campaign = _ceil(Decimal(trees) / time.trees_per_day) - 1
    casting = time.order + pattern + shell + time.pour + time.cut_and_blast + time.inspect + campaign
    return casting + order.family.days + sum(finish.days for finish in finishes)


def _parts_per_tree(geometry: Geometry, mass_kg: Decimal, family: Family, rates: RateCard) -> int:
    """Parts on one tree, limited by the box around it, the weight poured and the number allowed."""
    tree = rates.tree
    in_box = max(
        prod(
            _floor((limit_mm + tree.spacing_mm) / (side + tree.spacing_mm))
            for limit_mm, side in zip(tree.box_mm, sides, strict=True)
        )
        for sides in permutations(geometry.box_mm)
    )
    beside_sprue = in_box // 2 if in_box > 1 else in_box
    by_weight = _floor(tree.pour_limit_kg * family.yield_ / mass_kg)
    return max(1, min(beside_sprue, by_weight, tree.part_limit))


def _check(geometry: Geometry, material: Material, quantity: int, rates: RateCard) -> None:
    """Refuse quantities out of range, impossible geometry, and parts too large for the material."""
    least, most = rates.quantity.minimum, rates.quantity.maximum
    if not least <= quantity <= most:
        raise QuantityOutOfRange(f"quantity is {quantity}; it must be from {least} to {most}.")
    for name, value in (
        ("volume_cm3", geometry.volume_cm3),
        ("surface_area_cm2", geometry.surface_area_cm2),
        *((f"bounding_box.{axis}_mm", side) for axis, side in zip(AXES, geometry.box_mm, strict=True)),
    ):
        if value.is_nan() and name in ("volume_cm3", "surface_area_cm2"):
            raise ImpossibleGeometry(
                f"geometry.{name} is unknown, so nothing can be priced; the warnings of the part say why."
            )
        if not value.is_finite() or value <= 0:
            raise ImpossibleGeometry(f"geometry.{name} is {value}; it must be a number above 0.")
    tolerance = rates.tolerance.share
    if geometry.volume_cm3 > geometry.box_cm3 * (1 + tolerance):
        raise ImpossibleGeometry(
            f"geometry.volume_cm3 is {geometry.volume_cm3:f}, more than the {geometry.box_cm3:f} cm3 of its "
            "bounding box; send the geometry as convert returned it."
        )
    sphere_cm2 = (36 * PI) ** (Decimal(1) / 3) * geometry.volume_cm3 ** (Decimal(2) / 3)
    if geometry.surface_area_cm2 < sphere_cm2 * (1 - tolerance):
        raise ImpossibleGeometry(
            f"geometry.surface_area_cm2 is {geometry.surface_area_cm2:f}, less than the {sphere_cm2:.3f} cm2 of a "
            "sphere of that volume; send the geometry as convert returned it."
        )
    foil_cm2 = 2 * geometry.volume_cm3 / (THINNEST_WALL_MM / 10)
    if geometry.surface_area_cm2 > foil_cm2:
        raise ImpossibleGeometry(
            f"geometry.surface_area_cm2 is {geometry.surface_area_cm2:.6g}, more than the {foil_cm2:.0f} cm2 of a foil "
            f"of that volume, {THINNEST_WALL_MM} mm thick; send the geometry as convert returned it."
        )
    _check_size(geometry, material, rates.tolerance.size_mm)


def _check_size(geometry: Geometry, material: Material, tolerance_mm: Decimal) -> None:
    """Check that the part fits in some axis-aligned orientation, by comparing sorted side lengths."""
    sides = sorted(zip(geometry.box_mm, AXES, strict=True))
    for (side, axis), limit_mm in zip(sides, sorted(material.maximum_part_mm), strict=True):
        if side > limit_mm + tolerance_mm:
            raise PartTooLarge(
                f"The part is too large for {material.name}: its {axis} side is {side.normalize():f} mm, and in no "
                f"axis-aligned orientation does it fit {material.maximum_part_text}. "
                "Choose another material or a smaller part."
            )


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)


def _floor(value: Decimal) -> int:
    return int(value.to_integral_value(ROUND_FLOOR))


def _ceil(value: Decimal) -> int:
    return int(value.to_integral_value(ROUND_CEILING))
