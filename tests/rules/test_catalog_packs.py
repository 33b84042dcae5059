"""Packs of the operator: added or put in the place of shipped ones, and checked before anything starts."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from fettle.app.service import open_service
from fettle.app.settings import Settings
from fettle.errors import CatalogFault
from fettle.rules import load_modules, modules_in_force, shipped_modules
from fettle.rules.packs import CATALOG_DIR

SHOP = {
    "key": "shop",
    "name": "Our shop",
    "configurations": {"usual": {"name": "Usual", "parameters": {"smallest_hole_mm": 3}}},
    "rules": [
        {
            "key": "holes",
            "name": "Holes",
            "scope": "per_feature",
            "selector": {"set": "holes"},
            "metric": "hole.diameter",
            "tiers": [{"level": "fail", "op": "lt", "rhs": {"param": "smallest_hole_mm"}}, {"level": "pass"}],
            "messages": {"fail": "Hole {fid} is {metric:.1f} mm, our smallest drill has {threshold:.1f} mm."},
        }
    ],
}
SHIPPED = [module.key for module in shipped_modules()]


@pytest.fixture
def packs(tmp_path: Path) -> Path:
    folder = tmp_path / "packs"
    folder.mkdir()
    return folder


def write(folder: Path, name: str, pack: object) -> None:
    (folder / name).write_text(yaml.safe_dump(pack))


def test_a_key_of_its_own_adds_a_module_after_the_shipped_ones(packs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(packs, "ours.yaml", SHOP)
    (packs / "ours.cases.yaml").write_text("cases: []")
    monkeypatch.setenv(CATALOG_DIR, str(packs.parent))
    assert [module.key for module in modules_in_force()] == [*SHIPPED, "shop"]


def test_the_key_of_a_shipped_module_replaces_it_in_its_place(packs: Path) -> None:
    write(packs, "casting.yaml", {**SHOP, "key": "casting"})
    found = load_modules(packs.parent)
    assert [module.key for module in found] == SHIPPED
    assert found[SHIPPED.index("casting")].name == "Our shop"


def test_without_a_folder_the_shipped_ones_are_in_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CATALOG_DIR, raising=False)
    assert modules_in_force() == load_modules(tmp_path) == shipped_modules()


@pytest.mark.parametrize(
    ("pack", "says"),
    [
        ({**SHOP, "rules": [{**SHOP["rules"][0], "metric": "hole.size"}]}, "packs/ours.yaml cannot be used.*hole.size"),
        ("text", "packs/ours.yaml cannot be used"),
    ],
)
def test_a_faulty_pack_is_named_with_its_fault_before_anything_starts(packs: Path, pack: object, says: str) -> None:
    write(packs, "ours.yaml", pack)
    with pytest.raises(CatalogFault, match=says):
        open_service(Settings(data_dir=packs.parent / "data", catalog_dir=packs.parent))
    assert not (packs.parent / "data").exists()


def test_two_packs_of_one_key_are_refused(packs: Path) -> None:
    write(packs, "a.yaml", SHOP)
    write(packs, "b.yaml", SHOP)
    with pytest.raises(CatalogFault, match=r"packs/b.yaml and packs/a.yaml both have the key 'shop'"):
        load_modules(packs.parent)


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogFault, match="there is no such folder"):
        open_service(Settings(data_dir=tmp_path / "data", catalog_dir=tmp_path / "typo"))
