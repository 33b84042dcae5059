"""A mesh as the barest GLB there is, and meshes as other exporters make them."""

from __future__ import annotations

import io
import json
import struct

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.STEPControl import STEPControl_Reader
from OCP.TopAbs import TopAbs_Orientation, TopAbs_ShapeEnum
from OCP.TopExp import TopExp_Explorer
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS

Places = NDArray[np.float64]
Corners = NDArray[np.int64]


def stock_mesh(step: bytes, chord_mm: float, angle_rad: float) -> tuple[Places, Corners]:
    """Points (n, 3), each face with its own, and triangles (m, 3), as the stock kernel makes them."""
    reader = STEPControl_Reader()
    reader.ReadStream("part", io.BytesIO(step))
    reader.TransferRoots()
    shape = reader.OneShape()
    BRepMesh_IncrementalMesh(shape, chord_mm, False, angle_rad, False)
    points: list[list[float]] = []
    triangles: list[list[int]] = []
    explorer = TopExp_Explorer(shape, TopAbs_ShapeEnum.TopAbs_FACE)
    while explorer.More():
        face, place, first = TopoDS.Face(explorer.Current()), TopLoc_Location(), len(points)
        explorer.Next()
        drawn = BRep_Tool.Triangulation_s(face, place)
        if drawn is None:  # a face too small for the chord
            continue
        nodes = [drawn.Node(node).Transformed(place.Transformation()) for node in range(1, drawn.NbNodes() + 1)]
        points.extend([node.X(), node.Y(), node.Z()] for node in nodes)
        flipped = face.Orientation() == TopAbs_Orientation.TopAbs_REVERSED
        for number in range(1, drawn.NbTriangles() + 1):
            corners = [first + corner - 1 for corner in drawn.Triangle(number).Get()]
            triangles.append(corners[::-1] if flipped else corners)
    return np.array(points), np.array(triangles)


def on_grid(points: Places, bits: int) -> Places:
    """Positions rounded to so many bits of the part's largest side, as quantized files hold them."""
    low = points.min(axis=0)
    step = float(np.ptp(points, axis=0).max()) / (2**bits - 1)
    rounded: Places = low + np.round((points - low) / step) * step
    return rounded


def bare_glb(points: NDArray[np.floating], triangles: NDArray[np.integer]) -> bytes:
    """Nothing but positions (n, 3) mm, stored in meters, and triangles (m, 3): no normals, no face ids."""
    corners = triangles.astype("<u4").tobytes()
    places = (points / 1000.0).astype("<f4")
    scene = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(corners) + places.nbytes}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(corners)},
            {"buffer": 0, "byteOffset": len(corners), "byteLength": places.nbytes},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5125, "count": triangles.size, "type": "SCALAR"},
            {
                "bufferView": 1,
                "componentType": 5126,
                "count": len(places),
                "type": "VEC3",
                "min": places.min(axis=0).tolist(),
                "max": places.max(axis=0).tolist(),
            },
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 1}, "indices": 0}]}],
        "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}],
        "scene": 0,
    }
    text = json.dumps(scene).encode()
    text += b" " * (-len(text) % 4)
    binary = corners + places.tobytes()
    size = 12 + 8 + len(text) + 8 + len(binary)
    head = struct.pack("<4sII", b"glTF", 2, size) + struct.pack("<I4s", len(text), b"JSON")
    return head + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
