"""Backend for an account's jobs, for agents over HTTP: handles are job ids."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from anyio import from_thread

from fettle.agent import kernel_calls
from fettle.app.access.accounts import Account
from fettle.app.errors import NotReady
from fettle.app.flats.request import FlatRequest
from fettle.app.kernel_tasks.messages import FileOutput
from fettle.app.options import JobOptions
from fettle.app.pricing.terms import PricingTerms
from fettle.app.service import Service
from fettle.app.state import url_fetch
from fettle.app.state.uploads import Incoming
from fettle.app.work.job_states import UNFINISHED
from fettle.errors import BadRequest
from fettle.results import AnalysisResult, FlatPattern, ModuleResult

Json = dict[str, Any]
POLL_S = 0.3
PATIENCE_S = 45.0
"""Seconds a tool waits for a job before it asks the agent to call again: callers give up after a minute."""


@dataclass(frozen=True, slots=True)
class AccountBackend:
    service: Service
    account: Account

    def analyze(self, file: str, pull: str) -> str:
        """`file`: the job id that POST /api/v1/dfm/analyze answered, or a public http(s) address of a part file."""
        if file.startswith("job_"):
            job_id = file
        elif file.startswith(("http://", "https://")):
            job_id = self._submit(file, pull)
        else:
            raise BadRequest(
                "Over HTTP a file is a job id (POST the part to /api/v1/dfm/analyze first) or a public http(s) address."
            )
        self._wait(job_id)
        return job_id

    def inspection(self, handle: str) -> FileOutput:
        result = AnalysisResult.from_dict(json.loads(self.service.jobs.result(self.account, handle).body))
        return FileOutput(result, self.service.analysis(self.account, handle))

    def turn(self, handle: str, pull: str) -> AnalysisResult:
        return kernel_calls.turned(self.inspection(handle), pull, self.service.settings.kernel_limits)

    def evaluate(
        self, handle: str, module: object, configuration: str | None, overrides: Mapping[str, float]
    ) -> ModuleResult:
        asked = (module, configuration, overrides)
        return kernel_calls.evaluated(self.inspection(handle), *asked, self.service.settings.kernel_limits)

    def unfold(self, handle: str, request: FlatRequest) -> FlatPattern:
        return kernel_calls.unfolded(self.inspection(handle), request, self.service.settings.kernel_limits)

    def compare(self, old: str, new: str) -> Json:
        return kernel_calls.compared(self.inspection(old), self.inspection(new), self.service.settings.kernel_limits)

    def terms(self) -> PricingTerms:
        return self.service.terms(self.account)

    def _submit(self, url: str, pull: str) -> str:
        settings = self.service.settings
        name = url.split("?", maxsplit=1)[0].rsplit("/", 1)[-1]
        with Incoming(name, settings.upload_limit_bytes) as incoming:
            fetched = (url, incoming, settings.blob_timeout_s, settings.blob_allowed_origins)
            upload = from_thread.run(url_fetch.fetch, *fetched)
            return self.service.jobs.submit(self.account, upload, JobOptions(pull=pull)).job_id

    def _wait(self, job_id: str) -> None:
        end = time.monotonic() + PATIENCE_S
        while (job := self.service.jobs.read(self.account, job_id)).status in UNFINISHED:
            if time.monotonic() > end:
                raise NotReady(f"{job_id} is {job.status} ({job.progress:.0%}); call analyze again with this id.")
            time.sleep(POLL_S)
