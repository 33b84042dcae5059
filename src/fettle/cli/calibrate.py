"""`fettle calibrate`: factors on times or prices, learned from a shop's past jobs and kept for an account."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from fettle.app import calibrations, past_jobs
from fettle.app.access import accounts
from fettle.app.access.accounts import Account
from fettle.app.pricing.parts import PriceablePart
from fettle.app.service import Service, open_service
from fettle.cli.part_files import read_file
from fettle.cli.processes import analyzed_part, terms_for
from fettle.cli.state import DataDir, opened, settings_for
from fettle.errors import BadRequest, FettleError
from fettle.quote.calibration import COVERAGE, Calibration, PastJob, calibrate

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


class CalibrateFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


@app.command(name="calibrate")
def learn(
    jobs: Annotated[Path, typer.Argument(help=f"CSV of past jobs: {past_jobs.HELP}. File names are beside the CSV.")],
    account: Annotated[
        str | None, typer.Option("--account", help="E-mail of the account that keeps the factors; none: only shown.")
    ] = None,
    form: Annotated[CalibrateFormat, typer.Option("--format", help="How to print it.")] = CalibrateFormat.TEXT,
    data_dir: DataDir = None,
) -> None:
    """Learn one factor for each process or machine from past jobs, with its error and its band on jobs that it did
    not see. Refused below ten jobs of a process."""
    text = read_file(jobs).decode("utf-8-sig", errors="replace")
    try:
        found = calibrate(_past_jobs(text, jobs.parent, account, data_dir))
        if account is not None:
            with opened(data_dir) as (_, store):
                calibrations.keep(store, accounts.find(store, account), found)
    except FettleError as refusal:
        typer.echo(f"{jobs}: {refusal}", err=True)
        raise typer.Exit(1) from refusal
    if form is CalibrateFormat.JSON:
        typer.echo(json.dumps({"account": account, "calibrations": [_record(one) for one in found]}, indent=2))
    else:
        kept = f"kept for {account}" if account else "not kept: name an --account"
        typer.echo("\n".join([f"{jobs}: {kept}", *(_line(one) for one in found)]))


def _past_jobs(text: str, folder: Path, account: str | None, data_dir: Path | None) -> list[PastJob]:
    terms, known, found = terms_for(None, data_dir), dict[str, PriceablePart](), []
    for row in past_jobs.read_rows(text):
        if row.part not in known:
            known[row.part] = _part(row.part, folder, account, data_dir)
        found.append(past_jobs.past_job(row, known[row.part], terms))
    return found


def _part(name: str, folder: Path, account: str | None, data_dir: Path | None) -> PriceablePart:
    """The part of a file beside the CSV, or of a job of the account."""
    if not name.startswith("job_"):
        return analyzed_part(folder / name)
    if account is None:
        raise BadRequest(f"{name} is a job; name the --account it belongs to.")
    service = open_service(settings_for(data_dir))
    try:
        return service.priceable(_owner(service, account), name)
    finally:
        service.close()


def _owner(service: Service, email: str) -> Account:
    return accounts.find(service.store, email)


def _record(one: Calibration) -> dict[str, Any]:
    return {**asdict(one), "basis": one.basis.value}


def _line(one: Calibration) -> str:
    return (
        f"  {one.key}: {one.basis} x {one.factor:.3f} from {one.jobs} jobs; {100 * COVERAGE:.0f} % of new jobs from "
        f"{one.low:.2f} to {one.high:.2f} of that ({100 * one.covered:.0f} % of held-back jobs were); error "
        f"{100 * one.error:.1f} %, before {100 * one.error_before:.1f} %"
    )
