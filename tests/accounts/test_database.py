import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import bindparam, delete, event, insert, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError

from service.accounts import database as module
from service.accounts.database import Database, database_url
from service.accounts.errors import AccountError
from service.accounts.store import Accounts, User
from service.accounts.tables import now, users
from service.config import Config
from service.errors import Code, MockupError
from tests.support.waiting import PATIENCE_S

WRITER = """
import itertools, sys
from pathlib import Path
from uuid import uuid4
from service.accounts.store import Accounts
from service.config import Config
accounts = Accounts(Config(data_dir=Path(sys.argv[1])))
user = accounts.users.list()[0]
for number in itertools.count():
    project = accounts.projects.save(user.id, f"{number}", {"number": number})
    print("project", project.id, number, flush=True)
    print("key", accounts.keys.issue(user.id), flush=True)
"""


def test_sqlite_commits_are_durable(accounts: Accounts) -> None:
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5000}
    with accounts.database.write() as connection:
        found = {name: connection.execute(text(f"PRAGMA {name}")).scalar() for name in wanted}
    assert found == wanted


@pytest.mark.long
def test_kill_9_in_the_middle_of_writes_loses_nothing(tmp_path: Path) -> None:
    config = Config(data_dir=tmp_path / "var", max_projects=100_000)
    with Accounts(config) as accounts:
        accounts.upgrade()
        accounts.users.add("ada@example.com")
    for _ in range(3):
        command = [sys.executable, "-c", WRITER, str(config.data_dir)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            lines = [writer.stdout.readline() for _ in range(60)]
            writer.kill()
            lines += writer.stdout.readlines()
        with Accounts(config) as accounts:
            for line in filter(lambda line: line.endswith("\n"), lines):
                match line.split():
                    case ["project", project_id, number]:
                        project = accounts.projects.get(project_id)
                        assert project is not None
                        assert project.settings == {"number": int(number)}
                    case ["key", key]:
                        assert accounts.authenticate(key) is not None
                    case other:
                        pytest.fail(f"unexpected {other}")
            with accounts.database.read() as connection:
                assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"


def test_files_are_readable_by_their_owner_only(accounts: Accounts, config: Config, user: User) -> None:
    assert config.data_dir.stat().st_mode & 0o777 == 0o700
    files = sorted(config.data_dir.iterdir())
    assert [file.name for file in files] == ["key.secret", "mockup.db", "mockup.db-shm", "mockup.db-wal"]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_permissions_of_an_open_database_are_tightened(tmp_path: Path) -> None:
    file = tmp_path / "open.db"
    file.touch(0o644)
    Accounts(Config(data_dir=tmp_path, database_url=f"sqlite:///{file}")).close()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_locked_database_is_busy_and_recovers(
    accounts: Accounts, config: Config, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PRAGMAS", ("busy_timeout = 50", *module.PRAGMAS[1:]))
    key = accounts.keys.issue(user.id)
    other = sqlite3.connect(config.data_dir / "mockup.db", isolation_level=None)
    with Accounts(config) as hasty:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(MockupError) as caught:
            hasty.projects.save(user.id, "x", {})
        assert caught.value.code is Code.SERVER_BUSY
        assert caught.value.retry_after == 1
        assert hasty.authenticate(key) is not None, "who only reads does not wait for who writes"
        other.execute("ROLLBACK")
        assert hasty.projects.save(user.id, "x", {}).name == "x"
    other.close()


@pytest.mark.usefixtures("accounts")
def test_writers_wait_for_each_other(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    # SQLite does not queue writers, so one of them may wait a long time on a slow disk.
    patience = int(PATIENCE_S * 1000)
    monkeypatch.setattr(module, "DATABASE_MS", patience)
    monkeypatch.setattr(module, "PRAGMAS", (f"busy_timeout = {patience}", *module.PRAGMAS[1:]))
    with Accounts(config) as accounts:

        def add(worker: int) -> None:
            for number in range(10):
                accounts.users.add(f"user{worker}-{number}@example.com")

        with ThreadPoolExecutor(6) as pool:
            list(pool.map(add, range(6)))
        assert len(accounts.users.list()) == 60


def test_a_failed_block_leaves_nothing_behind(accounts: Accounts, user: User) -> None:
    def fail() -> None:
        with accounts.database.write() as connection:
            connection.execute(text("DELETE FROM users"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert accounts.users.list() == [user]


def test_errors_do_not_quote_stored_values(accounts: Accounts) -> None:
    with pytest.raises(IntegrityError) as caught, accounts.database.write() as connection:
        connection.execute(text("INSERT INTO users (id, email) VALUES (1, :email)"), {"email": "ada@secret"})
    assert "ada@secret" not in str(caught.value)


def test_errors_name_a_folder_that_cannot_be_created(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(AccountError, match=r"the folder .*file/var cannot be created: Not a directory"):
        Accounts(Config(data_dir=tmp_path / "file" / "var"))


def test_an_empty_secret_is_refused(tmp_path: Path) -> None:
    (tmp_path / "key.secret").touch()
    with pytest.raises(AccountError, match=r"key\.secret is empty"):
        Accounts(Config(data_dir=tmp_path))


def test_addresses() -> None:
    assert database_url(Config(data_dir=Path("/data"))) == make_url("sqlite:////data/mockup.db")
    url = database_url(Config(database_url="postgresql://mockup:hunter2@db/mockup"))
    assert url.get_backend_name() == "postgresql"
    assert "hunter2" not in repr(Config(database_url="postgresql://mockup:hunter2@db/mockup"))


def test_an_unreachable_server_is_busy() -> None:
    database = Database(make_url("postgresql://mockup@127.0.0.1:1/mockup?connect_timeout=1"))
    with pytest.raises(MockupError) as caught, database.read():
        pass
    assert caught.value.code is Code.SERVER_BUSY
    with pytest.raises(MockupError) as caught:
        database.first(text("SELECT 1"))
    assert caught.value.code is Code.SERVER_BUSY


def test_a_single_row_is_read_without_a_transaction(accounts: Accounts, user: User) -> None:
    statement = select(users.c.email).where(users.c.id == bindparam("name"))
    sent: list[str] = []
    event.listen(
        accounts.database.engine, "before_cursor_execute", lambda *told: sent.append(told[2].split()[0])
    )
    row = accounts.database.first(statement, {"name": user.id})
    assert (row and row.email, sent) == (user.email, ["SELECT"])


def test_a_single_row_in_a_write_is_read_by_its_transaction(accounts: Accounts) -> None:
    statement = select(users.c.email)
    with accounts.database.write() as connection:
        connection.execute(insert(users).values(id=uuid4(), email="grace@example.com", created_at=now()))
        row = accounts.database.first(statement)
        assert row is not None
        connection.execute(delete(users))
    assert accounts.database.first(statement) is None
