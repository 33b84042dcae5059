"""The whole result of an analysis: what the library returns, and what the API answers for a job."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, Self

from fettle.results.bodies import BodyEntry
from fettle.results.features import FeatureList
from fettle.results.flat import FlatPattern
from fettle.results.json_text import encode
from fettle.results.making import MakingFacts
from fettle.results.part import PartGeometry
from fettle.results.pmi import PmiReport
from fettle.results.processes import RankedProcess
from fettle.results.record import Format, JsonObject, Record
from fettle.results.turned import TurnedGeometry
from fettle.results.verdicts import ModuleResults, Severity

HASH_KEY = "result_sha256"
ADDED_FIELDS = {"headline": "", "processes": (), "bodies": (), "turned": None, "flat": None, "pmi": None, "making": ()}
"""What results of version 0.1 lack, with what stands for it."""


@dataclass(frozen=True, slots=True)
class MeshSummary(Record):
    """The mesh that the part was measured on."""

    max_edge_mm: Annotated[float | None, "Longest edge allowed."]
    curvature: Annotated[float | None, "Elements per full turn of a curve."]
    n_vertices: Annotated[int, "Vertices."]
    n_triangles: Annotated[int, "Triangles."]


@dataclass(frozen=True, slots=True)
class UsedOptions(Record):
    """The options that the part was analyzed with."""

    pull: Annotated[str, "Pull direction asked for: cardinal, hemisphere or x,y,z."]
    alpha_min_deg: Annotated[float, "Undercut threshold."]
    alpha_warn_deg: Annotated[float, "Low-draft threshold."]


@dataclass(frozen=True, slots=True)
class AnalysisResult(Record):
    """A part analyzed and judged. Equal bytes and options give an equal result on every machine."""

    headline: Annotated[str, "One sentence: the process that the part is made for, and what decides there."]
    processes: Annotated[tuple[RankedProcess, ...], "Processes by fit, then severity, then number of causes."]
    bodies: Annotated[tuple[BodyEntry, ...], "Different bodies of the file, each for itself; equal ones are one entry."]
    features: Annotated[FeatureList, "Roles, features, draft and undercuts."]
    modules: Annotated[ModuleResults, "Verdicts of every module."]
    geometry: Annotated[PartGeometry, "Size of the part."]
    turned: Annotated[TurnedGeometry | None, "Axis and profile of a turned part; null where it is not turned."]
    flat: Annotated[FlatPattern | None, "The part laid flat; null where it is no sheet or does not lie flat."]
    pmi: Annotated[PmiReport | None, "Dimensions and tolerances in the file; null where it has none."]
    making: Annotated[tuple[MakingFacts, ...], "What prices rest on, for every different body that is made."]
    mesh: Annotated[MeshSummary, "Mesh it was measured on."]
    options: Annotated[UsedOptions, "Options it was analyzed with."]
    warnings: Annotated[tuple[str, ...], "What is odd about the file."]
    input_sha256: Annotated[str, "SHA-256 of the file's bytes."]
    engine_version: Annotated[str, "Version of Fettle."]
    result_sha256: Annotated[str, "SHA-256 of the compact JSON of all fields above."]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads what `to_dict` wrote, also before fields were added."""
        return super(AnalysisResult, cls).from_dict({**ADDED_FIELDS, **data})

    def verdicts(self) -> dict[str, dict[str, Severity]]:
        """Overall severity by module and configuration."""
        return {
            module.module_key: {one.configuration_key: one.severity for one in module.configurations}
            for module in self.modules.modules
        }


@dataclass(frozen=True, slots=True)
class EncodedResult:
    """A result with its JSON, made once for the hash, for every file and for what is printed: `shown`: as `to_dict`
    gives it; `fields`: the compact text of each of its fields by key."""

    result: AnalysisResult
    shown: JsonObject
    fields: Mapping[str, bytes]

    @classmethod
    def hashed(cls, unhashed: AnalysisResult) -> Self:
        """The result with `result_sha256` computed from everything else in it."""
        shown = unhashed.to_dict()
        del shown[HASH_KEY]
        fields = {key: encode(value) for key, value in shown.items()}
        digest = hashlib.sha256(_json_object(fields)).hexdigest()
        hashed = replace(unhashed, result_sha256=digest)
        return cls(hashed, {**shown, HASH_KEY: digest}, {**fields, HASH_KEY: encode(digest)})

    def to_json(self) -> bytes:
        """Compact JSON of the whole result."""
        return _json_object(self.fields)


def _json_object(fields: Mapping[str, bytes]) -> bytes:
    return b"{" + b",".join(encode(key) + b":" + value for key, value in fields.items()) + b"}"


@dataclass(frozen=True, slots=True)
class Artifacts(Record):
    """Addresses of the files of an analysis."""

    thickness_glb: Annotated[str, "Part colored by wall thickness.", Format("uri")]
    clearance_glb: Annotated[str, "Part colored by clearance.", Format("uri")]
    features_glb: Annotated[str, "Part colored by feature kind.", Format("uri")]
    draft_glb: Annotated[str, "Part colored by draft.", Format("uri")]
    features_json: Annotated[str, "The `features` object of the result.", Format("uri")]
    modules_json: Annotated[str, "The `modules` object of the result.", Format("uri")]
    flat_dxf: Annotated[str | None, "The flat as DXF; absent where there is none.", Format("uri")] = None
    flat_svg: Annotated[str | None, "The flat as a drawing; absent where there is none.", Format("uri")] = None


@dataclass(frozen=True, slots=True)
class JobResult(Record):
    """The result of a job: that of the analysis, after the job's id and the addresses of its files."""

    job_id: Annotated[str, "Id of the job."]
    status: Annotated[Literal["done"], "Always done."]
    artifacts: Annotated[Artifacts, "Addresses of the job's files."]
    headline: Annotated[str, "One sentence: the process that the part is made for, and what decides there."]
    processes: Annotated[tuple[RankedProcess, ...], "Processes by fit, then severity, then number of causes."]
    bodies: Annotated[tuple[BodyEntry, ...], "Different bodies of the file, each for itself; equal ones are one entry."]
    features: Annotated[FeatureList, "Roles, features, draft and undercuts."]
    modules: Annotated[ModuleResults, "Verdicts of every module."]
    geometry: Annotated[PartGeometry, "Size of the part."]
    turned: Annotated[TurnedGeometry | None, "Axis and profile of a turned part; null where it is not turned."]
    flat: Annotated[FlatPattern | None, "The part laid flat; null where it is no sheet or does not lie flat."]
    pmi: Annotated[PmiReport | None, "Dimensions and tolerances in the file; null where it has none."]
    making: Annotated[tuple[MakingFacts, ...], "What prices rest on, for every different body that is made."]
    mesh: Annotated[MeshSummary, "Mesh it was measured on."]
    options: Annotated[UsedOptions, "Options it was analyzed with."]
    warnings: Annotated[tuple[str, ...], "What is odd about the file."]
    input_sha256: Annotated[str, "SHA-256 of the file's bytes."]
    engine_version: Annotated[str, "Version of Fettle."]
    result_sha256: Annotated[str, "SHA-256 of the result without the job's own fields."]
