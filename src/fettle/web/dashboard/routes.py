"""Route classes of the dashboard: session, protection against forms from other sites, errors as pages."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from anyio import to_thread
from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.responses import RedirectResponse

from fettle.app.access import sessions
from fettle.errors import FettleError
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import error_page
from fettle.web.dashboard.session import COOKIE, check_origin, check_token
from fettle.web.errors import status_of

SAFE_METHODS = frozenset({"GET", "HEAD"})


class PageRoute(APIRoute):
    """A page for anybody: reads the session, and refuses forms from other sites."""

    needs_account = False
    checks_token = True

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        inner = super().get_route_handler()

        async def handle(request: Request) -> Response:
            store = service_of(request).store
            account = await to_thread.run_sync(sessions.find_account, store, request.cookies.get(COOKIE))
            request.state.account = account
            if self.needs_account and account is None:
                if request.method in SAFE_METHODS:
                    return RedirectResponse(f"/dashboard/sign-in?next={request.url.path}", status_code=303)
                return RedirectResponse("/dashboard/sign-in", status_code=303)
            if request.method not in SAFE_METHODS:
                check_origin(request)
                if account is not None and self.checks_token:
                    await check_token(request)
            return await inner(request)

        async def handle_as_page(request: Request) -> Response:
            try:
                return await handle(request)
            except FettleError as error:
                status = status_of(error)
                if status is None or not wants_page(request):
                    raise
                return error_page(request, status, error)

        return handle_as_page


class AccountRoute(PageRoute):
    """A page for those who are signed in; others are sent to the sign-in page and back."""

    needs_account = True


class UploadRoute(AccountRoute):
    """Takes a file, which must not be read before its size is watched: the handler checks the form's token itself."""

    checks_token = False


def wants_page(request: Request) -> bool:
    """Scripts of ours ask for JSON; people get a page."""
    return "text/html" in request.headers.get("accept", "")
