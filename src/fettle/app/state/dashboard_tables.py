"""Tables of what people keep in the dashboard, beside those of `store`."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Date, Float, ForeignKey, Index, Integer, String, Table, Text

from fettle.app.state.store import UtcTime, metadata


def _owner(*, primary_key: bool = False) -> Column[str]:
    account = ForeignKey("accounts.id", ondelete="CASCADE")
    return Column("account_id", String(36), account, nullable=False, primary_key=primary_key)


def _of_job() -> Column[str]:
    return Column("job_id", String(32), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)


share_links = Table(
    "share_links",
    metadata,
    Column("id", String(36), primary_key=True),
    _owner(),
    Column("job_id", String(32), ForeignKey("jobs.id", ondelete="CASCADE"), index=True),
    Column("quote_id", String(36), ForeignKey("quotes.id", ondelete="CASCADE"), index=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("created_at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Column("revoked_at", UtcTime),
    Index("ix_share_links_account_id", "account_id"),
)
"""Of each link one of `job_id` and `quote_id` is set."""

account_settings = Table(
    "account_settings",
    metadata,
    _owner(primary_key=True),
    Column("retention_days", Float),
    Column("shows_margin", Boolean, nullable=False),
    Column("quote_name", String(200), nullable=False),
    Column("quote_terms", Text, nullable=False),
)

quote_letters = Table(
    "quote_letters",
    metadata,
    Column("quote_id", String(36), ForeignKey("quotes.id", ondelete="CASCADE"), primary_key=True),
    Column("customer", String(200), nullable=False),
    Column("reference", String(100), nullable=False),
    Column("valid_until", Date, nullable=False),
    Column("notes", Text, nullable=False),
    Column("seller", String(200), nullable=False),
    Column("terms", Text, nullable=False),
    Column("breaks", JSON, nullable=False),
)

job_summaries = Table(
    "job_summaries",
    metadata,
    _of_job(),
    Column("headline", Text, nullable=False),
    Column("size_mm", JSON, nullable=False),
    Column("largest_mm", Float, nullable=False),
    Column("volume_cm3", Float),
    Column("verdicts", JSON, nullable=False),
    Column("severity", String(16), nullable=False),
)

job_tags = Table(
    "job_tags",
    metadata,
    _of_job(),
    Column("tag", String(40), primary_key=True, index=True),
)

rule_packs = Table(
    "rule_packs",
    metadata,
    _owner(primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("text", Text),
    Column("created_at", UtcTime, nullable=False),
)

what_ifs = Table(
    "what_ifs",
    metadata,
    _of_job(),
    Column("process", String(140), primary_key=True),
    Column("overrides", JSON, nullable=False),
)
