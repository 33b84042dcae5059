"""Factors that accounts learned from their past jobs."""

import sqlalchemy as sa
from alembic import op

from fettle.app.state.store import UtcTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "calibrations",
        sa.Column("account_id", sa.String(length=36), nullable=False),
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("basis", sa.String(length=16), nullable=False),
        sa.Column("jobs", sa.Integer(), nullable=False),
        sa.Column("factor", sa.Float(), nullable=False),
        sa.Column("low", sa.Float(), nullable=False),
        sa.Column("high", sa.Float(), nullable=False),
        sa.Column("covered", sa.Float(), nullable=False),
        sa.Column("error", sa.Float(), nullable=False),
        sa.Column("error_before", sa.Float(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_calibrations_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "key", name="pk_calibrations"),
    )


def downgrade() -> None:
    op.drop_table("calibrations")
