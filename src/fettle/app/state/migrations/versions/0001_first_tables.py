"""First tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from fettle.app.state.store import Money, UtcTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("password_hash", sa.String(length=255), nullable=True),
        sa.Column("plan", sa.String(length=16), nullable=False),
        sa.Column("overage_enabled", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("email", name="uq_accounts_email"),
    )
    op.create_table(
        "attempts",
        sa.Column("who", sa.String(length=64), nullable=False),
        sa.Column("window_start", UtcTime(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("who", "window_start", name="pk_attempts"),
    )
    op.create_table(
        "workers",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("started_at", UtcTime(), nullable=False),
        sa.Column("beat_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_workers"),
    )
    op.create_table(
        "api_keys",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("account_id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("shown", sa.String(length=32), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("last_used_at", UtcTime(), nullable=True),
        sa.Column("revoked_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_api_keys_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
        sa.UniqueConstraint("hash", name="uq_api_keys_hash"),
    )
    op.create_index("ix_api_keys_account_id", "api_keys", ["account_id"])
    op.create_index("ix_api_keys_shown", "api_keys", ["shown"])

    op.create_table(
        "idempotency",
        sa.Column("account_id", sa.String(length=36), nullable=False),
        sa.Column("route", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("body_hash", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_idempotency_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "route", "key", name="pk_idempotency"),
    )
    op.create_table(
        "meters",
        sa.Column("account_id", sa.String(length=36), nullable=False),
        sa.Column("meter", sa.String(length=32), nullable=False),
        sa.Column("period", sa.String(length=7), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_meters_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "meter", "period", name="pk_meters"),
    )
    op.create_table(
        "quotes",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("account_id", sa.String(length=36), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("file_name", sa.String(length=255), nullable=False),
        sa.Column("geometry", sa.JSON(), nullable=False),
        sa.Column("material_id", sa.String(length=36), nullable=False),
        sa.Column("quantity", sa.Integer(), nullable=False),
        sa.Column("post_processing_option_ids", sa.JSON(), nullable=False),
        sa.Column("unit_price", Money(), nullable=False),
        sa.Column("total_price", Money(), nullable=False),
        sa.Column("metal_cost", Money(), nullable=False),
        sa.Column("shell_cost", Money(), nullable=False),
        sa.Column("labor_cost", Money(), nullable=False),
        sa.Column("post_processing_cost", Money(), nullable=False),
        sa.Column("margin", Money(), nullable=False),
        sa.Column("currency", sa.String(length=3), nullable=False),
        sa.Column("lead_time_days", sa.Integer(), nullable=False),
        sa.Column("rate_card_version", sa.String(length=32), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_quotes_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_quotes"),
    )
    op.create_index("ix_quotes_account_id_created_at_id", "quotes", ["account_id", "created_at", "id"])

    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=36), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("expires_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_sessions_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name="pk_sessions"),
    )
    op.create_index("ix_sessions_account_id", "sessions", ["account_id"])

    op.create_table(
        "jobs",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=36), nullable=False),
        sa.Column("quote_id", sa.String(length=36), nullable=True),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("error_code", sa.String(length=64), nullable=True),
        sa.Column("filename", sa.String(length=255), nullable=False),
        sa.Column("input_sha256", sa.String(length=64), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("token", sa.String(length=32), nullable=False),
        sa.Column("progress", sa.Float(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(length=64), nullable=True),
        sa.Column("result_run", sa.Integer(), nullable=True),
        sa.Column("result_sha256", sa.String(length=64), nullable=True),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("started_at", UtcTime(), nullable=True),
        sa.Column("finished_at", UtcTime(), nullable=True),
        sa.Column("expires_at", UtcTime(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_jobs_account_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["quote_id"], ["quotes.id"], name="fk_jobs_quote_id", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
        sa.UniqueConstraint("token", name="uq_jobs_token"),
    )
    op.create_index("ix_jobs_account_id_created_at_id", "jobs", ["account_id", "created_at", "id"])
    op.create_index("ix_jobs_expires_at", "jobs", ["expires_at"])
    op.create_index("ix_jobs_quote_id", "jobs", ["quote_id"])
    op.create_index("ix_jobs_status", "jobs", ["status"])

    op.create_table(
        "job_lines",
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name="fk_job_lines_job_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("job_id", "number", name="pk_job_lines"),
    )


def downgrade() -> None:
    for table in (
        "job_lines",
        "jobs",
        "sessions",
        "quotes",
        "meters",
        "idempotency",
        "api_keys",
        "workers",
        "attempts",
        "accounts",
    ):
        op.drop_table(table)
