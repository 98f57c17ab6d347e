"""Ids of link secrets; keys have none until one is issued."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("api_keys") as table:
        table.add_column(sa.Column("link_id", sa.String(12)))
        table.create_index("ix_api_keys_link_id", ["link_id"], unique=True)
