"""JUnit XML: a suite per file and process, a case per rule. What could not be measured is a skipped case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as Xml

from fettle.app.findings import MergedFinding
from fettle.cli.outcome import Outcome
from fettle.results import RuleResult

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(outcomes: Sequence[Outcome], new: Sequence[Sequence[MergedFinding]], n_known: Sequence[int]) -> str:
    root = Xml.Element("testsuites", name="fettle")
    for outcome, found in zip(outcomes, new, strict=True):
        if outcome.result is None:
            suite = _suite(root, outcome.file, 1, errors=1)
            case = Xml.SubElement(suite, "testcase", name="analysis", classname=_text(outcome.file))
            code = outcome.error.code if outcome.error else "error"
            Xml.SubElement(case, "error", message=_text(str(outcome.error)), type=code)
            continue
        for module in outcome.result.modules.modules:
            for one in module.configurations:
                process = (module.module_key, one.configuration_key)
                _judged(root, outcome.file, process, one.rules, found)
    for total in ("tests", "failures", "errors"):  # the schema has no total of skipped cases
        root.set(total, str(sum(int(suite.get(total, "0")) for suite in root)))
    Xml.indent(root)
    return Xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _judged(
    root: Xml.Element,
    file: str,
    process: tuple[str, str],
    rules: Sequence[RuleResult],
    found: Sequence[MergedFinding],
) -> None:
    name = ":".join(process)
    mine = [one for one in found if one.module == process[0] and process[1] in one.configurations]
    failing = {one.rule for one in mine if one.severity == "fail"}
    skipped = [rule for rule in rules if rule.n_inspected == 0]
    suite = _suite(root, f"{file} {name}", len(rules), failures=len(failing), skipped=len(skipped))
    for rule in rules:
        case = Xml.SubElement(suite, "testcase", name=_text(rule.name), classname=_text(f"{file}.{name}"))
        shown = [one for one in mine if one.rule == rule.key]
        text = _text("\n".join(f"{one.severity}: {one.place}: {one.message} ({one.comparison})" for one in shown))
        if rule.key in failing:
            failure = Xml.SubElement(case, "failure", message=_text(shown[0].message), type=f"{process[0]}/{rule.key}")
            failure.text = text
        elif rule in skipped:
            Xml.SubElement(case, "skipped").text = _text(rule.message)
        elif shown:
            Xml.SubElement(case, "system-out").text = text


def _suite(root: Xml.Element, name: str, tests: int, **counts: int) -> Xml.Element:
    numbers = {"failures": 0, "errors": 0, "skipped": 0, **counts}
    attributes = {key: str(number) for key, number in numbers.items()}
    return Xml.SubElement(root, "testsuite", {"name": _text(name), "tests": str(tests), **attributes})


def _text(text: str) -> str:
    """Without the characters that XML cannot carry."""
    return _FORBIDDEN.sub("?", text)
