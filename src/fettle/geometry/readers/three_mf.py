"""3MF (core specification 1.3): triangles in XML in a ZIP archive, with a unit, components and placed build items."""

from __future__ import annotations

import io
import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn
from xml.parsers import expat

from fettle.errors import Damaged, NoSolid, TooDetailed, Unsupported
from fettle.geometry.reader import Reader

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fettle.geometry.mesh_options import MeshOptions
    from fettle.geometry.model import Model

    Matrix = NDArray[np.float64]
    StartElement = Callable[[str, dict[str, str]], None]

_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
_MATERIALS = "http://schemas.microsoft.com/3dmanufacturing/material/2015/02"
_KNOWN_EXTENSIONS = (_PRODUCTION, _MATERIALS)
_RELATIONSHIPS = "_rels/.rels"
_MODEL_TYPE = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
_UNITS_MM = {"micron": 0.001, "millimeter": 1.0, "centimeter": 10.0, "inch": 25.4, "foot": 304.8, "meter": 1000.0}

MAX_UNPACKED_BYTES = 512 * 1024 * 1024
"""Of all parts of the archive that are read: four times what two million triangles take."""

MAX_INSTANCES = 10_000
MAX_DEPTH = 32
"""Components within components."""


@dataclass(slots=True)
class _Object:
    """`vertices` x y z x y z ..., `triangles` a b c a b c ...; components as (path, id, transform)."""

    kind: str
    vertices: array[float] = field(default_factory=lambda: array("d"))
    triangles: array[int] = field(default_factory=lambda: array("q"))
    components: list[tuple[str, str, str]] = field(default_factory=list)


@dataclass(slots=True)
class _ModelPart:
    """One XML file of the archive: its unit, its objects by id, and its build items as (path, id, transform)."""

    unit: str = "millimeter"
    objects: dict[str, _Object] = field(default_factory=dict)
    items: list[tuple[str, str, str]] = field(default_factory=list)


def _matches(data: bytes) -> bool:
    return data.startswith(b"PK\x03\x04")


def _read(data: bytes, name: str, options: MeshOptions, unit: str) -> Model:
    from fettle.geometry.segmentation.mesh_part import triangles_to_model
    from fettle.geometry.segmentation.triangles import to_millimeters

    package = _Package(data, name)
    build = package.part(package.start)
    corners, grid, warnings = _Assembly(package).gather(build.items)
    scale = _UNITS_MM[build.unit]
    triangles = to_millimeters(corners, grid, scale, build.unit, "core", warnings, name)
    return triangles_to_model(triangles, "3MF", options)


class _Package:
    """The archive; every file in it is read at most once, and all together within `MAX_UNPACKED_BYTES`."""

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self._left_bytes = MAX_UNPACKED_BYTES
        self._parts: dict[str, _ModelPart] = {}
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError) as fault:
            raise Damaged(f"{name} is not a readable ZIP archive; send it again") from fault
        self.start = self._find_start()

    def part(self, path: str) -> _ModelPart:
        """The model in the file at `path`, parsed when it is first asked for."""
        if path not in self._parts:
            self._parts[path] = _ModelParser(self, path).parse(self._unpack(path))
        return self._parts[path]

    def _find_start(self) -> str:
        found: list[str] = []

        def start(tag: str, attributes: dict[str, str]) -> None:
            if attributes.get("Type") == _MODEL_TYPE:
                found.append(attributes.get("Target", "").lstrip("/"))

        _parse_xml(self._unpack(_RELATIONSHIPS), start, None, f"{self.name}: {_RELATIONSHIPS}")
        if not found:
            raise Damaged(f"{self.name} names no 3D model in {_RELATIONSHIPS}; export it again")
        return found[0]

    def _unpack(self, path: str) -> bytes:
        try:
            with self._archive.open(path) as packed:
                text = packed.read(self._left_bytes + 1)
        except KeyError as fault:
            raise Damaged(f"{self.name} lacks the file {path[:120]!r} in its archive; export it again") from fault
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError) as fault:
            raise Damaged(f"{self.name}: {path[:120]!r} cannot be unpacked ({type(fault).__name__})") from fault
        self._left_bytes -= len(text)
        if self._left_bytes < 0:
            raise TooDetailed(f"{self.name} unpacks to more than {MAX_UNPACKED_BYTES} bytes. Export a coarser mesh.")
        return text


class _ModelParser:
    """Reads one model file element by element."""

    def __init__(self, package: _Package, path: str) -> None:
        self._where = f"{package.name}: {path}"
        self._path = path
        self._model = _ModelPart()
        self._object: _Object | None = None
        self._namespaces: dict[str, str] = {}

    def parse(self, text: bytes) -> _ModelPart:
        try:
            _parse_xml(text, self._start, self._namespaces, self._where)
        except (KeyError, ValueError, OverflowError) as fault:
            raise Damaged(f"{self._where}: an attribute is missing or not a number ({fault})") from fault
        return self._model

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        match tag.removeprefix(f"{_CORE} "):
            case "model":
                self._model.unit = attributes.get("unit", "millimeter")
                if self._model.unit not in _UNITS_MM:
                    raise Damaged(
                        f"{self._where}: the unit is {self._model.unit[:40]!r}; known are {', '.join(_UNITS_MM)}"
                    )
                self._check_extensions(attributes.get("requiredextensions", ""))
            case "object":
                self._object = _Object(attributes.get("type", "model"))
                self._model.objects[attributes["id"]] = self._object
            case "vertex" if self._object is not None:
                self._object.vertices.extend((float(attributes["x"]), float(attributes["y"]), float(attributes["z"])))
            case "triangle" if self._object is not None:
                self._object.triangles.extend((int(attributes["v1"]), int(attributes["v2"]), int(attributes["v3"])))
            case "component" if self._object is not None:
                self._object.components.append(self._reference(attributes))
            case "item":
                self._model.items.append(self._reference(attributes))

    def _reference(self, attributes: dict[str, str]) -> tuple[str, str, str]:
        path = attributes.get(f"{_PRODUCTION} path", self._path).lstrip("/")
        return path, attributes["objectid"], attributes.get("transform", "")

    def _check_extensions(self, required: str) -> None:
        for prefix in required.split():
            if self._namespaces.get(prefix, prefix) not in _KNOWN_EXTENSIONS:
                raise Unsupported(f"{self._where} requires the extension {prefix[:80]!r}, which is not read")


def _parse_xml(text: bytes, start: StartElement, namespaces: dict[str, str] | None, where: str) -> None:
    """Call `start` for every element. Document types are refused, so that no entity can be declared or expanded."""

    def refuse(*_: object) -> NoReturn:
        raise Damaged(f"{where} declares a document type; 3MF has none")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    if namespaces is not None:
        parser.StartNamespaceDeclHandler = lambda prefix, uri: namespaces.__setitem__(prefix or "", uri)
    try:
        parser.Parse(text, True)
    except expat.ExpatError as fault:
        raise Damaged(f"{where} is not well-formed XML (line {fault.lineno}); export it again") from fault


class _Assembly:
    """Triangles of the build items, transforms of items and components applied."""

    def __init__(self, package: _Package) -> None:
        self._package = package
        self._instances = 0
        self._count = 0
        self._warnings: dict[str, None] = {}

    def gather(self, items: list[tuple[str, str, str]]) -> tuple[NDArray[np.float64], float, tuple[str, ...]]:
        """Corners (m, 3, 3) and the step of their grid, in the file's unit, and warnings."""
        import numpy as np

        from fettle.geometry.segmentation.quantization import grid_step

        pieces, grid = [], 0.0
        for path, number, transform in items:
            for points, rows, matrix in self._meshes(path, number, self._matrix(transform), 0):
                outward = rows[:, ::-1] if np.linalg.det(matrix[:3]) < 0 else rows
                with np.errstate(over="ignore", invalid="ignore"):
                    pieces.append(points[outward] @ matrix[:3] + matrix[3])
                if len(rows) > 1:
                    grid = max(grid, grid_step(points) * float(np.linalg.norm(matrix[:3], 2)))
        if not pieces:
            raise NoSolid(f"{self._package.name} builds no triangles: nothing in it encloses a volume")
        return np.concatenate(pieces), grid, tuple(self._warnings)

    def _meshes(
        self, path: str, number: str, matrix: Matrix, depth: int
    ) -> Iterator[tuple[Matrix, NDArray[np.int64], Matrix]]:
        """Points (n, 3), triangles (m, 3) and transform (4, 3) of an object and all its components."""
        from fettle.geometry.segmentation.triangles import MAX_TRIANGLES

        self._instances += 1
        if self._instances > MAX_INSTANCES or depth > MAX_DEPTH:
            raise TooDetailed(
                f"{self._package.name} places more than {MAX_INSTANCES} objects, or nests them too deeply."
            )
        found = self._package.part(path).objects.get(number)
        if found is None:
            raise Damaged(f"{self._package.name}: {path[:120]!r} has no object {number[:40]!r}; export it again")
        if found.kind != "model":
            self._warnings[f"Objects of type {found.kind[:40]!r} are left out."] = None
            return
        points, rows = self._arrays(found, number)
        self._count += len(rows)
        if self._count > MAX_TRIANGLES:
            raise TooDetailed(f"{self._package.name} has more than {MAX_TRIANGLES} triangles. Export a coarser mesh.")
        if len(rows):
            yield points, rows, matrix
        for inner_path, inner, transform in found.components:
            own = self._matrix(transform)
            own[3:] = own[3:] @ matrix[:3] + matrix[3]
            own[:3] = own[:3] @ matrix[:3]
            yield from self._meshes(inner_path, inner, own, depth + 1)

    def _arrays(self, found: _Object, number: str) -> tuple[Matrix, NDArray[np.int64]]:
        import numpy as np

        points = np.array(found.vertices).reshape(-1, 3)
        rows = np.array(found.triangles, dtype=np.int64).reshape(-1, 3)
        if len(rows) and not (rows.min() >= 0 and rows.max() < len(points)):
            raise Damaged(
                f"{self._package.name}: object {number[:40]!r} has triangles with vertices beyond its {len(points)}; "
                "export it again"
            )
        if not np.isfinite(points).all():
            raise Damaged(f"{self._package.name} has a coordinate that is not a finite number; export it again")
        return points, rows

    def _matrix(self, transform: str) -> Matrix:
        """Shape (4, 3): rows that multiply x, y, z and 1."""
        import numpy as np

        if not transform:
            return np.vstack([np.eye(3), np.zeros(3)])
        try:
            numbers = np.array([float(number) for number in transform.split()])
        except ValueError:
            numbers = np.empty(0)
        if len(numbers) != 12 or not np.isfinite(numbers).all():
            raise Damaged(f"{self._package.name}: a transform is not twelve numbers; export it again")
        return numbers.reshape(4, 3)


READERS = (
    Reader(
        name="3MF",
        extensions=(".3mf",),
        media_type="model/3mf",
        matches=_matches,
        mismatch="is not a ZIP archive, which every 3MF file is",
        read=_read,
        exact=False,
    ),
)
