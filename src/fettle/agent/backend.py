"""Interface of the tools to analyses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from fettle.app.kernel_tasks.messages import FileOutput
from fettle.quote import Catalog
from fettle.results import AnalysisResult, ModuleResult

Json = dict[str, Any]


class Backend(Protocol):
    """Analyses by handle. Every method may raise a FettleError, whose text goes to the agent."""

    def analyze(self, file: str, pull: str) -> str:
        """Analyze a part, or find the analysis it names; answers with its handle once it is done."""

    def inspection(self, handle: str) -> FileOutput:
        """Result and analysis behind a handle."""

    def turn(self, handle: str, pull: str) -> AnalysisResult:
        """The result for another pull direction; what is behind the handle stays as it is."""

    def evaluate(
        self, handle: str, module: object, configuration: str | None, overrides: Mapping[str, float]
    ) -> ModuleResult:
        """The module's entry, judged on the analysis behind the handle."""

    def compare(self, old: str, new: str) -> Json:
        """What changed between two analyses."""

    def catalog(self) -> Catalog:
        """Materials, finishes and rates to price with."""
