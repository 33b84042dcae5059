"""The engine as Python functions: read a part, analyze it, judge it, price it.

A file is read in a killable child (see `sandbox`), because the geometry kernel dies on some damaged files and would
take a notebook or a server along. All that follows is plain numpy and runs in the caller's own process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fettle.analysis import Analysis, Options
from fettle.app.body_entries import listed_body
from fettle.app.build_result import build_result
from fettle.app.flats.request import FlatRequest
from fettle.app.flats.unfolding import unfold_part
from fettle.app.isolation.part_files import run_on_file
from fettle.app.kernel_tasks.tasks import LOAD
from fettle.app.prices import price_file
from fettle.app.settings import Settings
from fettle.assembly import analyze_model, identify_bodies, refine_model
from fettle.errors import BadRequest
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.model import Model
from fettle.measure.draft_limits import ALPHA_MIN_DEG, ALPHA_WARN_DEG
from fettle.quote import Catalog, Price, shipped_catalog
from fettle.results import AnalysisResult, ConfigurationVerdict, FlatPattern
from fettle.results.part import geometry_of
from fettle.rules import Module, modules_in_force, parse_module
from fettle.rules.assembly import judge_file
from fettle.rules.checked_input import nearest
from fettle.rules.yaml_document import read_document


def read(
    source: str | Path | bytes,
    name: str | None = None,
    *,
    max_edge_mm: float | None = None,
    curvature: float | None = None,
    units: str | None = None,
) -> Model:
    """Read a part file, or bytes of one that go by `name` (its extension tells the format).

    `max_edge_mm`: longest mesh edge; `curvature`: mesh elements per full turn; None is automatic. `units`: length unit
    (m, mm, cm, in) of a file that carries none; None for its format's default. Raises InputRefused for an unusable file
    and KernelFailure when the kernel did not come back; this process survives both.
    """
    if isinstance(source, bytes):
        if name is None:
            raise BadRequest("bytes need a name, for example name='part.step': its extension tells the format")
        data = source
    else:
        data, name = Path(source).read_bytes(), name or Path(source).name
    options = MeshOptions(max_edge_mm, curvature)
    model = run_on_file(LOAD, (data, name, options, units), Settings().kernel_limits)
    origin = replace(model.part.source, sha256=hashlib.sha256(data).hexdigest())
    return replace(model, part=replace(model.part, source=origin), options=options)


def analyze(
    part: Model | str | Path,
    *,
    pull: str = "cardinal",
    alpha_min_deg: float = ALPHA_MIN_DEG,
    alpha_warn_deg: float = ALPHA_WARN_DEG,
) -> Analysis:
    """Recognize and measure a part. `pull`: cardinal, hemisphere, or a direction "x,y,z"."""
    options = Options(pull, alpha_min_deg, alpha_warn_deg)
    model = part if isinstance(part, Model) else read(part)
    return analyze_model(refine_model(model, model.options), options)


def unfold(
    part: Model | Analysis | str | Path,
    *,
    k_factor: float | None = None,
    din_6935: bool = False,
    table: str | Path | None = None,
    material: str | None = None,
) -> FlatPattern:
    """Lay a sheet part flat: outlines, bend table, and how well it folds back into the part.

    At most one of `k_factor`, `din_6935` and `table`, a CSV file of test bends; else the K factor of the material.
    Raises CannotUnfold with the reason and the faces where the part is no sheet or does not lie flat.
    """
    text = None if table is None else Path(table).read_text(encoding="utf-8-sig")
    request = FlatRequest(k_factor, din_6935, text, "" if table is None else Path(table).name, material)
    solid = read(part) if isinstance(part, str | Path) else part
    return unfold_part(solid.part, request)


def find_module(module: Module | Mapping[str, Any] | str | Path) -> Module:
    """A rule module: itself, one described by a mapping, the one in force of that key, or one in a YAML or JSON
    file."""
    if isinstance(module, Module):
        return module
    if isinstance(module, Mapping):
        return parse_module(module)
    shipped = {one.key: one for one in modules_in_force()}
    if str(module) in shipped:
        return shipped[str(module)]
    if not Path(module).is_file():
        hint = nearest(str(module), shipped)
        raise BadRequest(f"{str(module)[:200]!r} is neither a file nor a shipped module; {hint}")
    return parse_module(read_document(Path(module).read_bytes(), Path(module).name))


def judge(
    analysis: Analysis,
    module: Module | Mapping[str, Any] | str | Path,
    configuration: str,
    overrides: Mapping[str, float] | None = None,
) -> ConfigurationVerdict:
    """Judges by one configuration of a module: `.severity`, `.summary`, `.rules`; `.to_dict()` is the API's object."""
    return judge_file(analysis, find_module(module), (configuration,), overrides).configurations[0]


def result(analysis: Analysis) -> AnalysisResult:
    """The whole result, judged by every module in force; `.to_dict()` is the API's object, ids and addresses aside."""
    return build_result(analysis, analysis.part.source.sha256)


def price(
    part: Model | Analysis,
    material: str,
    quantity: int,
    finishes: Sequence[str] = (),
    catalog: Catalog | None = None,
) -> Price:
    """What `quantity` castings of the part cost, of an assembly of all that is made; material and finishes by name or
    id."""
    bodies = part.bodies if isinstance(part, Analysis) else identify_bodies(part) if len(part.part.bodies) > 1 else ()
    listed = [listed_body(body) for body in bodies]
    given = (catalog or shipped_catalog(), material, quantity, finishes)
    return price_file(geometry_of(part.part), listed, *given).whole
