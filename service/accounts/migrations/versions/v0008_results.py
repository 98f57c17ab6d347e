"""Results by address, and requests that are answered once."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "results",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("headers", sa.Text, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_results"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_results_user_id", ondelete="CASCADE"),
    )
    op.create_table(
        "idempotency_keys",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("result_id", sa.Uuid),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_idempotency_keys"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_idempotency_keys_user_id", ondelete="CASCADE"
        ),
    )
    for table in ("results", "idempotency_keys"):
        op.create_index(f"ix_{table}_user_id", table, ["user_id"])
        op.create_index(f"ix_{table}_expires_at", table, ["expires_at"])
