"""The synchronous client."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import httpx

from fettle.client import flows, operations
from fettle.client.models import (
    Batch,
    BatchAccepted,
    Conversion,
    FinishEntry,
    Job,
    JobAccepted,
    MaterialEntry,
    ModuleResult,
    ProcessChoices,
    QuickInfo,
    Quote,
)
from fettle.client.result import Result
from fettle.client.transport import Flow, Outcome, Pause, Send, UploadProgress

T = TypeVar("T")


class Fettle:
    """`base_url` is the service's address, for example `http://127.0.0.1:8000`; `api_key` comes from the dashboard."""

    def __init__(self, base_url: str, api_key: str, *, timeout_s: float = 330.0) -> None:
        self._http = httpx.Client(
            base_url=f"{base_url.rstrip('/')}/api/v1", headers={"X-API-Key": api_key}, timeout=timeout_s
        )
        self.analyses = Analyses(self)
        self.quotes = Quotes(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def convert(
        self, file: str | Path, *, units: str | None = None, upload_progress: UploadProgress | None = None
    ) -> Conversion:
        return self.run(flows.convert(file, units, upload_progress))

    def quick_info(
        self, file: str | Path, *, units: str | None = None, upload_progress: UploadProgress | None = None
    ) -> QuickInfo:
        return self.run(flows.quick_info(file, units, upload_progress))

    def materials(self) -> list[MaterialEntry]:
        return self.run(flows.materials())

    def finishes(self) -> list[FinishEntry]:
        return self.run(flows.finishes())

    def modules(self) -> list[dict[str, Any]]:
        """Every shipped rule module, to clone and edit."""
        return self.run(flows.modules())

    def rule_schema(self) -> dict[str, Any]:
        return self.run(flows.rule_schema())

    def run(self, flow: Flow[T]) -> T:
        """Runs one of `fettle.client.operations`, or a flow of several."""
        try:
            step = next(flow)
            while True:
                step = flow.send(self._do(step))
        except StopIteration as stop:
            value: T = stop.value
            return value

    def _do(self, step: Send | Pause) -> Outcome:
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            return None
        try:
            return self._http.request(
                step.method,
                step.path,
                headers=dict(step.headers),
                params=step.query,
                content=step.content,
                data=step.data,
                files=step.files() if step.files else None,
            )
        except httpx.TransportError as error:
            return error


class Quotes:
    def __init__(self, client: Fettle) -> None:
        self._client = client

    def create(
        self,
        file_name: str,
        conversion: Conversion,
        material_id: str,
        quantity: int,
        finish_ids: list[str] | None = None,
    ) -> Quote:
        return self._client.run(flows.create_quote(file_name, conversion, material_id, quantity, finish_ids or []))

    def get(self, quote_id: str) -> Quote:
        return self._client.run(flows.get_quote(quote_id))


class Analyses:
    def __init__(self, client: Fettle) -> None:
        self._client = client

    def create(
        self,
        file: str | Path,
        *,
        upload_progress: UploadProgress | None = None,
        **options: Unpack[flows.AnalysisOptions],
    ) -> Analysis:
        job = self._client.run(flows.create_analysis(file, options, upload_progress))
        return Analysis(self._client, job.job_id)

    def create_batch(self, files: Sequence[str | Path], **options: Unpack[flows.AnalysisOptions]) -> BatchAccepted:
        """Send several files in one call; each is accepted, with its `job_id`, or refused, with its `error`."""
        return self._client.run(flows.create_batch(files, options))

    def batch(self, batch_id: str) -> Batch:
        """How the jobs of a batch stand."""
        return self._client.run(operations.read_batch(batch_id))

    def get(self, job_id: str) -> Analysis:
        return Analysis(self._client, job_id)


class Analysis:
    """A handle on one job; nothing is fetched until asked."""

    def __init__(self, client: Fettle, job_id: str) -> None:
        self._client = client
        self.job_id = job_id

    def job(self) -> Job:
        return self._client.run(operations.read_job(self.job_id))

    def wait(self, progress: flows.Say | None = None, timeout_s: float = 900.0) -> Result:
        return self._client.run(flows.wait(self.job_id, progress, timeout_s))

    def processes(self, quantity: int = 1, material: str | None = None) -> ProcessChoices:
        """Every process that the part was judged by with its price, the one to choose first."""
        return self._client.run(operations.list_processes(self.job_id, quantity=quantity, material=material))

    def quote(
        self, process: str, quantity: int, material: str | None = None, finish_ids: list[str] | None = None
    ) -> Quote:
        """The price of an order by a process ("cnc:3-axis"), stored; `material` by name, None for the usual one."""
        return self._client.run(flows.quote_process(self.job_id, process, quantity, material, finish_ids or []))

    def recompute(self, pull: str) -> JobAccepted:
        return self._client.run(flows.recompute(self.job_id, pull))

    def evaluate(
        self, module: Mapping[str, Any], configuration_key: str, overrides: Mapping[str, float] | None = None
    ) -> ModuleResult:
        return self._client.run(flows.evaluate(self.job_id, module, configuration_key, overrides))

    def delete(self) -> None:
        self._client.run(operations.delete_job(self.job_id))
