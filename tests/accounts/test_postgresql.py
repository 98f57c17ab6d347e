"""The accounts on PostgreSQL, if its programs are installed; they must behave as with SQLite."""

import signal
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import delete, text, update
from sqlalchemy.exc import SQLAlchemyError

from service.accounts import database, migration
from service.accounts.administration import Administration
from service.accounts.audit import Actor
from service.accounts.errors import AccountError
from service.accounts.store import Accounts, Upload
from service.accounts.tables import audit, metadata, uploads
from service.accounts.uploads import KIND
from service.config import Config
from service.errors import Code, MockupError
from tests.support.live import ONE_AT_ONCE, Answer, running
from tests.support.stores import INITDB, POSTGRES, PostgreSQL, postgresql
from tests.support.waiting import until

pytestmark = pytest.mark.long

GONE = "database unavailable, only recently used keys are accepted"
BACK = "database available again"


@pytest.fixture
def server() -> Iterator[PostgreSQL]:
    """A separate server, reached through a socket in its own folder."""
    if INITDB is None or POSTGRES is None:
        pytest.skip("PostgreSQL is not installed")
    with postgresql() as server:
        yield server


@pytest.fixture
def config(server: PostgreSQL, tmp_path: Path) -> Config:
    return Config(database_url=server.url, data_dir=tmp_path, max_projects=3)


def test_the_accounts_behave_as_on_sqlite(config: Config) -> None:
    with Accounts(config) as first, Accounts(config) as second, ThreadPoolExecutor(2) as pool:
        # Upgrade twice at once: the second call waits for the first, and then has nothing to do.
        list(pool.map(lambda accounts: accounts.upgrade(), (first, second)))
        assert migration.revision(second.database) == migration.HEAD
        with first.database.read() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, metadata) == []

    with Accounts(config) as accounts:
        user = accounts.users.add("ada@example.com", "pro")
        with pytest.raises(AccountError, match="is a user already"):
            accounts.users.add("ada@example.com")
        key = accounts.keys.issue(user.id)
        caller = accounts.authenticate(key)
        assert caller is not None
        assert (caller.user_id, caller.plan.renders) == (user.id, True)
        until = datetime.now(UTC) - timedelta(seconds=1)
        assert accounts.users.subscribe(user.id, "pro", until).until == until
        accounts.keys.record_uses()
        assert accounts.keys.list()[0].last_used_at is not None
        new, old = accounts.keys.rotate(key, timedelta(hours=1))
        assert old.expires_at is not None
        assert None not in map(accounts.authenticate, (key, new))
        assert accounts.keys.revoke(key[:16]).revoked_at is not None
        assert accounts.authenticate(key) is None

        def save(number: int) -> bool:
            try:
                return bool(accounts.projects.save(user.id, f"{number} é", {"é": "\x00"}))
            except MockupError:
                return False

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(save, range(16))) == 3
        first_project = accounts.projects.list(user.id)[0]
        changed = accounts.projects.replace(
            first_project.id, "é", {"device": "auto"}, {"devices": [{"é": "\x00"}]}
        )
        assert accounts.projects.get(first_project.id) == changed
        assert accounts.projects.delete(first_project.id)

        administration = Administration(accounts, Actor("ops@example.com"))
        with pytest.raises(AccountError, match="is a user already"):
            administration.add_user("ada@example.com")
        _, added = administration.issue_key(user.id, "ci")
        pages = [accounts.keys.page(limit=2), accounts.keys.page(after="A" * 32)]
        assert [added in keys for keys, _ in pages] == [False, True]
        administration.remove_user(user.id)
        assert [event.action for event in accounts.audit.page()[0]] == ["users.remove", "keys.issue"]
        for statement in (update(audit).values(actor="nobody"), delete(audit), text("TRUNCATE audit")):
            with pytest.raises(SQLAlchemyError, match="append-only"), accounts.database.engine.begin() as raw:
                raw.execute(statement)


def test_uploads_of_a_user_are_bounded_over_all_instances(config: Config) -> None:
    bounded = config.model_copy(update={"max_upload_bytes": 5000})
    with Accounts(bounded) as first, Accounts(bounded) as second, ThreadPoolExecutor(16) as pool:
        first.upgrade()
        ada, both = first.users.add("ada@example.com", "pro"), (first.uploads, second.uploads)

        def save(number: int) -> Upload | None:
            try:
                return both[number % 2].save(ada.id, bytes(1000), 1, 1)
            except MockupError:
                return None

        made = [upload for upload in pool.map(save, range(32)) if upload]
        assert len(made) == 5, "no byte more, however many are sent at once"
        assert [both[1].read(upload) for upload in made] == [bytes(1000)] * 5
        with first.database.write() as connection:
            connection.execute(update(uploads).values(expires_at=datetime.now(UTC)))
        assert both[1].find(ada.id, str(made[-1].id)) is None
        assert save(0) is not None
        list(pool.map(lambda number: both[number % 2].sweep(), range(4)))
        assert len(first.uploads.ids(ada.id)) == 1


def test_uploads_of_all_users_are_bounded_over_all_instances(config: Config) -> None:
    bounded = config.model_copy(update={"uploads_bytes": 5000})
    with ExitStack() as stack, ThreadPoolExecutor(16) as pool:
        instances = [stack.enter_context(Accounts(bounded)) for _ in range(3)]
        instances[0].upgrade()
        owners = [instances[0].users.add(f"user{number}@example.com", "pro").id for number in range(48)]

        made = Counter(pool.map(lambda n: saved(instances[n % 3], owners[n]), range(48)))
        assert made == {"saved": 5, Code.SERVER_BUSY: 43}


def test_a_silent_instance_does_not_block_uploads(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "SILENT_MS", 100)
    with Accounts(config) as first, Accounts(config) as second:
        first.upgrade()
        ada = first.users.add("ada@example.com", "pro").id

        def fall_silent() -> None:
            with first.database.write() as connection:
                first.database.take_turn(connection, KIND.turn)
                until(lambda: saved(second, ada) == "saved", "the next turn")

        with pytest.raises(MockupError, match="unavailable"):
            fall_silent()
        until(lambda: saved(first, ada) == "saved", "a new connection")


def test_six_instances_stay_within_the_connection_limit(config: Config) -> None:
    def look(accounts: Accounts) -> bool:
        with accounts.database.read() as connection:
            connection.execute(text("SELECT pg_sleep(0.05)"))
        return True

    with ExitStack() as stack, ThreadPoolExecutor(240) as pool:
        instances = [stack.enter_context(Accounts(config)) for _ in range(6)]
        # The test sends as many requests as there are look-up threads.
        assert all(pool.map(look, instances * 40)), "none was refused"


def test_recent_keys_render_without_the_database(server: PostgreSQL, tmp_path: Path) -> None:
    with running(tmp_path, DATABASE_URL=server.url, **ONE_AT_ONCE) as live:
        recent, other = live.key(), live.key()
        assert live.mockup(key=recent).status == 200
        server.stop()
        assert live.mockup(key=recent).status == 200
        assert refused(live.mockup(key=other))
        assert live.send("GET", "/health/ready").status == 503
        log = live.log.read_text()
        assert log.count(GONE) == 1
        assert "No such file or directory" in log, "the cause"
        server.start()
        assert live.mockup(key=other).status == 200
        assert live.mockup(key=recent).status == 200
        assert live.log.read_text().count(BACK) == 1
        live.accounts.database.close()  # connections to the first server
        live.accounts.keys.revoke(recent)
        assert live.mockup(key=recent).status == 401


def test_a_database_that_hangs_keeps_one_request_waiting(server: PostgreSQL, tmp_path: Path) -> None:
    """The server is stopped, not killed: its connections stay open, but it never replies."""
    with running(tmp_path, DATABASE_URL=server.url, **ONE_AT_ONCE) as live, ThreadPoolExecutor(48) as pool:
        recent, other = live.key(), live.key()
        assert live.mockup(key=recent).status == 200
        server.signal(signal.SIGSTOP)
        # The test sends more requests than there are look-up threads.
        first = [pool.submit(live.mockup, recent) for _ in range(48)]
        assert {one.result().status for one in first} == {200}
        assert live.log.read_text().count(GONE) == 1
        stranger = pool.submit(live.mockup, other)
        assert live.send("GET", "/health").status == 200
        ready = live.send("GET", "/health/ready")
        assert (ready.status, ready.json["checks"]["database"]) == (503, False)
        assert refused(stranger.result())
        server.signal(signal.SIGCONT)
        until(lambda: live.send("GET", "/health/ready").status == 200, "readiness")
        assert live.mockup(key=other).status == 200
        assert live.log.read_text().count(BACK) == 1


def saved(accounts: Accounts, owner: UUID) -> str:
    """The result of an upload of 1000 bytes: `saved`, or the error's code."""
    try:
        accounts.uploads.save(owner, bytes(1000), 1, 1)
    except MockupError as error:
        return error.code
    return "saved"


def refused(answer: Answer) -> bool:
    return (answer.status, answer.code) == (503, "SERVER_BUSY") and bool(answer.headers["Retry-After"])
