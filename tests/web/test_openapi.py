"""The service against its own description: schemathesis over every operation, within bounds."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.web.conftest import Running

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    unsupported_method,
]


@pytest.fixture(scope="session")
def described(service: Running) -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_url(f"{service.url}/api/v1/openapi.json")


@pytest.fixture(scope="session")
def enterprise_key(service: Running) -> str:
    return service.key("enterprise")


schema = schemathesis.pytest.from_fixture("described")


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=25, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_described(case: schemathesis.Case, enterprise_key: str) -> None:
    case.call_and_validate(headers={"X-API-Key": enterprise_key}, checks=CHECKS)
