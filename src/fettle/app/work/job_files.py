"""The files of a job: their names in the job's folder, and in which run's folder those of its result are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fettle.app.errors import NotFound
from fettle.app.options import JobOptions
from fettle.app.state.files import Files

UPLOAD = "upload"
RESULT = "result.json"
PRICING = "pricing.json"
ANALYSIS = "analysis.pickle"
BUNDLE = "analysis.bundle"
"""The analysis and the artifacts that every part has, in one file."""
ARTIFACTS = {
    "thickness_glb": "thickness.glb",
    "clearance_glb": "clearance.glb",
    "features_glb": "features.glb",
    "draft_glb": "draft.glb",
    "features_json": "features.json",
    "modules_json": "modules.json",
}
"""Name in the result -> name of the file, the last part of its address."""
LEFT_BY_PULL = tuple(ARTIFACTS[name] for name in ("thickness_glb", "clearance_glb", "features_glb"))
"""Artifacts that another pull direction leaves as they are."""
FLAT_ARTIFACTS = {"flat_dxf": "flat.dxf", "flat_svg": "flat.svg"}
"""The same of the files that only a sheet part has."""


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """The run a job's result comes from. `folder`: the job's; its files are in the subfolder `number`."""

    folder: str
    number: int
    filename: str
    input_sha256: str
    options: JobOptions


def read_bundled(files: Files, folder: str, names: Sequence[str]) -> list[bytes]:
    """Files of the bundle in a run's folder. Version 0.1 stored each by itself."""
    try:
        bundle = files.read_bundle(f"{folder}/{BUNDLE}")
        return [bundle[name] for name in names]
    except NotFound:
        return [files.read(f"{folder}/{name}") for name in names]
