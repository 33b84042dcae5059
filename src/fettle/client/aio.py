"""The asynchronous client: the same operations as `fettle.client.sync`, with `await`."""

from __future__ import annotations

import asyncio
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


class AsyncFettle:
    """`base_url` is the service's address, for example `http://127.0.0.1:8000`; `api_key` comes from the dashboard."""

    def __init__(self, base_url: str, api_key: str, *, timeout_s: float = 330.0) -> None:
        self._http = httpx.AsyncClient(
            base_url=f"{base_url.rstrip('/')}/api/v1", headers={"X-API-Key": api_key}, timeout=timeout_s
        )
        self.analyses = AsyncAnalyses(self)
        self.quotes = AsyncQuotes(self)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def convert(
        self, file: str | Path, *, units: str | None = None, upload_progress: UploadProgress | None = None
    ) -> Conversion:
        return await self.run(flows.convert(file, units, upload_progress))

    async def quick_info(
        self, file: str | Path, *, units: str | None = None, upload_progress: UploadProgress | None = None
    ) -> QuickInfo:
        return await self.run(flows.quick_info(file, units, upload_progress))

    async def materials(self) -> list[MaterialEntry]:
        return await self.run(flows.materials())

    async def finishes(self) -> list[FinishEntry]:
        return await self.run(flows.finishes())

    async def modules(self) -> list[dict[str, Any]]:
        """Every shipped rule module, to clone and edit."""
        return await self.run(flows.modules())

    async def rule_schema(self) -> dict[str, Any]:
        return await self.run(flows.rule_schema())

    async def run(self, flow: Flow[T]) -> T:
        """Runs one of `fettle.client.operations`, or a flow of several."""
        try:
            step = next(flow)
            while True:
                step = flow.send(await self._do(step))
        except StopIteration as stop:
            value: T = stop.value
            return value

    async def _do(self, step: Send | Pause) -> Outcome:
        if isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
            return None
        try:
            return await self._http.request(
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


class AsyncQuotes:
    def __init__(self, client: AsyncFettle) -> None:
        self._client = client

    async def create(
        self,
        file_name: str,
        conversion: Conversion,
        material_id: str,
        quantity: int,
        finish_ids: list[str] | None = None,
    ) -> Quote:
        return await self._client.run(
            flows.create_quote(file_name, conversion, material_id, quantity, finish_ids or [])
        )

    async def get(self, quote_id: str) -> Quote:
        return await self._client.run(flows.get_quote(quote_id))


class AsyncAnalyses:
    def __init__(self, client: AsyncFettle) -> None:
        self._client = client

    async def create(
        self,
        file: str | Path,
        *,
        upload_progress: UploadProgress | None = None,
        **options: Unpack[flows.AnalysisOptions],
    ) -> AsyncAnalysis:
        job = await self._client.run(flows.create_analysis(file, options, upload_progress))
        return AsyncAnalysis(self._client, job.job_id)

    async def create_batch(
        self, files: Sequence[str | Path], **options: Unpack[flows.AnalysisOptions]
    ) -> BatchAccepted:
        """Send several files in one call; each is accepted, with its `job_id`, or refused, with its `error`."""
        return await self._client.run(flows.create_batch(files, options))

    async def batch(self, batch_id: str) -> Batch:
        """How the jobs of a batch stand."""
        return await self._client.run(operations.read_batch(batch_id))

    def get(self, job_id: str) -> AsyncAnalysis:
        return AsyncAnalysis(self._client, job_id)


class AsyncAnalysis:
    """A handle on one job; nothing is fetched until asked."""

    def __init__(self, client: AsyncFettle, job_id: str) -> None:
        self._client = client
        self.job_id = job_id

    async def job(self) -> Job:
        return await self._client.run(operations.read_job(self.job_id))

    async def wait(self, progress: flows.Say | None = None, timeout_s: float = 900.0) -> Result:
        return await self._client.run(flows.wait(self.job_id, progress, timeout_s))

    async def processes(self, quantity: int = 1, material: str | None = None) -> ProcessChoices:
        """Every process that the part was judged by with its price, the one to choose first."""
        return await self._client.run(operations.list_processes(self.job_id, quantity=quantity, material=material))

    async def quote(
        self, process: str, quantity: int, material: str | None = None, finish_ids: list[str] | None = None
    ) -> Quote:
        """The price of an order by a process ("cnc:3-axis"), stored; `material` by name, None for the usual one."""
        return await self._client.run(flows.quote_process(self.job_id, process, quantity, material, finish_ids or []))

    async def recompute(self, pull: str) -> JobAccepted:
        return await self._client.run(flows.recompute(self.job_id, pull))

    async def evaluate(
        self, module: Mapping[str, Any], configuration_key: str, overrides: Mapping[str, float] | None = None
    ) -> ModuleResult:
        return await self._client.run(flows.evaluate(self.job_id, module, configuration_key, overrides))

    async def delete(self) -> None:
        await self._client.run(operations.delete_job(self.job_id))
