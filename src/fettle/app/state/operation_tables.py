"""Tables for those who run the service: what was done to accounts, how long jobs took, and calls to deliver."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Float, ForeignKey, Integer, String, Table, Text

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

webhooks = Table(
    "webhooks",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("account_id", String(36), ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("url", String(2000), nullable=False),
    Column("secret", String(64), nullable=False),
    Column("created_at", UtcTime, nullable=False),
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("webhook_id", String(36), ForeignKey("webhooks.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("event", String(32), nullable=False),
    Column("body", Text, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    # When it is due; none once it was delivered or given up.
    Column("next_at", UtcTime, index=True),
    Column("attempts", Integer, nullable=False),
    Column("delivered_at", UtcTime),
    Column("outcome", String(64)),
)
