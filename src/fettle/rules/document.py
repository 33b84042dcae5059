"""YAML and JSON documents as plain data; a key that stands twice is an error, not a silent choice."""

from __future__ import annotations

from collections.abc import Hashable

import yaml

from fettle.errors import BadRequest

MAX_BYTES = 1_000_000


class _Loader(yaml.SafeLoader):
    """Plain data only, and no key twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, object]:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen and key.tag != "tag:yaml.org,2002:merge":
                raise yaml.constructor.ConstructorError(None, None, f"key {key.value!r} stands twice", key.start_mark)
            seen.add(str(key.value))
        return super().construct_mapping(node, deep)


def read_document(data: bytes, name: str) -> object:
    """The document (YAML, of which JSON is a part). `name` is for the error's text."""
    if len(data) > MAX_BYTES:
        raise BadRequest(f"{name}: {len(data)} bytes; a rule document has at most {MAX_BYTES}")
    try:
        return yaml.load(data, Loader=_Loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadRequest(f"{name} is neither YAML nor JSON: {' '.join(str(error).split())[:300]}") from error
