"""Alembic's entry point; it uses the connection and the transaction that `migration.upgrade` holds."""

from alembic import context

given = context.config.attributes
context.configure(connection=given["connection"], target_metadata=given["metadata"], render_as_batch=True)
context.run_migrations()
