"""Arrays out of glTF buffers: views, strides, sparse and normalized accessors, Draco.

Every offset, length and count is checked against the bytes that are really there before an array is made, and the
number of elements is bounded before memory is asked for.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from typing import Any

import DracoPy
import numpy as np
from numpy.typing import NDArray

from fettle.errors import TooDetailed, Unsupported
from fettle.geometry.gltf.document import JsonNode

MAX_ELEMENTS = 20_000_000
"""Elements of all accessors of a file together: ten times what the triangle cap can use."""

_COMPONENTS = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_INDEX_TYPES = (5121, 5123, 5125)


@dataclass(slots=True)
class Accessors:
    """The arrays of one file, each decoded once."""

    root: JsonNode
    binary: bytes | None
    _buffers: dict[str, bytes] = field(default_factory=dict)
    _arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    _elements: int = 0

    def positions(self, index: JsonNode) -> NDArray[np.float64]:
        """Shape (n, 3), in the file's own unit."""
        place = self.root.pick("accessors", index)
        component = place.member("componentType").as_integer()
        if component != 5126 and not self._uses("KHR_mesh_quantization"):
            place.refuse(f"positions must be float32 without KHR_mesh_quantization, componentType is {component}")
        if place.member("type").value != "VEC3" or component == 5125:
            place.refuse(f"positions must be VEC3, is {str(place.member('type').value)[:20]!r} of {component}")
        if place.pointer not in self._arrays:
            raw = self._read(place)
            rows = raw.astype(np.float64)
            if place.flag("normalized") and component != 5126:
                rows = np.maximum(rows / np.iinfo(raw.dtype).max, -1.0)
            if not np.isfinite(rows).all():
                first = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
                place.refuse(f"element {first} is not a finite position")
            self._arrays[place.pointer] = rows
        return self._arrays[place.pointer]

    def indices(self, index: JsonNode, vertex_count: int) -> NDArray[np.int64]:
        """Shape (k,), each below `vertex_count`."""
        place = self.root.pick("accessors", index)
        if place.member("type").value != "SCALAR" or place.member("componentType").value not in _INDEX_TYPES:
            place.refuse("indices must be SCALAR of unsigned 8, 16 or 32 bits")
        if place.pointer not in self._arrays:
            self._arrays[place.pointer] = self._read(place)[:, 0].astype(np.int64)
        rows: NDArray[np.int64] = self._arrays[place.pointer]
        if len(rows) and int(rows.max()) >= vertex_count:
            first = int(np.argmax(rows >= vertex_count))
            place.refuse(f"element {first} is index {int(rows[first])}, but there are only {vertex_count} vertices")
        return rows

    def count(self, index: JsonNode) -> int:
        """Elements that the accessor promises."""
        return self.root.pick("accessors", index).member("count").as_integer(low=1)

    def draco(self, primitive: JsonNode, extension: JsonNode) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Positions (n, 3) and indices (k,) of a Draco-compressed primitive."""
        view = extension.member("bufferView")
        claimed = self.root.pick("accessors", primitive.member("attributes").member("POSITION"))
        self._spend(claimed, claimed.member("count").as_integer(low=1))
        try:
            decoded = DracoPy.decode(bytes(self._view_bytes(view)))
        except (DracoPy.FileTypeException, ValueError, RuntimeError) as fault:
            view.refuse(f"the Draco data cannot be decoded ({str(fault)[:100]})")
        if not isinstance(decoded, DracoPy.DracoMesh) or claimed.member("componentType").value != 5126:
            raise Unsupported(f"glTF {extension.pointer}: only Draco triangle meshes with float32 positions are read.")
        rows = np.asarray(decoded.points, dtype=np.float64).reshape(-1, 3)
        corners = np.asarray(decoded.faces, dtype=np.int64).ravel()
        if not np.isfinite(rows).all():
            view.refuse("the Draco data holds positions that are not finite")
        if len(corners) and int(corners.max()) >= len(rows):
            view.refuse(f"the Draco data holds index {int(corners.max())} of {len(rows)} vertices")
        return rows, corners

    def _uses(self, extension: str) -> bool:
        return any(place.value == extension for place in self.root.items("extensionsUsed"))

    def _spend(self, place: JsonNode, count: int) -> None:
        """Refuse before memory is asked for."""
        self._elements += count
        if self._elements > MAX_ELEMENTS:
            raise TooDetailed(
                f"glTF {place.pointer}/count: the file claims {self._elements} elements so far; at most "
                f"{MAX_ELEMENTS} are read. Export a coarser mesh."
            )

    def _read(self, place: JsonNode) -> NDArray[Any]:
        """The elements of an accessor, shape (n, width), in its own component type."""
        dtype, width = self._layout(place)
        count = place.member("count").as_integer(low=1)
        if place.has("bufferView"):
            rows = self._rows(place, count=count, width=width, dtype=dtype)
        elif place.has("byteOffset"):
            place.refuse("has a byteOffset but no bufferView")
        else:
            self._spend(place, count)
            rows = np.zeros((count, width), dtype=dtype)
        if place.has("sparse"):
            rows = self._overlay(place.member("sparse"), rows)
        return rows

    def _layout(self, place: JsonNode) -> tuple[np.dtype[Any], int]:
        component = place.member("componentType")
        if component.as_integer() not in _COMPONENTS:
            component.refuse(f"{component.value} is no component type")
        shape = place.member("type")
        if shape.as_text() not in _WIDTHS:
            shape.refuse(f"{shape.as_text()[:20]!r} is no accessor type")
        return np.dtype(_COMPONENTS[component.as_integer()]).newbyteorder("<"), _WIDTHS[shape.as_text()]

    def _rows(self, owner: JsonNode, *, count: int, width: int, dtype: np.dtype[Any]) -> NDArray[Any]:
        """`count` elements (n, width) out of the buffer view that `owner` names, from its byteOffset on."""
        view, offset = owner.member("bufferView"), owner.integer("byteOffset", 0)
        data = self._view_bytes(view)
        packed = dtype.itemsize * width
        stride = self.root.pick("bufferViews", view).integer("byteStride", packed, 4, 252)
        if stride < packed or stride % dtype.itemsize:
            owner.refuse(f"elements of {packed} bytes do not fit the view's stride of {stride}")
        if offset % dtype.itemsize:
            owner.refuse(f"byteOffset {offset} is not a multiple of the component's {dtype.itemsize} bytes")
        end = offset + (count - 1) * stride + packed
        if end > len(data):
            owner.refuse(f"count {count} needs {end} bytes, but the buffer view has {len(data)}")
        self._spend(owner, count)
        return np.ndarray((count, width), dtype, data, offset, (stride, dtype.itemsize))

    def _overlay(self, sparse: JsonNode, rows: NDArray[Any]) -> NDArray[Any]:
        count = sparse.member("count").as_integer(low=1, high=len(rows))
        where = sparse.member("indices")
        component = where.member("componentType").as_integer()
        if component not in _INDEX_TYPES:
            where.refuse(f"componentType must be unsigned, is {component}")
        dtype = np.dtype(_COMPONENTS[component]).newbyteorder("<")
        at = self._rows(where, count=count, width=1, dtype=dtype)[:, 0].astype(np.int64)
        if int(at.max()) >= len(rows) or (np.diff(at) <= 0).any():
            where.refuse(f"must rise strictly and stay below {len(rows)}")
        what = sparse.member("values")
        values = self._rows(what, count=count, width=rows.shape[1], dtype=rows.dtype)
        patched = rows.copy()
        patched[at] = values
        return patched

    def _view_bytes(self, view: JsonNode) -> memoryview:
        place = self.root.pick("bufferViews", view)
        buffer = self._buffer(self.root.pick("buffers", place.member("buffer")))
        offset = place.integer("byteOffset", 0)
        length = place.member("byteLength").as_integer(low=1)
        if offset + length > len(buffer):
            place.refuse(f"bytes {offset} to {offset + length} lie beyond the buffer's {len(buffer)}")
        return memoryview(buffer)[offset : offset + length]

    def _buffer(self, place: JsonNode) -> bytes:
        if place.pointer not in self._buffers:
            length = place.member("byteLength").as_integer(low=1)
            data = self._embedded(place) if place.has("uri") else self._chunk(place)
            if len(data) < length:
                place.refuse(f"byteLength is {length}, but there are only {len(data)} bytes")
            self._buffers[place.pointer] = data[:length]
        return self._buffers[place.pointer]

    def _chunk(self, place: JsonNode) -> bytes:
        if self.binary is None or place.pointer != "/buffers/0":
            place.refuse("has no uri, and there is no binary chunk for it")
        return self.binary

    def _embedded(self, place: JsonNode) -> bytes:
        uri = place.member("uri").as_text()
        if not uri.startswith("data:"):
            raise Unsupported(
                f"glTF {place.pointer}/uri: the geometry is in another file ({uri[:80]!r}). Send a GLB, or a .gltf "
                "with its buffers embedded."
            )
        head, comma, payload = uri.partition(",")
        if not comma or not head.endswith(";base64"):
            place.member("uri").refuse("must be base64 data")
        try:
            return base64.b64decode(payload, validate=True)
        except binascii.Error as fault:
            place.member("uri").refuse(f"is not valid base64 ({fault})")
