"""`fettle serve`: the whole service on one machine, kept running."""

from __future__ import annotations

import http.client
import os
import shlex
import socket
import threading
import time
import urllib.request
from http import HTTPStatus
from typing import Annotated

import typer

from fettle.app.catalog_folder import check_catalog_folder
from fettle.app.isolation import sandbox
from fettle.app.kernel_tasks.child_module import CHILD_MODULE
from fettle.app.logs import start_log
from fettle.app.settings import Settings
from fettle.app.traces import check_traces
from fettle.app.work.supervisor import Program, Supervisor
from fettle.cli.state import DataDir, environment_for, opened, settings_for
from fettle.cli.worker import STOP_S, warm_helper_offered, worker_programs
from fettle.startup import command

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)

READY_POLL_S = 0.2
READY_PATIENCE_S = 30.0


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on [default: FETTLE_HOST, 127.0.0.1].")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 takes a free one [FETTLE_PORT, 8000].")] = None,
    workers: Annotated[int | None, typer.Option(min=0, help="Worker processes [FETTLE_WORKERS, one a core].")] = None,
    data_dir: DataDir = None,
) -> None:
    """Start the API, its workers and the dashboard; whatever dies is started again. Stop it with Ctrl-C or SIGTERM."""
    said = {"host": host, "port": port, "workers": workers}
    settings = settings_for(data_dir).model_copy(update={name: word for name, word in said.items() if word is not None})
    start_log(settings)
    listener = _listen(settings)
    url = f"http://{_shown(settings.host)}:{listener.getsockname()[1]}"
    sandbox.preload(CHILD_MODULE)  # the kernel is loaded beside everything else
    with opened(settings.data_dir) as (_, store):
        check_catalog_folder(settings)
        check_traces(settings)
        fd = listener.fileno()
        api = Program(
            title="the API",
            command=lambda _: command("fettle.cli.api", str(fd)),
            name=lambda: "api",
            pass_fds=(fd,),
        )
        programs = [api, *worker_programs(settings.workers, store)]
        threading.Thread(target=_print_addresses, args=(url, settings), daemon=True).start()
        with warm_helper_offered(settings):
            Supervisor(programs, environment_for(settings)).run(STOP_S)
    listener.close()


def _listen(settings: Settings) -> socket.socket:
    """Bind the port here and pass it to the API process, so that callers wait while it starts or restarts."""
    try:
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        listener = socket.create_server((settings.host, settings.port), family=family, backlog=512)
    except OSError as error:
        typer.echo(f"fettle: cannot listen on {settings.host} port {settings.port}: {error.strerror}", err=True)
        raise typer.Exit(2) from error
    os.set_inheritable(listener.fileno(), True)
    return listener


def _shown(host: str) -> str:
    if host in ("0.0.0.0", "::"):  # noqa: S104 - everywhere includes here
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _print_addresses(url: str, settings: Settings) -> None:
    """Print the addresses, and how to create a key, once the service is ready."""
    place = "PostgreSQL" if settings.database_url else settings.data_dir
    typer.echo(f"Fettle is starting at {url} (state in {place}).", err=True)
    while not _ready(f"{url}/readyz"):
        time.sleep(READY_POLL_S)
    folder = "" if settings.database_url else f" --data-dir {shlex.quote(str(settings.data_dir))}"
    typer.echo(
        f"Ready.\n  API        {url}/api/v1 (described at {url}/api/v1/docs)\n  dashboard  {url}/dashboard\n"
        f"  a key      fettle keys create --account you@example.com{folder}",
        err=True,
    )


def _ready(url: str) -> bool:
    """Whether /readyz answers 200; with the standard library, which loads in a tenth of the time of httpx."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(url, timeout=READY_PATIENCE_S) as answer:
            return bool(answer.status == HTTPStatus.OK)
    except (OSError, http.client.HTTPException):
        return False  # not up yet
