"""Writes docs/rules/: a page per pack and one of the vocabulary, all derived from the packs and the registry.

Run `python -m docs.generate_rules` after a change to a pack, its cases, a metric or a selector.
"""

from __future__ import annotations

from pathlib import Path

from fettle.rules import shipped_modules
from fettle.rules.explain import explain_module
from fettle.rules.packs import shipped_cases
from fettle.rules.registry import METRICS, SELECTORS, Metric
from fettle.rules.spec import Scope

FOLDER = Path(__file__).parent / "rules"
NOTE = "<!-- Written by docs/generate_rules.py; edit the pack, not this page. -->\n"


def pages() -> dict[str, str]:
    """File name to text."""
    modules = shipped_modules()
    written = {f"{one.key}.md": NOTE + explain_module(one, shipped_cases(one)) for one in modules}
    links = [f"- [{one.name}]({one.key}.md): {', '.join(f'`{key}`' for key in one.configurations)}" for one in modules]
    index = ["# Rule packs", "", *links, "- [Vocabulary](vocabulary.md): every selector set and metric", ""]
    return written | {"index.md": NOTE + "\n".join(index), "vocabulary.md": NOTE + _vocabulary()}


def _vocabulary() -> str:
    lines = ["# Selector sets and metrics", "", "## Selector sets", "", "| set | what it selects |", "|---|---|"]
    lines += [f"| `{one.name}` | {one.meaning} |" for one in SELECTORS.values()]
    for scope, title in ((Scope.PER_FEATURE, "Metrics of a feature"), (Scope.WHOLE_PART, "Metrics of the whole part")):
        lines += ["", f"## {title}", "", "| metric | unit | resolution | what it is |", "|---|---|---|---|"]
        lines += [_row(metric) for metric in METRICS.values() if metric.scope is scope]
    return "\n".join(lines) + "\n"


def _row(metric: Metric) -> str:
    reads = f" Reads the parameter {', '.join(f'`{name}`' for name in metric.parameters)}." if metric.parameters else ""
    return f"| `{metric.name}` | {metric.unit} | {metric.resolution:g} | {metric.meaning}{reads} |"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
