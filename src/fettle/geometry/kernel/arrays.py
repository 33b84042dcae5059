# mypy: disable-error-code="attr-defined,operator,no-any-return"
"""Kernel arrays seen as numpy arrays without a call per element.

The bindings offer one call per node and per triangle (0.6-1.4 us each), which costs ten times more than all the rest
of the extraction. The arrays lie in memory in a plain layout, so they are read there and copied at once. The layout
belongs to the pinned kernel: `check_layout` proves it on an array of known content before the first use and refuses
otherwise.
"""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from OCP.collections import Array2_gp_Pnt, Vec3_float
from OCP.gp import gp_Pnt, gp_Pnt2d
from OCP.Poly import Poly_PolygonOnTriangulation, Poly_Triangle, Poly_Triangulation

from fettle.errors import KernelFailure

NODE_STRIDE_BYTES = 24
PARAMETER_STRIDE_BYTES = 16


def nodes(triangulation: Poly_Triangulation) -> NDArray[np.float64]:
    """Shape (n, 3): coordinates in the triangulation's own frame."""
    count = triangulation.NbNodes()
    array = triangulation.InternalNodes()
    header = _address(array)
    stride, size = (ctypes.c_int32 * 2).from_address(header + 8)
    if stride != NODE_STRIDE_BYTES or size != count:
        raise _unknown_layout(f"node array says stride {stride} and size {size}, expected 24 and {count}")
    data = ctypes.c_void_p.from_address(header).value
    return _copy(data, ctypes.c_double, count * 3).reshape(count, 3)


def triangles(triangulation: Poly_Triangulation) -> NDArray[np.int32]:
    """Shape (m, 3): rows of `nodes`, counted from 0."""
    count = triangulation.NbTriangles()
    array = triangulation.InternalTriangles()
    return _copy(_array1_data(array, count), ctypes.c_int32, count * 3).reshape(count, 3) - np.int32(1)


def normals(triangulation: Poly_Triangulation) -> NDArray[np.float64]:
    """Shape (n, 3): normals of the surface at `nodes`, single precision in the kernel."""
    count = triangulation.NbNodes()
    array = triangulation.InternalNormals()
    values = _copy(_array1_data(array, count), ctypes.c_float, count * 3)
    return values.reshape(count, 3).astype(np.float64)


def parameters(triangulation: Poly_Triangulation) -> NDArray[np.float64]:
    """Shape (n, 2): surface parameters (u, v) of `nodes`."""
    count = triangulation.NbNodes()
    array = triangulation.InternalUVNodes()
    header = _address(array)
    stride, size = (ctypes.c_int32 * 2).from_address(header + 8)
    if stride != PARAMETER_STRIDE_BYTES or size != count:
        raise _unknown_layout(f"parameter array says stride {stride} and size {size}, expected 16 and {count}")
    data = ctypes.c_void_p.from_address(header).value
    return _copy(data, ctypes.c_double, count * 2).reshape(count, 2)


def polygon(along: Poly_PolygonOnTriangulation) -> NDArray[np.int32]:
    """Shape (k,): rows of `nodes` along an edge, counted from 0."""
    count = along.NbNodes()
    array = along.Nodes()
    return _copy(_array1_data(array, count), ctypes.c_int32, count) - np.int32(1)


def reals(array: object, count: int) -> NDArray[np.float64]:
    """Shape (count,): the numbers of an Array1 or Array2 of doubles, points or pairs, rows one after the other."""
    header = _address(array)
    width = {"gp_Pnt": 3, "gp_Pnt2d": 2}.get(type(array).__name__.partition("_")[2], 1)
    size = ctypes.c_uint64.from_address(header + 16).value
    if size * width != count:
        raise _unknown_layout(f"{type(array).__name__} says size {size}, expected {count // width}")
    return _copy(ctypes.c_void_p.from_address(header + 24).value, ctypes.c_double, count)


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
    read = (
        np.array_equal(nodes(sample), coordinates),
        np.array_equal(triangles(sample), corners),
        np.array_equal(normals(sample), coordinates.astype(np.float32)),
        np.array_equal(polygon(along), [3, 1, 0]),
        np.array_equal(parameters(sample), coordinates[:, :2]),
        np.array_equal(reals(grid, 12), coordinates.ravel()),
    )
    if not all(read):
        raise _unknown_layout(f"nodes, triangles, normals, polygon, parameters, grid were read right: {read}")


def _address(wrapper: object) -> int:
    """Address of the C++ object: pybind11 keeps it right behind the Python object's header."""
    address = ctypes.c_size_t.from_address(id(wrapper) + object.__basicsize__).value
    return int(address)


def _array1_data(array: object, count: int) -> int | None:
    """Address of an NCollection_Array1's elements."""
    header = _address(array)
    size = ctypes.c_uint64.from_address(header + 16).value
    if size != count:
        raise _unknown_layout(f"{type(array).__name__} says size {size}, expected {count}")
    return ctypes.c_void_p.from_address(header + 24).value


def _copy(data: int | None, kind: Any, count: int) -> NDArray[Any]:
    if count == 0:
        return np.empty(0, dtype=np.dtype(kind))
    if data is None:
        raise _unknown_layout(f"null array where {count} elements should be")
    return np.ctypeslib.as_array((kind * count).from_address(data)).copy()


def _unknown_layout(seen: str) -> KernelFailure:
    return KernelFailure(
        f"the installed geometry kernel lays out its arrays in another way than cadquery-ocp-novtk 8.0.1.1.0 ({seen}); "
        "install exactly that version (installing cadquery or build123d beside it replaces it)"
    )
