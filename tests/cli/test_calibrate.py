"""`fettle calibrate` and `fettle processes` as a shop runs them."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from fettle.app.access import accounts
from fettle.app.settings import Settings
from fettle.app.state.migrations import upgrade
from fettle.app.state.store import Store
from fettle.cli import calibrate, processes, quote
from fettle.geometry.csg import build

RUNNER = CliRunner()
FACTOR = 1.4


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a part, and an account in its database."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "block.step").write_bytes(build({"box": [60, 40, 30]}))
    store = Store(Settings(data_dir=folder / "data").database)
    upgrade(store)
    accounts.find_or_create(store, "shop@example.com")
    store.close()
    return folder


def each(shop: Path, quantity: int, *more: str) -> dict[str, Any]:
    words = [str(shop / "block.step"), "--process", "cnc:3-axis", "--quantity", str(quantity), "--format", "json"]
    answer = RUNNER.invoke(quote.app, [*words, *more])
    assert answer.exit_code == 0, answer.output
    found: dict[str, Any] = json.loads(answer.stdout)["quote"]
    return found


def test_past_prices_teach_a_factor_that_the_account_is_quoted_with(shop: Path) -> None:
    chance, plain = random.Random(1), each(shop, 100)
    curve = {int(point["quantity"]): point["unit_price"] for point in plain["curve"]}
    rows = ["file,process,quantity,actual_price"]
    for number in range(30):
        quantity = [10, 25, 50, 100, 250][number % 5]
        paid = FACTOR * curve[quantity] * quantity * chance.uniform(0.95, 1.05)
        rows.append(f"block.step,cnc:3-axis,{quantity},{paid:.2f}")
    (shop / "jobs.csv").write_text("\n".join(rows), encoding="utf-8")
    place = ["--data-dir", str(shop / "data"), "--account", "shop@example.com"]
    answer = RUNNER.invoke(calibrate.app, [str(shop / "jobs.csv"), *place, "--format", "json"])
    assert answer.exit_code == 0, answer.output
    (learned,) = json.loads(answer.stdout)["calibrations"]
    assert (learned["key"], learned["basis"], learned["jobs"]) == ("cnc:3-axis", "price", 30)
    assert learned["factor"] == pytest.approx(FACTOR, rel=0.03)
    assert learned["error"] < 0.06 < learned["error_before"]
    again = each(shop, 100, *place)
    assert again["unit_price"] == pytest.approx(learned["factor"] * plain["unit_price"], rel=0.002)
    assert "30 jobs" in again["band"]["reason"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("file,process,quantity,actual_minutes\nblock.step,cnc:3-axis,10,55\n", "at least 10 jobs"),
        ("part,minutes\n", "columns file or job_id"),
        ("file,process,quantity,price\nblock.step,cnc:3-axis,ten,55\n", "Line 2"),
        ("file,process,quantity,price\nblock.step,cnc:9-axis,10,55\n", "Line 2 .*9-axis"),
        ("job_id,process,quantity,price\njob_1,cnc:3-axis,10,55\n", "name the --account"),
    ],
)
def test_what_cannot_be_learned_from_is_refused(shop: Path, text: str, says: str) -> None:
    (shop / "bad.csv").write_text(text, encoding="utf-8")
    answer = RUNNER.invoke(calibrate.app, [str(shop / "bad.csv")])
    assert answer.exit_code == 1
    assert re.search(says, answer.stderr), answer.stderr


def test_processes_are_ranked_with_prices(shop: Path) -> None:
    words = [str(shop / "block.step"), "--quantity", "100"]
    said = json.loads(RUNNER.invoke(processes.app, [*words, "--format", "json"]).stdout)
    assert said["processes"][0]["process"] == "cnc:3-axis"
    text = RUNNER.invoke(processes.app, words).stdout
    assert " 1. cnc:3-axis" in text
    assert "no price" in text
