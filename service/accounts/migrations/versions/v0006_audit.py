"""The administrators' changes, in a table that can only grow."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

SQLITE = """
CREATE TRIGGER audit_no_{event} BEFORE {event} ON audit
BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
"""
POSTGRESQL = (
    """
    CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the audit is append-only'; END $$
    """,
    """
    CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only()
    """,
)


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(300), nullable=False),
        sa.Column("key_prefix", sa.String(16)),
        sa.Column("request_id", sa.String(128)),
        sa.Column("action", sa.String(32), nullable=False),
        sa.Column("target", sa.String(300), nullable=False),
        sa.Column("details", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_index("ix_audit_at", "audit", ["at", "id"])
    if op.get_bind().dialect.name == "sqlite":
        statements = tuple(SQLITE.format(event=event) for event in ("UPDATE", "DELETE"))
    else:
        statements = POSTGRESQL
    for statement in statements:
        op.execute(statement)
