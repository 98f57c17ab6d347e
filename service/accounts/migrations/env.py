"""What Alembic runs: always on the connection, and within the transaction, that `migration.upgrade` holds."""

from alembic import context

from service.accounts.tables import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True
)
context.run_migrations()
