"""`fettle analyze`: judge part files like a linter judges source files."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from fettle.app.isolation.sandbox import preload, run
from fettle.app.kernel_tasks.child_module import CHILD_MODULE
from fettle.app.kernel_tasks.tasks import CHECK_OPTIONS
from fettle.app.options import JobOptions, ModuleChoice
from fettle.app.settings import Settings
from fettle.cli.analyze_file import judge_file
from fettle.cli.outcome import Baseline, Outcome, exit_code
from fettle.cli.part_files import FORMATS_HELP, UNITS_HELP, read_file
from fettle.cli.progress import Progress
from fettle.errors import BadRequest, FettleError
from fettle.measure.draft_limits import ALPHA_MIN_DEG, ALPHA_WARN_DEG

WARM_FROM = 2
"""With more files than this it pays to warm the kernel up before its children are forked."""

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


class AnalysisFormat(StrEnum):
    """Each has a module of its name in `fettle.cli.formats`."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    JUNIT = "junit"
    GITHUB = "github"
    MARKDOWN = "markdown"


class FailOn(StrEnum):
    FAIL = "fail"
    WARNING = "warning"
    NEVER = "never"


@app.command()
def analyze(
    files: Annotated[list[Path], typer.Argument(help=f"Part files: {FORMATS_HELP}")],
    pull: Annotated[str, typer.Option(help="Pull direction: cardinal, hemisphere, or x,y,z.")] = "cardinal",
    max_edge: Annotated[float | None, typer.Option(help="Longest mesh edge in mm; default automatic.")] = None,
    curvature: Annotated[float | None, typer.Option(help="Mesh elements per full turn; default automatic.")] = None,
    alpha_min: Annotated[float, typer.Option(help="Undercut threshold in degrees.")] = ALPHA_MIN_DEG,
    alpha_warn: Annotated[float, typer.Option(help="Low-draft threshold in degrees.")] = ALPHA_WARN_DEG,
    units: Annotated[str | None, typer.Option(help=UNITS_HELP)] = None,
    process: Annotated[
        list[str] | None, typer.Option(metavar="MODULE:CONFIGURATION", help="Judge by this process; default all.")
    ] = None,
    rules: Annotated[
        list[Path] | None, typer.Option(help="Judge by a rule module of your own.", exists=True, dir_okay=False)
    ] = None,
    form: Annotated[AnalysisFormat, typer.Option("--format", help="How to print it.")] = AnalysisFormat.TEXT,
    by_face: Annotated[
        bool, typer.Option("--findings", help="List every finding with its face, instead of causes with counts.")
    ] = False,
    fail_on: Annotated[FailOn, typer.Option(help="Severity from which the exit code is 1.")] = FailOn.FAIL,
    baseline: Annotated[
        Path | None,
        typer.Option(
            help="Earlier output of --format json: its findings no longer count.", exists=True, dir_okay=False
        ),
    ] = None,
) -> None:
    """Whether parts can be made: the process that each is made for, every process by fit, and what is wrong there, with
    file, face, severity, rule, value and limit. With a baseline every new finding is listed.

    Exit codes: 0 clean, 1 findings (or the one file was refused), 2 wrong usage or missing file, 3 some files could
    not be analyzed.
    """
    asked = chosen_modules(process, rules)
    sources = [(str(path), path.name, read_file(path)) for path in files]
    try:
        options = JobOptions(max_edge, curvature, pull, alpha_min, alpha_warn, units)
        run(CHECK_OPTIONS, (options, asked), Settings().kernel_limits)
        known = Baseline(baseline)
    except BadRequest as error:
        typer.echo(f"fettle analyze: {error}", err=True)
        raise typer.Exit(2) from error
    if len(sources) > WARM_FROM:
        preload(CHILD_MODULE)
    with Progress(len(sources)) as progress, ThreadPoolExecutor(min(len(sources), os.cpu_count() or 1)) as pool:
        waiting = [pool.submit(inspect, *source, options, asked, progress) for source in sources]
        outcomes = [replace(one.result(), by_face=by_face or baseline is not None) for one in waiting]
    split = [known.split(outcome) for outcome in outcomes]
    writer = import_module(f"fettle.cli.formats.{form.value}")
    typer.echo(writer.write(outcomes, [new for new, _ in split], [len(old) for _, old in split]), nl=False)
    raise typer.Exit(exit_code(outcomes, [one for new, _ in split for one in new], fail_on.value))


def inspect(
    file: str, name: str, data: bytes, options: JobOptions, asked: list[ModuleChoice], progress: Progress
) -> Outcome:
    """One file in a kernel child of its own."""

    def say(line: str) -> None:
        progress.say(file, line)

    try:
        return Outcome(file, result=judge_file(name, data, options, asked, say))
    except FettleError as error:
        return Outcome(file, error=error)
    finally:
        progress.done(file)


def chosen_modules(named: list[str] | None, rules: list[Path] | None) -> list[ModuleChoice]:
    """`module:configuration`, or `module` for all of its configurations, and rule files; one entry per module."""
    chosen: dict[str, tuple[str, ...] | None] = {}
    for name in named or []:
        module, _, configuration = name.partition(":")
        earlier = chosen.get(module, ())
        chosen[module] = None if not configuration or earlier is None else (*earlier, configuration)
    shipped = [ModuleChoice(module, None, configurations) for module, configurations in chosen.items()]
    return [*shipped, *(ModuleChoice(str(path), path.read_bytes()) for path in rules or [])]
