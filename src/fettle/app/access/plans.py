"""Plans: what each includes of every meter, and what happens beyond that. Read from data/plans.yaml."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from importlib.resources import files
from pathlib import Path

import yaml
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked

from fettle.errors import BadRequest, CatalogFault


class Meter(StrEnum):
    """What is counted: one unit for each call answered with success."""

    QUICK_INFO = "dfm.quick_info"
    ANALYZE = "dfm.analyze"


class Overage(StrEnum):
    """What happens to a call beyond the included units."""

    REFUSED = "refused"
    BILLED = "billed"
    ARRANGED = "arranged"


@checked(frozen=True, slots=True, kw_only=True, config=ConfigDict(extra="forbid"))
class Plan:
    name: str
    monthly_price: Decimal
    overage: Overage
    included: dict[Meter, int]
    overage_price: dict[Meter, Decimal]


def load_plans(folder: Path | None = None) -> dict[str, Plan]:
    """Plans by key, from `folder`'s plans.yaml where there is one."""
    own = folder / "plans.yaml" if folder else None
    source = own if own and own.is_file() else files("fettle") / "data" / "plans.yaml"
    try:
        data = yaml.load(source.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        plans = TypeAdapter(dict[str, dict[str, Plan]]).validate_python(data)["plans"]
    except (yaml.YAMLError, ValidationError, KeyError) as fault:
        raise CatalogFault(f"plans.yaml cannot be used: {fault}") from fault
    for key, plan in plans.items():
        missing = [meter.value for meter in Meter if meter not in plan.included or meter not in plan.overage_price]
        if missing:
            raise CatalogFault(f"plans.yaml: {key} says nothing about {', '.join(missing)}.")
    return plans


def check_plan(plans: dict[str, Plan], key: str) -> str:
    """The key of a plan that exists; refuses with those that do."""
    if key not in plans:
        raise BadRequest(f"There is no plan {key!r}. Plans: {', '.join(plans)}.")
    return key
