"""Quotes that are sent: customer, reference, validity and terms; the job of a quote; settings of an account."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

quotes = sa.table("quotes", sa.column("id"), sa.column("job_id"), sa.column("order_price", sa.JSON()))


def upgrade() -> None:
    op.create_table(
        "account_settings",
        sa.Column("account_id", sa.String(length=36), nullable=False),
        sa.Column("retention_days", sa.Float()),
        sa.Column("shows_margin", sa.Boolean(), nullable=False),
        sa.Column("quote_name", sa.String(length=200), nullable=False),
        sa.Column("quote_terms", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_account_settings_account_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("account_id", name="pk_account_settings"),
    )
    op.create_table(
        "quote_letters",
        sa.Column("quote_id", sa.String(length=36), nullable=False),
        sa.Column("customer", sa.String(length=200), nullable=False),
        sa.Column("reference", sa.String(length=100), nullable=False),
        sa.Column("valid_until", sa.Date(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("seller", sa.String(length=200), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("breaks", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["quote_id"], ["quotes.id"], name="fk_quote_letters_quote_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("quote_id", name="pk_quote_letters"),
    )
    # Not a foreign key: a quote stays when its analysis is gone.
    op.add_column("quotes", sa.Column("job_id", sa.String(length=32)))
    op.create_index("ix_quotes_job_id", "quotes", ["job_id"])
    connection = op.get_bind()
    for row in connection.execute(sa.select(quotes.c.id, quotes.c.order_price)).all():
        if row.order_price is not None:
            job_id = row.order_price["foundation"]["job_id"]
            connection.execute(quotes.update().where(quotes.c.id == row.id).values(job_id=job_id))


def downgrade() -> None:
    op.drop_index("ix_quotes_job_id", "quotes")
    with op.batch_alter_table("quotes") as batch:
        batch.drop_column("job_id")
    op.drop_table("quote_letters")
    op.drop_table("account_settings")
