"""3MF: units, components, transforms, files that refer to each other; and hostile archives."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from fettle.errors import Damaged, NoSolid, NotThatFormat, TooDetailed, Unsupported
from fettle.geometry.load import load
from fettle.geometry.part import Plane
from tests.geometry.meshes import CUBE_CORNERS, CUBE_TRIANGLES

CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
RELATIONSHIPS = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
    'Target="/3D/3dmodel.model" Id="r" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>'
    "</Relationships>"
)
VERTICES = "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in CUBE_CORNERS.tolist())
TRIANGLES = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in CUBE_TRIANGLES.tolist())
CUBE = f"<mesh><vertices>{VERTICES}</vertices><triangles>{TRIANGLES}</triangles></mesh>"


def model(resources: str, build: str, attributes: str = "") -> str:
    return (
        f'<?xml version="1.0"?><model xmlns="{CORE}" {attributes}>'
        f"<resources>{resources}</resources><build>{build}</build></model>"
    )


def archive(document: str | bytes, **others: str | bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as files:
        for path, content in {"_rels/.rels": RELATIONSHIPS, "3D/3dmodel.model": document, **others}.items():
            files.writestr(path, content)
    return written.getvalue()


def one_cube(attributes: str = "", transform: str = "") -> str:
    return model(f'<object id="1">{CUBE}</object>', f'<item objectid="1"{transform}/>', attributes)


@pytest.mark.parametrize(
    ("unit", "side_mm"),
    [("", 1.0), ("micron", 0.001), ("centimeter", 10.0), ("inch", 25.4), ("foot", 304.8), ("meter", 1000.0)],
)
def test_a_cube_of_one_unit(unit: str, side_mm: float) -> None:
    part = load(archive(one_cube(f'unit="{unit}"' if unit else "")), "cube.3mf").part
    assert part.volume_mm3 == pytest.approx(side_mm**3, rel=1e-9)
    assert [type(face.surface) for face in part.faces] == [Plane] * 6
    assert (part.source.format, part.source.length_unit) == ("3MF", unit or "millimeter")


def test_items_and_components_are_placed_one_transform_after_the_other() -> None:
    # twice as long in x, then moved by 10 in y; the item turns x to y and moves by 100 in z
    stretched = '<component objectid="1" transform="2 0 0 0 1 0 0 0 1 0 10 0"/>'
    resources = f'<object id="1">{CUBE}</object><object id="2"><components>{stretched}</components></object>'
    part = load(archive(model(resources, '<item objectid="2" transform="0 1 0 -1 0 0 0 0 1 0 0 100"/>')), "a.3mf").part
    assert part.volume_mm3 == pytest.approx(2.0)
    assert part.box == pytest.approx(np.array([[-11, 0, 100], [-10, 2, 101]]))


def test_a_mirrored_item_keeps_its_outside_and_two_items_are_two_bodies() -> None:
    items = "".join(f'<item objectid="1" transform="{x} 0 0 0 1 0 0 0 1 {move} 0 0"/>' for x, move in ((-1, 0), (1, 5)))
    part = load(archive(model(f'<object id="1">{CUBE}</object>', items)), "two.3mf").part
    assert len(part.bodies) == 2
    assert part.volume_mm3 == pytest.approx(2.0)


def test_objects_in_another_file_of_the_archive_and_supports_left_out() -> None:
    support = f'<object id="9" type="support">{CUBE}</object>'
    build = '<item objectid="1" p:path="/3D/Objects/one.model"/><item objectid="9"/>'
    main = model(support, build, f'xmlns:p="{PRODUCTION}" requiredextensions="p"')
    part = load(archive(main, **{"3D/Objects/one.model": one_cube()}), "split.3mf").part
    assert part.volume_mm3 == pytest.approx(1.0)
    assert part.source.warnings == ("Objects of type 'support' are left out.",)


ENTITY = f'<!DOCTYPE model [<!ENTITY a "{"ha" * 50}">]><model xmlns="{CORE}">&a;</model>'
CYCLE = '<object id="1"><components><component objectid="1"/></components></object>'
DOUBLING = f'<object id="0">{CUBE}</object>' + "".join(
    f'<object id="{n}"><components><component objectid="{n - 1}"/><component objectid="{n - 1}"/></components></object>'
    for n in range(1, 30)
)
EMPTY_DOUBLING = DOUBLING.replace(CUBE, "")
HOSTILE: dict[str, tuple[bytes, type[Exception], str]] = {
    "not a zip": (b"PK\x03\x04" + b"x" * 100, Damaged, "ZIP"),
    "truncated": (archive(one_cube())[:-40], Damaged, "ZIP"),
    "text": (b"hello", NotThatFormat, "ZIP archive"),
    "no model": (archive(one_cube()).replace(b"3D/3dmodel.model", b"3D/3dmodel.mobel"), Damaged, "3dmodel.model"),
    "entities": (archive(ENTITY), Damaged, "document type"),
    "not xml": (archive("<model>"), Damaged, "well-formed"),
    "unknown unit": (archive(one_cube('unit="furlong"')), Damaged, "furlong"),
    "beam lattice": (archive(one_cube('xmlns:b="http://x/beam" requiredextensions="b"')), Unsupported, "'b'"),
    "no object": (archive(model("", '<item objectid="4"/>')), Damaged, "no object '4'"),
    "nothing built": (archive(model(f'<object id="1">{CUBE}</object>', "")), NoSolid, "builds no triangles"),
    "its own component": (archive(model(CYCLE, '<item objectid="1"/>')), TooDetailed, "too deeply"),
    "doubling": (archive(model(DOUBLING, '<item objectid="29"/>')), TooDetailed, "objects|triangles"),
    "doubling of nothing": (archive(model(EMPTY_DOUBLING, '<item objectid="29"/>')), TooDetailed, "10000 objects"),
    "vertex beyond": (archive(one_cube().replace('v3="7"', 'v3="8"')), Damaged, "beyond its 8"),
    "negative vertex": (archive(one_cube().replace('v3="7"', 'v3="-1"')), Damaged, "beyond its 8"),
    "words for numbers": (archive(one_cube().replace('x="1.0"', 'x="one"')), Damaged, "not a number"),
    "not a number": (archive(one_cube().replace('x="1.0"', 'x="nan"')), Damaged, "finite"),
    "short transform": (archive(one_cube(transform=' transform="1 0 0"')), Damaged, "twelve numbers"),
}


@pytest.mark.parametrize("case", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_refused_with_the_reason(case: tuple[bytes, type[Exception], str]) -> None:
    data, error, reason = case
    with pytest.raises(error, match=reason):
        load(data, "part.3mf")


def test_a_zip_bomb_is_stopped_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fettle.geometry.readers.three_mf.MAX_UNPACKED_BYTES", 1_000_000)
    bomb = archive(one_cube() + " " * 20_000_000)
    assert len(bomb) < 50_000
    with pytest.raises(TooDetailed, match="unpacks to more than 1000000 bytes"):
        load(bomb, "bomb.3mf")
