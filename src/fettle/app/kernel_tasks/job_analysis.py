"""Kernel tasks of a worker: from bytes to every file that a job keeps.

Importing this module imports the kernel; it is called through `tasks`, by name.
"""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from multiprocessing import get_context

import numpy as np

from fettle.analysis import Analysis, with_pull
from fettle.app.build_result import Process, build_encoded_result, rounded_vector
from fettle.app.flats.svg import write_svg
from fettle.app.kernel_tasks.measuring import measure
from fettle.app.kernel_tasks.messages import JobOutput
from fettle.app.kernel_tasks.pickles import to_pickle
from fettle.app.kernel_tasks.sample_parts import HOLLOW, SEVERAL, SPLINED
from fettle.app.kernel_tasks.size_limits import check_bounds
from fettle.app.kernel_tasks.stages import JUDGING, READING, TURNING, WRITING
from fettle.app.options import Bounds, JobOptions
from fettle.app.pricing.parts import part_to_json
from fettle.app.wording import counted
from fettle.geometry import warmup
from fettle.geometry.csg import build
from fettle.geometry.gltf.colors import category_colors
from fettle.geometry.gltf.writer import write_glb
from fettle.geometry.load import load
from fettle.geometry.model import Model
from fettle.geometry.part import Part
from fettle.geometry.pmi.instance_scan import find_instances
from fettle.measure.cavities import IMAGES
from fettle.measure.field_glb import clearance_glb, draft_glb, thickness_glb
from fettle.recognize.congruence import SEARCH_TREES
from fettle.recognize.kinds import feature_kinds
from fettle.results import FlatPattern, ModuleResult
from fettle.rules import modules_in_force, parse_module
from fettle.rules.assembly import judge_file
from fettle.rules.yaml_document import read_document

Say = Callable[[str], None]

DXF = "fettle.app.flats.dxf"
"""Imported where a part has a flat: its library takes long to load, and a command that analyzes one file does not wait
for it. A fork server loads it for all its children."""

MADE_BEFORE_COLLECTION = 1_000_000
"""Objects made before garbage is looked for: a child answers once, and what it makes mostly lives until then. Python's
own 700 took up to 2 % of an answer, 20,000 half a percent; what a part of 1,500 faces leaves is two dozen objects."""


def warm_up() -> None:
    """Run in the fork server: the first use of kernel and compiled code costs a second, which no child then pays again.
    A compiled loop that a child has to load itself costs it 2 ms; most parts had four to thirteen of them to load.

    Nothing here starts a thread: a process with threads cannot be forked safely.
    """
    warmup.warm_up()
    for by_need in (DXF, IMAGES, SEARCH_TREES):
        import_module(by_need)
    measure_samples()
    read_splines()
    gc.set_threshold(MADE_BEFORE_COLLECTION)


def compile_all() -> None:
    """Run once after an installation: what is compiled here is found compiled ever after.

    Measuring, reading splines, finding the faces of bare triangles and reading tolerances each have a process of their
    own.
    """
    data = build(HOLLOW)
    works: dict[str, Callable[[], object]] = {
        "measuring": measure_samples,
        "splines": read_splines,
        "triangles": partial(load, write_glb(load(data, "sample.step").mesh), "sample.glb"),
        "tolerances": partial(find_instances, data),
    }
    running = {name: get_context("fork").Process(target=work) for name, work in works.items()}
    for process in running.values():
        process.start()
    for name, process in running.items():
        process.join()
        if process.exitcode != 0:
            raise RuntimeError(f"The rehearsal of {name} ended with {process.exitcode}; its words are above.")


def measure_samples() -> None:
    """All that is done for a job, on parts with most of what parts have."""
    for sample in (HOLLOW, SEVERAL):
        _output(load(build(sample), "sample.step"), "", JobOptions(), (), lambda line: None)


def read_splines() -> None:
    """Read splines with trimming curves of the file, and edges that are followed along them."""
    for trims in (True, False):
        load(build(SPLINED, trims=trims), "sample.step")


def analyze_upload(
    data: bytes,
    filename: str,
    options: JobOptions,
    bounds: Bounds,
    input_sha256: str,
    packs: Sequence[bytes],
    *,
    say: Say,
) -> JobOutput:
    """Read, measure and judge a file. `packs`: the caller's own rule packs, judged by beside those in force."""
    say(READING)
    model = load(data, filename, options.mesh(), options.units)
    _check_bounds(model.part, bounds)
    kept = to_pickle(model)
    return replace(_output(model, input_sha256, options, packs, say), model=kept)


def analyze_model(
    pickled: bytes, input_sha256: str, options: JobOptions, bounds: Bounds, packs: Sequence[bytes], *, say: Say
) -> JobOutput:
    """Measure and judge a part that was read before, maybe under other bounds."""
    model: Model = pickle.loads(pickled)  # noqa: S301 - our own file
    _check_bounds(model.part, bounds)
    return _output(model, input_sha256, options, packs, say)


def analyze_with_pull(pickled: bytes, input_sha256: str, pull: str, packs: Sequence[bytes], *, say: Say) -> JobOutput:
    """Judge an analyzed part again for another pull direction: all files but those of `LEFT_BY_PULL`."""
    say(TURNING)
    analysis = with_pull(pickle.loads(pickled), pull)  # noqa: S301 - our own file
    return JobOutput(_judge(analysis, input_sha256, packs, say))


def evaluate(
    pickled: bytes, module: object, configuration_key: str | None, overrides: Mapping[str, float]
) -> ModuleResult:
    """Judges by a caller's own module: by one configuration, or by all where none is named."""
    analysis: Analysis = pickle.loads(pickled)  # noqa: S301 - our own file
    keys = None if configuration_key is None else (configuration_key,)
    return judge_file(analysis, parse_module(module), keys, overrides)


def _check_bounds(part: Part, bounds: Bounds) -> None:
    check_bounds(part.size_mm.tolist(), bounds, part.source.format)


def features_glb(analysis: Analysis) -> bytes:
    """Colored by kind. Where features share a face, it shows the one with the fewest faces: the most particular."""
    kinds = feature_kinds()
    places = {kind.name: place for place, kind in enumerate(kinds)}
    owner = np.full(len(analysis.part.faces), -1)
    numbered = sorted(enumerate(analysis.recognition.features), key=lambda pair: -len(pair[1].faces))
    for number, feature in numbered:
        owner[list(feature.faces)] = number
    kind_of = np.array([places[feature.kind] for feature in analysis.recognition.features] + [-1])
    point_feature = owner[analysis.mesh.point_face]
    colors = [kind.color for kind in kinds]
    return write_glb(
        analysis.mesh,
        colors=category_colors(kind_of[point_feature], colors),
        features=point_feature,
        edges=[edge.points for edge in analysis.part.edges],
        extras={"kinds": {kind.name: kind.color for kind in kinds}},
        closed=analysis.part.watertight,
    )


def _output(model: Model, input_sha256: str, options: JobOptions, packs: Sequence[bytes], say: Say) -> JobOutput:
    analysis = measure(model, options, say)
    return JobOutput(_judge(analysis, input_sha256, packs, say) | _maps(analysis))


def _processes(packs: Sequence[bytes]) -> list[Process]:
    """The modules in force with the caller's own: one that asks for the fit of a shipped module takes its place, so
    that no part has two verdicts on one process. Of two that rank alike the caller's own comes first."""
    own = [parse_module(read_document(pack, "the pack")) for pack in packs]
    taken = [set(module.fit.processes) for module in own if module.fit]
    others = [one for one in modules_in_force() if one.fit is None or set(one.fit.processes) not in taken]
    return [Process(module) for module in (*own, *others)]


def _drawings(flat: FlatPattern) -> dict[str, bytes]:
    """Files of a flat by name."""
    return {"flat.dxf": import_module(DXF).write_dxf(flat), "flat.svg": write_svg(flat)}


def _maps(analysis: Analysis) -> dict[str, bytes]:
    """Files by name that the pull direction has no part in."""
    closed = analysis.part.watertight
    return {
        "thickness.glb": thickness_glb(analysis.mesh, analysis.thickness, closed),
        "clearance.glb": clearance_glb(analysis.mesh, analysis.clearance, closed),
        "features.glb": features_glb(analysis),
    }


def _judge(analysis: Analysis, input_sha256: str, packs: Sequence[bytes], say: Say) -> dict[str, bytes]:
    """All other files by name."""
    say(f"{counted(len(analysis.recognition.features), 'feature')}, pull {list(rounded_vector(analysis.draft.pull))}.")
    say(JUDGING)
    result = build_encoded_result(analysis, input_sha256, _processes(packs))
    flat = result.result.flat
    drawings = {} if flat is None else _drawings(flat)
    say(WRITING)
    return {
        "draft.glb": draft_glb(analysis.mesh, analysis.draft, analysis.part.watertight),
        "features.json": result.fields["features"],
        "modules.json": result.fields["modules"],
        "analysis.pickle": to_pickle(analysis),
        "pricing.json": part_to_json(result.result),
        "result.json": result.to_json(),
        **drawings,
    }
