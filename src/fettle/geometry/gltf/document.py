"""The outer shape of a glTF file: the GLB container, its JSON, and typed access to the JSON.

Nothing in an uploaded file is believed: every value is asked for by type and range through a `Place`, and what does
not fit is refused with the JSON pointer to it.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from fettle.errors import Damaged, NotThatFormat, Unsupported

READ_EXTENSIONS = frozenset({"KHR_mesh_quantization", "KHR_draco_mesh_compression", "EXT_mesh_features"})
"""Extensions that a file may require: we honor them, or (EXT_mesh_features) they change no geometry."""


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value in the JSON and the pointer to it."""

    value: Any
    pointer: str

    def refuse(self, what: str) -> NoReturn:
        raise Damaged(f"glTF {self.pointer or '/'}: {what}. Export the file again.")

    def has(self, key: str) -> bool:
        return key in self.as_object()

    def member(self, key: str) -> JsonNode:
        """A member that must be there."""
        found = self.as_object()
        if key not in found:
            self.refuse(f"{key!r} is missing")
        return JsonNode(found[key], f"{self.pointer}/{key}")

    def items(self, key: str) -> list[JsonNode]:
        """The elements of the array `key`; empty where there is none."""
        if not self.has(key):
            return []
        place = self.member(key)
        if not isinstance(place.value, list):
            place.refuse(f"must be an array, is {_kind(place.value)}")
        return [JsonNode(value, f"{place.pointer}/{number}") for number, value in enumerate(place.value)]

    def pick(self, key: str, index: JsonNode) -> JsonNode:
        """The element of the array `key` that `index` names."""
        array = self.as_object().get(key, [])
        if not isinstance(array, list):
            self.member(key).refuse(f"must be an array, is {_kind(array)}")
        number = index.as_integer()
        if number >= len(array):
            index.refuse(f"names /{key}/{number}, but there are only {len(array)}")
        return JsonNode(array[number], f"/{key}/{number}")

    def as_object(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            self.refuse(f"must be an object, is {_kind(self.value)}")
        return self.value

    def as_text(self) -> str:
        if not isinstance(self.value, str):
            self.refuse(f"must be a string, is {_kind(self.value)}")
        return self.value

    def as_integer(self, low: int = 0, high: int = 2**53) -> int:
        number = self.value
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        if isinstance(number, bool) or not isinstance(number, int):
            self.refuse(f"must be an integer, is {_kind(self.value)}")
        if not low <= number <= high:
            self.refuse(f"must be between {low} and {high}, is {str(number)[:40]}")
        return number

    def as_numbers(self, count: int) -> list[float]:
        """`count` finite numbers."""
        if not isinstance(self.value, list) or len(self.value) != count:
            self.refuse(f"must be an array of {count} numbers")
        numbers = []
        for value in self.value:
            if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e300:
                self.refuse(f"must hold finite numbers, holds {str(value)[:40]!r}")
            numbers.append(float(value))
        if not all(map(math.isfinite, numbers)):
            self.refuse("must hold finite numbers")
        return numbers

    def integer(self, key: str, default: int, low: int = 0, high: int = 2**53) -> int:
        """The integer `key`, or `default` where it is not given."""
        return self.member(key).as_integer(low, high) if self.has(key) else default

    def flag(self, key: str) -> bool:
        value = self.as_object().get(key, False)
        if not isinstance(value, bool):
            self.member(key).refuse(f"must be true or false, is {_kind(value)}")
        return value

    def extension(self, name: str) -> JsonNode | None:
        """The object of the extension `name` at this place."""
        if not self.has("extensions") or not self.member("extensions").has(name):
            return None
        return self.member("extensions").member(name)


def open_document(data: bytes, filename: str) -> tuple[JsonNode, bytes | None]:
    """The JSON of a .glb or .gltf and the GLB's binary chunk, checked as far as version and required extensions."""
    if data[:4] == b"glTF":
        text, binary = _open_container(data)
    elif filename.lower().endswith(".glb"):
        raise NotThatFormat(f"{filename} is not a GLB file: it does not start with the four letters 'glTF'.")
    else:
        text, binary = data, None
    root = JsonNode(_parse(text, filename), "")
    _check_version(root)
    _check_extensions(root)
    return root, binary


def _open_container(data: bytes) -> tuple[bytes, bytes | None]:
    if len(data) < 12:
        raise Damaged(f"The GLB file ends after {len(data)} bytes, inside its header. Upload it again.")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise Unsupported(f"The GLB container is of version {version}; only version 2 is read. Export glTF 2.0.")
    if length > len(data):
        raise Damaged(
            f"The GLB file is truncated: its header says {length} bytes, there are {len(data)}. Upload it again."
        )
    chunks = list(_chunks(data, length))
    if not chunks or chunks[0][0] != b"JSON":
        raise Damaged("The first chunk of the GLB file is not its JSON. Export the file again.")
    kinds = [kind for kind, _ in chunks]
    if kinds.count(b"JSON") > 1 or kinds.count(b"BIN\0") > 1:
        raise Damaged("The GLB file has more than one JSON or binary chunk. Export the file again.")
    if b"BIN\0" in kinds and kinds.index(b"BIN\0") != 1:
        raise Damaged("The binary chunk of the GLB file is not its second chunk. Export the file again.")
    return chunks[0][1], dict(chunks).get(b"BIN\0")


def _chunks(data: bytes, length: int) -> Iterator[tuple[bytes, bytes]]:
    """Kind and content of each chunk. Lengths that are no multiple of four are forbidden, yet common and harmless."""
    at = 12
    while at < length:
        if at + 8 > length:
            raise Damaged(f"The GLB file ends inside a chunk header at byte {at}. Upload it again.")
        size, kind = struct.unpack_from("<I4s", data, at)
        at += 8
        if at + size > length:
            raise Damaged(f"The GLB chunk at byte {at - 8} says {size} bytes, but only {length - at} follow.")
        yield kind, data[at : at + size]
        at += size


def _parse(text: bytes, filename: str) -> Any:
    if text.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] != b"{":
        raise NotThatFormat(f"{filename} is not a glTF file: its JSON does not start with an object.")
    try:
        return json.loads(text.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except RecursionError:
        raise Damaged("The glTF JSON is nested too deeply to be a part. Export the file again.") from None
    except ValueError as fault:
        raise Damaged(f"The glTF JSON cannot be read: {str(fault)[:200]}. Export the file again.") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _check_version(root: JsonNode) -> None:
    asset = root.member("asset")
    for key in ("version", "minVersion") if asset.has("minVersion") else ("version",):
        version = asset.member(key).as_text()
        major, dot, minor = version.partition(".")
        if not (dot and major.isdecimal() and minor.isdecimal()):
            asset.member(key).refuse(f"must be a version such as '2.0', is {version[:40]!r}")
        if major != "2" or (key == "minVersion" and minor.strip("0")):
            raise Unsupported(f"glTF /asset/{key} is {version[:40]}; version 2.0 is read. Export glTF 2.0.")


def _check_extensions(root: JsonNode) -> None:
    required = [place.as_text() for place in root.items("extensionsRequired")]
    unknown = [name[:60] for name in dict.fromkeys(required) if name not in READ_EXTENSIONS]
    if unknown:
        raise Unsupported(
            f"The glTF file requires {', '.join(unknown)}, which is not read here. Export it without "
            "(uncompressed, or with KHR_draco_mesh_compression)."
        )


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "an array", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), f"the number {str(value)[:40]}")
