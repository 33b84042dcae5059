"""Rate cards of accounts, every version kept."""

import sqlalchemy as sa
from alembic import op

from fettle.app.state.store import UtcTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rate_cards",
        sa.Column("account_id", sa.String(length=36), nullable=False),
        sa.Column("process", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text()),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_rate_cards_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "process", "number", name="pk_rate_cards"),
    )


def downgrade() -> None:
    op.drop_table("rate_cards")
