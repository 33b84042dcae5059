"""Analysis jobs over HTTP: submit, watch, read, recompute, evaluate a module, delete."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated

import anyio
from anyio import to_thread
from fastapi import Header, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from fettle.app import account_packs
from fettle.app.access.accounts import Account
from fettle.app.access.plans import Meter
from fettle.app.errors import BadUpload
from fettle.app.service import Service
from fettle.app.state import url_fetch
from fettle.app.state.paging import DEFAULT_LIMIT, PAGE_LIMIT
from fettle.app.state.uploads import Incoming
from fettle.app.work import pipeline
from fettle.app.work.job_states import UNFINISHED
from fettle.app.work.jobs import result_body
from fettle.measure.draft_limits import ALPHA_MIN_DEG, ALPHA_WARN_DEG
from fettle.results import Job, JobAccepted, JobPage, JobResult, ModuleResult
from fettle.web import schemas
from fettle.web.auth import Caller, ServiceDep, check_meter, rate_headers
from fettle.web.endpoints import Api, FormFields
from fettle.web.files import files_url
from fettle.web.followers import Followers, followers_of
from fettle.web.forms import Form, read_form, require_file
from fettle.web.kernel_threads import in_kernel
from fettle.web.options import PULL, read_options, read_pull, read_quote_id
from fettle.web.responses import FILE, UNITS, send

api = Api("/api/v1/dfm", "DFM jobs")
EVENT_POLL_S = 0.5
"""How often a follower looks at its job where no notice wakes it."""
EVENT_SILENCE_S = 15.0
"""After so long without an event a comment is sent, so that no proxy closes the connection."""

ANALYZE_FORM: FormFields = {
    "file": FILE,
    "blob_url": {"type": "string", "format": "uri", "description": "Where to fetch the file, instead of `file`."},
    "filename": {"type": "string", "description": "Name of the file behind blob_url."},
    "quote_id": {"type": "string", "format": "uuid", "description": "A quote of yours to attach the analysis to."},
    "max_edge": {"type": "number", "exclusiveMinimum": 0, "description": "Longest mesh edge in mm; default auto."},
    "curvature": {"type": "number", "description": "Mesh elements per full turn of a curve; default auto."},
    "pull": PULL,
    "alpha_min": {"type": "number", "default": ALPHA_MIN_DEG, "description": "Undercut threshold in degrees."},
    "alpha_warn": {"type": "number", "default": ALPHA_WARN_DEG, "description": "Low-draft threshold in degrees."},
    "units": UNITS,
    "packs": {
        "type": "string",
        "description": "Keys of rule packs of your own to judge by, with commas between them. A pack that asks for the "
        "fit of a shipped one takes its place in verdicts, ranking, headline and prices.",
        "examples": ["my-cnc"],
    },
}


@api.endpoint(
    "POST",
    "/analyze",
    JobAccepted,
    402,
    422,
    503,
    status=202,
    metered=True,
    fields=ANALYZE_FORM,
    urlencoded=True,
)
async def analyze(
    request: Request, service: ServiceDep, caller: Caller, idempotency_key: Annotated[str | None, Header()] = None
) -> JSONResponse:
    """Order the analysis of a part. Counted on the meter dfm.analyze; with an Idempotency-Key, once."""
    # A repeated request gets its first answer, at the cap too; whether it is the same is known once its file is read.
    await check_meter(request, caller, Meter.ANALYZE, refuse=idempotency_key is None)
    async with read_form(request, service.settings.upload_limit_bytes) as sent:
        packs = await to_thread.run_sync(read_packs, service, caller, sent.fields.get("packs", ""))
        options = replace(read_options(sent.fields), packs=packs)
        quote_id = read_quote_id(sent.fields)
        submit = partial(service.jobs.submit, caller, options=options, quote_id=quote_id, key=idempotency_key)
        if sent.fields.get("blob_url"):
            with _incoming(sent, service) as incoming:
                settings = service.settings
                allowed = settings.blob_allowed_origins
                upload = await url_fetch.fetch(sent.fields["blob_url"], incoming, settings.blob_timeout_s, allowed)
                submitted = await to_thread.run_sync(submit, upload)
        else:
            submitted = await to_thread.run_sync(submit, require_file(sent))
    return send(JobAccepted(submitted.job_id, submitted.status), 202, rate_headers(submitted.meter))


def read_packs(service: Service, caller: Account, text: str) -> tuple[str, ...]:
    """References of the caller's packs that a form names."""
    keys = [key.strip() for key in text.split(",") if key.strip()]
    return account_packs.find_named(service.store, caller, keys) if keys else ()


def _incoming(sent: Form, service: Service) -> Incoming:
    """Room for the file behind blob_url, named by `filename` or by the last part of the address."""
    if sent.file is not None:
        raise BadUpload("The form has both file and blob_url; send one of them.")
    named = sent.fields.get("filename") or sent.fields["blob_url"].split("?")[0].rsplit("/", 1)[-1]
    return Incoming(named, service.settings.upload_limit_bytes)


@api.endpoint("GET", "/jobs", JobPage, 422)
def list_jobs(
    service: ServiceDep,
    caller: Caller,
    limit: Annotated[int, Query(ge=PAGE_LIMIT[0], le=PAGE_LIMIT[1])] = DEFAULT_LIMIT,
    cursor: str | None = None,
) -> JSONResponse:
    """Your jobs, newest first."""
    found, next_cursor = service.jobs.read_all(caller, limit, cursor)
    return send(JobPage(tuple(found), next_cursor))


@api.endpoint("GET", "/jobs/{job_id}", Job, 404)
def read_job(job_id: str, service: ServiceDep, caller: Caller) -> JSONResponse:
    """The state of a job. Ask every second or two, or follow its events."""
    return send(service.jobs.read(caller, job_id))


@api.endpoint("DELETE", "/jobs/{job_id}", None, 404, status=204)
def delete_job(job_id: str, service: ServiceDep, caller: Caller) -> Response:
    """Remove a job and its files; one that runs is stopped."""
    service.jobs.delete(caller, job_id)
    return Response(status_code=204)


@api.endpoint("GET", "/jobs/{job_id}/result", JobResult, 404, 409, 504)
def read_result(job_id: str, request: Request, service: ServiceDep, caller: Caller) -> Response:
    """The result of a job that is done."""
    found = service.jobs.result(caller, job_id)
    return Response(result_body(found, files_url(request)), media_type="application/json")


@api.endpoint(
    "POST",
    "/jobs/{job_id}/recompute",
    JobAccepted,
    404,
    409,
    422,
    503,
    504,
    status=202,
    fields={"pull": PULL},
    required=("pull",),
    urlencoded=True,
)
async def recompute(job_id: str, request: Request, service: ServiceDep, caller: Caller) -> JSONResponse:
    """Run draft, recognition and modules of a done job again with another pull direction. Not counted."""
    async with read_form(request, service.settings.json_limit_bytes) as sent:
        pull = read_pull(sent.fields)
    submitted = await to_thread.run_sync(service.jobs.recompute, caller, job_id, pull)
    return send(JobAccepted(submitted.job_id, submitted.status), 202)


@api.endpoint("POST", "/jobs/{job_id}/modules/eval", ModuleResult, 404, 409, 422, 504)
async def evaluate(
    job_id: str, body: schemas.EvalBody, request: Request, service: ServiceDep, caller: Caller
) -> JSONResponse:
    """Judge a done job by a module of your own. Not counted."""
    judged = await in_kernel(
        request, evaluate_job, service, caller, job_id, body.module, body.configuration_key, body.overrides
    )
    return send(judged)


def evaluate_job(
    service: Service,
    caller: Account,
    job_id: str,
    module: object,
    configuration_key: str | None,
    overrides: Mapping[str, float],
) -> ModuleResult:
    """Judge a stored analysis by a module, in a kernel child."""
    analysis = service.analysis(caller, job_id)
    return pipeline.evaluate(service.settings, analysis, module, configuration_key, overrides)


@api.endpoint(
    "GET",
    "/jobs/{job_id}/events",
    None,
    404,
    422,
    content={"description": "Log lines and changes of status as they happen.", "content": {"text/event-stream": {}}},
)
async def follow_job(
    job_id: str,
    request: Request,
    service: ServiceDep,
    caller: Caller,
    last_event_id: Annotated[int | None, Header(ge=0)] = None,
) -> StreamingResponse:
    """Server-sent events: `log` with a line each, `status` when it changes; ends when the job does."""
    first = await to_thread.run_sync(service.jobs.read, caller, job_id)
    events = events_of(service, followers_of(request), caller, first, last_event_id or 0)
    return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def events_of(service: Service, followers: Followers, caller: Account, job: Job, sent: int) -> AsyncIterator[str]:
    """Events of a job until it ends; the first `sent` lines of its log are left out."""
    status, last = None, anyio.current_time()
    with followers.following(job.job_id) as follower:
        while True:
            news = [f"id: {number}\nevent: log\ndata: {line}\n\n" for number, line in enumerate(job.log, 1)][sent:]
            sent = max(sent, len(job.log))
            if job.status != status:
                status = job.status
                state = {"job_id": job.job_id, "status": status, "error": job.error, "progress": job.progress}
                news.append(f"event: status\ndata: {json.dumps(state)}\n\n")
            if not news and anyio.current_time() - last >= EVENT_SILENCE_S:
                news = [": still here\n\n"]
            for event in news:
                last = anyio.current_time()
                yield event
            if status not in UNFINISHED:
                return
            await follower.wait(EVENT_POLL_S)
            job = await to_thread.run_sync(service.jobs.read, caller, job.job_id)
