"""What alembic runs: our tables alone, in batch mode because SQLite cannot alter a table in place."""

from __future__ import annotations

from alembic import context

from fettle.app.state.tables import metadata


def include_name(name: str | None, kind: str, _parents: object) -> bool:
    """The job engine keeps its own tables in the same database; they are not ours to touch."""
    return kind != "table" or name in metadata.tables


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    include_name=include_name,
)
with context.begin_transaction():
    context.run_migrations()
