"""The list of analyses: search, sort, tags; deleting, with the way back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from starlette.responses import RedirectResponse

from fettle.app.samples import SAMPLES
from fettle.app.work import deleted_jobs, listing
from fettle.app.work.listing import Sort
from fettle.errors import BadRequest
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.routes import AccountRoute
from fettle.web.dashboard.session import account_of

router = APIRouter(prefix="/dashboard/analyses", route_class=AccountRoute)
ROOT = "/dashboard/analyses"
SORTS = {
    Sort.NEWEST: "newest first",
    Sort.OLDEST: "oldest first",
    Sort.NAME: "by name",
    Sort.LARGEST: "largest first",
    Sort.SMALLEST: "smallest first",
    Sort.WORST: "worst verdict first",
}
LAST_PAGE = 10_000


@dataclass(frozen=True, slots=True)
class ListQuery:
    """What the list is asked for."""

    search: str = ""
    tag: str = ""
    sort: Sort = Sort.NEWEST
    page: int = 1

    def address(self, page: int) -> str:
        """The same list at another page."""
        asked = replace(self, page=page)
        said = {"search": asked.search, "tag": asked.tag, "sort": asked.sort.value, "page": asked.page}
        return f"{ROOT}?{urlencode({name: value for name, value in said.items() if value})}"


@router.get("")
def show_analyses(
    request: Request,
    search: Annotated[str, Query(max_length=200)] = "",
    tag: Annotated[str, Query(max_length=100)] = "",
    sort: Sort = Sort.NEWEST,
    page: Annotated[int, Query(ge=1, le=LAST_PAGE)] = 1,
) -> Response:
    return show_list(request, ListQuery(search.strip(), tag, sort, page))


def show_list(request: Request, query: ListQuery, status: int = 200, fault: str = "") -> Response:
    """The page of the list, also where an upload was refused."""
    service, account = service_of(request), account_of(request)
    asked = (query.search, query.tag, query.sort, query.page)
    found, more = listing.read_page(service.store, account, *asked)
    shown: dict[str, Any] = {
        "jobs": found,
        "query": query,
        "older": query.address(query.page + 1) if more else "",
        "newer": query.address(query.page - 1) if query.page > 1 else "",
        "is_filtered": bool(query.search or query.tag),
        "tags": listing.all_tags(service.store, account),
        "sorts": SORTS,
        "deleted": deleted_jobs.read_all(service.store, account),
        "samples": SAMPLES,
        "limit_bytes": service.settings.upload_limit_bytes,
        "fault": fault,
    }
    return page(request, "analyses.html", status, **shown)


@router.post("/{job_id}/tags")
def set_tags(request: Request, job_id: str, tags: Annotated[str, Form(max_length=1000)] = "") -> Response:
    try:
        listing.set_tags(service_of(request).store, account_of(request), job_id, tags)
    except BadRequest as fault:
        return show_list(request, ListQuery(), 422, str(fault))
    return RedirectResponse(ROOT, status_code=303)


@router.get("/{job_id}/delete")
def confirm_delete(request: Request, job_id: str) -> Response:
    """Ask before anything is deleted."""
    job = service_of(request).jobs.read(account_of(request), job_id)
    return page(request, "delete-analysis.html", job=job)


@router.post("/{job_id}/delete")
def delete(request: Request, job_id: str) -> Response:
    service = service_of(request)
    deleted_jobs.put_away(service.store, service.settings, account_of(request), job_id)
    return RedirectResponse(ROOT, status_code=303)


@router.post("/{job_id}/undelete")
def undelete(request: Request, job_id: str) -> Response:
    service = service_of(request)
    deleted_jobs.bring_back(service.store, service.settings, account_of(request), job_id)
    return RedirectResponse(f"{ROOT}/{job_id}", status_code=303)
