"""Tables for those who run the service: what was done to accounts, how long jobs took, and calls to deliver."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Float, Integer, String, Table

from fettle.app.state.store import UtcTime, metadata

audit_log = Table(
    "audit_log",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", UtcTime, nullable=False, index=True),
    Column("action", String(32), nullable=False),
    # No foreign key: what was done to an account outlives it.
    Column("account_id", String(36), index=True),
    Column("request_id", String(32)),
    Column("detail", JSON, nullable=False),
)

job_timings = Table(
    "job_timings",
    metadata,
    Column("metric", String(32), primary_key=True),
    Column("label", String(64), primary_key=True),
    Column("bucket_s", Float, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("sum_s", Float, nullable=False),
)
