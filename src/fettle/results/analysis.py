"""The whole result of an analysis: what the library returns, and what the API answers for a job."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from fettle.results.features import FeatureList
from fettle.results.part import PartGeometry
from fettle.results.processes import RankedProcess
from fettle.results.record import Format, Record, encode
from fettle.results.verdicts import ModuleResults, Severity


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
    features: Annotated[FeatureList, "Roles, features, draft and undercuts."]
    modules: Annotated[ModuleResults, "Verdicts of every module."]
    geometry: Annotated[PartGeometry, "Size of the part."]
    mesh: Annotated[MeshSummary, "Mesh it was measured on."]
    options: Annotated[UsedOptions, "Options it was analyzed with."]
    warnings: Annotated[tuple[str, ...], "What is odd about the file."]
    input_sha256: Annotated[str, "SHA-256 of the file's bytes."]
    engine_version: Annotated[str, "Version of Fettle."]
    result_sha256: Annotated[str, "SHA-256 of the compact JSON of all fields above."]

    @classmethod
    def hashed(
        cls,
        headline: str,
        processes: tuple[RankedProcess, ...],
        features: FeatureList,
        modules: ModuleResults,
        geometry: PartGeometry,
        mesh: MeshSummary,
        options: UsedOptions,
        warnings: tuple[str, ...],
        input_sha256: str,
        engine_version: str,
    ) -> Self:
        """A result with `result_sha256` computed from everything else in it."""
        given = (
            headline,
            processes,
            features,
            modules,
            geometry,
            mesh,
            options,
            warnings,
            input_sha256,
            engine_version,
        )
        body = cls(*given, result_sha256="").to_dict()
        del body["result_sha256"]
        return cls(*given, result_sha256=hashlib.sha256(encode(body)).hexdigest())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads what `to_dict` wrote; versions up to 0.1 wrote neither headline nor processes."""
        return super(AnalysisResult, cls).from_dict({"headline": "", "processes": (), **data})

    def verdicts(self) -> dict[str, dict[str, Severity]]:
        """Overall severity by module and configuration."""
        return {
            module.module_key: {one.configuration_key: one.severity for one in module.configurations}
            for module in self.modules.modules
        }


@dataclass(frozen=True, slots=True)
class Artifacts(Record):
    """Addresses of the files of an analysis."""

    thickness_glb: Annotated[str, "Part colored by wall thickness.", Format("uri")]
    clearance_glb: Annotated[str, "Part colored by clearance.", Format("uri")]
    features_glb: Annotated[str, "Part colored by feature kind.", Format("uri")]
    draft_glb: Annotated[str, "Part colored by draft.", Format("uri")]
    features_json: Annotated[str, "The `features` object of the result.", Format("uri")]
    modules_json: Annotated[str, "The `modules` object of the result.", Format("uri")]


@dataclass(frozen=True, slots=True)
class JobResult(Record):
    """The result of a job: that of the analysis, after the job's id and the addresses of its files."""

    job_id: Annotated[str, "Id of the job."]
    status: Annotated[Literal["done"], "Always done."]
    artifacts: Annotated[Artifacts, "Addresses of the job's files."]
    headline: Annotated[str, "One sentence: the process that the part is made for, and what decides there."]
    processes: Annotated[tuple[RankedProcess, ...], "Processes by fit, then severity, then number of causes."]
    features: Annotated[FeatureList, "Roles, features, draft and undercuts."]
    modules: Annotated[ModuleResults, "Verdicts of every module."]
    geometry: Annotated[PartGeometry, "Size of the part."]
    mesh: Annotated[MeshSummary, "Mesh it was measured on."]
    options: Annotated[UsedOptions, "Options it was analyzed with."]
    warnings: Annotated[tuple[str, ...], "What is odd about the file."]
    input_sha256: Annotated[str, "SHA-256 of the file's bytes."]
    engine_version: Annotated[str, "Version of Fettle."]
    result_sha256: Annotated[str, "SHA-256 of the result without the job's own fields."]
