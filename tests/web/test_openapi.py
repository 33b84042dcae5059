"""The service against its own description: schemathesis over every operation, within bounds."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

import fettle.web
from fettle.web.endpoints import find_apis
from tests.counts import FULL
from tests.web.conftest import Running

WITHIN = settings(
    max_examples=20 if FULL else 5,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.slow
def test_no_5xx_no_undocumented_status_and_every_answer_matches_its_schema(service: Running) -> None:
    import schemathesis  # takes a second, which the processes without this test need not spend
    from schemathesis import checks

    every_check = [
        checks.not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
        checks.unsupported_method,
    ]
    described = schemathesis.openapi.from_url(f"{service.url}/api/v1/openapi.json")
    headers = {"X-API-Key": service.key("enterprise")}
    operations = [found.ok() for found in described.get_all_operations()]
    declared = {f"{one.method} {one.path}" for api in find_apis(fettle.web) for one in api.endpoints}
    assert {found.label.split()[0] + " " + found.path for found in operations} == declared
    for operation in operations:

        @WITHIN
        @given(case=operation.as_strategy())
        def check(case: schemathesis.Case) -> None:
            case.call_and_validate(headers=headers, checks=every_check)

        check()
