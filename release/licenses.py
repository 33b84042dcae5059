"""Licenses of everything that runs with Fettle: `python -m release.licenses` writes docs/licenses.md.

They are read from the installed packages of the lock's run-time part. What is needed on other platforms only is not
installed here; its licenses are in `ELSEWHERE`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata

from release.lock import ROOT, read_lock, run_time

PAGE = ROOT / "docs" / "licenses.md"
ELSEWHERE = {
    "colorama": "BSD-3-Clause",
    "httpx2-jsfetch": "BSD-3-Clause",
    "pywin32": "PSF-2.0",
    "tzdata": "Apache-2.0",
}
UNNAMED = {
    "scipy": "BSD-3-Clause",
    "numba": "BSD-2-Clause",
    "protobuf": "BSD-3-Clause",
    "python-dateutil": "Apache-2.0 OR BSD-3-Clause",
}
"""Packages whose metadata hold a text, or no name of the SPDX list."""
BUNDLED = {
    "OCCT (inside cadquery-ocp-novtk)": "LGPL-2.1-only WITH OCCT-exception-1.0",
    "three (inside the viewer)": "MIT",
    "three-mesh-bvh (inside the viewer)": "MIT",
    "swagger-ui (inside the API reference)": "Apache-2.0",
}
ALLOWED = frozenset({
    "MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Apache-2.0", "ISC", "PSF-2.0", "Zlib", "CC0-1.0",
    "MPL-2.0", "LGPL-3.0-only", "LGPL-2.1-only", "LLVM-exception", "OCCT-exception-1.0",
})  # fmt: skip
"""SPDX names that may run with an Apache-2.0 program. The LGPL ones are used as separate libraries, unchanged."""
_CLASSIFIERS = {
    "MIT License": "MIT",
    "BSD License": "BSD-3-Clause",
    "Apache Software License": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
_NAME = re.compile(r"^[A-Za-z0-9.-]+$")


@dataclass(frozen=True, slots=True)
class Licensed:
    """A package and the SPDX expression of its license; `unknown` where its metadata hold none."""

    name: str
    version: str
    license: str


def license_of(name: str) -> str:
    """SPDX expression of a package."""
    if name in UNNAMED:
        return UNNAMED[name]
    try:
        said = metadata(name)
    except PackageNotFoundError:
        return ELSEWHERE.get(name, "unknown")
    if said.get("License-Expression"):
        return str(said["License-Expression"])
    kinds = [
        entry.rsplit("::", 1)[-1].strip() for entry in said.get_all("Classifier", []) if entry.startswith("License")
    ]
    known = [_CLASSIFIERS[kind] for kind in kinds if kind in _CLASSIFIERS]
    named = str(said.get("License") or "")
    return named if _NAME.match(named) else " OR ".join(known) or "unknown"


def run_time_licenses() -> list[Licensed]:
    """Everything that is installed with Fettle."""
    return [Licensed(pin.name, pin.version, license_of(pin.name)) for pin in run_time(read_lock())]


def not_allowed(expression: str) -> list[str]:
    """Names of an SPDX expression that are not allowed. Of alternatives, one that is allowed is enough."""
    faults: list[str] = []
    for required in re.split(r"\s+AND\s+", expression.replace("(", " ").replace(")", " ")):
        options = re.split(r"\s+OR\s+", required.strip())
        if not any(all(word in ALLOWED for word in option.split(" WITH ")) for option in options):
            faults.append(required.strip())
    return faults


def page() -> str:
    """The page of the documentation."""
    rows = [f"| {one.name} | {one.version} | {one.license} |\n" for one in run_time_licenses()]
    inside = [f"| {name} | | {terms} |\n" for name, terms in BUNDLED.items()]
    return (
        "<!-- Written by release/licenses.py; run `python -m release.licenses`. -->\n# Licenses\n\n"
        "Fettle is Apache-2.0. What is installed with it, from the lock, and what is inside of that:\n\n"
        "| package | version | license |\n|---|---|---|\n" + "".join([*rows, *inside])
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
