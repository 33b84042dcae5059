"""Backend for files on this machine; analyses stay in memory while the agent runs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fettle.agent import kernel_calls
from fettle.app.errors import NotFound
from fettle.app.flats.request import FlatRequest
from fettle.app.isolation.part_files import run_on_file
from fettle.app.kernel_tasks.messages import FileOutput
from fettle.app.kernel_tasks.tasks import ANALYZE_FILE
from fettle.app.options import JobOptions
from fettle.app.pricing.terms import PricingTerms, rate_cards
from fettle.app.settings import Settings
from fettle.errors import BadRequest
from fettle.quote import load_catalog
from fettle.results import AnalysisResult, FlatPattern, ModuleResult

Json = dict[str, Any]
KEPT = 32
"""Most analyses in memory; the oldest is dropped first."""


class LocalBackend:
    """`folder`: the only one to read files from; None for any."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder.resolve() if folder else None
        self._settings = Settings()
        self._limits = self._settings.kernel_limits
        self._kept: dict[str, FileOutput] = {}

    def analyze(self, file: str, pull: str) -> str:
        path = self._path(file)
        data = path.read_bytes()
        sha256 = hashlib.sha256(data).hexdigest()
        handle = f"{path.stem}-{hashlib.sha256(f'{sha256} {path.suffix} {pull}'.encode()).hexdigest()[:8]}"
        if handle not in self._kept:
            asked = (data, path.name, JobOptions(pull=pull), self._settings.size_bounds, sha256, ())
            made = run_on_file(ANALYZE_FILE, asked, self._limits, lambda line: None)
            while len(self._kept) >= KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[handle] = made
        return handle

    def inspection(self, handle: str) -> FileOutput:
        if handle not in self._kept:
            known = ", ".join(self._kept) or "none yet; call analyze first"
            raise NotFound(f"No analysis has the handle {handle[:80]!r}. Handles: {known}.")
        return self._kept[handle]

    def turn(self, handle: str, pull: str) -> AnalysisResult:
        return kernel_calls.turned(self.inspection(handle), pull, self._limits)

    def evaluate(
        self, handle: str, module: object, configuration: str | None, overrides: Mapping[str, float]
    ) -> ModuleResult:
        return kernel_calls.evaluated(self.inspection(handle), module, configuration, overrides, self._limits)

    def unfold(self, handle: str, request: FlatRequest) -> FlatPattern:
        return kernel_calls.unfolded(self.inspection(handle), request, self._limits)

    def compare(self, old: str, new: str) -> Json:
        return kernel_calls.compared(self.inspection(old), self.inspection(new), self._limits)

    def terms(self) -> PricingTerms:
        folder = self._settings.catalog_dir
        return PricingTerms(load_catalog(folder), rate_cards(folder))

    def _path(self, file: str) -> Path:
        path = Path(file).expanduser()
        path = (path if self._folder is None else self._folder / path).resolve()
        if self._folder is not None and not path.is_relative_to(self._folder):
            raise BadRequest(f"{file} lies outside {self._folder}, the only folder this agent may read.")
        if not path.is_file():
            raise BadRequest(f"There is no file {path}.")
        if path.stat().st_size > self._settings.upload_limit_bytes:
            raise BadRequest(f"{path} is larger than {self._settings.upload_limit_bytes} bytes.")
        return path
