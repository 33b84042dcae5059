"""glTF 2.0 in its two encodings: JSON (.gltf) and binary (.glb)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fettle.geometry.reader import BOM, Reader

if TYPE_CHECKING:
    from fettle.geometry.mesh_options import MeshOptions
    from fettle.geometry.model import Model

DEFAULT_UNIT = "m"
"""What the glTF standard prescribes; exporters do not all keep to it."""


def _is_json(data: bytes) -> bool:
    return data.removeprefix(BOM).lstrip().startswith(b"{")


def _is_binary(data: bytes) -> bool:
    return data.startswith(b"glTF")


def _read(encoding: str, data: bytes, name: str, options: MeshOptions, unit: str) -> Model:
    from fettle.geometry.gltf.reader import read_triangles
    from fettle.geometry.segmentation.mesh_part import triangles_to_model

    return triangles_to_model(read_triangles(data, name, unit), encoding, options)


READERS = (
    Reader(
        name="glTF",
        extensions=(".gltf",),
        media_type="model/gltf+json",
        matches=_is_json,
        mismatch="does not start with '{'",
        recognized_as="JSON; a glTF in JSON form is named .gltf",
        read=partial(_read, "glTF"),
        exact=False,
        default_unit=DEFAULT_UNIT,
        over_http=True,
    ),
    Reader(
        name="GLB",
        extensions=(".glb",),
        media_type="model/gltf-binary",
        matches=_is_binary,
        mismatch="does not start with 'glTF'",
        recognized_as="a binary glTF; name it .glb",
        read=partial(_read, "GLB"),
        exact=False,
        default_unit=DEFAULT_UNIT,
        over_http=True,
    ),
)
