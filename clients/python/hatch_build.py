"""Makes the package `fettle_client` of `fettle.client`: the same modules under a name of their own.

Both may be installed side by side: the service brings its client as `fettle.client`, this one is `fettle_client`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path("..") / ".." / "src" / "fettle" / "client"
NAME = "fettle_client"


class RenamedPackage(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if (root / NAME).is_dir():  # an sdist holds the modules already
            build_data["force_include"][str(root / NAME)] = NAME
            return
        self._folder = tempfile.TemporaryDirectory()
        made = Path(self._folder.name) / NAME
        made.mkdir()
        for source in sorted((root / SOURCE).glob("*.py")):
            text = source.read_text(encoding="utf-8").replace("fettle.client", NAME)
            (made / source.name).write_text(text, encoding="utf-8")
        (made / "py.typed").touch()
        build_data["force_include"][str(made)] = NAME

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            self._folder.cleanup()
