"""Catalogs of materials, finishing options and rates, read from YAML files that a process engineer edits."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, TypeVar
from uuid import UUID

import yaml
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked

from fettle.errors import BadRequest, CatalogFault

_STRICT = ConfigDict(extra="forbid", defer_build=True)
Positive = Annotated[Decimal, Field(gt=0, allow_inf_nan=False)]
NotNegative = Annotated[Decimal, Field(ge=0, allow_inf_nan=False)]
Fraction = Annotated[Decimal, Field(ge=0, lt=1)]
Size = tuple[Positive, Positive, Positive]


class PricingModel(StrEnum):
    """Unit to which the cost of a finishing option applies."""

    PER_PART = "per_part"
    PER_KG = "per_kg"
    PER_CM2 = "per_cm2"
    PER_BATCH = "per_batch"
    PER_ORDER = "per_order"


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class Material:
    id: UUID
    name: str
    description: str
    family: str
    density_kg_m3: Positive
    cost_per_kg: NotNegative
    maximum_part_mm: Size
    active: bool

    @property
    def maximum_part_text(self) -> str:
        """Largest part as text: `300mm x 195mm x 290mm`."""
        return " x ".join(f"{side.normalize():f}mm" for side in self.maximum_part_mm)


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class Finish:
    """A finishing option; `days`: working days that it adds to the lead time; `processes` (module, or
    module:configuration) and words of names of `materials` that it is for, any where there are none."""

    id: UUID
    name: str
    description: str
    pricing_model: PricingModel
    cost_per_unit: NotNegative
    days: int = Field(ge=0)
    active: bool
    processes: tuple[str, ...] = ()
    materials: tuple[str, ...] = ()

    def suits(self, process: str, material: str) -> bool:
        """Whether it can be done on parts of a material made by a process ("cnc:3-axis")."""
        by_process = not self.processes or not {process, process.partition(":")[0]}.isdisjoint(self.processes)
        name = material.casefold()
        return by_process and (not self.materials or any(word.casefold() in name for word in self.materials))


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class Family:
    """Rates of an alloy family; `yield_`: fraction of the poured metal that ends up in parts."""

    yield_: Annotated[Fraction, Field(alias="yield", gt=0)]
    melt_loss: Fraction
    melt_per_kg: NotNegative
    pour_per_tree: NotNegative
    coats: int = Field(ge=1)
    cut_factor: NotNegative
    order_min: NotNegative
    days: int = Field(ge=0)


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class MetalRates:
    revert_value: Fraction
    scrap: Fraction


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class ShellRates:
    pattern_per_part: NotNegative
    pattern_per_cm3: NotNegative
    area_factor: NotNegative
    sprue_cm2: NotNegative
    coat_per_cm2: NotNegative
    firing_per_tree: NotNegative
    extra_coat_above_mm: NotNegative


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class LaborRates:
    rate_per_hour: NotNegative
    order_min: NotNegative
    tree_min: NotNegative
    coat_min_per_tree: NotNegative
    part_min: NotNegative
    cut_min_per_kg: NotNegative
    learning_exponent: NotNegative
    learning_floor: NotNegative


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class CastingTree:
    box_mm: Size
    spacing_mm: NotNegative
    pour_limit_kg: Positive
    part_limit: int = Field(ge=1)


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class FinishingRates:
    batch_cm3: Positive


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class Markup:
    base: NotNegative
    small_order: NotNegative
    small_order_quantity: Positive
    minimum_order: NotNegative


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class LeadTime:
    """Lead times of the steps in working days, and daily capacities."""

    order: int
    pattern_min: int
    pattern_cm3_per_day: Positive
    coats_per_day: int = Field(ge=1)
    pour: int
    cut_and_blast: int
    inspect: int
    trees_per_day: int = Field(ge=1)


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class QuantityRange:
    minimum: int = Field(ge=1)
    maximum: int


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class Tolerance:
    share: NotNegative
    size_mm: NotNegative


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class RateCard:
    """All constants of the price model."""

    version: str
    currency: str
    metal: MetalRates
    shell: ShellRates
    labor: LaborRates
    tree: CastingTree
    finishing: FinishingRates
    markup: Markup
    lead_time: LeadTime
    quantity: QuantityRange
    tolerance: Tolerance
    families: dict[str, Family]


class UnknownMaterial(BadRequest):
    code = "unknown_material"


class InactiveMaterial(BadRequest):
    code = "inactive_material"


class UnknownFinish(BadRequest):
    code = "unknown_post_processing_option"


class InactiveFinish(BadRequest):
    code = "inactive_post_processing_option"


@dataclass(frozen=True, slots=True)
class Catalog:
    """Materials and finishing options in the order of their files, and the rate card."""

    materials: tuple[Material, ...]
    finishes: tuple[Finish, ...]
    rates: RateCard

    def material(self, name_or_id: str) -> Material:
        """The active material with that id or name; raises UnknownMaterial or InactiveMaterial."""
        found = _find(self.materials, name_or_id)
        if found is None:
            names = ", ".join(material.name for material in self.materials if material.active)
            raise UnknownMaterial(f"No material has the id or name {name_or_id!r}. Materials: {names}.")
        if not found.active:
            raise InactiveMaterial(f"The material {found.name} is not offered at present; choose an active one.")
        return found

    def finish(self, name_or_id: str) -> Finish:
        """The active finishing option with that id or name; raises UnknownFinish or InactiveFinish."""
        found = _find(self.finishes, name_or_id)
        if found is None:
            names = ", ".join(finish.name for finish in self.finishes if finish.active)
            raise UnknownFinish(f"No post-processing option has the id or name {name_or_id!r}. Options: {names}.")
        if not found.active:
            raise InactiveFinish(f"The option {found.name} is not offered at present; choose an active one.")
        return found


Entry = TypeVar("Entry", Material, Finish)
Checked = TypeVar("Checked")


def _find(entries: tuple[Entry, ...], name_or_id: str) -> Entry | None:
    wanted = name_or_id.strip().casefold()
    return next((entry for entry in entries if wanted in (str(entry.id), entry.name.casefold())), None)


def load_catalog(folder: Path | None = None) -> Catalog:
    """Load the shipped catalog files; a file of the same name in `folder` replaces the shipped one."""
    shipped = files("fettle") / "data"
    materials = _read("materials.yaml", folder, shipped, dict[str, tuple[Material, ...]])["materials"]
    finishes = _read("finishing.yaml", folder, shipped, dict[str, tuple[Finish, ...]])["post_processing_options"]
    rates = _read("pricing.yaml", folder, shipped, RateCard)
    for material in materials:
        if material.family not in rates.families:
            known = ", ".join(rates.families)
            raise CatalogFault(
                f"materials.yaml: {material.name} is of family {material.family!r}; pricing.yaml has {known}."
            )
    for name, entries in (("materials.yaml", materials), ("finishing.yaml", finishes)):
        if len({entry.id for entry in entries}) < len(entries):
            raise CatalogFault(f"{name}: two entries have the same id; give each its own.")
    return Catalog(materials, finishes, rates)


@cache
def shipped_catalog() -> Catalog:
    """The catalog of the shipped files, cached."""
    return load_catalog()


def _read(name: str, folder: Path | None, shipped: Traversable, kind: type[Checked]) -> Checked:
    own = folder / name if folder else None
    source = own if own and own.is_file() else shipped / name
    try:
        data: Any = yaml.load(source.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        return TypeAdapter(kind).validate_python(data)
    except (yaml.YAMLError, ValidationError) as fault:
        raise CatalogFault(f"{name} cannot be used: {fault}") from fault
