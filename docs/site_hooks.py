"""Hooks of the documentation site: pages and tables that follow from the code are made while MkDocs builds.

    python -m mkdocs build      (or `make docs`)

- A folder in the navigation (`rules/`) stands for all its pages, its index first.
- `api/`: a page for every package, with the docstrings of its modules.
- A line `{{ commands }}` in a page becomes a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from fettle.cli import COMMANDS

ROOT = Path(__file__).parent
PACKAGE = ROOT.parent / "src" / "fettle"
DIRECTIVE = re.compile(r"^\{\{ commands \}\}$", re.MULTILINE)
API_INDEX = """# API pages

Every public module with its types and functions, from their docstrings. [Architecture](../architecture.md) says how
they fit together; [Library](../library.md) is the place to start.

"""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Expand the folders in the navigation."""
    config.nav = [_expanded(entry) for entry in config.nav or ()]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the API pages; they are never written to disk."""
    for name, text in api_pages().items():
        files.append(File.generated(config, f"api/{name}", content=text))
    return files


def on_page_markdown(markdown: str, **_given: Any) -> str:
    return DIRECTIVE.sub(lambda _: _command_table(), markdown)


def api_pages() -> dict[str, str]:
    """File name to text: a page for every package or module of `fettle`, and an index."""
    written = {f"{name}.md": _api_page(name, modules) for name, modules in sorted(_packages().items())}
    links = "".join(f"- [`fettle.{name}`]({name}.md)\n" for name in sorted(_packages()))
    return {"index.md": API_INDEX + links} | written


def _packages() -> dict[str, list[str]]:
    """Package to the dotted names of its public modules, as far as they have a docstring."""
    packages: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if parts and not any(part.startswith("_") for part in parts) and "migrations" not in parts:
            packages.setdefault(parts[0], []).append(".".join(("fettle", *parts)))
    return packages


def _api_page(name: str, modules: list[str]) -> str:
    return f"# fettle.{name}\n\n" + "".join(f"::: {module}\n\n" for module in modules)


def _expanded(entry: Any) -> Any:
    if isinstance(entry, dict):
        return {title: _expanded(below) for title, below in entry.items()}
    if isinstance(entry, list):
        return [_expanded(below) for below in entry]
    if not entry.endswith("/"):
        return entry
    names = api_pages() if entry == "api/" else [path.name for path in (ROOT / entry).glob("*.md")]
    return [f"{entry}{name}" for name in sorted(names, key=lambda name: (name != "index.md", name))]


def _command_table() -> str:
    rows = ((f"`fettle {name}`", text) for name, (_, text) in COMMANDS.items())
    return "\n".join(_rows(("command", "what for"), rows))


def _rows(head: tuple[str, str], rows: Iterator[tuple[str, str]]) -> Iterator[str]:
    for cells in (head, ("---", "---"), *rows):
        yield f"| {' | '.join(cells)} |"
