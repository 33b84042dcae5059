"""Commands on part files look for the loaded kernel of a running service before they load one themselves."""

from __future__ import annotations

import typer

from fettle.app import warm_helper
from fettle.app.command_settings import command_settings
from fettle.app.isolation import sandbox


def use_helper() -> None:
    """From now on the first kernel task of this process looks for a helper, unless the settings forbid it."""
    sandbox.prefer_helper(_find, _tell_lost)


def _find() -> sandbox.Helper | None:
    settings = command_settings()
    return warm_helper.find(settings.catalog_dir) if settings.warm_helper else None


def _tell_lost() -> None:
    typer.echo("fettle: the service whose kernel was used has gone; this command goes on with its own", err=True)
