"""Rule packs of accounts, every version kept, and thresholds tried on an analysis."""

import sqlalchemy as sa
from alembic import op

from fettle.app.state.store import UtcTime

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rule_packs",
        sa.Column("account_id", sa.String(length=36), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text()),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_rule_packs_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", "key", "number", name="pk_rule_packs"),
    )
    op.create_table(
        "what_ifs",
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("process", sa.String(length=140), nullable=False),
        sa.Column("overrides", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name="fk_what_ifs_job_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("job_id", "process", name="pk_what_ifs"),
    )


def downgrade() -> None:
    op.drop_table("what_ifs")
    op.drop_table("rule_packs")
