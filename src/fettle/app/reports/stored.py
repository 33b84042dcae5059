"""Reports of finished jobs, stored beside their results.

Pictures are drawn once for an engine, a document is written once for an engine, its assets and the prices. All of it is
in the folder of the job and is removed with it.
"""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from functools import cache
from importlib.resources import files as package_files
from typing import Any

from fettle.app.access.accounts import Account
from fettle.app.assets import read_asset
from fettle.app.errors import NotFound
from fettle.app.fingerprint import engine_fingerprint
from fettle.app.kernel_tasks.messages import ReportPictures
from fettle.app.pricing.orders import OrderRequest
from fettle.app.reports.report import STYLES, draw_report, html_report, order_table, pdf_report
from fettle.app.service import Service
from fettle.app.state.files import derived_key
from fettle.app.work.job_files import ARTIFACTS, FinishedRun, read_bundled
from fettle.results import AnalysisResult

REPORT_QUANTITY = 100
MODELS = ("features", "thickness", "clearance", "draft")
"""What the viewer of a report shows, by its names."""


class ReportForm(StrEnum):
    """How a report is written."""

    FILE = "html"
    """One HTML file that needs nothing else."""
    LINKED = "linked"
    """The same page with the script and styles of the service, for its own addresses."""
    PDF = "pdf"


def read_report(service: Service, account: Account, job_id: str, form: ReportForm) -> bytes:
    """The report of a finished job, from the store where it was written before. Prices are without margin: a report is
    there to be handed on."""
    run = service.jobs.finished_run(account, job_id)
    result = AnalysisResult.from_dict(json.loads(service.jobs.result(account, job_id).body))
    quote = order_table(result, service.terms(account), OrderRequest("", REPORT_QUANTITY))
    engine = engine_fingerprint(service.settings.catalog_dir)
    key = derived_key(form, engine, _assets(), run.filename, json.dumps(quote, default=str, sort_keys=True))
    name = f"{run.folder}/{run.number}/report-{key}"
    try:
        return service.files.read(name)
    except NotFound:
        pictures = read_pictures(service, account, job_id, result)
        document = _written(service, run, result, form, pictures, quote)
    service.files.write(name, document)
    return document


def read_pictures(service: Service, account: Account, job_id: str, result: AnalysisResult) -> ReportPictures:
    """Pictures of the part and its causes, drawn where this engine has not drawn them before."""
    run = service.jobs.finished_run(account, job_id)
    engine = engine_fingerprint(service.settings.catalog_dir)
    name = f"{run.folder}/{run.number}/pictures-{engine}.bundle"
    try:
        stored = service.files.read_bundle(name)
    except NotFound:
        analysis = service.analysis(account, job_id)
        drawn = draw_report(result, analysis, service.settings.kernel_limits, models=False)
        members = {f"whole-{number}": png for number, png in enumerate(drawn.whole)}
        members |= {f"detail-{number}": png for number, png in enumerate(drawn.details)}
        service.files.write_bundle(name, members)
        return drawn
    return ReportPictures({}, _numbered(stored, "whole"), _numbered(stored, "detail"))


def _numbered(stored: dict[str, bytes], kind: str) -> tuple[bytes, ...]:
    count = sum(name.startswith(f"{kind}-") for name in stored)
    return tuple(stored[f"{kind}-{number}"] for number in range(count))


def _written(
    service: Service,
    run: FinishedRun,
    result: AnalysisResult,
    form: ReportForm,
    pictures: ReportPictures,
    quote: dict[str, Any],
) -> bytes:
    if form is ReportForm.PDF:
        return pdf_report(run.filename, result, pictures, quote)
    folder = f"{run.folder}/{run.number}"
    glbs = read_bundled(service.files, folder, [ARTIFACTS[f"{name}_glb"] for name in MODELS])
    drawings = ReportPictures(dict(zip(MODELS, glbs, strict=True)), pictures.whole, pictures.details)
    linked = form is ReportForm.LINKED
    return html_report(run.filename, result, drawings, quote, linked=linked).encode()


@cache
def _assets() -> str:
    """Hash of what documents are made of besides code and data."""
    digest = hashlib.sha256()
    for name in ("viewer.js", *STYLES):
        digest.update(read_asset(name).encode())
    for name in ("report.html", "report.typ"):
        digest.update((package_files("fettle.app.reports") / "templates" / name).read_bytes())
    return digest.hexdigest()
