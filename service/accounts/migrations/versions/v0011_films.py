"""Recordings and films, which expire."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "recordings",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.Column("length", sa.Float, nullable=False),
        sa.Column("fps", sa.Float, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_recordings"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_recordings_user_id", ondelete="CASCADE"),
    )
    op.create_table(
        "films",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("recording_id", sa.Uuid, nullable=False),
        sa.Column("frame", sa.Integer, nullable=False),
        sa.Column("frames", sa.Integer, nullable=False),
        sa.Column("fps", sa.Integer, nullable=False),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("outcome", sa.Text),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("claim", sa.Uuid),
        sa.Column("due", MOMENT),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("started_at", MOMENT),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("webhook", sa.Text),
        sa.Column("webhook_due", MOMENT),
        sa.Column("webhook_tries", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_films"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_films_user_id", ondelete="CASCADE"),
    )
    for table in ("recordings", "films"):
        op.create_index(f"ix_{table}_user_id", table, ["user_id"])
        op.create_index(f"ix_{table}_expires_at", table, ["expires_at"])
    op.create_index("ix_films_status", "films", ["status", "created_at"])
