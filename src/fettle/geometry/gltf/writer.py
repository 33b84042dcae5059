"""GLB writer: a `Mesh` as binary glTF 2.0, for any viewer, with its face numbers and measured fields.

Positions are the part's own coordinates in meters; one node turns the Z-up part upright in glTF's Y-up world. Rows of
`Mesh.points` are the vertices, so per-point arrays go in as they are. Same mesh, same bytes.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.gltf.colors import NO_READING, angle_colors, hex_color, length_colors
from fettle.geometry.mesh import Mesh

PART_COLOR = (0.52, 0.56, 0.61)
EDGE_COLOR = (0.02, 0.02, 0.03)
UPRIGHT = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
"""Node matrix, column by column: (x, y, z) of the part becomes (x, z, -y)."""

_UNSIGNED_BYTES = {2: 5123, 4: 5125}
_FLOAT = 5126
_VERTICES, _INDICES = 34962, 34963
_LEGEND_STEPS = 5


class Scale(Enum):
    """Quantity of a field; the value is the number written for "no reading", because glTF has no nan."""

    LENGTH_MM = -1.0
    ANGLE_DEG = -999.0


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A scalar at every point. `attribute`: a glTF name such as `_THICKNESS`; values (n,), nan for no reading.

    `low` and `high` are the ends of the color scale; values beyond take the end's color.
    """

    attribute: str
    values: NDArray[np.float64]
    scale: Scale
    low: float
    high: float

    def colors(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Linear colors (n, 3) of `values` (n,) on this field's scale."""
        paint = length_colors if self.scale is Scale.LENGTH_MM else angle_colors
        return paint(values, self.low, self.high)

    def legend(self) -> dict[str, Any]:
        stops = np.linspace(self.low, self.high, _LEGEND_STEPS)
        return {
            "attribute": self.attribute,
            "unit": "mm" if self.scale is Scale.LENGTH_MM else "deg",
            "range": [self.low, self.high],
            "no_reading": self.scale.value,
            "legend": [
                {"value": float(stop), "color": hex_color(color)}
                for stop, color in zip(stops, self.colors(stops), strict=True)
            ],
            "no_reading_color": hex_color(np.array(NO_READING)),
        }


def write_glb(
    mesh: Mesh,
    *,
    field: Field | None = None,
    colors: NDArray[np.float64] | None = None,
    features: NDArray[np.integer] | None = None,
    edges: Sequence[NDArray[np.float64]] = (),
    extras: Mapping[str, Any] | None = None,
    closed: bool = True,
) -> bytes:
    """The GLB of a part.

    `field` colors the part by a measured scalar and carries its numbers; `colors` (n, 3) linear RGB paints it by
    anything else (at most one of the two). `features` (n,): number of each point's feature, -1 for none. `edges`:
    polylines (k, 3) in mm, drawn as lines. `extras`: further members of the asset. `closed`: whether the triangles
    enclose bodies; those that do not are drawn from both sides.
    """
    if field is not None and colors is not None:
        raise ValueError("write_glb: a part is painted by a field or by colors, not by both")
    binary = _Binary()
    attributes = {
        "POSITION": binary.add_vectors(mesh.points / 1000.0, bounds=True),
        "NORMAL": binary.add_vectors(mesh.normals),
        "_FEATURE_ID_0": binary.add_ids(mesh.point_face),
    }
    count = int(mesh.point_face.max(initial=-1)) + 1
    ids: list[dict[str, Any]] = [{"featureCount": max(count, 1), "attribute": 0, "label": "face"}]
    said: dict[str, Any] = {"length_unit": "m", "face": "feature id 0 plus one is the fid", **(extras or {})}
    if features is not None:
        count = int(features.max(initial=-1)) + 1
        attributes["_FEATURE_ID_1"] = binary.add_ids(np.where(features < 0, count, features))
        ids.append({"featureCount": max(count, 1), "attribute": 1, "label": "feature", "nullFeatureId": count})
    if field is not None:
        readings = np.where(np.isfinite(field.values), field.values, field.scale.value)
        attributes[field.attribute] = binary.add_scalars(readings)
        colors = field.colors(field.values)
        said["field"] = field.legend()
    if colors is not None:
        attributes["COLOR_0"] = binary.add_colors(colors)

    primitives: list[dict[str, Any]] = [
        {
            "attributes": attributes,
            "indices": binary.add_indices(mesh.triangles, len(mesh.points)),
            "material": 0,
            "mode": 4,
            "extensions": {"EXT_mesh_features": {"featureIds": ids}},
        }
    ]
    materials = [_material("part", PART_COLOR if colors is None else (1.0, 1.0, 1.0)) | {"doubleSided": not closed}]
    if edges:
        primitives.append(_lines(binary, edges))
        materials.append(_material("edges", EDGE_COLOR))
    document = {
        "asset": {"version": "2.0", "generator": "fettle", "extras": said},
        "extensionsUsed": ["EXT_mesh_features"],
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "part", "matrix": UPRIGHT}],
        "meshes": [{"name": "part", "primitives": primitives}],
        "materials": materials,
        "accessors": binary.accessors,
        "bufferViews": binary.views,
        "buffers": [{"byteLength": binary.size}],
    }
    return _container(document, binary)


class _Binary:
    """The binary chunk while it grows; every array starts at a multiple of four bytes. `arrays`: with their padding,
    copied once they are all there."""

    def __init__(self) -> None:
        self.arrays: list[memoryview | bytes] = []
        self.size = 0
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def add_vectors(self, values: NDArray[np.float64], *, bounds: bool = False) -> int:
        rows = np.ascontiguousarray(values, dtype="<f4")
        said = {"componentType": _FLOAT, "type": "VEC3", "count": len(rows)}
        if bounds:  # column by column: a tenth of the time that rows of three take
            columns = rows.T
            said |= {"min": [float(one.min()) for one in columns], "max": [float(one.max()) for one in columns]}
        return self._add(rows, said, _VERTICES, stride=12)

    def add_scalars(self, values: NDArray[np.float64]) -> int:
        rows = np.ascontiguousarray(values, dtype="<f4")
        return self._add(rows, {"componentType": _FLOAT, "type": "SCALAR", "count": len(rows)}, _VERTICES, stride=4)

    def add_colors(self, linear: NDArray[np.float64]) -> int:
        """16 bits a channel, because linear 8 bits would show steps in dark colors."""
        rows = np.full((len(linear), 4), 65535, dtype="<u2")
        rows[:, :3] = np.rint(np.clip(linear, 0.0, 1.0) * 65535)
        said = {"componentType": 5123, "normalized": True, "type": "VEC4", "count": len(rows)}
        return self._add(rows, said, _VERTICES, stride=8)

    def add_ids(self, ids: NDArray[np.integer]) -> int:
        """16 bits padded to four bytes, or float32 above 65535: vertex attributes may not be 32-bit integers."""
        if len(ids) and int(ids.max()) > 65535:
            return self.add_scalars(ids.astype(np.float64))
        rows = np.zeros((len(ids), 2), dtype="<u2")
        rows[:, 0] = ids
        return self._add(rows, {"componentType": 5123, "type": "SCALAR", "count": len(rows)}, _VERTICES, stride=4)

    def add_indices(self, rows: NDArray[np.integer], vertex_count: int) -> int:
        """The largest number of an index type is forbidden in glTF (it restarts a strip), hence 65535 and not 65536."""
        size = 2 if vertex_count <= 65535 else 4
        indices = np.ascontiguousarray(rows, dtype=f"<u{size}").ravel()
        said = {"componentType": _UNSIGNED_BYTES[size], "type": "SCALAR", "count": len(indices)}
        return self._add(indices, said, _INDICES)

    def _add(self, rows: NDArray[Any], said: dict[str, Any], target: int, stride: int | None = None) -> int:
        view = {"buffer": 0, "byteOffset": self.size, "byteLength": rows.nbytes, "target": target}
        if stride is not None:
            view["byteStride"] = stride
        padding = bytes(-rows.nbytes % 4)
        self.arrays += [rows.data, padding]
        self.size += rows.nbytes + len(padding)
        self.views.append(view)
        self.accessors.append({"bufferView": len(self.views) - 1, **said})
        return len(self.accessors) - 1


def _lines(binary: _Binary, edges: Sequence[NDArray[np.float64]]) -> dict[str, Any]:
    points = np.concatenate(edges)
    rows = np.arange(len(points) - 1)
    last = np.cumsum([len(edge) for edge in edges])[:-1] - 1
    rows = np.delete(rows, last)
    return {
        "attributes": {"POSITION": binary.add_vectors(points / 1000.0, bounds=True)},
        "indices": binary.add_indices(np.column_stack([rows, rows + 1]), len(points)),
        "material": 1,
        "mode": 1,
    }


def _material(name: str, color: tuple[float, float, float]) -> dict[str, Any]:
    look = {"baseColorFactor": [*color, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7}
    return {"name": name, "pbrMetallicRoughness": look}


def _container(document: dict[str, Any], binary: _Binary) -> bytes:
    text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    total = 12 + 8 + len(text) + 8 + binary.size
    head = struct.pack("<4sII", b"glTF", 2, total)
    chunks = [struct.pack("<I4s", len(text), b"JSON"), text, struct.pack("<I4s", binary.size, b"BIN\0")]
    return b"".join([head, *chunks, *binary.arrays])
