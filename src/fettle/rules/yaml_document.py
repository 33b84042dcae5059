"""YAML and JSON documents as plain data; a duplicate key is an error."""

from __future__ import annotations

from collections.abc import Hashable

import yaml

from fettle.errors import BadRequest

MAX_BYTES = 1_000_000
"""Largest untrusted document."""


class _UniqueKeys(yaml.constructor.SafeConstructor):
    """Constructs plain data only; a duplicate key is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, object]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen and key.tag != "tag:yaml.org,2002:merge":
                raise yaml.constructor.ConstructorError(None, None, f"key {key.value!r} occurs twice", key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


class _Loader(_UniqueKeys, yaml.SafeLoader):
    """Loader for untrusted documents."""


class _ShippedLoader(_UniqueKeys, yaml.CSafeLoader):
    """Loader for shipped documents, ten times as fast; a deeply nested hostile document would overflow its stack."""


def read_shipped(data: bytes) -> object:
    """Read a document of this package."""
    return yaml.load(data, Loader=_ShippedLoader)  # noqa: S506 - a safe loader


def read_document(data: bytes, name: str) -> object:
    """Read an untrusted document, YAML or JSON; `name` is quoted in errors."""
    if len(data) > MAX_BYTES:
        raise BadRequest(f"{name}: {len(data)} bytes; a rule document has at most {MAX_BYTES}")
    try:
        return yaml.load(data, Loader=_Loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadRequest(f"{name} is neither YAML nor JSON: {' '.join(str(error).split())[:300]}") from error


def line_of(text: str, pointer: str) -> int:
    """Line number, from 1, of a JSON pointer's target in a YAML text; of the last step found if there is no target."""
    node: yaml.Node | None = yaml.compose(text, Loader=_Loader)
    line = 1
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(node, yaml.MappingNode):
            found = [(name, value) for name, value in node.value if name.value == key]
            if not found:
                return line
            line, node = found[0][0].start_mark.line + 1, found[0][1]
        elif isinstance(node, yaml.SequenceNode) and key.isdecimal() and int(key) < len(node.value):
            node = node.value[int(key)]
            line = node.start_mark.line + 1
        else:
            return line
    return line
