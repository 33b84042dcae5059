"""PMI of files of our own: read, absent, edited and hostile."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

import fettle
from fettle.app.build_result import build_result
from fettle.geometry.load import load
from fettle.geometry.part import Cylinder, Part, Plane
from fettle.geometry.pmi.records import DatumReference
from fettle.pmi.checks import check_pmi
from fettle.pmi.iso286 import grade_of
from fettle.results import FeatureEntry
from tests.geometry.pmi_files import Plate, plate


@pytest.fixture(scope="module")
def bored() -> Plate:
    return plate()


def read(data: bytes) -> Part:
    return load(data, "plate.step").part


def volume_is_right(part: Part) -> bool:
    """40 x 30 x 10 less a bore of 8."""
    return part.volume_mm3 == pytest.approx(12000 - 160 * 3.141592653589793, rel=1e-9)


def test_dimensions_tolerances_datums_and_notes_are_tied_to_their_faces(bored: Plate) -> None:
    part = read(bored.toleranced())
    assert part.pmi is not None
    assert part.source.warnings == ()
    (size,) = part.pmi.dimensions
    flat, square = part.pmi.tolerances
    (datum,) = part.pmi.datums
    (note,) = part.pmi.notes
    assert (size.kind, size.nominal, size.lower, size.upper) == ("diameter", 8.0, 8.0, pytest.approx(8.036))
    assert [type(part.faces[face].surface) for face in size.place.faces] == [Cylinder]
    assert (flat.kind, flat.value_mm, flat.datums, flat.place) == ("flatness", 0.05, (), datum.place)
    assert (square.kind, square.value_mm, square.zone) == ("perpendicularity", 0.1, "cylindrical_or_circular")
    assert square.modifiers == ("maximum_material_requirement",)
    assert square.datums == (DatumReference("A"),)
    assert square.place == size.place == note.place
    (bottom,) = datum.place.faces
    surface = part.faces[bottom].surface
    assert isinstance(surface, Plane)
    assert surface.normal[2] == pytest.approx(-1)
    assert note.text == "Ø8 THRU; ISO 2768-mK, Ra 1.6"
    assert part.pmi.drawn_only == ("drawn by hand",)
    assert check_pmi(part, part.pmi) == ()


def test_features_carry_their_tolerances(bored: Plate) -> None:
    """IT9 of 6 to 10 mm is 36 micrometers. The flat bottom is a face of the slab."""
    result = build_result(fettle.analyze(fettle.read(bored.toleranced(), name="plate.step")), "")
    (hole,) = (one for one in result.features.features if one.kind == "HOLE")
    assert [(one.kind, one.width_mm, one.ra_um) for one in hole.tolerances] == [
        ("size", pytest.approx(0.036), None),
        ("perpendicularity", 0.1, None),
        ("finish", None, 1.6),
    ]
    assert hole.tolerances[0].it_grade == 9
    assert hole.tolerances[1].text == "perpendicularity 0.1 mm to A"
    assert FeatureEntry.from_dict(hole.to_dict()) == hole
    (slab,) = (one for one in result.features.features if one.tolerances and one is not hole)
    assert [one.text for one in slab.tolerances] == ["flatness 0.05 mm"]


def test_a_file_without_pmi_has_none_and_no_warning(bored: Plate) -> None:
    part = read(bored.text.encode())
    assert part.pmi is None
    assert part.source.warnings == ()


def test_twins_in_ap203_and_ap214_have_no_pmi_and_the_same_geometry(corpus: Path) -> None:
    folder = corpus / "units" / "twins"
    twins = [load(path.read_bytes(), path.name).part for path in sorted(folder.glob("*.STEP"))]
    assert [part.source.schema for part in twins] == ["AP203", "AP214"]
    assert [part.pmi for part in twins] == [None, None]
    assert twins[0].volume_mm3 == pytest.approx(twins[1].volume_mm3, rel=1e-9)


def test_an_edited_nominal_is_found_with_both_values(bored: Plate) -> None:
    part = read(bored.toleranced(nominal=8.5))
    assert part.pmi is not None
    (check,) = check_pmi(part, part.pmi)
    assert (check.rule, check.stated, check.found, check.unit) == ("nominal_differs", 8.5, pytest.approx(8.0), "mm")
    assert check.faces == part.pmi.dimensions[0].place.faces


def test_a_tolerance_edited_to_it4_is_told_as_it4(bored: Plate) -> None:
    """ISO 286: IT9 of 6 to 10 mm is 36 micrometers, IT4 is 4."""
    was = read(bored.toleranced()).pmi
    now = read(bored.toleranced().replace(b"LENGTH_MEASURE(0.036)", b"LENGTH_MEASURE(0.004)")).pmi
    assert was is not None
    assert now is not None
    widths = [(one.upper or 0.0) - (one.lower or 0.0) for one in (*was.dimensions, *now.dimensions)]
    assert [grade_of(8.0, width) for width in widths] == [9, 4]


def test_a_removed_datum_is_found_and_its_tolerance_stays(bored: Plate) -> None:
    data = re.sub(rb"#90022=DATUM[^;]*;", b"", bored.toleranced())
    part = read(data)
    assert part.pmi is not None
    assert [one.kind for one in part.pmi.tolerances] == ["flatness", "perpendicularity"]
    (check,) = check_pmi(part, part.pmi)
    assert (check.rule, check.stated) == ("datum_missing", 0.1)


def test_a_datum_without_a_face_is_found(bored: Plate) -> None:
    part = read(re.sub(rb"#90021=GEOMETRIC_ITEM[^;]*;", b"", bored.toleranced()))
    assert part.pmi is not None
    assert [one.rule for one in check_pmi(part, part.pmi)] == ["datum_without_face"]


def test_a_tolerance_tighter_than_its_datum_is_found_with_both_values(bored: Plate) -> None:
    part = read(bored.toleranced(flatness=0.2, square=0.1))
    assert part.pmi is not None
    (check,) = check_pmi(part, part.pmi)
    assert (check.rule, check.stated, check.found) == ("tighter_than_datum", 0.1, 0.2)


def test_a_hole_call_out_of_another_size_is_found_with_both_values(bored: Plate) -> None:
    part = read(bored.toleranced().replace(b"\\X2\\00D8\\X0\\8 THRU", b"\\X2\\00D8\\X0\\9 THRU"))
    assert part.pmi is not None
    (check,) = check_pmi(part, part.pmi)
    assert (check.rule, check.stated, check.found) == ("call_out_differs", 9.0, pytest.approx(8.0))


def test_a_thread_is_modeled_at_its_core_or_its_major_diameter(bored: Plate) -> None:
    for text, rules in ((b"M8", []), (b"M9x1", []), (b"M12", ["call_out_differs"]), (b"M6", ["call_out_differs"])):
        part = read(bored.toleranced().replace(b"\\X2\\00D8\\X0\\8 THRU", text + b" THRU"))
        assert part.pmi is not None
        assert [one.rule for one in check_pmi(part, part.pmi)] == rules


def test_inches_become_millimeters(bored: Plate) -> None:
    data = bored.toleranced().replace(
        b"#90001=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));",
        b"#90001=(CONVERSION_BASED_UNIT('INCH',#90002)LENGTH_UNIT()NAMED_UNIT(#90004));"
        b"#90002=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#90003);"
        b"#90003=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));"
        b"#90004=DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.);",
    )
    pmi = read(data).pmi
    assert pmi is not None
    assert pmi.dimensions[0].nominal == pytest.approx(203.2)
    assert [one.value_mm for one in pmi.tolerances] == pytest.approx([1.27, 2.54])


SELF_DEFINED_UNIT = (
    b"#90001=(CONVERSION_BASED_UNIT('X',#90002)LENGTH_UNIT()NAMED_UNIT(*));"
    b"#90002=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(2.),#90001);"
)
CIRCLE = (
    b"#90090=SHAPE_ASPECT_RELATIONSHIP('','',#90010,#90020);"
    b"#90091=SHAPE_ASPECT_RELATIONSHIP('','',#90020,#90010);#90023="
)
TESSELLATED = (
    b"#90050=DRAUGHTING_CALLOUT('t',(#90051));#90051=TESSELLATED_ANNOTATION_OCCURRENCE('',(),#90052);"
    b"#90052=TESSELLATED_GEOMETRIC_SET('',(#90053));#90053=TESSELLATED_CURVE_SET('',#90099,((1,2,3)));"
)
HOSTILE = {
    "dangling measure": (rb"#90013=[^;]*;", b""),
    "dangling aspect": (rb"#90010=SHAPE_ASPECT[^;]*;", b""),
    "dangling unit": (rb"#90001=\([^;]*;", b""),
    "unit of itself": (rb"#90001=\([^;]*;", SELF_DEFINED_UNIT),
    "aspects in a circle": (rb"#90023=", CIRCLE),
    "a datum of itself": (rb"(#90024=[^;]*),#90022,", rb"\1,#90024,"),
    "a text for a number": (rb"LENGTH_MEASURE\(0.05\)", b"LENGTH_MEASURE('wide')"),
    "an endless number": (rb"LENGTH_MEASURE\(0.05\)", b"LENGTH_MEASURE(1.E999)"),
    "a negative tolerance": (rb"LENGTH_MEASURE\(0.05\)", b"LENGTH_MEASURE(-0.05)"),
    "too few attributes": (rb"FLATNESS_TOLERANCE\('','',#90026,#90020\)", b"FLATNESS_TOLERANCE('')"),
    "a huge text": (rb"8 THRU", b"8 THRU " + b"M6x1 " * 400_000),
    "deep lists": (rb"\(#90013\)", b"(" * 5000 + b"#90013" + b")" * 5000),
    "tessellated annotation": (rb"#90050=[^;]*;", TESSELLATED),
    "a comment with a semicolon": (rb"#90050=", b"/* it's; #90012=x; */#90050="),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_pmi_costs_neither_the_geometry_nor_the_rest(bored: Plate, what: str) -> None:
    pattern, instead = HOSTILE[what]
    data, count = re.subn(pattern, instead, bored.toleranced(), count=1)
    assert count == 1
    started = time.process_time()
    part = read(data)
    assert volume_is_right(part)
    assert time.process_time() - started < 5.0
    if what == "a comment with a semicolon":
        assert part.pmi is not None
        assert len(part.pmi.dimensions) == 1


@pytest.mark.parametrize("what", ["dangling measure", "a text for a number", "an endless number", "too few attributes"])
def test_what_could_not_be_read_is_told_and_the_rest_is_there(bored: Plate, what: str) -> None:
    pattern, instead = HOSTILE[what]
    part = read(re.sub(pattern, instead, bored.toleranced(), count=1))
    assert part.pmi is not None
    assert len(part.pmi.problems) == 1
    assert len(part.source.warnings) == 1
    assert part.pmi.problems[0] in part.source.warnings[0]
    assert len(part.pmi.dimensions) + len(part.pmi.tolerances) == 2


def test_same_bytes_same_pmi(bored: Plate) -> None:
    assert read(bored.toleranced()).pmi == read(bored.toleranced()).pmi


def test_an_instance_inside_of_a_text_is_none(bored: Plate) -> None:
    data = bored.toleranced().replace(b"drawn by hand", b"drawn; #90012=DATUM(#1); by hand")
    pmi = read(data).pmi
    assert pmi is not None
    assert pmi.drawn_only == ("drawn; #90012=DATUM(#1); by hand",)
    assert len(pmi.dimensions) == 1
    assert pmi.dimensions[0].place.faces


def test_a_point_beside_the_solid_stands_for_the_face_it_lies_on(bored: Plate) -> None:
    """A datum target of CAD systems: a point of the set of supplemental geometry, on the top of the plate."""
    lines = f"""
#90100=CARTESIAN_POINT('',(5.,5.,10.));
#90101=GEOMETRIC_SET('',(#90100));
#90102=GEOMETRICALLY_BOUNDED_SURFACE_SHAPE_REPRESENTATION('',(#90101),#{bored.units});
#90103=SHAPE_REPRESENTATION_RELATIONSHIP('','',#{bored.context},#90102);
#90104=SHAPE_ASPECT('','',#{bored.shape},.T.);
#90105=GEOMETRIC_ITEM_SPECIFIC_USAGE('','',#90104,#90102,#90100);
#90106=FEATURE_FOR_DATUM_TARGET_RELATIONSHIP('','',#90104,#90107);
#90107=PLACED_DATUM_TARGET_FEATURE('','point',#{bored.shape},.T.,'1');
#90108=DATUM('','',#{bored.shape},.F.,'T');
#90109=SHAPE_ASPECT_RELATIONSHIP('','',#90107,#90108);
"""
    part = read(bored.with_pmi(lines))
    assert part.pmi is not None
    (datum,) = part.pmi.datums
    assert [target.label for target in datum.targets] == ["T1"]
    assert [float(part.faces[face].normal[2]) for face in datum.place.faces] == [pytest.approx(1.0)]
