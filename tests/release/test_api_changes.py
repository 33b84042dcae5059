"""The API has not broken its callers since the last release, and the check would see it if it had."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from release.api_changes import LAST, NOW, breaking_changes

Document = dict[str, Any]


@pytest.fixture(scope="module")
def document() -> Document:
    return dict(json.loads(NOW.read_text()))


def test_nothing_breaks_callers_of_the_last_release(document: Document) -> None:
    assert breaking_changes(json.loads(LAST.read_text()), document) == []


def _job(one: Document) -> Document:
    return dict(one["components"]["schemas"]["Job"])


def _drop_path(one: Document) -> None:
    del one["paths"]["/api/v1/materials"]


def _drop_field(one: Document) -> None:
    del one["components"]["schemas"]["Job"]["properties"]["progress"]


def _retype(one: Document) -> None:
    one["components"]["schemas"]["Job"]["properties"]["attempts"] = {"type": "string"}


def _maybe_missing(one: Document) -> None:
    one["components"]["schemas"]["Job"]["required"].remove("filename")


def _new_required_field(one: Document) -> None:
    one["components"]["schemas"]["QuoteBody"]["required"].append("currency")


def _new_required_parameter(one: Document) -> None:
    one["paths"]["/api/v1/dfm/jobs"]["get"]["parameters"].append({"in": "query", "name": "since", "required": True})


def _drop_form_field(one: Document) -> None:
    form = one["paths"]["/api/v1/dfm/analyze"]["post"]["requestBody"]["content"]["multipart/form-data"]
    del form["schema"]["properties"]["pull"]


def _other_status(one: Document) -> None:
    responses = one["paths"]["/api/v1/dfm/analyze"]["post"]["responses"]
    responses["200"] = responses.pop("202")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_drop_path, "GET /api/v1/materials: is gone"),
        (_drop_field, "progress: is gone"),
        (_retype, "attempts: was integer and is string"),
        (_maybe_missing, "filename: may be missing now"),
        (_new_required_field, "the body needs currency now"),
        (_new_required_parameter, "the query parameter since is required now"),
        (_drop_form_field, "the body takes no pull any more"),
        (_other_status, "does not answer 202 any more"),
    ],
)
def test_a_change_that_breaks_callers_is_seen(
    document: Document, change: Callable[[Document], None], told: str
) -> None:
    changed = copy.deepcopy(document)
    change(changed)
    assert any(told in line for line in breaking_changes(document, changed))


def test_additions_break_nobody(document: Document) -> None:
    changed = copy.deepcopy(document)
    changed["paths"]["/api/v1/new"] = changed["paths"]["/api/v1/materials"]
    changed["components"]["schemas"]["Job"]["properties"]["color"] = {"type": "string"}
    changed["components"]["schemas"]["QuoteBody"]["properties"]["note"] = {"type": "string"}
    assert breaking_changes(document, changed) == []
