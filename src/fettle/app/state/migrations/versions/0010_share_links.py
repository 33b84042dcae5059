"""Links that show one report or quote to whoever has them."""

import sqlalchemy as sa
from alembic import op

from fettle.app.state.store import UtcTime

revision = "0010"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "share_links",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("account_id", sa.String(length=36), nullable=False),
        sa.Column("job_id", sa.String(length=32)),
        sa.Column("quote_id", sa.String(length=36)),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("expires_at", UtcTime(), nullable=False),
        sa.Column("revoked_at", UtcTime()),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_share_links_account_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name="fk_share_links_job_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["quote_id"], ["quotes.id"], name="fk_share_links_quote_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_share_links"),
        sa.UniqueConstraint("token_hash", name="uq_share_links_token_hash"),
    )
    for column in ("account_id", "job_id", "quote_id"):
        op.create_index(f"ix_share_links_{column}", "share_links", [column])


def downgrade() -> None:
    op.drop_table("share_links")
