"""`fettle report`: a report to send, HTML or PDF."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from fettle.app.kernel_tasks.messages import ReportPictures
from fettle.app.options import JobOptions
from fettle.app.pricing.orders import OrderRequest
from fettle.app.pricing.terms import PricingTerms
from fettle.app.reports.report import draw_report, html_report, order_table, pdf_report, quote_table
from fettle.app.settings import Settings
from fettle.cli.analyze import chosen_modules
from fettle.cli.analyze_file import inspect_file
from fettle.cli.part_files import FORMATS_HELP, read_file, waiting
from fettle.cli.processes import terms_for
from fettle.cli.quote import is_casting_alloy
from fettle.errors import BadRequest, FettleError
from fettle.results import AnalysisResult

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
FORMS = (".html", ".htm", ".pdf")


@app.command()
def report(
    file: Annotated[Path, typer.Argument(help=f"A part file: {FORMATS_HELP}")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write: OUT.html or OUT.pdf.")],
    pull: Annotated[str, typer.Option(help="Pull direction: cardinal, hemisphere, or x,y,z.")] = "cardinal",
    process: Annotated[
        list[str] | None, typer.Option(metavar="MODULE:CONFIGURATION", help="Report on this process; default all.")
    ] = None,
    rules: Annotated[
        list[Path] | None, typer.Option(help="Report on a rule module of your own.", exists=True, dir_okay=False)
    ] = None,
    price_by: Annotated[
        str | None,
        typer.Option("--price-by", metavar="MODULE:CONFIGURATION", help="Price it by this process; default the best."),
    ] = None,
    material: Annotated[str | None, typer.Option(help="Price it in this; default the usual one.")] = None,
    quantity: Annotated[int, typer.Option(help="Price this many.")] = 100,
    finish: Annotated[list[str] | None, typer.Option(help="Name or id of a finishing option.")] = None,
) -> None:
    """One file to send: verdicts, findings with pictures of where, the part in 3D (HTML) and the price."""
    if output.suffix.lower() not in FORMS:
        typer.echo(f"{output}: a report is written as .html or .pdf", err=True)
        raise typer.Exit(2)
    data = read_file(file)
    settings = Settings()
    try:
        terms = terms_for(None, None)
        request = OrderRequest(price_by or "", quantity, material, tuple(finish or ()))
        with waiting(f"{file}: analyzing"):
            made = inspect_file(file.name, data, JobOptions(pull=pull), chosen_modules(process, rules))
        drawings = draw_report(
            made.result, made.analysis, settings.kernel_limits, models=output.suffix.lower() != ".pdf"
        )
        quote = _price(made.result, request, terms)
        written = _written(output, file.name, made.result, drawings, quote)
    except BadRequest as error:
        typer.echo(f"fettle report: {error}", err=True)
        raise typer.Exit(2) from error
    except FettleError as error:
        typer.echo(f"{file}: {error}", err=True)
        raise typer.Exit(1) from error
    try:
        output.write_bytes(written)
    except OSError as error:
        typer.echo(f"{output}: {error.strerror or error}", err=True)
        raise typer.Exit(2) from error
    typer.echo(f"{output}: {len(written)} bytes", err=True)


def _price(result: AnalysisResult, request: OrderRequest, terms: PricingTerms) -> dict[str, Any]:
    """The table of the price; a casting alloy named in full means investment casting, as in `fettle quote`."""
    alloy = request.material
    if not request.process and alloy is not None and is_casting_alloy(terms.catalog, alloy):
        return quote_table(result, terms.catalog, alloy, request.quantity, request.finishes)
    return order_table(result, terms, request)


def _written(
    output: Path, title: str, result: AnalysisResult, drawings: ReportPictures, quote: dict[str, Any]
) -> bytes:
    if output.suffix.lower() == ".pdf":
        return pdf_report(title, result, drawings, quote)
    return html_report(title, result, drawings, quote).encode()
