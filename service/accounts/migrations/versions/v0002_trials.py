"""Rows written to find out whether the database can be written to."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "trials",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("filler", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_trials"),
    )
