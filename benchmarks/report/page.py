"""The page, rendered from stored figures."""

from __future__ import annotations

import ast
from pathlib import Path

from benchmarks.report.figures import Figures
from benchmarks.report.sections import CHAPTERS, Section

DISTURBED = "times are upper bounds; ratios were taken in turns and hold better"
BUSY = 0.5
"""Load per core above which other work is said to have disturbed the times."""


def render(figures: dict[str, Figures]) -> str:
    """Markdown of the page; a benchmark that was never run is named as such."""
    machines = list(dict.fromkeys(one.machine for _, one in sorted(figures.items())))
    lines = [_text("head"), "## Machines", ""]
    lines += [f"- **{_letter(number)}**: {machine}" for number, machine in enumerate(machines)]
    for chapter, sections in CHAPTERS.items():
        lines += ["", f"## {chapter}", ""]
        for section in sections:
            lines += _section(section, figures.get(section.benchmark), machines)
    return "\n".join([*lines, _text("weaknesses"), _text("data_sets")])


def _section(section: Section, figures: Figures | None, machines: list[str]) -> list[str]:
    lines = [f"### {section.heading}", "", _docstring(section.benchmark), ""]
    if figures is None:
        return [*lines, f"Not measured yet: `make benchmark-report SECTIONS={section.benchmark}`.", ""]
    machine = _letter(machines.index(figures.machine))
    run = f"`python -m benchmarks {section.benchmark}`: {figures.date}, commit {figures.commit or 'unknown'}, "
    lines += [f"{run}machine {machine}, {figures.seconds:.0f} s.", ""]
    if section.is_timed and figures.load > BUSY * figures.cores:
        waiting = f"({figures.load:g} processes wanted its {figures.cores} cores)"
        lines += [f"*Other work ran on the machine {waiting}: {DISTURBED}.*", ""]
    return [*lines, *(table.markdown() for table in figures.tables)]


def _docstring(benchmark: str) -> str:
    """What a benchmark says of itself; read, not imported, because most load the kernel."""
    source = (Path(__file__).parents[1] / f"{benchmark}.py").read_text(encoding="utf-8")
    return ast.get_docstring(ast.parse(source)) or ""


def _letter(number: int) -> str:
    return chr(ord("A") + number)


def _text(name: str) -> str:
    """What is said before or after the figures."""
    return (Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8")
