"""The status of an error follows its class, or what the endpoint declares; never the address."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from fettle.app.errors import BadUpload
from fettle.web.errors import MISSING_FILE_IS_400, error_statuses, install


@pytest.fixture(scope="module")
def client() -> TestClient:
    app = FastAPI()
    install(app)

    @app.get("/mine/convert")
    def plain() -> None:
        raise BadUpload("The file is missing.")

    @app.get("/mine/other")
    @error_statuses(MISSING_FILE_IS_400)
    def declared() -> None:
        raise BadUpload("The file is missing.")

    return TestClient(app)


@pytest.mark.parametrize(("path", "status"), [("/mine/convert", 422), ("/mine/other", 400)])
def test_an_endpoint_declares_where_its_statuses_differ(client: TestClient, path: str, status: int) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert answer.json()["code"] == "bad_upload"
