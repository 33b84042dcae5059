"""What was done to accounts, and how long jobs and their stages took."""

import sqlalchemy as sa
from alembic import op

from fettle.app.state.store import UtcTime

revision = "0020"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("action", sa.String(length=32), nullable=False),
        sa.Column("account_id", sa.String(length=36)),
        sa.Column("request_id", sa.String(length=32)),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit_log"),
    )
    op.create_index("ix_audit_log_at", "audit_log", ["at"])
    op.create_index("ix_audit_log_account_id", "audit_log", ["account_id"])
    op.create_table(
        "job_timings",
        sa.Column("metric", sa.String(length=32), nullable=False),
        sa.Column("label", sa.String(length=64), nullable=False),
        sa.Column("bucket_s", sa.Float(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("sum_s", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("metric", "label", "bucket_s", name="pk_job_timings"),
    )


def downgrade() -> None:
    op.drop_table("job_timings")
    op.drop_table("audit_log")
