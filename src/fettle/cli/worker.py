"""`fettle worker`: more workers on the same database and storage."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Annotated

import typer

from fettle.app import warm_helper
from fettle.app.catalog_folder import check_catalog_folder
from fettle.app.isolation import sandbox
from fettle.app.kernel_tasks.child_module import CHILD_MODULE
from fettle.app.logs import start_log
from fettle.app.settings import Settings
from fettle.app.state.store import Store
from fettle.app.traces import check_traces
from fettle.app.work.supervisor import Program, Supervisor
from fettle.app.work.worker_registry import delete_workers, worker_name
from fettle.cli.answers import ANSWER_MODULE
from fettle.cli.state import DataDir, environment_for, opened, settings_for
from fettle.startup import command

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)

COMMAND_MODULES = (ANSWER_MODULE, "fettle.cli.formats.json", "fettle.cli.formats.text")
"""What the commands ask for, besides what jobs do."""
STOP_S = 30.0
"""What a program gets to end; longer than a worker waits for its job."""


@app.command()
def worker(
    concurrency: Annotated[int, typer.Option(min=1, help="Jobs at a time: one process each.")] = 1,
    data_dir: DataDir = None,
) -> None:
    """Take analysis jobs until stopped by Ctrl-C or SIGTERM; a running job is finished or requeued."""
    settings = settings_for(data_dir)
    start_log(settings)
    sandbox.preload(CHILD_MODULE)  # the kernel is loaded beside everything else
    with opened(settings.data_dir) as (_, store):
        check_catalog_folder(settings)
        check_traces(settings)
        with warm_helper_offered(settings):
            Supervisor(worker_programs(concurrency, store), environment_for(settings)).run(STOP_S)


def warm_helper_offered(settings: Settings) -> AbstractContextManager[None]:
    """While the block runs, commands of this user have our loaded kernel, at the priority of the workers; unless the
    settings forbid it."""
    if not settings.warm_helper:
        return nullcontext()
    return warm_helper.offered(settings.catalog_dir, settings.worker_nice, COMMAND_MODULES)


def worker_programs(count: int, store: Store) -> list[Program]:
    """Worker processes under unique names; the row of one that ends is deleted at once."""
    return [
        Program(
            title=f"worker {number + 1}",
            command=lambda name: command("fettle.app.worker", name),
            name=worker_name,
            on_exit=lambda name: delete_workers(store, {name}),
        )
        for number in range(count)
    ]
