"""What the API and the workers share, opened from the settings: the database, the files and the queue."""

from __future__ import annotations

import os
from dataclasses import dataclass

from fettle.app.catalog_folder import check_catalog_folder
from fettle.app.settings import Settings
from fettle.app.state.files import Files, open_files
from fettle.app.state.migrations import upgrade
from fettle.app.state.store import Store
from fettle.app.work.queue import JobQueue, migrate_queue
from fettle.catalog_names import CATALOG_DIR


@dataclass(frozen=True, slots=True)
class SharedState:
    store: Store
    files: Files
    queue: JobQueue


def open_state(settings: Settings) -> SharedState:
    """Check the operator's catalogs, open the database and the files, and bring the tables to the newest step."""
    check_catalog_folder(settings)
    store = Store(settings.database)
    upgrade(store)
    migrate_queue(store)
    if settings.catalog_dir is not None:
        # The kernel children, and the processes we start, read the same packs.
        os.environ.setdefault(CATALOG_DIR, str(settings.catalog_dir))
    return SharedState(store, open_files(settings), JobQueue(store))
