"""Running a case: the part is built or read, meshed, analyzed and judged. Needs the kernel, so it is for a child."""

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
    """The verdicts on the case's part that differ from the expected ones."""
    return check(case, RuleContext(analyze_case(case, folder)), module)


def analyze_case(case: Case, folder: Path) -> Analysis:
    """The case's part, analyzed. A file is looked for beside the cases and nowhere else."""
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
