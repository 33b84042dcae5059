"""A small typed result, for tests of what is made from one."""

from __future__ import annotations

from fettle.results import (
    AnalysisResult,
    BoxSides,
    Coverage,
    EncodedResult,
    FeatureEntry,
    FeatureList,
    Manufacturability,
    MeshSummary,
    ModuleResults,
    PartGeometry,
    RankedProcess,
    UsedOptions,
)


def result_with(
    modules: ModuleResults, features: tuple[FeatureEntry, ...] = (), processes: tuple[RankedProcess, ...] = ()
) -> AnalysisResult:
    """A cube of 10 mm, judged like this."""
    pull = Manufacturability((0.0, 0.0, 1.0), 0.5, 3.0, 0, 0, "cardinal", (), (), ())
    unhashed = AnalysisResult(
        headline="A cube.",
        processes=processes,
        bodies=(),
        features=FeatureList({"1": 0}, {"0": "Unclassified"}, features, pull, Coverage(0.0, 0.0), ()),
        modules=modules,
        geometry=PartGeometry(1.0, 6.0, BoxSides(10.0, 10.0, 10.0)),
        turned=None,
        flat=None,
        pmi=None,
        making=(),
        mesh=MeshSummary(1.0, None, 8, 12),
        options=UsedOptions("cardinal", 0.5, 3.0),
        warnings=(),
        input_sha256="0" * 64,
        engine_version="0",
        result_sha256="",
    )
    return EncodedResult.hashed(unhashed).result
