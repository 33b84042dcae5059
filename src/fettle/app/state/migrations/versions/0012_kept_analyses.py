"""Lists of analyses (what they found, tags), deleting that can be undone, jobs that are not counted."""

import sqlalchemy as sa
from alembic import op

from fettle.app.state.store import UtcTime

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "job_summaries",
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("headline", sa.Text(), nullable=False),
        sa.Column("size_mm", sa.JSON(), nullable=False),
        sa.Column("largest_mm", sa.Float(), nullable=False),
        sa.Column("volume_cm3", sa.Float()),
        sa.Column("verdicts", sa.JSON(), nullable=False),
        sa.Column("severity", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name="fk_job_summaries_job_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("job_id", name="pk_job_summaries"),
    )
    op.create_table(
        "job_tags",
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("tag", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name="fk_job_tags_job_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("job_id", "tag", name="pk_job_tags"),
    )
    op.create_index("ix_job_tags_tag", "job_tags", ["tag"])
    op.add_column("jobs", sa.Column("deleted_at", UtcTime()))
    op.add_column("jobs", sa.Column("metered", sa.Boolean(), nullable=False, server_default=sa.true()))


def downgrade() -> None:
    with op.batch_alter_table("jobs") as batch:
        batch.drop_column("metered")
        batch.drop_column("deleted_at")
    op.drop_table("job_tags")
    op.drop_table("job_summaries")
