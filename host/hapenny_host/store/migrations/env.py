"""What alembic runs for a migration: on the connection that migrate.py gives it, in its transaction."""

from alembic import context

from hapenny_host.store import schema

context.configure(
    connection=context.config.attributes["connection"], target_metadata=schema.metadata, render_as_batch=True
)
context.run_migrations()
