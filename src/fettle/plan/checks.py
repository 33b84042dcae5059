"""What every planner refuses: configurations that the process lacks, cards without a row for a material, bodies of
unknown volume."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from fettle.errors import BadRequest, CatalogFault
from fettle.plan.rate_card import ProcessRates, StockMaterial
from fettle.results.making import MakingFacts

Row = TypeVar("Row")


def check_configuration(process: str, configuration: str, known: Collection[str]) -> None:
    """Raises BadRequest with the configurations that there are."""
    if configuration not in known:
        raise BadRequest(f"{process} has no configuration {configuration!r}. Configurations: {', '.join(known)}.")


def known_volume_mm3(facts: MakingFacts) -> float:
    """The volume of a body; raises BadRequest where it is not known, for then nothing of it is priced."""
    if facts.volume_mm3 is None or facts.volume_mm3 <= 0.0:
        raise BadRequest(
            f"Body {facts.body} has no volume that could be told, so it cannot be planned; repair the file and send it "
            "again."
        )
    return facts.volume_mm3


def row_of(rows: Mapping[str, Row], material: StockMaterial, rates: ProcessRates) -> Row:
    """The row of a material's family; raises CatalogFault where the card has none."""
    if material.family not in rows:
        raise CatalogFault(
            f"rates/{rates.process}.yaml: {material.name} is of family {material.family!r}; "
            f"`process_data` has rows for {', '.join(rows)}."
        )
    return rows[material.family]
