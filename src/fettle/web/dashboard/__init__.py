"""The dashboard: server-rendered pages for people, plain forms, one script for the 3D view."""

from __future__ import annotations

from fastapi import FastAPI

from fettle.web.dashboard import account, api_keys, usage
from fettle.web.dashboard.pages import mount_static


def install(app: FastAPI) -> None:
    """Add every page to the application."""
    for router in (account.router, api_keys.router, usage.router):
        app.include_router(router, include_in_schema=False)
    mount_static(app)
