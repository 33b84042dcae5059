"""The glTF reader: every way to write the same cube, and every way to break it."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fettle.errors import BadRequest, Damaged, FettleError, NoSolid, NotThatFormat, TooDetailed, Unsupported
from fettle.geometry.gltf.reader import read_triangles
from fettle.geometry.segmentation.quantization import grid_step
from fettle.geometry.segmentation.shells import close_shells
from fettle.geometry.segmentation.triangles import MAX_TRIANGLES
from tests.geometry.gltf_files import Builder
from tests.geometry.meshes import CUBE_CORNERS, CUBE_TRIANGLES, triangle_soup


def cube() -> Builder:
    """A cube of one meter."""
    builder = Builder()
    builder.primitive(builder.add(CUBE_CORNERS), builder.add(CUBE_TRIANGLES.ravel(), "u2"))
    return builder


def volume(data: bytes, name: str = "part.glb", units: str = "m") -> float:
    return float(close_shells(read_triangles(data, name, units).corners).volumes_mm3.sum())


def refusal(data: bytes, name: str) -> str | None:
    """What the refusal says, or None when there is an answer; any other exception is a failure."""
    try:
        volume(data, name)
    except FettleError as refused:
        return str(refused)
    return None


@pytest.mark.parametrize(("units", "scale"), [("m", 1000.0), ("cm", 10.0), ("mm", 1.0), ("in", 25.4)])
def test_units(units: str, scale: float) -> None:
    assert volume(cube().glb(), units=units) == pytest.approx(scale**3, rel=1e-12)


def test_unknown_unit() -> None:
    with pytest.raises(BadRequest, match="yd"):
        read_triangles(cube().glb(), "part.glb", "yd")


def test_data_uri() -> None:
    assert volume(cube().gltf(), "part.gltf") == pytest.approx(1e9)


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4"])
def test_index_types(dtype: str) -> None:
    builder = Builder()
    builder.primitive(builder.add(CUBE_CORNERS), builder.add(CUBE_TRIANGLES.ravel(), dtype))
    assert volume(builder.glb()) == pytest.approx(1e9)


def test_interleaved_positions() -> None:
    builder = Builder()
    builder.primitive(builder.add(CUBE_CORNERS, stride=28), builder.add(CUBE_TRIANGLES.ravel(), "u1"))
    assert volume(builder.glb()) == pytest.approx(1e9)


def test_no_indices() -> None:
    builder = Builder()
    builder.primitive(builder.add(triangle_soup(CUBE_CORNERS, CUBE_TRIANGLES)))
    assert volume(builder.glb()) == pytest.approx(1e9)


@pytest.mark.parametrize(("dtype", "top"), [("i1", 127), ("u1", 255), ("i2", 32767), ("u2", 65535)])
def test_normalized_positions(dtype: str, top: int) -> None:
    builder = Builder()
    builder.document["extensionsUsed"] = builder.document["extensionsRequired"] = ["KHR_mesh_quantization"]
    position = builder.add(CUBE_CORNERS * top, dtype, stride=8 if dtype in {"i2", "u2"} else 4, normalized=True)
    builder.primitive(position, builder.add(CUBE_TRIANGLES.ravel(), "u1"))
    assert volume(builder.glb()) == pytest.approx(1e9)


def test_sparse_positions() -> None:
    """The far corner is pulled out to (1, 1, 2): the tetrahedra at that corner add 1/6 on each of two faces' halves."""
    builder = cube()
    where = builder.view(np.array([7], dtype="<u2").tobytes())
    what = builder.view(np.array([[1.0, 1.0, 2.0]], dtype="<f4").tobytes())
    builder.document["accessors"][0]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": where, "componentType": 5123},
        "values": {"bufferView": what},
    }
    corners = CUBE_CORNERS.copy()
    corners[7] = [1.0, 1.0, 2.0]
    a, b, c = (corners[CUBE_TRIANGLES[:, k]] for k in range(3))
    by_hand = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0
    assert volume(builder.glb()) == pytest.approx(by_hand * 1e9)


def test_strip_and_fan() -> None:
    """A tetrahedron (volume 1/6) as one fan of three triangles around the origin and a strip for the fourth."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0.0]])
    builder = Builder()
    position = builder.add(corners)
    builder.primitive(position, builder.add(np.array([0, 1, 2, 3, 1]), "u1"), mode=6)
    builder.primitive(position, builder.add(np.array([1, 3, 2]), "u1"), mode=5)
    assert volume(builder.glb()) == pytest.approx(1e9 / 6.0)


def test_long_strip_turns_every_second_triangle() -> None:
    """The published strip of a cube: 14 indices, 12 triangles."""
    corners = np.array([[0, 1, 1], [1, 1, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [1, 0, 0], [0, 0, 0.0]])
    order = np.array([4, 3, 7, 8, 5, 3, 1, 4, 2, 7, 6, 5, 2, 1]) - 1
    builder = Builder()
    builder.primitive(builder.add(corners), builder.add(order, "u1"), mode=5)
    closed = close_shells(read_triangles(builder.glb(), "strip.glb").corners)
    assert abs(closed.volumes_mm3[0]) == pytest.approx(1e9)
    assert not any("agree with their neighbors" in warning for warning in closed.warnings)


def test_nested_transforms_and_instances() -> None:
    """A unit cube twice: scaled by (2, 3, 4) under a quarter turn, and mirrored (volume 1)."""
    builder = cube()
    half = float(np.sqrt(0.5))
    builder.document["nodes"] = [
        {"children": [1], "rotation": [0, 0, half, half], "translation": [10, 0, 0]},
        {"mesh": 0, "scale": [2, 3, 4]},
        {"mesh": 0, "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -5, 0, 0, 1]},
    ]
    builder.document["scenes"] = [{"nodes": [0, 2]}]
    corners = read_triangles(builder.glb(), "part.glb").corners
    closed = close_shells(corners)
    assert sorted(closed.volumes_mm3) == pytest.approx([1e9, 24e9])
    assert closed.warnings == ()  # the mirrored one was not inside out
    assert corners.reshape(-1, 3).min(axis=0) == pytest.approx([-6000, 0, 0], abs=1e-6)
    assert corners.reshape(-1, 3).max(axis=0) == pytest.approx([10000, 2000, 4000], abs=1e-6)


def claims(**change: Any) -> Callable[[Builder], None]:
    def apply(builder: Builder) -> None:
        builder.document["accessors"][0].update(change)

    return apply


def document(path: str, value: Any) -> Callable[[Builder], None]:
    def apply(builder: Builder) -> None:
        at: Any = builder.document
        *way, last = path.split("/")
        for key in way:
            at = at[int(key) if isinstance(at, list) else key]
        at[int(last) if isinstance(at, list) else last] = value

    return apply


@pytest.mark.parametrize(
    ("damage", "error", "says"),
    [
        (claims(count=4_000_000_000), Damaged, "/accessors/0"),
        (claims(count=0), Damaged, "/accessors/0/count"),
        (claims(count=-1), Damaged, "/accessors/0/count"),
        (claims(count=True), Damaged, "/accessors/0/count"),
        (claims(byteOffset=90), Damaged, "/accessors/0"),
        (claims(byteOffset=2), Damaged, "/accessors/0"),
        (claims(bufferView=9), Damaged, "/accessors/0/bufferView"),
        (claims(componentType=5124), Damaged, "/accessors/0"),
        (claims(componentType=5123), Damaged, "KHR_mesh_quantization"),
        (claims(type="VEC2"), Damaged, "/accessors/0"),
        (document("bufferViews/0/byteLength", 10**9), Damaged, "/bufferViews/0"),
        (document("bufferViews/0/byteOffset", 10**9), Damaged, "/bufferViews/0"),
        (document("bufferViews/0/byteStride", 1), Damaged, "byteStride"),
        (document("bufferViews/0/buffer", 3), Damaged, "/bufferViews/0/buffer"),
        (document("buffers/0/byteLength", 10**9), Damaged, "/buffers/0"),
        (document("buffers/0/uri", "part.bin"), Unsupported, "Send a GLB"),
        (document("buffers/0/uri", "data:application/octet-stream;base64,@@@@"), Damaged, "/buffers/0/uri"),
        (document("meshes/0/primitives/0/indices", 7), Damaged, "/meshes/0/primitives/0/indices"),
        (document("meshes/0/primitives/0/mode", 9), Damaged, "/meshes/0/primitives/0/mode"),
        (document("nodes/0/mesh", 1), Damaged, "/nodes/0/mesh"),
        (document("nodes/0/children", [0]), Damaged, "/nodes/0"),
        (document("nodes/0/scale", [1, 1, "x"]), Damaged, "/nodes/0/scale"),
        (document("nodes/0/rotation", [0, 0, 0, 0]), Damaged, "/nodes/0/rotation"),
        (document("nodes/0/matrix", [1] * 15), Damaged, "/nodes/0/matrix"),
        (document("scenes/0/nodes", [0, 0]), Damaged, "/scenes/0/nodes/1"),
        (document("scene", 4), Damaged, "/scene"),
        (document("asset/version", "1.0"), Unsupported, "1.0"),
        (document("extensionsRequired", ["EXT_meshopt_compression"]), Unsupported, "EXT_meshopt_compression"),
        (document("extensionsRequired", ["EXT_mesh_gpu_instancing"]), Unsupported, "EXT_mesh_gpu_instancing"),
    ],
)
def test_damage_is_refused_with_its_place(
    damage: Callable[[Builder], None], error: type[FettleError], says: str
) -> None:
    builder = cube()
    damage(builder)
    with pytest.raises(error, match=says):
        read_triangles(builder.glb(), "part.glb")


def test_index_beyond_the_vertices() -> None:
    builder = Builder()
    builder.primitive(builder.add(CUBE_CORNERS), builder.add(np.array([0, 1, 8]), "u1"))
    with pytest.raises(Damaged, match="index 8"):
        read_triangles(builder.glb(), "part.glb")


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_positions_must_be_finite(value: float) -> None:
    corners = CUBE_CORNERS.copy()
    corners[5, 1] = value
    builder = Builder()
    builder.primitive(builder.add(corners), builder.add(CUBE_TRIANGLES.ravel(), "u1"))
    with pytest.raises(Damaged, match="element 5"):
        read_triangles(builder.glb(), "part.glb")


def test_a_small_file_that_claims_much_is_refused_before_memory_is_asked_for() -> None:
    builder = cube()
    builder.document["accessors"][0] = {"componentType": 5126, "type": "VEC3", "count": 4_000_000_000}
    with pytest.raises(TooDetailed, match="/accessors/0/count"):
        read_triangles(builder.glb(), "part.glb")


def test_nesting_bomb() -> None:
    with pytest.raises(Damaged, match="nested"):
        read_triangles(b'{"a":' + b"[" * 200_000, "bomb.gltf")


def test_a_chain_of_two_thousand_nodes_is_walked() -> None:
    """Each moves its child by 1 mm."""
    builder = cube()
    depth = 2_000
    chain: list[dict[str, Any]] = [{"children": [k + 1], "translation": [0.001, 0, 0]} for k in range(depth)]
    builder.document["nodes"] = [*chain, {"mesh": 0}]
    corners = read_triangles(builder.glb(), "part.glb").corners
    assert corners[..., 0].min() == pytest.approx(float(depth))


def test_a_ring_of_nodes_is_refused() -> None:
    builder = cube()
    builder.document["nodes"] = [{"mesh": 0}, {"children": [2]}, {"children": [3]}, {"children": [1]}]
    with pytest.raises(Damaged, match="ancestor"):
        read_triangles(builder.glb(), "part.glb")


def test_more_triangles_than_can_be_read() -> None:
    builder = Builder()
    builder.document["accessors"].append({"componentType": 5126, "type": "VEC3", "count": 3 * MAX_TRIANGLES + 3})
    builder.primitive(0)
    with pytest.raises(TooDetailed, match=f"more than {MAX_TRIANGLES} triangles"):
        read_triangles(builder.glb(), "part.glb")


def test_a_scene_without_triangles() -> None:
    builder = cube()
    builder.document["nodes"] = [{}]
    with pytest.raises(NoSolid, match="no triangles"):
        read_triangles(builder.glb(), "part.glb")


@pytest.mark.parametrize("bits", [12, 16])
def test_the_grid_of_rounded_positions_is_found(bits: int) -> None:
    """A thousand points of a unit cube on a grid, written as float32; and the same before they were rounded."""
    loose = np.random.default_rng(5).random((1000, 3))
    step = 1.0 / (2**bits - 1)
    on_grid = (np.round(loose / step) * step).astype(np.float32).astype(np.float64)
    assert grid_step(on_grid) == pytest.approx(step, rel=1e-4)
    assert grid_step(loose.astype(np.float32).astype(np.float64)) == 0.0


def test_whole_millimeters_are_no_grid() -> None:
    """A part drawn in millimeters: too few values to tell."""
    assert grid_step(np.random.default_rng(6).integers(0, 60, (500, 3)) / 1000.0) == 0.0


def test_json_that_is_no_json() -> None:
    for text in (b'{"asset": NaN}', b'{"asset"', b"{\xff}", b'{"a": ' + b"9" * 5000 + b"}"):
        with pytest.raises(Damaged):
            read_triangles(text, "part.gltf")
    for text in (b"", b"solid cube", b"[1]"):
        with pytest.raises(NotThatFormat):
            read_triangles(text, "part.gltf")
    with pytest.raises(NotThatFormat):
        read_triangles(b"ISO-10303-21;", "part.glb")


def test_container_lies() -> None:
    good = cube().glb()
    for data in (good[:8], good[:40], good[:-4], good[:12] + struct.pack("<I", 2**31) + good[16:]):
        with pytest.raises(Damaged):
            read_triangles(data, "part.glb")


def test_shells_that_do_not_close() -> None:
    builder = Builder()
    builder.primitive(builder.add(CUBE_CORNERS), builder.add(CUBE_TRIANGLES[:-1].ravel(), "u1"))
    with pytest.raises(NoSolid, match="3 open edges"):
        volume(builder.glb())


@settings(max_examples=150)
@given(st.binary(min_size=1, max_size=6), st.integers(0, 10_000), st.integers(0, 2))
def test_any_damage_ends_in_an_answer_or_a_refusal(noise: bytes, at: int, way: int) -> None:
    good = cube().glb()
    at %= len(good)
    data = (good[:at] + noise + good[at + len(noise) :], good[:at] + good[at + len(noise) :], good[:at])[way]
    said = refusal(data, "part.glb")
    assert said is None or len(said) > 20


def test_corpus(corpus: Path) -> None:
    boxes = {
        name: volume((corpus / "gltf" / name).read_bytes())
        for name in ("Box.glb", "BoxInterleaved.glb", "Box_Draco.glb")
    }
    assert list(boxes.values()) == pytest.approx([1e9] * 3, rel=1e-6)
    assert volume((corpus / "gltf" / "cube.glb").read_bytes()) == pytest.approx(8e9, rel=1e-6)
    with pytest.raises(NoSolid):
        volume((corpus / "gltf" / "empty_nodes.glb").read_bytes())


def test_broken_corpus(corpus: Path) -> None:
    """Nothing of the validator's own broken files holds a solid; each is refused in words."""
    folder = corpus / "gltf-broken"
    expected = json.loads((folder / "validator" / "EXPECTED.json").read_text())
    files = sorted(path for path in folder.rglob("*") if path.suffix in {".gltf", ".glb"})
    assert len(files) >= len(expected)
    said = {path.name: refusal(path.read_bytes(), path.name) for path in files}
    assert all(text is None or len(text) > 20 for text in said.values())
    answered = [name for name, text in said.items() if text is None]
    assert answered == ["BoxBadNormals.glb"]
