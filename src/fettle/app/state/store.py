"""The tables, and all access to the database: `read()` and `write()` transactions on SQLite or PostgreSQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    DateTime,
    Dialect,
    Engine,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Numeric,
    String,
    Table,
    Text,
    TypeDecorator,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.types import TypeEngine

from fettle.app.state import notices

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

BUSY_TIMEOUT_MS = 30_000
ALTER_LOCK = 7_236_511


class UtcTime(TypeDecorator[datetime]):
    """An instant. SQLite keeps no zone, so it is stored as UTC and comes back as UTC on both databases."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


class Money(TypeDecorator[Decimal]):
    """Two decimals, exact. SQLite would make it a float, so there it is text."""

    impl = Numeric(12, 2)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(String(16) if dialect.name == "sqlite" else Numeric(12, 2))

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> Any:
        return str(value) if value is not None and dialect.name == "sqlite" else value

    def process_result_value(self, value: Any, dialect: Dialect) -> Decimal | None:
        return None if value is None else Decimal(value)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _account(primary_key: bool = False) -> Column[str]:
    return Column(
        "account_id",
        String(36),
        ForeignKey("accounts.id", ondelete="CASCADE"),
        nullable=False,
        primary_key=primary_key,
    )


accounts = Table(
    "accounts",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("email", String(254), nullable=False, unique=True),
    Column("password_hash", String(255)),
    Column("plan", String(16), nullable=False),
    Column("overage_enabled", Boolean, nullable=False),
    Column("created_at", UtcTime, nullable=False),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String(36), primary_key=True),
    _account(),
    Column("name", String(100), nullable=False),
    Column("shown", String(32), nullable=False, index=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("created_at", UtcTime, nullable=False),
    Column("last_used_at", UtcTime),
    Column("revoked_at", UtcTime),
    Index("ix_api_keys_account_id", "account_id"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    _account(),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Index("ix_sessions_account_id", "account_id"),
)

attempts = Table(
    "attempts",
    metadata,
    Column("who", String(64), primary_key=True),
    Column("window_start", UtcTime, primary_key=True),
    Column("count", Integer, nullable=False),
)

meters = Table(
    "meters",
    metadata,
    _account(primary_key=True),
    Column("meter", String(32), primary_key=True),
    Column("period", String(7), primary_key=True),
    Column("used", Integer, nullable=False),
)

meter_days = Table(
    "meter_days",
    metadata,
    _account(primary_key=True),
    Column("meter", String(32), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("used", Integer, nullable=False),
)

quotes = Table(
    "quotes",
    metadata,
    Column("id", String(36), primary_key=True),
    _account(),
    Column("status", String(16), nullable=False),
    Column("file_name", String(255), nullable=False),
    Column("geometry", JSON, nullable=False),
    Column("material_id", String(36), nullable=False),
    Column("quantity", Integer, nullable=False),
    Column("post_processing_option_ids", JSON, nullable=False),
    Column("unit_price", Money, nullable=False),
    Column("total_price", Money, nullable=False),
    Column("metal_cost", Money, nullable=False),
    Column("shell_cost", Money, nullable=False),
    Column("labor_cost", Money, nullable=False),
    Column("post_processing_cost", Money, nullable=False),
    Column("margin", Money, nullable=False),
    Column("currency", String(3), nullable=False),
    Column("lead_time_days", Integer, nullable=False),
    Column("rate_card_version", String(32), nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("process", String(100)),
    Column("order_price", JSON),
    Column("job_id", String(32), index=True),
    Index("ix_quotes_account_id_created_at_id", "account_id", "created_at", "id"),
)

idempotency = Table(
    "idempotency",
    metadata,
    _account(primary_key=True),
    Column("route", String(32), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("body_hash", String(64), nullable=False),
    Column("answer", JSON, nullable=False),
    Column("created_at", UtcTime, nullable=False),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", String(32), primary_key=True),
    _account(),
    Column("quote_id", String(36), ForeignKey("quotes.id", ondelete="SET NULL"), index=True),
    Column("status", String(16), nullable=False, index=True),
    Column("error", Text),
    Column("error_code", String(64)),
    Column("filename", String(255), nullable=False),
    Column("input_sha256", String(64), nullable=False),
    Column("options", JSON, nullable=False),
    Column("token", String(32), nullable=False, unique=True),
    Column("progress", Float, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("run", Integer, nullable=False),
    Column("worker", String(64)),
    Column("result_run", Integer),
    Column("result_sha256", String(64)),
    Column("created_at", UtcTime, nullable=False),
    Column("started_at", UtcTime),
    Column("finished_at", UtcTime),
    Column("expires_at", UtcTime, index=True),
    Column("deleted_at", UtcTime),
    Column("metered", Boolean, nullable=False, server_default=text("true")),
    Column("batch_id", String(32), index=True),
    Column("batch_number", Integer),
    Index("ix_jobs_account_id_created_at_id", "account_id", "created_at", "id"),
)

job_lines = Table(
    "job_lines",
    metadata,
    Column("job_id", String(32), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("line", Text, nullable=False),
)

calibrations = Table(
    "calibrations",
    metadata,
    _account(primary_key=True),
    Column("key", String(100), primary_key=True),
    Column("basis", String(16), nullable=False),
    Column("jobs", Integer, nullable=False),
    Column("factor", Float, nullable=False),
    Column("low", Float, nullable=False),
    Column("high", Float, nullable=False),
    Column("covered", Float, nullable=False),
    Column("error", Float, nullable=False),
    Column("error_before", Float, nullable=False),
    Column("created_at", UtcTime, nullable=False),
)

rate_cards = Table(
    "rate_cards",
    metadata,
    _account(primary_key=True),
    Column("process", String(64), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("text", Text),
    Column("created_at", UtcTime, nullable=False),
)

workers = Table(
    "workers",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("started_at", UtcTime, nullable=False),
    Column("beat_at", UtcTime, nullable=False),
)


class Store:
    """A pool of connections to one database; safe to share between threads, never across a fork."""

    def __init__(self, url: str) -> None:
        self.url = url
        parsed = make_url(url)
        self.is_sqlite = parsed.get_backend_name() == "sqlite"
        self.notice_folder = Path(parsed.database or "").parent / "notices"
        if self.is_sqlite and parsed.database:
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        self.engine = _open_sqlite(url) if self.is_sqlite else create_engine(url, pool_size=10, max_overflow=30)
        self._writing = self.engine.execution_options(fettle_writes=True)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A read-only transaction: on SQLite it neither blocks nor waits."""
        with self.engine.begin() as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A read-only transaction in which every query sees the database as the first one did."""
        with self.engine.connect() as connection:
            if not self.is_sqlite:  # where every transaction is a snapshot
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that changes something: on SQLite it queues for the write lock at its start, so that it
        can never fail half-way because another writer came in between. Notices told in it are sent after it."""
        with self._writing.begin() as connection, notices.gathered(connection) as unsent:
            yield connection
        notices.send(self.notice_folder, unsent)

    @contextmanager
    def alter(self) -> Iterator[Connection]:
        """A transaction that changes tables, one at a time however many machines start together.

        SQLite alters a table by making it anew; dropping the old one would delete, by cascade, every row that
        refers to it. So foreign keys are not enforced there while it lasts.
        """
        if not self.is_sqlite:
            with self.engine.begin() as connection:
                connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": ALTER_LOCK})
                yield connection
            return
        engine = _open_sqlite(self.url, foreign_keys=False).execution_options(fettle_writes=True)
        try:
            with engine.begin() as connection:
                yield connection
        finally:
            engine.dispose()

    def shrink(self) -> None:
        """Give the room of removed rows back to the disk. PostgreSQL sees to it itself; a SQLite file that 0.1 made
        keeps its size, and new rows take the room."""
        if not self.is_sqlite:
            return
        pooled = self.engine.raw_connection()
        try:
            # As a script, because a single statement is stepped once by the driver, and a step frees one page.
            script = "PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)"
            cast(sqlite3.Connection, pooled.driver_connection).executescript(script)
        finally:
            pooled.close()

    def close(self) -> None:
        self.engine.dispose()


def connect_ahead(engine: Engine, threads: int) -> None:
    """Fill the pool with one connection per thread. A pool that fills by chance, hours later, looks like a leak to
    whoever watches open files."""
    with ExitStack() as held:
        for _ in range(threads):
            held.enter_context(engine.connect())


def insert_into(connection: Connection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """An insert that may say what to do about a row that is there already (`on_conflict_...`)."""
    in_use = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")  # the other one is never loaded
    statement: sqlite.Insert | postgresql.Insert = in_use.insert(table)
    return statement


def _open_sqlite(url: str, *, foreign_keys: bool = True) -> Engine:
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_MS / 1000}, pool_size=10, max_overflow=30)

    @event.listens_for(engine, "connect")
    def _configure(connection: sqlite3.Connection, _record: object) -> None:
        # The driver's own BEGIN comes too late and never as IMMEDIATE: it is switched off, `_begin` says it.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        if cursor.execute("PRAGMA page_count").fetchone() == (0,):
            # See `shrink`. Only an empty file takes it; asked of another, it would wait for whoever writes.
            cursor.execute("PRAGMA auto_vacuum = INCREMENTAL")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("fettle_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine
