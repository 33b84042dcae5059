"""Units used day by day, for the dashboard's bars."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "meter_days",
        sa.Column("account_id", sa.String(length=36), nullable=False),
        sa.Column("meter", sa.String(length=32), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_meter_days_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "meter", "day", name="pk_meter_days"),
    )


def downgrade() -> None:
    op.drop_table("meter_days")
