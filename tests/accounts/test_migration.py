import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import column, insert, select, table, text

from service.accounts import migration
from service.accounts.errors import AccountError
from service.accounts.store import Accounts
from service.accounts.tables import metadata
from service.config import Config

pytestmark = pytest.mark.long

UPGRADE = """
import sys
from pathlib import Path
from service.accounts.store import Accounts
from service.config import Config
print("ready", flush=True)
sys.stdin.readline()
with Accounts(Config(data_dir=Path(sys.argv[1]))) as accounts:
    accounts.upgrade()
    print(accounts.keys.issue(accounts.users.add(sys.argv[2]).id))
"""


def test_the_newest_migration_is_known() -> None:
    scripts = ScriptDirectory(str(migration.MIGRATIONS))
    assert scripts.get_heads() == [migration.HEAD]


def test_the_migrations_make_the_declared_tables(accounts: Accounts) -> None:
    with accounts.database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_upgrading_again_changes_nothing(accounts: Accounts) -> None:
    user = accounts.users.add("ada@example.com")
    accounts.upgrade()
    assert accounts.users.list() == [user]
    assert migration.revision(accounts.database) == migration.HEAD


def test_processes_that_start_at_once_upgrade_once(tmp_path: Path) -> None:
    emails = [f"user{number}@example.com" for number in range(4)]
    commands = [[sys.executable, "-c", UPGRADE, str(tmp_path / "var"), email] for email in emails]
    processes = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for command in commands
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    keys = [process.communicate()[0].strip() for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes)
    with Accounts(Config(data_dir=tmp_path / "var")) as accounts:
        assert [user.email for user in accounts.users.list()] == emails
        callers = [accounts.authenticate(key) for key in keys]
        assert [caller and caller.email for caller in callers] == emails, "all use the same secret"
    assert {file.name for file in (tmp_path / "var").iterdir()} <= {
        "mockup.db",
        "mockup.db-wal",
        "mockup.db-shm",
        "key.secret",
    }, "nothing half made is left lying about"


def test_a_migration_that_fails_changes_nothing(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    from alembic import op

    monkeypatch.setattr(op, "create_index", lambda *_: 1 / 0)
    with Accounts(config) as accounts:
        with pytest.raises(ZeroDivisionError):
            accounts.upgrade()
        with accounts.database.read() as connection:
            assert connection.execute(text("SELECT name FROM sqlite_master")).all() == []
        monkeypatch.undo()
        accounts.upgrade()
        assert accounts.users.list() == []


def upgrade_to(revision: str, accounts: Accounts) -> None:
    """Upgrade an empty database to an older version."""
    from alembic import command
    from alembic.config import Config as AlembicConfig

    alembic = AlembicConfig()
    alembic.set_main_option("script_location", str(migration.MIGRATIONS))
    alembic.attributes["metadata"] = metadata
    with accounts.database.change_tables() as connection:
        alembic.attributes["connection"] = connection
        command.upgrade(alembic, revision)


def test_the_rows_of_the_first_version_are_kept(config: Config) -> None:
    user, at = uuid.uuid4().hex, "2026-01-02 03:04:05.000000"
    rows: dict[str, dict[str, str | None]] = {
        "users": {"id": user, "email": "ada@example.com", "created_at": at},
        "subscriptions": {"user_id": user, "plan": "pro", "until": at},
        "api_keys": {
            "prefix": 16 * "a", "hash": 64 * "b", "user_id": user, "created_at": at, "revoked_at": None,
        },
        "projects": {
            "id": uuid.uuid4().hex, "user_id": user, "name": "Launch", "settings": "{}", "created_at": at,
            "updated_at": at,
        },
    }  # fmt: skip
    with Accounts(config) as accounts:
        upgrade_to("0001", accounts)
        with accounts.database.write() as connection:
            for name, row in rows.items():
                connection.execute(insert(table(name, *map(column, row))), row)
        accounts.upgrade()
        with accounts.database.read() as connection:
            for name, row in rows.items():
                found = (
                    connection.execute(select(*map(column, row)).select_from(table(name))).mappings().all()
                )
                assert [dict(one) for one in found] == [row]


def test_projects_are_kept_when_they_get_more_parts(config: Config) -> None:
    added = text(
        "INSERT INTO projects (id, user_id, name, settings, created_at, updated_at) "
        "VALUES (:id, :user, 'Launch', :settings, :at, :at)"
    )
    settings, at = '{"device": "auto"}', "2026-01-02 03:04:05"
    with Accounts(config) as accounts:
        upgrade_to("0011", accounts)
        user, project = accounts.users.add("ada@example.com"), uuid.uuid4()
        with accounts.database.write() as connection:
            row = {"id": project.hex, "user": user.id.hex, "settings": settings, "at": at}
            connection.execute(added, row)
        accounts.upgrade()
        (kept,) = accounts.projects.list(user.id)
        assert (kept.id, kept.name, kept.settings, kept.parts) == (project, "Launch", {"device": "auto"}, {})


def test_a_newer_database_is_left_alone(accounts: Accounts) -> None:
    with accounts.database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(AccountError, match="version 9999, newer"):
        accounts.upgrade()


def test_an_upgrade_writes_one_line(tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
from service import logs
from service.accounts.store import Accounts
from service.config import Config
config = Config(data_dir=Path(sys.argv[1]))
logs.configure(config)
for _ in range(2):
    with Accounts(config) as accounts:
        accounts.upgrade()
"""
    run = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "data")], capture_output=True, text=True, check=True
    )
    (line,) = run.stderr.splitlines()
    assert f"the database's tables were upgraded to version {migration.HEAD}" in line
