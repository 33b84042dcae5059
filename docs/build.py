"""Builds the documentation: Markdown in this folder to static HTML in build/docs, and a check of every link.

    python -m docs.build

What follows from the code is written from the code: pages by the `generate_` scripts, and commands here, in place of a
line `{{ commands }}`.
"""

from __future__ import annotations

import html
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment
from markdown_it import MarkdownIt

from fettle.cli import COMMANDS

ROOT = Path(__file__).parent
OUT = ROOT.parent / "build" / "docs"
NAVIGATION = (
    ("index.md", "Quick start"),
    ("library.md", "Library"),
    ("command-line.md", "Command line"),
    ("api.md", "API and client"),
    ("agents.md", "Agents"),
    ("viewer.md", "Dashboard and viewer"),
    ("measurements.md", "Measurements"),
    ("features/index.md", "Features"),
    ("writing-rules.md", "Writing rules"),
    ("rules/index.md", "Rule packs"),
    ("deployment.md", "Deployment"),
)
DIRECTIVE = re.compile(r"^\{\{ (\w+) \}\}$", re.MULTILINE)
LINK = re.compile(r'(?:href|src)="([^"]+)"')


def main() -> None:
    """Build, then refuse a broken link with the page that has it."""
    broken = build(OUT)
    for line in broken:
        sys.stderr.write(f"{line}\n")
    sys.stdout.write(f"{OUT}: {len(list(OUT.rglob('*.html')))} pages, {len(broken)} broken links\n")
    sys.exit(1 if broken else 0)


def build(out: Path) -> list[str]:
    """Write every page below `out`; returns the broken links."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    shutil.copy(ROOT / "style.css", out)
    shutil.copytree(ROOT / "drawings", out / "drawings")
    for source in pages():
        target = out / source.relative_to(ROOT).with_suffix(".html")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(render(source), encoding="utf-8")
    return list(broken_links(out))


def pages() -> list[Path]:
    return sorted(ROOT.rglob("*.md"))


def render(source: Path) -> str:
    here = source.relative_to(ROOT)
    text = DIRECTIVE.sub(lambda found: _insert(found[1]), source.read_text(encoding="utf-8"))
    body = MarkdownIt("commonmark").enable("table").render(text)
    body = re.sub(r'href="([^":]+)\.md(#[^"]*)?"', r'href="\1.html\2"', body)
    body = re.sub(r"<h([1-3])>(.*?)</h\1>", lambda found: _anchored(found[1], found[2]), body)
    title = next((line.lstrip("# ") for line in text.splitlines() if line.startswith("# ")), here.stem)
    page = Environment(autoescape=True).from_string((ROOT / "page.html").read_text(encoding="utf-8"))
    return page.render(
        title=title,
        body=body,
        up="../" * (len(here.parts) - 1),
        here=here.with_suffix(".html").as_posix(),
        navigation=[(name.replace(".md", ".html"), shown) for name, shown in NAVIGATION],
    )


def broken_links(out: Path) -> Iterator[str]:
    """Relative links that lead to no file or no heading; addresses elsewhere are not asked."""
    for page in sorted(out.rglob("*.html")):
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            if not target.is_file():
                yield f"{page.relative_to(out)}: {link}: no such page"
            elif anchor and f'id="{anchor}"' not in target.read_text(encoding="utf-8"):
                yield f"{page.relative_to(out)}: {link}: no such heading"


def _anchored(level: str, text: str) -> str:
    plain = html.unescape(re.sub(r"<[^>]+>", "", text)).lower()
    anchor = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
    return f'<h{level} id="{anchor}">{text}</h{level}>'


def _insert(what: str) -> str:
    if what == "commands":
        rows = [f"| `fettle {name}` | {text} |" for name, (_, text) in COMMANDS.items()]
        return "\n".join(["| command | what for |", "|---|---|", *rows])
    raise ValueError(f"no directive {what}")


if __name__ == "__main__":
    main()
