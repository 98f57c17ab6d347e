"""Scopes and origins of API keys; older keys have every scope."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("api_keys") as table:
        table.add_column(sa.Column("scopes", sa.String(100)))
        table.add_column(sa.Column("origins", sa.Text))
