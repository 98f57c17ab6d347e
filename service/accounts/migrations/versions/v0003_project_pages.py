"""An index that gives a user's projects in the order they are listed in, without sorting them."""

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_projects_pages", "projects", ["user_id", "created_at", "id"])
    op.drop_index("ix_projects_user_id", "projects")
