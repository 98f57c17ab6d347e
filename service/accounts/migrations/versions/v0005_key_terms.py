"""Names, ends and last uses of API keys."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("api_keys", sa.Column("name", sa.String(100)))
    op.add_column("api_keys", sa.Column("expires_at", MOMENT))
    op.add_column("api_keys", sa.Column("last_used_at", MOMENT))
