"""A mesh as the barest GLB there is."""

from __future__ import annotations

import json
import struct

from fettle.geometry.mesh import Mesh


def bare_glb(mesh: Mesh) -> bytes:
    """Nothing but positions, in metres, and triangles: no normals, no face ids."""
    corners = mesh.triangles.astype("<u4").tobytes()
    places = (mesh.points / 1000.0).astype("<f4")
    scene = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(corners) + places.nbytes}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(corners)},
            {"buffer": 0, "byteOffset": len(corners), "byteLength": places.nbytes},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5125, "count": mesh.triangles.size, "type": "SCALAR"},
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
