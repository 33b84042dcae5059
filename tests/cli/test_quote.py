"""`fettle quote` on real files."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fettle.cli.quote import app
from fettle.geometry.csg import build
from fettle.quote import Geometry, price, shipped_catalog

RUNNER = CliRunner()


@pytest.fixture(scope="module")
def block(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 x 40 x 30 mm: 72 cm3, 108 cm2."""
    path = tmp_path_factory.mktemp("quote") / "block.step"
    path.write_bytes(build({"box": [60, 40, 30]}))
    return path


def test_a_block_costs_what_the_model_says(block: Path) -> None:
    asked = [str(block), "--material", "stainless 316l (cf3m)", "--quantity", "10", "--finish", "Sandblast"]
    answer = RUNNER.invoke(app, [*asked, "--format", "json"])
    assert answer.exit_code == 0, answer.output
    quote = json.loads(answer.stdout)["quote"]
    catalog = shipped_catalog()
    geometry = Geometry(Decimal(72), Decimal(108), (Decimal(60), Decimal(40), Decimal(30)))
    known = price(geometry, catalog.material("Stainless 316L (CF3M)"), 10, [catalog.finish("Sandblast")])
    assert quote["total_price"] == float(known.total_price)
    assert quote["breakdown"]["post_processing_cost"] == 40.0
    assert quote["lead_time_days"] == known.lead_time_days
    assert quote["geometry"]["bounding_box"] == pytest.approx({"x_mm": 60, "y_mm": 40, "z_mm": 30})
    text = RUNNER.invoke(app, asked).stdout
    assert f"{known.total_price:,.2f} USD" in text
    assert "each at 1: " in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--material", "6061", "--quantity", "1"], "Aluminium A356"),
        (["--material", "Carbon steel WCB", "--quantity", "0"], "from 1 to 10000"),
        (["--material", "Carbon steel WCB", "--quantity", "1", "--finish", "gold"], "Mirror polish"),
    ],
)
def test_what_cannot_be_quoted_ends_with_exit_code_1(block: Path, words: list[str], says: str) -> None:
    answer = RUNNER.invoke(app, [str(block), *words])
    assert answer.exit_code == 1
    assert says in answer.stderr


def test_a_missing_file_is_exit_code_2() -> None:
    answer = RUNNER.invoke(app, ["nowhere.step", "--material", "Carbon steel WCB", "--quantity", "1"])
    assert answer.exit_code == 2
