"""Verdicts of an account's own packs on its analyses, and thresholds tried on one: stored, so that they are still there
when the page is opened again."""

from __future__ import annotations

import json
from collections.abc import Mapping

import sqlalchemy as sa

from fettle.app.access.accounts import Account
from fettle.app.account_packs import AccountPack
from fettle.app.errors import NotFound
from fettle.app.fingerprint import engine_fingerprint
from fettle.app.service import Service
from fettle.app.state.dashboard_tables import what_ifs
from fettle.app.state.files import derived_key
from fettle.app.state.store import insert_into
from fettle.app.work.pipeline import evaluate
from fettle.results import ModuleResult, encode
from fettle.rules.yaml_document import read_document


def judge(service: Service, account: Account, job_id: str, pack: AccountPack) -> ModuleResult:
    """The verdict of a pack on a finished job, judged once for the same pack and engine."""
    run = service.jobs.finished_run(account, job_id)
    key = derived_key("pack", engine_fingerprint(service.settings.catalog_dir), pack.text)
    name = f"{run.folder}/{run.number}/pack-{key}.json"
    try:
        return ModuleResult.from_dict(json.loads(service.files.read(name)))
    except NotFound:
        analysis = service.analysis(account, job_id)
    spec = read_document(pack.text.encode(), "the module")
    judged = evaluate(service.settings, analysis, spec, None, {})
    service.files.write(name, encode(judged))
    return judged


def keep_what_if(service: Service, job_id: str, process: str, overrides: Mapping[str, float]) -> None:
    """Store the thresholds tried on a process ("cnc:3-axis") of a job; none: the shipped ones hold again."""
    with service.store.write() as connection:
        if not overrides:
            mine = (what_ifs.c.job_id == job_id, what_ifs.c.process == process)
            connection.execute(what_ifs.delete().where(*mine))
            return
        connection.execute(
            insert_into(connection, what_ifs)
            .values(job_id=job_id, process=process, overrides=dict(overrides))
            .on_conflict_do_update(
                index_elements=[what_ifs.c.job_id, what_ifs.c.process], set_={"overrides": dict(overrides)}
            )
        )


def read_what_ifs(service: Service, job_id: str) -> dict[str, dict[str, float]]:
    """Thresholds tried on a job, by process."""
    query = sa.select(what_ifs.c.process, what_ifs.c.overrides).where(what_ifs.c.job_id == job_id)
    with service.store.read() as connection:
        return {row.process: row.overrides for row in connection.execute(query)}
