"""Scripts, style sheet and icon that the dashboard serves and a report carries with it.

`viewer.js` and `pages.js` are built from `viewer/` when the package is installed.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable


def assets_folder() -> Traversable:
    return files("fettle.app") / "static"


def read_asset(name: str) -> str:
    """The text of one of them."""
    return (assets_folder() / name).read_text(encoding="utf-8")
