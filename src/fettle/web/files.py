"""Public files: previews and artifacts, at addresses nobody can guess, readable without a key, never changing."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from fettle.app.state.files import Stored
from fettle.app.work.previews import GLB
from fettle.web.auth import service_of
from fettle.web.urls import base_url

router = APIRouter(prefix="/files", include_in_schema=False)
READ = ["GET", "HEAD"]
_KINDS = {"glb": "model/gltf-binary", "json": "application/json", "dxf": "image/vnd.dxf", "svg": "image/svg+xml"}


def files_url(request: Request) -> str:
    """Prefix of every file's address."""
    return f"{base_url(request)}/files"


def preview_url(request: Request, token: str) -> str:
    """The public address of a preview."""
    return f"{files_url(request)}/previews/{token}/{GLB}"


@router.api_route("/previews/{token}/{name}", methods=READ)
def read_preview(token: str, name: str, request: Request) -> StreamingResponse:
    """The GLB of a preview."""
    return _answer(service_of(request).previews.stream(token, name), name)


@router.api_route("/{token}/{run}/{name}", methods=READ)
def read_artifact(token: str, run: str, name: str, request: Request) -> StreamingResponse:
    """A file of a job."""
    return _answer(service_of(request).jobs.artifact(token, run, name), name)


def _answer(stored: Stored, name: str) -> StreamingResponse:
    headers = {
        "Content-Length": str(stored.size_bytes),
        "Cache-Control": "public, max-age=604800, immutable",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return StreamingResponse(stored.chunks, media_type=_KINDS[name.rsplit(".", 1)[-1]], headers=headers)
