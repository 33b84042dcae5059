"""A quote as its customer reads it, as a page and as PDF: picture, prices without margin, terms."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from fettle.app.customer_price import without_margin
from fettle.app.quote_letters import VALID, QuoteLetter
from fettle.app.reports.price_rows import grouped_lines
from fettle.app.reports.typeset import compile_pdf
from fettle.app.wording import amount, counted
from fettle.results import Quote

BREAKDOWN = (
    ("metal_cost", "Material"),
    ("shell_cost", "Tooling"),
    ("labor_cost", "Work"),
    ("post_processing_cost", "Finishing"),
)
NAMED_CAUSES = 5
"""Causes that the sheet names; the report has all of them."""


def quote_sheet(quote: Quote, letter: QuoteLetter | None, names: Mapping[str, str]) -> dict[str, Any]:
    """Everything that the page and the PDF say, as text. `names`: of materials and finishes by id."""
    shown = without_margin(quote)
    box = quote.geometry.bounding_box
    finishes = [names.get(one, one) for one in quote.post_processing_option_ids]
    facts = {
        "Part": quote.file_name,
        "Size": f"{amount(box.x_mm)} × {amount(box.y_mm)} × {amount(box.z_mm)} mm",
        "Process": quote.process_name or "Investment casting",
        "Material": quote.material or names.get(quote.material_id, quote.material_id),
        "Finishing": ", ".join(finishes) or "none",
        "Quantity": f"{quote.quantity:,}",
        "Lead time": counted(quote.lead_time_days, "working day"),
    }
    valid_until = letter.valid_until if letter else (quote.created_at + VALID).date()
    return {
        "number": quote.id[:8].upper(),
        "date": f"{quote.created_at:%Y-%m-%d}",
        "valid_until": f"{valid_until:%Y-%m-%d}",
        "seller": letter.seller if letter else "",
        "customer": letter.customer if letter else "",
        "reference": letter.reference if letter else "",
        "notes": letter.notes if letter else "",
        "terms": letter.terms if letter else "",
        "facts": [list(one) for one in facts.items()],
        "currency": quote.currency,
        "unit_price": money(quote.unit_price),
        "total_price": money(quote.total_price),
        "quantity": f"{quote.quantity:,}",
        "lines": grouped_lines(one.to_dict() for one in shown.lines) if shown.lines else _breakdown(shown),
        "breaks": [
            [f"{one.quantity:,}", money(one.unit_price), money(one.total_price), counted(one.lead_time_days, "day")]
            for one in (letter.breaks if letter else ())
        ],
        "bodies": [
            [one.name, f"{one.count:,}", money(one.unit_price), money(one.total_price)] for one in _bodies(quote)
        ],
        "causes": _causes(quote),
        "assumptions": list(quote.assumptions or ()),
    }


def quote_pdf(sheet: Mapping[str, Any], picture: bytes | None) -> bytes:
    """The sheet on paper."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = files("fettle.app.reports") / "templates" / "quote.typ"
        (folder / "quote.typ").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
        if picture is not None:
            (folder / "part.png").write_bytes(picture)
        (folder / "content.json").write_text(json.dumps({**sheet, "picture": picture is not None}), encoding="utf-8")
        return compile_pdf(folder / "quote.typ")


def money(value: Any) -> str:
    return f"{value:,.2f}"


def _breakdown(quote: Quote) -> list[list[str]]:
    return [[name, "", money(getattr(quote.breakdown, key))] for key, name in BREAKDOWN]


def _bodies(quote: Quote) -> list[Any]:
    """Prices of the bodies of an assembly; none for a single one, whose price is that of the quote."""
    found: list[Any] = [*(quote.ordered_bodies or quote.bodies or ())]
    return found if len(found) > 1 or any(one.count > 1 for one in found) else []


def _causes(quote: Quote) -> list[str]:
    """What stands in the way of making the part so, the first few in words."""
    said = list(quote.foundation.causes) if quote.foundation else []
    more = len(said) - NAMED_CAUSES
    return said[:NAMED_CAUSES] + ([f"{counted(more, 'more remark')} in the report."] if more > 0 else [])
