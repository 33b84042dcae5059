"""glTF files built by hand, piece by piece, so that one piece at a time can be wrong."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

CODES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}


class Builder:
    """A document and its binary; `add` puts an array in and returns the accessor's number."""

    def __init__(self) -> None:
        self.binary = bytearray()
        self.document: dict[str, Any] = {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": []}],
            "accessors": [],
            "bufferViews": [],
            "buffers": [{"byteLength": 0}],
        }

    def view(self, data: bytes, **extra: Any) -> int:
        self.binary += bytes(-len(self.binary) % 4)
        self.document["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data), **extra}
        )
        self.binary += data
        self.document["buffers"][0]["byteLength"] = len(self.binary)
        return len(self.document["bufferViews"]) - 1

    def add(self, rows: NDArray[Any], dtype: str = "f4", stride: int | None = None, **extra: Any) -> int:
        data = np.ascontiguousarray(rows, dtype="<" + dtype)
        wide = data.reshape(len(data), -1)
        raw = data.tobytes()
        view_extra = {}
        if stride is not None:
            padded = np.full((len(wide), stride), 0xAB, dtype=np.uint8)
            padded[:, : wide.shape[1] * data.itemsize] = wide.view(np.uint8).reshape(len(wide), -1)
            raw, view_extra = padded.tobytes(), {"byteStride": stride}
        kind = {1: "SCALAR", 3: "VEC3"}[wide.shape[1]]
        view = self.view(raw, **view_extra)
        self.document["accessors"].append(
            {"bufferView": view, "componentType": CODES[dtype], "count": len(data), "type": kind, **extra}
        )
        return len(self.document["accessors"]) - 1

    def primitive(self, position: int, indices: int | None = None, **extra: Any) -> None:
        said: dict[str, Any] = {"attributes": {"POSITION": position}, **extra}
        if indices is not None:
            said["indices"] = indices
        self.document["meshes"][0]["primitives"].append(said)

    def glb(self) -> bytes:
        text = json.dumps(self.document).encode()
        text += b" " * (-len(text) % 4)
        binary = bytes(self.binary) + bytes(-len(self.binary) % 4)
        total = 28 + len(text) + len(binary)
        head = struct.pack("<4sII", b"glTF", 2, total) + struct.pack("<I4s", len(text), b"JSON")
        return head + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary

    def gltf(self) -> bytes:
        uri = "data:application/octet-stream;base64," + base64.b64encode(bytes(self.binary)).decode()
        self.document["buffers"][0]["uri"] = uri
        return json.dumps(self.document).encode()
