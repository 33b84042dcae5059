"""`fettle analyze`: judge part files like a linter judges source files."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from fettle.app.command_settings import command_settings
from fettle.app.isolation.part_files import run_on_file
from fettle.app.options import JobOptions, ModuleChoice
from fettle.cli.answers import ANSWER_FILE, Answer, AnswerRequest, BaselineFile
from fettle.cli.part_files import FORMATS_HELP, UNITS_HELP, read_file
from fettle.cli.progress import Progress
from fettle.errors import BadRequest, KernelFailure
from fettle.measure.draft_limits import ALPHA_MIN_DEG, ALPHA_WARN_DEG

FOR_SEVERAL = "fettle.cli.analyze_files"
"""Loaded by need: it loads the records of a result, which one file that ends well does without."""

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

    Beside a running service of the same user its loaded kernel is used (FETTLE_WARM_HELPER=false: never).

    Exit codes: 0 clean, 1 findings (or the one file was refused), 2 wrong usage or missing file, 3 some files could
    not be analyzed.
    """
    asked = chosen_modules(process, rules)
    sources = [(str(path), path.name, read_file(path)) for path in files]
    options = JobOptions(max_edge, curvature, pull, alpha_min, alpha_warn, units)
    known = None if baseline is None else BaselineFile(str(baseline), baseline.read_bytes())
    painted = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    request = AnswerRequest(form.value, by_face or known is not None, painted, fail_on.value, known)
    try:
        with Progress(len(sources)) as progress:
            if len(sources) == 1:
                answer = _answer_one(*sources[0], options, asked, request, progress)
            else:
                answer = import_module(FOR_SEVERAL).answer_files(sources, options, asked, request, progress)
    except BadRequest as error:
        typer.echo(f"fettle analyze: {error}", err=True)
        raise typer.Exit(2) from error
    typer.echo(answer.text, nl=False)
    raise typer.Exit(answer.exit_code)


def _answer_one(
    file: str,
    name: str,
    data: bytes,
    options: JobOptions,
    asked: Sequence[ModuleChoice],
    request: AnswerRequest,
    progress: Progress,
) -> Answer:
    """The answer as the file's child wrote it; where that one died, one that says so."""
    settings = command_settings()
    sha256 = hashlib.sha256(data).hexdigest()
    args = (data, file, name, options, settings.size_bounds, sha256, asked, request)
    try:
        return run_on_file(ANSWER_FILE, args, settings.kernel_limits, lambda line: progress.say(file, line))
    except KernelFailure as death:
        answer: Answer = import_module(FOR_SEVERAL).answer_error(file, death, request)
        return answer
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
