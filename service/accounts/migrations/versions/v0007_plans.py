"""Plans by any name."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        # The constraint's name depends on Alembic's naming at the time.
        for constraint in sa.inspect(op.get_bind()).get_check_constraints("subscriptions"):
            op.drop_constraint(op.f(str(constraint["name"])), "subscriptions")
        return
    # SQLite cannot drop a constraint, so copy the table; nothing refers to it.
    op.rename_table("subscriptions", "subscriptions_of_two_plans")
    op.create_table(
        "subscriptions",
        sa.Column("user_id", sa.Uuid, nullable=False),
        sa.Column("plan", sa.String(16), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("user_id", name="pk_subscriptions"),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_subscriptions_user_id", ondelete="CASCADE"
        ),
    )
    op.execute("INSERT INTO subscriptions SELECT user_id, plan, until FROM subscriptions_of_two_plans")
    op.drop_table("subscriptions_of_two_plans")
