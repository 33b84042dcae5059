"""Catalog files: what they list, and how invalid files are refused."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from fettle.quote import load_catalog, shipped_catalog
from fettle.quote.catalog import CatalogFault, InactiveMaterial, UnknownFinish, UnknownMaterial

DATA = Path(__file__).parents[2] / "src" / "fettle" / "data"


def test_the_shipped_catalog_has_fifteen_materials_and_thirteen_finishes_with_ids_of_their_own() -> None:
    catalog = shipped_catalog()
    assert (len(catalog.materials), len(catalog.finishes)) == (15, 13)
    assert len({entry.id for entry in (*catalog.materials, *catalog.finishes)}) == 28


def test_published_values_of_some_materials() -> None:
    steel = shipped_catalog().material("Stainless 316L (CF3M)")
    assert (steel.density_kg_m3, steel.cost_per_kg) == (Decimal(7750), Decimal("6.2"))
    assert steel.maximum_part_text == "300mm x 195mm x 290mm"
    assert shipped_catalog().material("tool steel h13").maximum_part_text == "250mm x 180mm x 250mm"
    assert not any("6061" in material.name for material in shipped_catalog().materials)


def test_every_size_is_written_as_the_contract_says() -> None:
    form = re.compile(r"^\d+mm x \d+mm x \d+mm$")
    assert all(form.match(material.maximum_part_text) for material in shipped_catalog().materials)


def test_an_unknown_name_is_refused_with_the_valid_names() -> None:
    with pytest.raises(UnknownMaterial, match=r"'6061'.*Aluminium A356"):
        shipped_catalog().material("6061")
    with pytest.raises(UnknownFinish, match=r"'chrome'.*Mirror polish"):
        shipped_catalog().finish("chrome")


def test_an_operator_s_file_replaces_the_shipped_one(tmp_path: Path) -> None:
    text = (DATA / "materials.yaml").read_text()
    (tmp_path / "materials.yaml").write_text(text.replace("active: true", "active: false", 1))
    catalog = load_catalog(tmp_path)
    with pytest.raises(InactiveMaterial, match="Aluminium A356"):
        catalog.material("Aluminium A356")
    assert catalog.finishes == shipped_catalog().finishes


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("materials.yaml", "family: iron", "family: unobtainium", "family 'unobtainium'"),
        ("materials.yaml", "density_kg_m3: 2670", "density_kg_m3: -1", "density_kg_m3"),
        ("materials.yaml", "materials:", "materials: [", "materials.yaml cannot be used"),
        ("finishing.yaml", "per_kg\n", "per_stone\n", "per_stone"),
        ("pricing.yaml", "scrap: 0.05", "scrap: 0.05\n  scrapp: 1", "scrapp"),
    ],
)
def test_an_invalid_file_is_refused_with_the_faulty_field(
    tmp_path: Path, name: str, old: str, new: str, says: str
) -> None:
    text = (DATA / name).read_text()
    assert old in text
    (tmp_path / name).write_text(text.replace(old, new, 1))
    with pytest.raises(CatalogFault, match=says):
        load_catalog(tmp_path)
