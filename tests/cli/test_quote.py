"""`fettle quote` on real files."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fettle.cli.quote import app
from fettle.geometry.csg import CsgNode, build
from fettle.quote import Geometry, price, shipped_catalog
from tests.assemblies import HEX_BOLT, place_at_random, write_assembly

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
        (["--material", "unobtainium", "--quantity", "1"], "Aluminium A356"),
        (["--process", "cnc:3-axis", "--material", "ABS", "--quantity", "1"], "Aluminum 6061-T6"),
        (["--process", "forging:drop", "--quantity", "1"], "Processes with one: additive"),
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


def test_an_assembly_costs_what_its_made_bodies_cost(tmp_path: Path) -> None:
    path = tmp_path / "assembly.step"
    products: dict[str, CsgNode] = {"block": {"box": [60, 40, 30]}, "M5x20": HEX_BOLT}
    path.write_bytes(write_assembly(products, place_at_random({"block": 2, "M5x20": 3}, seed=1)))
    asked = [str(path), "--material", "Stainless 316L (CF3M)", "--quantity", "10"]
    quote = json.loads(RUNNER.invoke(app, [*asked, "--format", "json"]).stdout)["quote"]
    geometry = Geometry(Decimal(72), Decimal(108), (Decimal(60), Decimal(40), Decimal(30)))
    known = price(geometry, shipped_catalog().material("Stainless 316L (CF3M)"), 20)
    assert quote["total_price"] == pytest.approx(float(known.total_price), abs=0.2)
    assert [(body["name"], body["count"]) for body in quote["bodies"]] == [("block", 2)]
    text = RUNNER.invoke(app, asked).stdout
    assert "2 x block, 60 x 40 x 30 mm" in text
    assert "3 x M5x20, bought (hexagon screw M5), not priced" in text


def test_without_a_process_the_best_is_priced_and_the_others_are_listed(block: Path) -> None:
    answer = RUNNER.invoke(app, [str(block), "--quantity", "100", "--format", "json"])
    assert answer.exit_code == 0, answer.output
    said = json.loads(answer.stdout)
    quote = said["quote"]
    assert (quote["process"], quote["material"], quote["quantity"]) == ("cnc:3-axis", "Aluminum 6061-T6", 100)
    assert quote["process"] == said["processes"][0]["process"]
    assert sum(round(100 * line["amount"]) for line in quote["lines"]) == round(100 * quote["total_price"])
    assert quote["band"]["low"] < quote["unit_price"] < quote["band"]["high"]
    assert quote["foundation"]["severity"] == "pass"
    assert {one["process"] for one in said["processes"]} >= {"additive:fdm", "casting:investment", "turning:bar"}
    assert all(one["cheaper_from"] >= 1 for one in said["break_even"])


def test_a_named_process_is_priced_alone_in_the_material_asked_for(block: Path) -> None:
    words = [str(block), "--process", "cnc:3-axis", "--material", "7075", "--quantity", "10"]
    quote = json.loads(RUNNER.invoke(app, [*words, "--format", "json"]).stdout)
    assert list(quote) == ["quote"]
    assert quote["quote"]["material"] == "Aluminum 7075-T6"
    text = RUNNER.invoke(app, words).stdout
    assert "Aluminum 7075-T6, " in text
    assert "(cnc:3-axis)" in text
    assert f"{quote['quote']['total_price']:,.2f} USD" in text
