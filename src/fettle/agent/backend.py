"""Interface of the tools to analyses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from fettle.app.flats.request import FlatRequest
from fettle.app.kernel_tasks.messages import FileOutput
from fettle.app.pricing.terms import PricingTerms
from fettle.results import AnalysisResult, FlatPattern, ModuleResult

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

    def unfold(self, handle: str, request: FlatRequest) -> FlatPattern:
        """The flat pattern of the part behind the handle."""

    def compare(self, old: str, new: str) -> Json:
        """What changed between two analyses."""

    def terms(self) -> PricingTerms:
        """Catalog, rate cards and calibration to price with."""
