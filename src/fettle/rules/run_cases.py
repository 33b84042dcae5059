"""Running of test cases: build or read the part, mesh, analyze and evaluate it. Needs the geometry kernel, so it runs
in a child process."""

from __future__ import annotations

from pathlib import Path

from fettle.analysis import Analysis, Options, analyze
from fettle.errors import BadRequest
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.refine import refine
from fettle.rules.cases import Case, Miss, check
from fettle.rules.context import RuleContext
from fettle.rules.spec import Module


def run_case(module: Module, case: Case, folder: Path) -> list[Miss]:
    """Verdicts on the case's part that differ from the expected ones."""
    return check(case, RuleContext(analyze_case(case, folder)), module)


def analyze_case(case: Case, folder: Path) -> Analysis:
    """Analyze the case's part. A part file must be in `folder`, beside the cases."""
    options = MeshOptions()
    if set(case.part) == {"file"}:
        name = str(case.part["file"])
        path = folder / name
        if Path(name).name != name or not path.is_file():
            raise BadRequest(f"case '{case.name}': no file {name!r} in {folder}")
        model = load(path.read_bytes(), name, options)
    else:
        model = load(build(case.part), "case.step", options)
    return analyze(model.part, refine(model.mesh, model.part, options), Options(pull=case.pull))
