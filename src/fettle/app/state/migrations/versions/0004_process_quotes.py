"""Quotes by a named process: the process, and the price with its lines."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("quotes", sa.Column("process", sa.String(length=100)))
    op.add_column("quotes", sa.Column("order_price", sa.JSON()))


def downgrade() -> None:
    with op.batch_alter_table("quotes") as batch:
        batch.drop_column("order_price")
        batch.drop_column("process")
