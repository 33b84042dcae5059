"""`fettle rules`: read, check, test and explain rule modules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
import yaml

from fettle.app.isolation.sandbox import preload, run
from fettle.app.kernel_tasks.tasks import CASE_RUNNER, RUN_CASE
from fettle.app.settings import Settings
from fettle.cli.answer_format import AnswerFormat, Form
from fettle.errors import BadRequest, FettleError, InvalidModule
from fettle.rules import Module, modules_in_force, parse_module
from fettle.rules.cases import Case, CaseBook, parse_cases, without_case
from fettle.rules.checked_input import nearest
from fettle.rules.explain import explain_module
from fettle.rules.shared_sets import CASES_SUFFIX
from fettle.rules.yaml_document import read_document

app = typer.Typer(
    help="Rule modules: the shipped packs and your own.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)

File = Annotated[Path, typer.Argument(help="A rule module, YAML or JSON.", exists=True, dir_okay=False)]
Folder = Annotated[
    Path, typer.Argument(help="A folder of NAME.yaml and NAME.cases.yaml.", exists=True, file_okay=False)
]


@app.command("list")
def list_modules(form: Form = AnswerFormat.TEXT) -> None:
    """The modules in force, their configurations and rules."""
    if form is AnswerFormat.JSON:
        typer.echo(json.dumps({"modules": [module.spec() for module in modules_in_force()]}, indent=2))
        return
    for module in modules_in_force():
        typer.echo(f"{module.key}: {module.name} ({', '.join(module.configurations)})")
        for rule in module.rules:
            typer.echo(f"    {rule.key}: {rule.name}")


@app.command()
def show(key: Annotated[str, typer.Argument(help="Key of a module, for example cnc.")]) -> None:
    """A module as YAML, ready to be changed and used with --rules."""
    typer.echo(yaml.safe_dump(_in_force(key).spec(), sort_keys=False, allow_unicode=True, width=120), nl=False)


@app.command()
def lint(file: File) -> None:
    """Every fault of a module, each with its place."""
    module = _read(file)
    typer.echo(f"{file}: {len(module.rules)} rules, {len(module.configurations)} configurations, no fault")


@app.command()
def explain(
    module: Annotated[str, typer.Argument(help="Key of a module in force, for example cnc, or a YAML or JSON file.")],
) -> None:
    """A module in words: what each rule looks at and when it fires."""
    path = Path(module)
    typer.echo(explain_module(_read(path) if path.is_file() else _in_force(module)), nl=False)


@app.command()
def test(folder: Folder) -> None:
    """Analyze the parts of NAME.cases.yaml and compare the verdicts with the expected ones."""
    books = sorted(folder.glob(f"*{CASES_SUFFIX}"))
    if not books:
        typer.echo(f"{folder}: no file ends in {CASES_SUFFIX}", err=True)
        raise typer.Exit(2)
    preload(CASE_RUNNER)
    good = [_test_pack(path) for path in books]
    if not all(good):
        raise typer.Exit(1)


def _test_pack(cases_file: Path) -> bool:
    """True when every case gave what it should and no verdict is without a case."""
    pack_file = cases_file.with_name(cases_file.name.removesuffix(CASES_SUFFIX) + ".yaml")
    if not pack_file.is_file():
        typer.echo(f"{cases_file}: there is no {pack_file.name} beside it", err=True)
        return False
    module = _read(pack_file)
    try:
        book = parse_cases(read_document(cases_file.read_bytes(), cases_file.name), module)
    except BadRequest as error:
        typer.echo(str(error), err=True)
        return False
    good = [_test_case(module, case, cases_file.parent) for case in book.cases]
    missing = _report_missing(module, book)
    typer.echo(f"{module.key}: {sum(good)} of {len(good)} cases as expected, {missing} verdicts without a case")
    return all(good) and missing == 0


def _test_case(module: Module, case: Case, folder: Path) -> bool:
    try:
        misses = run(RUN_CASE, (module, case, folder), Settings().kernel_limits)
    except FettleError as error:
        typer.echo(f"{module.key}: {case.name}: {error}", err=True)
        return False
    for miss in misses:
        typer.echo(
            f"{module.key}: {case.name}: {miss.configuration} {miss.rule} is {miss.found}, expected {miss.expected}: "
            f"{miss.message}",
            err=True,
        )
    return not misses


def _report_missing(module: Module, book: CaseBook) -> int:
    missing = without_case(module, book)
    for configuration, rule, level in missing:
        typer.echo(f"{module.key}: no case where {rule} gives {level.word} in {configuration}", err=True)
    return len(missing)


def _in_force(key: str) -> Module:
    """The module of that key, or exit code 2 with the nearest one."""
    modules = {module.key: module for module in modules_in_force()}
    if key not in modules:
        typer.echo(f"no module and no file {key[:60]!r}; {nearest(key, modules)}", err=True)
        raise typer.Exit(2)
    return modules[key]


def _read(file: Path) -> Module:
    """The module, or exit code 1 with every fault on standard error."""
    try:
        return parse_module(read_document(file.read_bytes(), file.name))
    except InvalidModule as error:
        for fault in error.faults:
            typer.echo(f"{file}: {fault.pointer or '/'}: {fault.message}", err=True)
        raise typer.Exit(1) from error
    except BadRequest as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
