"""`fettle agent`: tools for AI agents, over standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fettle.agent import create_server
from fettle.agent.local_backend import LocalBackend

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


@app.command()
def agent(
    folder: Annotated[
        Path | None, typer.Option(help="Read part files below this folder only; default any.", file_okay=False)
    ] = None,
) -> None:
    """Speak the Model Context Protocol on standard input and output: analyze, explain, turn, judge, price, compare."""
    create_server(LocalBackend(folder)).run("stdio")
