"""glTF reader: the scene of a .glb or .gltf 2.0 file as loose triangles in millimeters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.errors import NoSolid, TooDetailed
from fettle.geometry.gltf.accessors import Accessors
from fettle.geometry.gltf.document import JsonNode, open_document
from fettle.geometry.length_units import millimeters_per
from fettle.geometry.segmentation.quantization import grid_step
from fettle.geometry.segmentation.triangles import MAX_TRIANGLES, Triangles, to_millimeters

_POINTS_AND_LINES = range(4)
_TRIANGLES, _STRIP, _FAN = 4, 5, 6


def read_triangles(data: bytes, filename: str, unit: str = "m") -> Triangles:
    """Every triangle of the file's scene, node transforms applied; `unit`: what one unit of the file is."""
    mm_per_unit = millimeters_per(unit)
    root, binary = open_document(data, filename)
    scene = _Scene(root, Accessors(root, binary))
    for node, matrix in _placed_nodes(root):
        scene.add_node(node, matrix)
    if not scene.pieces:
        raise NoSolid(f"{filename} shows no triangles: nothing in its scene encloses a volume.")
    version = root.member("asset").member("version").as_text()
    warnings = tuple(dict.fromkeys(scene.warnings))
    corners = np.concatenate(scene.pieces)
    return to_millimeters(corners, scene.grid, mm_per_unit, unit, f"glTF {version}", warnings, filename)


class _Scene:
    """Triangles gathered node by node."""

    def __init__(self, root: JsonNode, accessors: Accessors) -> None:
        self.root = root
        self.accessors = accessors
        self.pieces: list[NDArray[np.float64]] = []
        self.warnings: list[str] = []
        self.count = 0
        self.grid = 0.0

    def add_node(self, node: JsonNode, matrix: NDArray[np.float64]) -> None:
        if node.extension("EXT_mesh_gpu_instancing") is not None:
            self.warnings.append("EXT_mesh_gpu_instancing is not read: only one of its instances is shown.")
        if not node.has("mesh"):
            return
        if node.has("skin"):
            self.warnings.append("Skinning is not applied: the mesh is taken in its rest shape.")
        mesh = self.root.pick("meshes", node.member("mesh"))
        primitives = mesh.items("primitives")
        if not primitives:
            mesh.refuse("has no primitives")
        for primitive in primitives:
            self._add_primitive(primitive, matrix)

    def _add_primitive(self, primitive: JsonNode, matrix: NDArray[np.float64]) -> None:
        mode = primitive.integer("mode", _TRIANGLES, 0, _FAN)
        attributes = primitive.member("attributes")
        if mode in _POINTS_AND_LINES:
            self.warnings.append("Points and lines in the file are left out.")
            return
        if not attributes.has("POSITION"):
            self.warnings.append("A mesh without positions is left out.")
            return
        if primitive.has("targets"):
            self.warnings.append("Morph targets are not applied: the mesh is taken in its rest shape.")
        points, order = self._points_and_order(primitive, attributes)
        rows = _triangle_rows(order, mode)
        if mode == _TRIANGLES and len(order) % 3:
            self.warnings.append("A list of triangles is not a multiple of three corners long; its end is left out.")
        self.count += len(rows)
        if self.count > MAX_TRIANGLES:
            raise TooDetailed(
                f"The file has more than {MAX_TRIANGLES} triangles (counted up to glTF {primitive.pointer}). "
                "Export a coarser mesh."
            )
        if not len(rows):
            return
        if np.linalg.det(matrix[:3, :3]) < 0:
            rows = rows[:, ::-1]
        with np.errstate(over="ignore", invalid="ignore"):
            corners = points[rows] @ matrix[:3, :3].T + matrix[:3, 3]
        if not np.isfinite(corners).all():
            primitive.refuse("its node transforms move positions out of the range of numbers")
        self.pieces.append(corners)
        if len(rows) > 1:
            self.grid = max(self.grid, grid_step(points) * float(np.linalg.norm(matrix[:3, :3], 2)))

    def _points_and_order(
        self, primitive: JsonNode, attributes: JsonNode
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        draco = primitive.extension("KHR_draco_mesh_compression")
        if draco is not None:
            return self.accessors.draco(primitive, draco)
        position = attributes.member("POSITION")
        count = self.accessors.count(position)
        for name in attributes.as_object():
            if self.accessors.count(attributes.member(name)) != count:
                attributes.member(name).refuse(f"{name} and POSITION have different counts")
        points = self.accessors.positions(position)
        if primitive.has("indices"):
            return points, self.accessors.indices(primitive.member("indices"), len(points))
        return points, np.arange(len(points))


def _triangle_rows(order: NDArray[np.int64], mode: int) -> NDArray[np.int64]:
    """Shape (m, 3): corner numbers of each triangle; every second one of a strip runs the other way."""
    if mode == _TRIANGLES:
        return order[: len(order) // 3 * 3].reshape(-1, 3)
    if len(order) < 3:
        return np.empty((0, 3), dtype=np.int64)
    if mode == _FAN:
        return np.column_stack([np.full(len(order) - 2, order[0]), order[1:-1], order[2:]])
    rows = np.column_stack([order[:-2], order[1:-1], order[2:]])
    rows[1::2] = rows[1::2, [1, 0, 2]]
    return rows


def _placed_nodes(root: JsonNode) -> list[tuple[JsonNode, NDArray[np.float64]]]:
    """Every node of the scene with its matrix (4, 4) to the world; refuses what is not a tree."""
    nodes = root.items("nodes")
    _check_tree(root, nodes)
    if root.items("scenes"):
        scene = root.pick("scenes", root.member("scene") if root.has("scene") else JsonNode(0, "/scene"))
        roots = scene.items("nodes")
    else:
        children = {child.as_integer() for node in nodes for child in node.items("children")}
        roots = [JsonNode(number, "/nodes") for number in range(len(nodes)) if number not in children]
    placed = []
    waiting = [(index, np.eye(4)) for index in reversed(roots)]
    seen: set[str] = set()
    while waiting:
        index, above = waiting.pop()
        node = root.pick("nodes", index)
        if node.pointer in seen:
            index.refuse(f"{node.pointer} is reached twice; the nodes must form a tree")
        seen.add(node.pointer)
        with np.errstate(over="ignore", invalid="ignore"):
            matrix = above @ _local_matrix(node)
        placed.append((node, matrix))
        waiting.extend((child, matrix) for child in reversed(node.items("children")))
    return placed


def _check_tree(root: JsonNode, nodes: list[JsonNode]) -> None:
    """No node has two parents, and none is its own ancestor."""
    parent = [-1] * len(nodes)
    for number, node in enumerate(nodes):
        for index in node.items("children"):
            root.pick("nodes", index)
            child = index.as_integer()
            if parent[child] >= 0:
                index.refuse(f"/nodes/{child} already is a child of /nodes/{parent[child]}")
            parent[child] = number
    clear = [False] * len(nodes)
    for number in range(len(nodes)):
        path, at = set(), number
        while at >= 0 and not clear[at]:
            if at in path:
                nodes[at].refuse("is its own ancestor")
            path.add(at)
            at = parent[at]
        for walked in path:
            clear[walked] = True


def _local_matrix(node: JsonNode) -> NDArray[np.float64]:
    if node.has("matrix"):
        if node.has("translation") or node.has("rotation") or node.has("scale"):
            node.refuse("has both a matrix and translation, rotation or scale")
        matrix = np.array(node.member("matrix").as_numbers(16)).reshape(4, 4).T
        if np.abs(matrix[3] - [0.0, 0.0, 0.0, 1.0]).max() > 1e-6:
            node.member("matrix").refuse("must not project: its last row is not 0 0 0 1")
        return matrix
    matrix = np.eye(4)
    if node.has("rotation"):
        x, y, z, w = node.member("rotation").as_numbers(4)
        length = float(np.sqrt(x * x + y * y + z * z + w * w))
        if not abs(length - 1.0) < 0.01:
            node.member("rotation").refuse(f"must be a unit quaternion, its length is {length:.6g}")
        x, y, z, w = x / length, y / length, z / length, w / length
        matrix[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    if node.has("scale"):
        matrix[:3, :3] *= node.member("scale").as_numbers(3)
    if node.has("translation"):
        matrix[:3, 3] = node.member("translation").as_numbers(3)
    return matrix
