"""The viewer's models as a report carries them: the part once, and of every measured field the numbers alone."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

_HEAD = struct.Struct("<4sII")
_CHUNK = struct.Struct("<II")
_JSON, _BINARY = 0x4E4F534A, 0x004E4942
_TRIANGLES = 4
_FLOAT_BYTES = 4


def slim_models(glbs: Mapping[str, bytes]) -> dict[str, bytes]:
    """The same models, by name; all but `features` reduced to their field, as the geometry is the same in each."""
    return {name: glb if name == "features" else only_field(glb) for name, glb in glbs.items()}


def only_field(glb: bytes) -> bytes:
    """A GLB of ours with nothing left but the measured values of its points and what its extras say about them."""
    document, binary = _split(glb)
    primitive = next(
        one for mesh in document["meshes"] for one in mesh["primitives"] if one.get("mode", _TRIANGLES) == _TRIANGLES
    )
    ((name, number),) = (
        (name, number)
        for name, number in primitive["attributes"].items()
        if name.startswith("_") and not name.startswith("_FEATURE_ID_")
    )
    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    values = binary[start : start + _FLOAT_BYTES * accessor["count"]]
    return _joined(
        {
            "asset": document["asset"],
            "buffers": [{"byteLength": len(values)}],
            "bufferViews": [{"buffer": 0, "byteLength": len(values)}],
            "accessors": [{**accessor, "bufferView": 0, "byteOffset": 0}],
            "meshes": [{"primitives": [{"attributes": {name: 0}}]}],
        },
        values,
    )


def _split(glb: bytes) -> tuple[dict[str, Any], bytes]:
    length, _ = _CHUNK.unpack_from(glb, _HEAD.size)
    start = _HEAD.size + _CHUNK.size
    document: dict[str, Any] = json.loads(glb[start : start + length])
    return document, glb[start + length + _CHUNK.size :]


def _joined(document: dict[str, Any], binary: bytes) -> bytes:
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    body = _CHUNK.pack(len(text), _JSON) + text + _CHUNK.pack(len(binary), _BINARY) + binary
    return _HEAD.pack(b"glTF", 2, _HEAD.size + len(body)) + body
