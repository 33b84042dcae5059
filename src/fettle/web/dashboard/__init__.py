"""The dashboard: server-rendered pages for people, plain forms, one script for the 3D view."""

from __future__ import annotations

from fastapi import FastAPI

from fettle.web.dashboard import (
    account,
    analyses,
    analyses_list,
    api_keys,
    comparisons,
    faults,
    packs,
    profile,
    quote_form,
    quotes,
    rates,
    rules,
    sharing,
    usage,
)
from fettle.web.dashboard.pages import mount_static


def install(app: FastAPI) -> None:
    """Add every page to the application."""
    for room in (
        account,
        analyses_list,
        analyses,
        comparisons,
        quote_form,
        quotes,
        sharing,
        rates,
        rules,
        packs,
        api_keys,
        usage,
        profile,
    ):
        app.include_router(room.router, include_in_schema=False)
    for door in (account.front_door, analyses.uploads):
        app.include_router(door, include_in_schema=False)
    mount_static(app)
    faults.install(app)
