"""Jobs that were sent together, and which of the files each is."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("batch_id", sa.String(length=32)))
    op.add_column("jobs", sa.Column("batch_number", sa.Integer()))
    op.create_index("ix_jobs_batch_id", "jobs", ["batch_id"])


def downgrade() -> None:
    op.drop_index("ix_jobs_batch_id", "jobs")
    op.drop_column("jobs", "batch_number")
    op.drop_column("jobs", "batch_id")
