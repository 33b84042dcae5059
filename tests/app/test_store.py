"""The store itself: schema, transactions and types, on both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from threading import Barrier

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory

from fettle.app.settings import Settings
from fettle.app.state import dashboard_tables, migrations
from fettle.app.state import store as tables
from fettle.app.state.migrations import steps
from fettle.app.state.store import Store, accounts, api_keys, connect_ahead, metadata, quotes

NOON = datetime(2026, 3, 29, 12, 0, 0, 123456, tzinfo=UTC)


def account(identity: str = "a") -> dict[str, object]:
    return {
        "id": identity,
        "email": f"{identity}@example.com",
        "plan": "free",
        "overage_enabled": True,
        "created_at": NOON,
    }


def test_the_migrations_make_exactly_the_tables_the_code_speaks_of(fresh_store: Store) -> None:
    with fresh_store.read() as connection:
        context = MigrationContext.configure(
            connection, opts={"include_name": lambda name, kind, _: kind != "table" or name in metadata.tables}
        )
        assert compare_metadata(context, metadata) == []
        assert set(sa.inspect(connection).get_table_names()) == {*metadata.tables, "alembic_version"}
        assert dashboard_tables.share_links.name in metadata.tables


def test_the_newest_step_is_the_one_alembic_ends_at(fresh_store: Store) -> None:
    with fresh_store.read() as connection:
        script = ScriptDirectory.from_config(steps.config(connection))
        assert migrations.newest() == script.get_current_head()
        assert migrations.current(connection) == MigrationContext.configure(connection).get_current_revision()


def test_upgrading_twice_changes_nothing_and_the_way_back_leaves_nothing(fresh_store: Store) -> None:
    assert migrations.upgrade(fresh_store) == (migrations.newest(), migrations.newest())
    with fresh_store.alter() as connection:
        command.downgrade(steps.config(connection), "base")
    with fresh_store.read() as connection:
        assert sa.inspect(connection).get_table_names() == ["alembic_version"]


def test_altering_a_table_in_batch_mode_keeps_the_rows_that_refer_to_it(fresh_store: Store) -> None:
    with fresh_store.write() as connection:
        connection.execute(accounts.insert(), account())
        connection.execute(
            api_keys.insert(),
            {"id": "k", "account_id": "a", "name": "", "shown": "x", "hash": "h", "created_at": NOON},
        )
    with fresh_store.alter() as connection:
        step = Operations(MigrationContext.configure(connection))
        with step.batch_alter_table("accounts") as batch:
            batch.alter_column("plan", type_=sa.String(20), existing_type=sa.String(16))
    with fresh_store.read() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(api_keys)) == 1


def test_threads_open_no_connection_beyond_those_opened_ahead(fresh_store: Store) -> None:
    opened: list[object] = []
    fresh_store.engine.dispose()
    sa.event.listen(fresh_store.engine, "connect", lambda connection, _: opened.append(connection))
    connect_ahead(fresh_store.engine, 3)
    assert len(opened) == 3
    together = Barrier(3)

    def use(_: int) -> None:
        with fresh_store.read() as connection:
            together.wait(timeout=30)
            connection.scalar(sa.select(sa.func.count()).select_from(accounts))

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(use, range(3)))
    assert len(opened) == 3


def test_upgrades_that_start_together_do_not_trip_over_each_other(settings: Settings) -> None:
    stores = [Store(settings.database) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        steps = [pool.submit(migrations.upgrade, store) for store in stores]
    for store in stores:
        store.close()
    assert [step.result()[1] for step in steps] == [migrations.newest()] * 4


def test_an_instant_comes_back_as_the_same_instant_in_utc(store: Store) -> None:
    in_delhi = NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))
    with store.write() as connection:
        connection.execute(accounts.insert(), account() | {"created_at": in_delhi})
    with store.read() as connection:
        read = connection.scalar(sa.select(accounts.c.created_at))
    assert read == NOON
    assert read is not None
    assert read.utcoffset() == timedelta(0)


def test_money_comes_back_to_the_cent(store: Store) -> None:
    prices = {column.name: Decimal("1234567890.07") for column in quotes.c if isinstance(column.type, tables.Money)}
    row = {
        "id": "q", "account_id": "a", "status": "draft", "file_name": "f", "geometry": {}, "material_id": "m",
        "quantity": 1, "post_processing_option_ids": [], "currency": "USD", "lead_time_days": 1,
        "rate_card_version": "v", "created_at": NOON, **prices,
    }  # fmt: skip
    with store.write() as connection:
        connection.execute(accounts.insert(), account())
        connection.execute(quotes.insert(), row)
    with store.read() as connection:
        read = connection.execute(sa.select(quotes)).mappings().one()
    assert {name: read[name] for name in prices} == prices
    assert isinstance(read["margin"], Decimal)


def test_a_row_that_refers_to_nobody_is_refused(store: Store) -> None:
    row = {"id": "k", "account_id": "nobody", "name": "", "shown": "x", "hash": "h", "created_at": NOON}
    with pytest.raises(sa.exc.IntegrityError), store.write() as connection:
        connection.execute(api_keys.insert(), row)


def test_a_failed_transaction_leaves_nothing(store: Store) -> None:
    def write_and_fail() -> None:
        with store.write() as connection:
            connection.execute(accounts.insert(), account())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_fail()
    with store.read() as connection:
        assert connection.execute(sa.select(accounts)).all() == []


def test_many_threads_write_without_a_lock_error(store: Store) -> None:
    def bump(number: int) -> None:
        with store.write() as connection:
            # Looking before writing is what fails half-way where the lock is taken late.
            connection.execute(sa.select(accounts)).all()
            connection.execute(accounts.insert(), account(str(number)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(bump, range(80)))
    with store.read() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(accounts)) == 80


def test_a_reader_does_not_wait_for_a_writer(store: Store) -> None:
    with store.write() as writing:
        writing.execute(accounts.insert(), account())
        with store.read() as reading:
            assert reading.execute(sa.select(accounts)).all() == []


@pytest.mark.parametrize("fresh_store", ["sqlite"], indirect=True)
def test_sqlite_runs_in_wal_with_foreign_keys_and_a_busy_timeout(fresh_store: Store) -> None:
    store = fresh_store
    with store.read() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "busy_timeout", "synchronous")
        }
    assert pragmas == {"journal_mode": "wal", "foreign_keys": 1, "busy_timeout": 30_000, "synchronous": 2}
