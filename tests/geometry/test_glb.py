"""The GLB writer: what other readers must find in it."""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from fettle.geometry.gltf.colors import angle_colors, category_colors, length_colors
from fettle.geometry.gltf.writer import Field, Scale, write_glb
from tests.geometry.gltf_validator import validate
from tests.geometry.meshes import cube_mesh

DTYPES = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


def parse(glb: bytes) -> tuple[dict[str, Any], bytes]:
    magic, version, length = struct.unpack_from("<4sII", glb)
    assert (magic, version, length) == (b"glTF", 2, len(glb))
    size, kind = struct.unpack_from("<I4s", glb, 12)
    assert kind == b"JSON"
    return json.loads(glb[20 : 20 + size]), glb[28 + size :]


def column(glb: bytes, accessor: int) -> NDArray[Any]:
    document, binary = parse(glb)
    said = document["accessors"][accessor]
    view = document["bufferViews"][said["bufferView"]]
    dtype = np.dtype(DTYPES[said["componentType"]])
    width = WIDTHS[said["type"]]
    stride = view.get("byteStride", dtype.itemsize * width)
    rows = np.ndarray((said["count"], width), dtype, binary, view["byteOffset"], (stride, dtype.itemsize))
    return rows.squeeze()


def primitive(glb: bytes, number: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = parse(glb)[0]["meshes"][0]["primitives"][number]
    return found


def test_a_cube_of_20_mm_is_0_02_m_with_its_faces() -> None:
    glb = write_glb(cube_mesh(20.0))
    attributes = primitive(glb)["attributes"]
    document = parse(glb)[0]
    position = document["accessors"][attributes["POSITION"]]
    assert position["min"] == [0.0, 0.0, 0.0]
    assert position["max"] == pytest.approx([0.02] * 3, rel=1e-7)
    assert column(glb, attributes["_FEATURE_ID_0"]).tolist() == [face for face in range(6) for _ in range(4)]
    assert primitive(glb)["extensions"]["EXT_mesh_features"]["featureIds"] == [
        {"featureCount": 6, "attribute": 0, "label": "face"}
    ]
    assert len(column(glb, primitive(glb)["indices"])) == 36


def test_the_node_stands_a_z_up_part_upright() -> None:
    matrix = np.array(parse(write_glb(cube_mesh(1.0)))[0]["nodes"][0]["matrix"]).reshape(4, 4).T
    assert (matrix @ [0, 0, 1, 1]).tolist() == [0, 1, 0, 1]
    assert np.linalg.det(matrix[:3, :3]) == pytest.approx(1.0)


def test_a_field_carries_its_numbers_and_says_what_they_mean() -> None:
    values = np.linspace(1.0, 4.0, 24)
    values[7] = np.nan
    glb = write_glb(cube_mesh(5.0), field=Field("_THICKNESS", values, Scale.LENGTH_MM, 1.0, 4.0))
    attributes = primitive(glb)["attributes"]
    stored = column(glb, attributes["_THICKNESS"])
    assert stored[7] == -1.0
    assert stored[[0, 23]].tolist() == [1.0, 4.0]
    said = parse(glb)[0]["asset"]["extras"]["field"]
    assert (said["unit"], said["range"], said["no_reading"]) == ("mm", [1.0, 4.0], -1.0)
    assert [stop["value"] for stop in said["legend"]] == [1.0, 1.75, 2.5, 3.25, 4.0]
    colors = column(glb, attributes["COLOR_0"])
    assert len(set(colors[7, :3].tolist())) == 1  # gray
    angle = write_glb(cube_mesh(5.0), field=Field("_DRAFT", np.full(24, np.nan), Scale.ANGLE_DEG, -5.0, 5.0))
    assert column(angle, primitive(angle)["attributes"]["_DRAFT"]).tolist() == [-999.0] * 24


def test_features_beside_faces_and_none_is_the_null_id() -> None:
    features = np.where(np.arange(24) < 8, 1, -1)
    glb = write_glb(cube_mesh(5.0), features=features, colors=category_colors(features, ["#000000", "#ffffff"]))
    assert primitive(glb)["extensions"]["EXT_mesh_features"]["featureIds"][1] == {
        "featureCount": 2,
        "attribute": 1,
        "label": "feature",
        "nullFeatureId": 2,
    }
    assert column(glb, primitive(glb)["attributes"]["_FEATURE_ID_1"]).tolist() == [1] * 8 + [2] * 16


def test_more_than_65536_faces_become_floats() -> None:
    mesh = cube_mesh(5.0)
    glb = write_glb(replace(mesh, point_face=mesh.point_face + np.int32(70_000)))
    ids = column(glb, primitive(glb)["attributes"]["_FEATURE_ID_0"])
    assert ids.dtype == np.float32
    assert ids[0] == 70_000


def test_edges_are_line_segments_that_do_not_join_two_polylines() -> None:
    edges = [np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0.0]]), np.array([[0, 5, 0], [1, 5, 0.0]])]
    glb = write_glb(cube_mesh(5.0), edges=edges)
    lines = primitive(glb, 1)
    assert lines["mode"] == 1
    assert column(glb, lines["indices"]).reshape(-1, 2).tolist() == [[0, 1], [1, 2], [3, 4]]


@pytest.mark.parametrize("closed", [True, False])
def test_what_is_not_closed_is_drawn_from_both_sides(closed: bool) -> None:
    glb = write_glb(cube_mesh(5.0), closed=closed)
    assert parse(glb)[0]["materials"][primitive(glb)["material"]]["doubleSided"] is not closed


def test_same_mesh_same_bytes() -> None:
    assert write_glb(cube_mesh(3.0), extras={"a": 1}) == write_glb(cube_mesh(3.0), extras={"a": 1})


def test_khronos_validator_finds_nothing_wrong() -> None:
    mesh = cube_mesh(20.0)
    values = np.linspace(0.0, 4.0, 24)
    values[3] = np.nan
    edges = [mesh.points[:4], mesh.points[4:6]]
    field = Field("_DRAFT", values, Scale.ANGLE_DEG, -5.0, 5.0)
    for glb in (
        write_glb(mesh),
        write_glb(mesh, field=field, features=np.arange(24) % 5 - 1, edges=edges, extras={"legend": ["x"]}),
        write_glb(replace(mesh, point_face=mesh.point_face + np.int32(70_000))),
    ):
        issues = validate(glb)["issues"]
        assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues["messages"]


def test_lightness_alone_gives_the_order() -> None:
    """Relative luminance (ITU-R BT.709) rises along the length scale and peaks in the middle of the angle scale."""
    at = np.linspace(0.0, 1.0, 33)
    luminance = length_colors(at, 0.0, 1.0) @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(luminance) > 0).all()
    diverging = angle_colors(at, 0.0, 1.0) @ [0.2126, 0.7152, 0.0722]
    assert (np.diff(diverging[:16]) > 0).all()
    assert (np.diff(diverging[17:]) < 0).all()
