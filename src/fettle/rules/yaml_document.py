"""YAML and JSON documents as plain data; a key that stands twice is an error, not a silent choice."""

from __future__ import annotations

from collections.abc import Hashable

import yaml

from fettle.errors import BadRequest

MAX_BYTES = 1_000_000


class _NoKeyTwice(yaml.constructor.SafeConstructor):
    """Plain data only, and no key twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, object]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen and key.tag != "tag:yaml.org,2002:merge":
                raise yaml.constructor.ConstructorError(None, None, f"key {key.value!r} stands twice", key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


class _Loader(_NoKeyTwice, yaml.SafeLoader):
    """For documents from anywhere."""


class _ShippedLoader(_NoKeyTwice, yaml.CSafeLoader):
    """For our own, at ten times the speed: it would follow a hostile one down until the stack ends, and us with it."""


def read_shipped(data: bytes) -> object:
    """A document of this package."""
    return yaml.load(data, Loader=_ShippedLoader)  # noqa: S506 - a safe loader


def read_document(data: bytes, name: str) -> object:
    """The document (YAML, of which JSON is a part). `name` is for the error's text."""
    if len(data) > MAX_BYTES:
        raise BadRequest(f"{name}: {len(data)} bytes; a rule document has at most {MAX_BYTES}")
    try:
        return yaml.load(data, Loader=_Loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadRequest(f"{name} is neither YAML nor JSON: {' '.join(str(error).split())[:300]}") from error


def line_of(text: str, pointer: str) -> int:
    """The line (from 1) where a JSON pointer leads in a YAML text; the nearest one above where it leads nowhere."""
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
