"""Pictures of analyzed parts and of quoted ones, drawn once and stored."""

from __future__ import annotations

from fettle.app.access.accounts import Account
from fettle.app.errors import NotFound, NotReady
from fettle.app.fingerprint import engine_fingerprint
from fettle.app.isolation import sandbox
from fettle.app.kernel_tasks.tasks import DRAW_PART
from fettle.app.service import Service
from fettle.errors import KernelTimedOut
from fettle.results import Quote


def read_part_picture(service: Service, account: Account, job_id: str) -> bytes:
    """PNG of the part of a finished job."""
    run = service.jobs.finished_run(account, job_id)
    name = f"{run.folder}/{run.number}/part-{engine_fingerprint(service.settings.catalog_dir)}.png"
    try:
        return service.files.read(name)
    except NotFound:
        analysis = service.analysis(account, job_id)
    drawn = sandbox.run(DRAW_PART, (analysis,), service.settings.kernel_limits)
    service.files.write(name, drawn)
    return drawn


def read_quote_picture(service: Service, account: Account, quote: Quote) -> bytes | None:
    """PNG of the part of a quote. It is stored with the quote, which stays longer than the analysis; None where the
    quote rests on no analysis, or that was gone before a picture was drawn."""
    name = f"quotes/{quote.id}/part.png"
    try:
        return service.files.read(name)
    except NotFound:
        job_id = quote.foundation.job_id if quote.foundation else None
    if job_id is None:
        return None
    try:
        drawn = read_part_picture(service, account, job_id)
    except (NotFound, NotReady, KernelTimedOut):
        return None
    service.files.write(name, drawn)
    return drawn
