"""How a flat is asked for: the allowance and the material. Importing this loads no numpy: the API process has it."""

from __future__ import annotations

from dataclasses import dataclass

from fettle.errors import BadRequest


@dataclass(frozen=True, slots=True)
class FlatRequest:
    """At most one of K factor, DIN 6935 and table; a table goes before the formula of the material for bends in it.
    `table`: CSV text, `table_name`: what to call it; `material`: any part of a name in `data/sheet.yaml`."""

    k_factor: float | None = None
    din_6935: bool = False
    table: str | None = None
    table_name: str = "bend table"
    material: str | None = None

    def __post_init__(self) -> None:
        if (self.k_factor is not None) + self.din_6935 + (self.table is not None) > 1:
            raise BadRequest("give one of K factor, DIN 6935 and bend table, not several")
