"""Users, subscriptions, API keys and saved projects."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("email", name="uq_users_email"),
    )
    op.create_table(
        "subscriptions",
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("plan", sa.String(16), nullable=False),
        sa.Column("until", MOMENT),
        sa.PrimaryKeyConstraint("user_id", name="pk_subscriptions"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_subscriptions_user_id", ondelete="CASCADE"
        ),
        sa.CheckConstraint("plan IN ('pro', 'free')", name="ck_subscriptions_plan"),
    )
    op.create_table(
        "api_keys",
        sa.Column("prefix", sa.String(16), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("revoked_at", MOMENT),
        sa.PrimaryKeyConstraint("prefix", name="pk_api_keys"),
        sa.UniqueConstraint("hash", name="uq_api_keys_hash"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_api_keys_user_id", ondelete="CASCADE"),
    )
    op.create_index("ix_api_keys_user_id", "api_keys", ["user_id"])
    op.create_table(
        "projects",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_projects"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_projects_user_id", ondelete="CASCADE"),
    )
    op.create_index("ix_projects_user_id", "projects", ["user_id"])
