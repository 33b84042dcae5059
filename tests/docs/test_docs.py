"""The documentation builds without a broken link, needs no other host, and everything it shows runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from docs.site_hooks import ROOT, api_pages

from fettle.recognize.kinds import feature_classes
from tests.docs.snippets import BLOCK_OF, prepare, run_page

PROJECT = ROOT.parent
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
FETCHED = re.compile(r'<(?:script|link|img|iframe)[^>]*(?:src|href)="(?:https?:)?//')


def build(*options: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", *map(str, options)]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_site_builds_with_every_link_checked_and_needs_no_other_host(tmp_path: Path) -> None:
    """With long signatures on one line: each that is broken starts a formatter of its own, nine hundred times. Without
    the colors of code and the index of the search, which have no links."""
    settings = (PROJECT / "mkdocs.yml").read_text(encoding="utf-8")
    changes = {
        name: re.sub(r"(?=docs$|docs/|src)", f"{PROJECT}/", name)
        for name in ("docs_dir: docs", "hooks: [docs/site_hooks.py]", "paths: [src]")
    }
    changes |= {"          options:\n": "          options:\n            line_length: 100000\n"}
    changes |= {"use_pygments: true": "use_pygments: false", "  - search\n": ""}
    for name, change in changes.items():
        assert name in settings
        settings = settings.replace(name, change)
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    site = tmp_path / "site"
    done = build("--config-file", tmp_path / "mkdocs.yml", "--site-dir", site)
    assert done.returncode == 0, done.stderr
    pages = list(site.rglob("*.html"))
    assert {f"api/{name}".replace(".md", ".html") for name in api_pages()} <= {
        page.relative_to(site).as_posix() for page in pages
    }
    assert [page.name for page in pages if FETCHED.search(page.read_text(encoding="utf-8"))] == []
    assert 'id="fettle.geometry.part.Part"' in (site / "api" / "geometry.html").read_text(encoding="utf-8")


def test_broken_links_fail_the_build(tmp_path: Path) -> None:
    """The project's own settings on a site of one page. Each of its links is a warning of its own, and one is enough to
    fail a strict build."""
    settings = (PROJECT / "mkdocs.yml").read_text(encoding="utf-8")
    settings = re.sub(r"^(hooks|extra_css|docs_dir|site_dir):.*\n", "", settings, flags=re.MULTILINE)
    settings = settings.split("nav:\n")[0]
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    links = ("[gone](gone.md)", "[no such heading](#nothing)", "[no such class][fettle.geometry.Nothing]")
    (tmp_path / "docs" / "index.md").write_text("# One page\n\n" + "\n\n".join(links), encoding="utf-8")
    done = build("--config-file", tmp_path / "mkdocs.yml")
    assert done.returncode == 1
    warnings = [line for line in done.stderr.splitlines() if line.startswith("WARNING")]
    assert len(warnings) == len(links), done.stderr
    for complaint in ("gone.md", "#nothing", "fettle.geometry.Nothing"):
        assert any(complaint in warning for warning in warnings), done.stderr


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_beside_the_site_lead_to_files(name: str) -> None:
    text = (PROJECT / name).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#:]+)\)", text)
    assert links
    assert [link for link in links if not (PROJECT / link).exists()] == []


def test_every_kind_of_feature_has_a_page() -> None:
    assert {path.stem.upper() for path in (ROOT / "features").glob("*.md")} == {*feature_classes(), "INDEX"}


def test_no_page_with_snippets_is_left_out() -> None:
    shown = {
        page.relative_to(ROOT).as_posix()
        for page in ROOT.rglob("*.md")
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
