"""Writes docs/settings.md from the fields of `Settings`: run `python -m docs.generate_settings` after a change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo

from fettle.app.settings import Settings

PAGE = Path(__file__).parent / "settings.md"
HEAD = """<!-- Written by docs/generate_settings.py; edit src/fettle/app/settings.py, not this page. -->
# Settings

Every setting of the service is a variable of the environment. `fettle serve` and `fettle worker` read them at their \
start; all processes that share a database should be given the same ones.

| variable | default | what it is |
|---|---|---|
"""
TAIL = """
Lists are written as JSON. Where `FETTLE_STORAGE_URL` names an object store, its credentials and endpoint come from \
the store's own variables (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL`, ...).
"""


def page() -> str:
    return HEAD + "".join(_row(name, field) for name, field in Settings.model_fields.items()) + TAIL


def _row(name: str, field: FieldInfo) -> str:
    default = "(see right)" if field.default_factory else _shown(field.default)
    return f"| `FETTLE_{name.upper()}` | {default} | {field.description} |\n"


def _shown(value: Any) -> str:
    if value in ("", None):
        return ""
    return f"`{value}`" if isinstance(value, str) else f"`{json.dumps(value)}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
