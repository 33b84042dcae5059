"""Talks to a Fettle service with the standard library alone, because FreeCAD's Python carries nothing else."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
import uuid

POLL_S = 1.0


class ServiceError(Exception):
    """The service's own sentence about what went wrong."""


class Service:
    """`base_url` is the service's address, for example `http://127.0.0.1:8000`."""

    def __init__(self, base_url: str, api_key: str) -> None:
        self._base = base_url.rstrip("/") + "/api/v1"
        self._key = api_key

    def analyze(self, name: str, step: bytes, say=lambda line: None, timeout_s: float = 600.0) -> dict:
        """Sends STEP bytes and waits for the result; new log lines go to `say`."""
        boundary = uuid.uuid4().hex
        body = _multipart(boundary, name, step)
        headers = {
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Idempotency-Key": uuid.uuid4().hex,
        }
        job = self._call("POST", "/dfm/analyze", body, headers)
        told, deadline = 0, time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            state = self._call("GET", f"/dfm/jobs/{job['job_id']}")
            for line in state["log"][told:]:
                say(line)
            told = len(state["log"])
            if state["status"] == "error":
                raise ServiceError(state["error"])
            if state["status"] == "done":
                return self._call("GET", f"/dfm/jobs/{job['job_id']}/result")
            time.sleep(POLL_S)
        raise ServiceError(f"{job['job_id']} was not done after {timeout_s:.0f} s")

    def _call(self, method: str, path: str, body: bytes | None = None, headers: dict | None = None) -> dict:
        request = urllib.request.Request(self._base + path, data=body, method=method)
        request.add_header("X-API-Key", self._key)
        for key, value in (headers or {}).items():
            request.add_header(key, value)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise ServiceError(_sentence(error)) from error
        except urllib.error.URLError as error:
            raise ServiceError(f"no answer from {self._base}: {error.reason}") from error


def _sentence(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.load(error)["error"])
    except (ValueError, KeyError):
        return f"the service answered {error.code}"


def _multipart(boundary: str, name: str, data: bytes) -> bytes:
    safe = name.replace('"', "_").replace("\r", "_").replace("\n", "_")
    head = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{safe}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n"
    )
    return head.encode() + data + f"\r\n--{boundary}--\r\n".encode()
