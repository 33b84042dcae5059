# mypy: disable-error-code="attr-defined,operator,no-any-return"
"""Kernel arrays read and written as numpy arrays without a call per element.

The bindings offer one call per node and per triangle (0.6-1.4 us each), which costs ten times more than all the rest
of the extraction. The arrays lie in memory in a plain layout, so they are copied from there, or there, at once. The
layout belongs to the pinned kernel: `check_layout` proves it on arrays of known content before the first use and
refuses otherwise.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from OCP.collections import Array1_gp_Pnt2d, Array1_int, Array2_gp_Pnt, Vec3_float
from OCP.gp import gp_Ax2, gp_Ax3, gp_Dir, gp_Elips, gp_Lin, gp_Pnt, gp_Pnt2d, gp_Torus
from OCP.Poly import Poly_PolygonOnTriangulation, Poly_Triangle, Poly_Triangulation
from OCP.TopAbs import TopAbs_FORWARD, TopAbs_INTERNAL, TopAbs_REVERSED
from OCP.TopoDS import TopoDS_Shape, TopoDS_Vertex

from fettle.errors import KernelFailure
from fettle.jit.memory import read_words

NODE_BYTES = 24
PARAMETER_BYTES = 16
ARRAY_SIZE = 16
"""Where an NCollection_Array1 or Array2 keeps its size, right before the address of its elements."""
POLYGON_NODES = 24
"""Where a Poly_PolygonOnTriangulation keeps its array of nodes."""
ORIENTATION = 16
"""Where a TopoDS_Shape keeps its orientation, a number of 32 bits."""
_INT_MASK = 0xFFFFFFFF
_HEADER_BYTES = object.__basicsize__
_TwoInts = ctypes.c_int32 * 2
_TwoWords = ctypes.c_size_t * 2


def nodes(triangulations: Sequence[Poly_Triangulation], counts: Sequence[int]) -> NDArray[np.float64]:
    """Shape (n, 3): coordinates in each triangulation's own frame, one after the other; `counts`: of nodes of each."""
    pieces = [
        _node_rows(triangulation.InternalNodes(), count, NODE_BYTES)
        for triangulation, count in zip(triangulations, counts, strict=True)
    ]
    return np.frombuffer(bytearray().join(pieces), np.float64).reshape(-1, 3)


def normals(triangulations: Sequence[Poly_Triangulation], counts: Sequence[int]) -> NDArray[np.float64]:
    """Shape (n, 3): normals of the surfaces at `nodes`, single precision in the kernel."""
    pieces = [
        _elements(triangulation.InternalNormals(), count, 12)
        for triangulation, count in zip(triangulations, counts, strict=True)
    ]
    return np.frombuffer(b"".join(pieces), np.float32).reshape(-1, 3).astype(np.float64)


def triangles(triangulations: Sequence[Poly_Triangulation], counts: Sequence[int]) -> NDArray[np.int32]:
    """Shape (m, 3): rows of each triangulation's nodes, counted from 0; `counts`: of triangles of each."""
    pieces = [
        _elements(triangulation.InternalTriangles(), count, 12)
        for triangulation, count in zip(triangulations, counts, strict=True)
    ]
    return np.frombuffer(b"".join(pieces), np.int32).reshape(-1, 3) - np.int32(1)


def parameters(triangulation: Poly_Triangulation) -> NDArray[np.float64]:
    """Shape (n, 2): surface parameters (u, v) of the nodes."""
    data = _node_rows(triangulation.InternalUVNodes(), triangulation.NbNodes(), PARAMETER_BYTES)
    return np.frombuffer(data, np.float64).reshape(-1, 2)


def polygons(alongs: Sequence[Poly_PolygonOnTriangulation]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Rows of `nodes` along edges, counted from 0, one polygon after the other, and how many each has."""
    # read where they lie: the bindings hand out a copy of each
    at = POLYGON_NODES + ARRAY_SIZE
    heads = b"".join([ctypes.string_at(_address(along) + at, 16) for along in alongs])
    sizes, places = np.frombuffer(heads, np.int64).reshape(-1, 2).T
    if len(alongs) and sizes[0] != alongs[0].NbNodes():
        raise _unknown_layout(f"Poly_PolygonOnTriangulation says size {sizes[0]}, not {alongs[0].NbNodes()}")
    pieces = [_bytes(place, 4 * size) for size, place in zip(sizes.tolist(), places.tolist(), strict=True)]
    return np.frombuffer(b"".join(pieces), np.int32) - np.int32(1), sizes


def reals(array: object, count: int, width: int = 1) -> bytes:
    """The doubles of an Array1 or Array2 of so many numbers, pairs or points (`width` 1, 2 or 3), row after row."""
    return _elements(array, count, 8 * width)


def components(value: object, count: int) -> list[float]:
    """The first numbers that a gp object is made of.

    A line: location and direction; anything with a frame: location, main direction, Y and X direction, then its sizes.
    """
    return _doubles(count).from_address(_address(value))[:]


def components_of(values: Sequence[object], count: int) -> NDArray[np.float64]:
    """Shape (n, count): `components` of many objects at once, in a tenth of the time."""
    return read_words(_places(values), count).view(np.float64)


def orientations(shapes: Sequence[TopoDS_Shape]) -> NDArray[np.int64]:
    """Shape (n,): orientation of each shape, as the kernel counts them; two calls for each take fifty times as long."""
    return read_words(_places(shapes) + ORIENTATION, 1)[:, 0] & _INT_MASK


def fill(array: object, values: NDArray[np.float64] | NDArray[np.int32]) -> None:
    """Write numbers (n,), pairs (n, 2) or points (n, 3) over the n elements of an Array1 of their kind."""
    size, data = _TwoWords.from_address(_address(array) + ARRAY_SIZE)
    if size != len(values):
        raise _unknown_layout(f"{type(array).__name__} says size {size}, not {len(values)}")
    ctypes.memmove(data, values.tobytes(), values.nbytes)


@cache
def check_layout() -> None:
    """Read an array of known content; KernelFailure when it comes out otherwise."""
    coordinates = np.arange(12, dtype=np.float64).reshape(4, 3) / 7.0
    corners = np.array([[0, 1, 2], [2, 1, 3]], dtype=np.int32)
    sample = Poly_Triangulation(4, 2, True)
    sample.AddNormals()
    for row, xyz in enumerate(coordinates.tolist(), start=1):
        sample.SetNode(row, gp_Pnt(*xyz))
        sample.SetNormal(row, Vec3_float(*xyz))
        sample.SetUVNode(row, gp_Pnt2d(*xyz[:2]))
    for row, (a, b, c) in enumerate((corners + 1).tolist(), start=1):
        sample.SetTriangle(row, Poly_Triangle(a, b, c))
    along = Poly_PolygonOnTriangulation(3, False)
    for row, node in enumerate((4, 2, 1), start=1):
        along.SetNode(row, node)
    grid = Array2_gp_Pnt(1, 2, 1, 2)
    for row, xyz in enumerate(coordinates.tolist()):
        grid.SetValue(1 + row // 2, 1 + row % 2, gp_Pnt(*xyz))
    pairs, times = Array1_gp_Pnt2d(1, 4), Array1_int(1, 6)
    fill(pairs, coordinates[:, 1:])
    fill(times, corners.ravel())
    x, y, z = gp_Dir(0.6, 0.8, 0.0), gp_Dir(-0.8, 0.6, 0.0), gp_Dir(0.0, 0.0, 1.0)
    frame = (1.0, 2.0, 3.0, *z.Coord(), *y.Coord(), *x.Coord())
    place = gp_Pnt(1.0, 2.0, 3.0)
    turns = (TopAbs_FORWARD, TopAbs_REVERSED, TopAbs_INTERNAL)
    read = (
        np.array_equal(nodes([sample, sample], [4, 4]), np.tile(coordinates, (2, 1))),
        np.array_equal(triangles([sample], [2]), corners),
        np.array_equal(normals([sample], [4]), coordinates.astype(np.float32)),
        np.array_equal(polygons([along, along])[0], [3, 1, 0, 3, 1, 0]),
        np.array_equal(parameters(sample), coordinates[:, :2]),
        reals(grid, 4, 3) == coordinates.tobytes(),
        [pairs.Value(row).Coord() for row in range(1, 5)] == [tuple(pair) for pair in coordinates[:, 1:].tolist()],
        [times.Value(row) for row in range(1, 7)] == corners.ravel().tolist(),
        np.array_equal(components(gp_Lin(place, x), 6), (1.0, 2.0, 3.0, *x.Coord())),
        np.array_equal(components(gp_Elips(gp_Ax2(place, z, x), 5.0, 4.0), 14), (*frame, 5.0, 4.0)),
        np.array_equal(components(gp_Torus(gp_Ax3(place, z, x), 5.0, 4.0), 14), (*frame, 5.0, 4.0)),
        np.array_equal(components_of([place, gp_Pnt(4.0, 5.0, 6.0)], 3), [(1.0, 2.0, 3.0), (4.0, 5.0, 6.0)]),
        orientations([TopoDS_Vertex().Oriented(turn) for turn in turns]).tolist() == list(map(int, turns)),
    )
    if not all(read):
        raise _unknown_layout(
            "nodes, triangles, normals, polygons, parameters, grid, written pairs and integers, line, ellipse, torus, "
            "points at once, orientations "
            f"were read right: {read}"
        )


@cache
def _doubles(count: int) -> type[ctypes.Array[ctypes.c_double]]:
    return ctypes.c_double * count


def _places(wrappers: Sequence[object]) -> NDArray[np.int64]:
    """Shape (n,): addresses of the C++ objects, as of `_address`."""
    return read_words(np.fromiter(map(id, wrappers), np.int64, len(wrappers)) + _HEADER_BYTES, 1)[:, 0]


def _address(wrapper: object) -> int:
    """Address of the C++ object: pybind11 keeps it right behind the Python object's header."""
    return ctypes.c_size_t.from_address(id(wrapper) + _HEADER_BYTES).value


def _node_rows(array: object, count: int, width: int) -> bytes:
    """Content of a Poly_ArrayOfNodes or of UV nodes, whose elements are `width` bytes apart."""
    header = _address(array)
    stride, size = _TwoInts.from_address(header + 8)
    if stride != width or size != count:
        raise _unknown_layout(f"{type(array).__name__} says stride {stride} and size {size}, not {width} and {count}")
    return _bytes(ctypes.c_size_t.from_address(header).value, count * width)


def _elements(array: object, count: int, width: int) -> bytes:
    """Content of an NCollection_Array1 or Array2, `width` bytes an element."""
    size, data = _TwoWords.from_address(_address(array) + ARRAY_SIZE)
    if size != count:
        raise _unknown_layout(f"{type(array).__name__} says size {size}, not {count}")
    return _bytes(data, count * width)


def _bytes(data: int, count: int) -> bytes:
    """A copy of what lies at an address."""
    if count and not data:
        raise _unknown_layout(f"null array where {count} bytes should be")
    return ctypes.string_at(data, count) if count else b""


def _unknown_layout(seen: str) -> KernelFailure:
    return KernelFailure(
        f"the installed geometry kernel lays out its arrays in another way than cadquery-ocp-novtk 8.0.1.1.0 ({seen}); "
        "install exactly that version (installing cadquery or build123d beside it replaces it)"
    )
