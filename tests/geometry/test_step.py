"""STEP files as they are met: assemblies, mixed units, shells that nearly close, surfaces written as splines."""

from __future__ import annotations

import math
import re
from collections import Counter

import numpy as np
import pytest
from OCP.Interface import Interface_Static

from fettle.errors import Damaged, InputRefused, NoSolid, NotThatFormat, OutOfBounds
from fettle.geometry.csg import CsgNode, build
from fettle.geometry.kernel.solids import step_bytes
from fettle.geometry.kernel.step_instances import repeated_instance
from fettle.geometry.load import load
from fettle.geometry.part import Cone, Cylinder, Part, Plane, Sphere, Surface, Torus
from tests.geometry import kernel_shapes as kernel

CUBE = build({"box": [10, 10, 10]})


def read(data: bytes) -> Part:
    return load(data, "part.step").part


def test_reading_leaves_the_settings_of_the_kernel_as_they_were() -> None:
    read(CUBE)
    name = "read.encoderegularity.angle"
    assert Interface_Static.RVal_s(name) == 0.01  # the kernel's own
    Interface_Static.SetRVal_s(name, 0.02)
    read(CUBE)
    after = Interface_Static.RVal_s(name)
    Interface_Static.SetRVal_s(name, 0.01)
    assert after == 0.02


def test_instances_of_nested_assemblies_stand_where_they_are_placed() -> None:
    cube = kernel.box(10, 10, 10)
    pair = kernel.compound([cube, kernel.placed(cube, (20, 0, 0))])
    data = kernel.assembly_bytes(kernel.compound([pair, kernel.placed(pair, (0, 100, 0), turn_deg=90)]))
    assert data.count(b"MANIFOLD_SOLID_BREP") == 1
    assert data.count(b"NEXT_ASSEMBLY_USAGE_OCCURRENCE") == 4
    part = read(data)
    assert [body.volume_mm3 for body in part.bodies] == pytest.approx([1000] * 4)
    boxes = {
        tuple(np.round([face.box for face in part.faces if face.body == body], 6).min(axis=(0, 1)).tolist())
        for body in range(4)
    }
    # turned by 90 degrees a cube at the origin reaches to x = -10, the one at x = 20 stands at y = 20
    assert boxes == {(0, 0, 0), (20, 0, 0), (-10, 100, 0), (-10, 120, 0)}
    assert part.size_mm == pytest.approx([40, 130, 10])
    assert part.watertight


@pytest.mark.parametrize("units", [("mm", "in"), ("in", "mm"), ("m", "cm")])
def test_each_root_has_the_unit_of_its_own_context(units: tuple[str, str]) -> None:
    first = build({"box": [10, 10, 10]}, units[0])
    second = build({"move": {"of": {"box": [25.4, 25.4, 25.4]}, "by": [50, 0, 0]}}, units[1])
    part = read(kernel.appended(first, second))
    assert sorted(body.volume_mm3 for body in part.bodies) == pytest.approx([1000, 25.4**3], rel=1e-6)
    assert part.size_mm == pytest.approx([75.4, 25.4, 25.4], rel=1e-6)


def test_an_inch_is_a_conversion_based_unit() -> None:
    data = build({"box": [25.4, 50.8, 76.2]}, "in")
    assert b"CONVERSION_BASED_UNIT('INCH'" in data
    part = read(data)
    assert part.size_mm == pytest.approx([25.4, 50.8, 76.2], rel=1e-9)
    assert part.source.length_unit == "inch"


def test_a_solid_whose_faces_do_not_share_their_edges_is_sewn_with_a_warning() -> None:
    part = read(step_bytes(kernel.solid_of(kernel.loose_faces(kernel.box(10, 20, 30))), "mm"))
    assert part.volume_mm3 == pytest.approx(6000)
    assert len(part.edges) == 12
    assert part.watertight
    assert "sewn" in " ".join(part.source.warnings)


def test_surfaces_that_close_are_sewn_with_a_warning() -> None:
    part = read(step_bytes(kernel.compound(kernel.loose_faces(kernel.box(10, 20, 30))), "mm"))
    assert part.volume_mm3 == pytest.approx(6000)
    assert part.source.warnings == ("the file holds surfaces, not solids; those that close were sewn into solids",)


def test_a_loose_surface_beside_a_solid_is_left_out_with_a_warning() -> None:
    stray = kernel.placed(kernel.faces(kernel.box(5, 5, 5))[0], (50, 0, 0))
    part = read(step_bytes(kernel.compound([kernel.box(10, 10, 10), stray]), "mm"))
    assert part.volume_mm3 == pytest.approx(1000)
    assert part.size_mm == pytest.approx([10, 10, 10])
    assert part.source.warnings == ("1 loose surface outside the solids ignored",)


def test_surfaces_beside_those_that_close_are_left_out_and_counted() -> None:
    closed = kernel.loose_faces(kernel.box(10, 20, 30))
    stray = kernel.placed(kernel.loose_faces(kernel.box(5, 5, 5))[0], (50, 0, 0))
    part = read(step_bytes(kernel.compound([*closed, stray]), "mm"))
    assert part.volume_mm3 == pytest.approx(6000)
    assert part.source.warnings[1] == "1 of 7 surfaces do not close and were ignored"


def test_an_open_solid_beside_a_closed_one_is_left_out_with_a_warning() -> None:
    lidless = kernel.solid_of(kernel.faces(kernel.placed(kernel.box(5, 5, 5), (50, 0, 0)))[:5])
    part = load(kernel.native_bytes(kernel.compound([kernel.box(10, 10, 10), lidless])), "part.brep").part
    assert part.volume_mm3 == pytest.approx(1000)
    assert part.size_mm == pytest.approx([10, 10, 10])
    assert part.source.warnings == ("solid 2 is not closed (4 open edges) and was ignored",)


def test_a_face_between_two_touching_solids_belongs_to_each() -> None:
    part = read(
        step_bytes(kernel.fused([kernel.box(10, 10, 10), kernel.placed(kernel.box(5, 10, 10), (10, 0, 0))]), "mm")
    )
    assert sorted(body.volume_mm3 for body in part.bodies) == pytest.approx([500, 1000])
    assert Counter(face.body for face in part.faces) == {0: 6, 1: 6}
    assert part.area_mm2 == pytest.approx(600 + 400)
    assert part.watertight


SPLINES: dict[str, tuple[CsgNode, dict[type[Surface], list[float]], float]] = {
    "box": ({"box": [10, 20, 30]}, {Plane: [0] * 6}, 6000.0),
    "cylinder": ({"cylinder": {"d": 10, "h": 30}}, {Plane: [0, 0], Cylinder: [5]}, math.pi * 25 * 30),
    "cone": (
        {"cone": {"d": 20, "d2": 10, "h": 12}},
        {Plane: [0, 0], Cone: [math.degrees(math.atan(5 / 12))]},
        math.pi * 4 * 175,
    ),
    "sphere": ({"sphere": {"d": 14}}, {Sphere: [7]}, 4 / 3 * math.pi * 343),
    "torus": ({"torus": {"D": 40, "d": 10}}, {Torus: [5]}, 2 * math.pi**2 * 20 * 25),
}


@pytest.mark.parametrize("name", SPLINES)
def test_splines_that_are_simple_surfaces_are_seen_as_those(name: str) -> None:
    recipe, expected, volume = SPLINES[name]
    data = build({"splines": {"of": recipe}})
    assert b"B_SPLINE_SURFACE" in data
    part = read(data)
    found: dict[type[Surface], list[float]] = {}
    for face in part.faces:
        found.setdefault(type(face.surface), []).append(size_of(face.surface))
    assert set(found) == set(expected)
    for kind, sizes in expected.items():
        assert found[kind] == pytest.approx(sizes, abs=1e-3)
    assert all(face.convex for face in part.faces if not isinstance(face.surface, Plane))
    assert part.volume_mm3 == pytest.approx(volume, rel=1e-6)


def size_of(surface: Surface) -> float:
    match surface:
        case Cylinder() | Sphere():
            return surface.radius_mm
        case Cone():
            return surface.half_angle_deg
        case Torus():
            assert surface.major_radius_mm == pytest.approx(20, abs=1e-3)
            return surface.minor_radius_mm
        case _:
            return 0.0


def test_a_hole_written_as_a_spline_is_hollow() -> None:
    bored: CsgNode = {
        "cut": [{"box": [40, 40, 10]}, {"move": {"of": {"cylinder": {"d": 8, "h": 10}}, "by": [20, 20, 0]}}]
    }
    part = read(build({"splines": {"of": bored}}))
    (hole,) = [face for face in part.faces if isinstance(face.surface, Cylinder)]
    assert hole.convex is False
    assert hole.surface.radius_mm == pytest.approx(4, abs=1e-3)
    assert part.volume_mm3 == pytest.approx(16000 - math.pi * 16 * 10, rel=1e-6)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ((b"arm.stp", b"LEG.STEP", b"spec.pdf"), "arm.stp, LEG.STEP"),
        (tuple(b"p%d.stp" % number for number in range(5)), "p0.stp, p1.stp, p2.stp and 2 others"),
        ((b"spec.pdf",), None),
        ((b"Part.STEP",), None),  # itself
    ],
)
def test_parts_in_other_files_are_told(names: tuple[bytes, ...], said: str | None) -> None:
    warnings = read(refer_to(CUBE, *names)).source.warnings
    told = [f"parts of the assembly are in other files and were left out: {said}"] if said else []
    assert [warning for warning in warnings if "other files" in warning] == told


EMPTY = b"ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n"
BOX = kernel.box(10, 10, 10)
NATIVE = kernel.native_bytes(BOX)
POINTS = step_bytes(kernel.compound(kernel.vertices(BOX)), "mm")


def refer_to(data: bytes, *names: bytes) -> bytes:
    """The file with references to others, as the CAx-IF's recommended practices for external references write them."""
    documents = (
        b"#%d=DOCUMENT_FILE('%s','','',#%d,'',$);\n" % (9000 + 3 * place, name, 9001 + 3 * place)
        for place, name in enumerate(names)
    )
    return re.sub(rb"(DATA;\s)", lambda found: found[1] + b"".join(documents), data, count=1)


# what is sent, under which name: the error, what the text must name, and what it must say to do
REFUSALS: dict[str, tuple[bytes, str, type[InputRefused], str, str]] = {
    "empty": (b" \r\n", "a.step", NotThatFormat, "empty", "export it again"),
    "another extension": (CUBE, "a.dwg", NotThatFormat, ".dwg", "accepted are .step"),
    "no extension": (CUBE, "part", NotThatFormat, "no extension", "accepted are .step"),
    "zip": (b"PK\x03\x04\x14\x00", "a.stp", NotThatFormat, "ZIP", "unpack it"),
    "stl": (b"solid cube\nfacet", "a.step", NotThatFormat, "STL", "export STEP or GLB"),
    "glb": (b"glTF\x02\0\0\0", "a.step", NotThatFormat, "glTF", "name it .glb"),
    "step called glb": (CUBE, "a.glb", NotThatFormat, "STEP", "name it .step"),
    "xml": (b"<?xml version='1.0'?>", "a.step", NotThatFormat, "XML", "export STEP"),
    "utf-16": ("\ufeffISO-10303-21;".encode("utf-16-le"), "a.step", NotThatFormat, "UTF-16", "save it as"),
    "pointer": (b"version https://git-lfs.github.com/spec/v1\n", "a.step", NotThatFormat, "Git LFS", "fetch the file"),
    "prose": (b"hello", "a.step", NotThatFormat, "not a STEP file", "does not start with 'ISO-10303-21;'"),
    "truncated": (CUBE[: len(CUBE) // 2], "a.step", Damaged, f"{len(CUBE) // 2} bytes", "send it again"),
    "no data": (b"ISO-10303-21;\nHEADER;\nENDSEC;\nEND-ISO-10303-21;\n", "a.step", Damaged, "DATA", "export it again"),
    "no shape": (EMPTY, "a.step", NoSolid, "no shape", "export the 3D solid"),
    "wireframe": (
        step_bytes(kernel.compound(kernel.edges(BOX)), "mm"),
        "a.step",
        NoSolid,
        "wireframe",
        "export the 3D solid",
    ),
    "surfaces": (
        step_bytes(kernel.compound(kernel.faces(BOX)[:5]), "mm"),
        "a.step",
        NoSolid,
        "5 faces",
        "knit them into a solid",
    ),
    "open solid": (
        re.sub(rb"(CLOSED_SHELL\('',\(.*?),#\d+\)\)", rb"\1))", CUBE),
        "a.step",
        NoSolid,
        "5 faces",
        "knit them into a solid",
    ),
    "every solid open": (
        kernel.native_bytes(
            kernel.compound([kernel.solid_of(kernel.faces(kernel.box(10, 10, side))[:5]) for side in (10, 20)])
        ),
        "a.brep",
        NoSolid,
        "none of its 2 solids is closed (the first has 4 open edges)",
        "repair the model in the CAD system",
    ),
    "points": (POINTS, "a.step", NoSolid, "points only", "3D solid"),
    "assembly of other files": (
        refer_to(POINTS, b"foot.stp", b"head.stp", b"foot.stp"),
        "a.step",
        NoSolid,
        "parts are in other files (foot.stp, head.stp)",
        "send those, or export the assembly as one file",
    ),
    "points with a specification": (refer_to(POINTS, b"spec.pdf"), "a.step", NoSolid, "points only", "3D solid"),
    "tessellated": (
        EMPTY.replace(b"DATA;", b"DATA;\n#1=TESSELLATED_SOLID('',(),$);"),
        "a.step",
        NoSolid,
        "mesh",
        "export exact geometry",
    ),
    "comments before nothing": (b"/* */" * 60 + b"x", "a.step", NotThatFormat, "ISO-10303-21", "does not start with"),
    "unparsable": (
        EMPTY.replace(b"DATA;", b"DATA;\n#1=CARTESIAN_POINT('',(0."),
        "a.step",
        Damaged,
        "parsed",
        "export it again",
    ),
    "a number for two instances": (
        EMPTY.replace(b"DATA;", b"DATA;\n#7=CARTESIAN_POINT('',(0.,0.,0.));\n#07 =DIRECTION('',(0.,0.,1.));"),
        "a.step",
        Damaged,
        "defines #7 twice, on lines 5 and 6",
        "export it again",
    ),
    "a number for two instances, and comments without an end": (
        EMPTY.replace(b"DATA;", b"DATA;\n#1=A();\n#1=B();" + b"/* " * 300_000),
        "a.step",
        Damaged,
        "defines #1 twice, on lines 5 and 6",
        "export it again",
    ),
    "truncated brep": (NATIVE[: len(NATIVE) // 2], "a.brep", Damaged, "BREP", "truncated"),
    "scrambled brep": (NATIVE.replace(b"Surfaces", b"Sufraces"), "a.brep", Damaged, "BREP", "version unknown"),
    "far away": (
        build({"move": {"of": {"box": [10, 10, 10]}, "by": [0, 2e7, 0]}}),
        "a.step",
        OutOfBounds,
        "2e+07 mm",
        "export it again",
    ),
    "tiny": (
        build({"scale": {"of": {"box": [1, 1, 1]}, "by": 5e-5}}),
        "a.step",
        OutOfBounds,
        "e-05 mm across",
        "length unit",
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_names_the_file_the_fault_and_what_to_do(case: str) -> None:
    data, name, kind, fault, remedy = REFUSALS[case]
    with pytest.raises(kind) as refused:
        load(data, name)
    text = str(refused.value)
    assert name in text
    assert fault in text
    assert remedy in text


def test_what_looks_like_a_repeated_instance_in_a_text_or_a_comment_is_none() -> None:
    assert b"'design'" in CUBE
    quoted = CUBE.replace(b"DATA;", b"DATA;\n/* #1=A(); #1=B(); */", 1).replace(b"'design'", b"'#1= and #2 ='")
    assert load(quoted, "a.step").part.volume_mm3 == pytest.approx(1000)


@pytest.mark.parametrize("number", [b"1.E+400", b"1.E+300", b"1.E+12"])
def test_one_absurd_coordinate_is_refused(number: bytes) -> None:
    assert CUBE.count(b"(10.,10.,10.)")
    with pytest.raises(InputRefused):
        load(CUBE.replace(b"(10.,10.,10.)", b"(10.,10.," + number + b")"), "a.step")


@pytest.mark.parametrize(
    ("text", "repeated"),
    [
        (b"#1=A();\n#2=B();\n#12 \n =C();", None),
        (b"#12=A();\n#2=B();\n#012\t=C();", (12, 1, 3)),
        (b"#0=A();\n#00=B();", None),
        (b"1=A();\n1=B();\n#=A();\n#=B();", None),
        # 2 to the power of 64 apart
        (b"#7=A();\n#18446744073709551623=B();", None),
        (b"#100000000000000000000000000007=A();\n#100000000000000000000000000007=B();", (10**29 + 7, 1, 2)),
    ],
)
def test_an_instance_is_repeated_where_its_number_is(text: bytes, repeated: tuple[int, int, int] | None) -> None:
    assert repeated_instance(text) == repeated
