"""STL, binary and ASCII: triangles without a unit, in millimeters unless the caller names another."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from fettle.errors import Damaged, NoSolid, TooDetailed
from fettle.geometry.reader import Reader

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fettle.geometry.mesh_options import MeshOptions
    from fettle.geometry.model import Model

_HEADER_BYTES = 80
_BINARY_START_BYTES = _HEADER_BYTES + 4
_TRIANGLE_BYTES = 50
_VERTEX = re.compile(rb"^[ \t]*vertex[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\S+)[ \t]*\r?$", re.MULTILINE | re.IGNORECASE)
_END_OF_FACET = re.compile(rb"^[ \t]*endfacet\b", re.MULTILINE | re.IGNORECASE)
_END_OF_SOLID = re.compile(rb"^[ \t]*endsolid\b", re.MULTILINE | re.IGNORECASE)


def _starts_as_text(data: bytes) -> bool:
    return data[:512].lstrip()[:5].lower() == b"solid"


def _matches(data: bytes) -> bool:
    return _starts_as_text(data) or len(data) >= _BINARY_START_BYTES


def _read(data: bytes, name: str, options: MeshOptions, unit: str) -> Model:
    from fettle.geometry.length_units import millimeters_per
    from fettle.geometry.segmentation.mesh_part import triangles_to_model
    from fettle.geometry.segmentation.quantization import grid_step
    from fettle.geometry.segmentation.triangles import to_millimeters

    mm_per_unit = millimeters_per(unit)
    # the header of a binary file may begin with "solid" too: the length decides
    if _starts_as_text(data) and len(data) != _binary_length(data):
        corners, schema = _read_text(data, name), "ASCII"
    else:
        corners, schema = _read_binary(data, name), "binary"
    if not len(corners):
        raise NoSolid(f"{name} holds no triangles")
    grid = grid_step(corners.reshape(-1, 3))
    return triangles_to_model(to_millimeters(corners, grid, mm_per_unit, unit, schema, (), name), "STL", options)


def _binary_length(data: bytes) -> int:
    """Bytes that a binary file has by its count of triangles; -1 where it ends before the count."""
    if len(data) < _BINARY_START_BYTES:
        return -1
    (count,) = struct.unpack_from("<I", data, _HEADER_BYTES)
    return _BINARY_START_BYTES + _TRIANGLE_BYTES * int(count)


def _read_binary(data: bytes, name: str) -> NDArray[np.float64]:
    """Corners (m, 3, 3) in the file's unit."""
    import numpy as np

    expected = _binary_length(data)
    count = (expected - _BINARY_START_BYTES) // _TRIANGLE_BYTES
    if len(data) != expected:
        raise Damaged(
            f"{name} announces {count} triangles, which take {expected} bytes, and has {len(data)}; export it again"
        )
    rows = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    found: NDArray[np.float64] = np.frombuffer(data, rows, count, _BINARY_START_BYTES)["corners"].astype(np.float64)
    return found


def _read_text(data: bytes, name: str) -> NDArray[np.float64]:
    """Corners (m, 3, 3) in the file's unit, of all solids that the file names."""
    import numpy as np

    from fettle.geometry.segmentation.triangles import MAX_TRIANGLES

    facets = sum(1 for _ in _END_OF_FACET.finditer(data))
    if facets > MAX_TRIANGLES:
        raise TooDetailed(f"{name} has {facets} triangles; at most {MAX_TRIANGLES} are read. Export a coarser mesh.")
    if not _END_OF_SOLID.search(data):
        raise Damaged(f"{name} is truncated: 'endsolid' is missing after {len(data)} bytes; send it again")
    numbers = [number for vertex in _VERTEX.finditer(data) for number in vertex.groups()]
    if len(numbers) != 9 * facets:
        raise Damaged(f"{name} has {len(numbers) // 3} vertices in {facets} facets, not three in each; export it again")
    try:
        return np.array([float(number) for number in numbers]).reshape(-1, 3, 3)
    except ValueError as fault:
        raise Damaged(f"{name} has a coordinate that is not a number; export it again") from fault


READERS = (
    Reader(
        name="STL",
        extensions=(".stl",),
        media_type="model/stl",
        matches=_matches,
        mismatch="neither starts with 'solid' nor is long enough for a binary STL",
        read=_read,
        exact=False,
        default_unit="mm",
    ),
)
