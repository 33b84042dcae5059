"""The documentation builds without a broken link, and everything it shows runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docs.build import ROOT, build, pages

from fettle.recognize.kinds import feature_classes
from tests.docs.snippets import BLOCK_OF, prepare, run_page

WITH_SERVICE = "api.md"
"""Run where a service runs: tests/web/test_docs.py."""

RUNNABLE = (
    "index.md",
    "library.md",
    "command-line.md",
    "agents.md",
    "writing-rules.md",
    "adding-a-rule.md",
    "deployment.md",
)


def test_pages_build_and_links_lead_somewhere(tmp_path: Path) -> None:
    assert build(tmp_path / "out") == []
    (tmp_path / "out" / "index.html").write_text('<a href="gone.html">x</a>', encoding="utf-8")
    from docs.build import broken_links

    assert list(broken_links(tmp_path / "out")) == ["index.html: gone.html: no such page"]


def test_every_kind_of_feature_has_a_page() -> None:
    assert {path.stem.upper() for path in (ROOT / "features").glob("*.md")} == {*feature_classes(), "INDEX"}


def test_no_page_with_snippets_is_left_out() -> None:
    shown = {
        page.relative_to(ROOT).as_posix()
        for page in pages()
        if re.search(r"^ *```(python|sh|bash|yaml)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert shown == {*RUNNABLE, WITH_SERVICE}
    assert BLOCK_OF.search((ROOT / "index.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", RUNNABLE)
def test_snippets_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FETTLE_DATA_DIR", str(tmp_path / "data"))
    assert run_page(name, monkeypatch, tmp_path) > 0
