"""Addresses of this service as its callers know them."""

from __future__ import annotations

from fastapi import Request

from fettle.web.auth import service_of


def base_url(request: Request) -> str:
    """Prefix of every address of the service, without a slash at its end."""
    return service_of(request).settings.public_url or str(request.base_url).rstrip("/")


def upgrade_url(request: Request) -> str:
    """Where an account gets more units."""
    return service_of(request).settings.upgrade_url or f"{base_url(request)}/dashboard/api"
