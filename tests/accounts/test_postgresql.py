"""The accounts on PostgreSQL, where its programs are installed: the same behaviour behind another address."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from service.accounts import migration
from service.accounts.errors import AccountError
from service.accounts.store import Accounts
from service.accounts.tables import metadata
from service.config import Config
from service.errors import MockupError
from tests.support.live import running
from tests.support.waiting import until

pytestmark = pytest.mark.long

# Debian keeps these programs off the search path.
PLACES = os.pathsep.join([os.defpath, *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin")))])
INITDB, POSTGRES = (shutil.which(name) or shutil.which(name, path=PLACES) for name in ("initdb", "postgres"))


@contextmanager
def cluster() -> Iterator[tuple[Path, str | None]]:
    """A folder with an empty database, and the user to serve it as."""
    if INITDB is None or POSTGRES is None:
        pytest.skip("PostgreSQL is not installed")
    # PostgreSQL refuses to run as root.
    user = "nobody" if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        if user:
            shutil.chown(folder, user)
        data = folder / "data"
        subprocess.run(
            [INITDB, "-D", data, "-A", "trust", "-U", "mockup", "-E", "UTF8", "--no-sync"],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=folder,
            user=user,
        )
        yield folder, user


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of a server of our own, reached through a socket in a folder of its own."""
    with cluster() as (folder, user), served(folder, user):
        yield address(folder)


def address(folder: Path) -> str:
    """The address of the server in `folder`."""
    return f"postgresql://mockup@/postgres?host={folder}"


@contextmanager
def served(folder: Path, user: str | None) -> Iterator[None]:
    """Run a server until the end of the block, which ends its connections too."""
    data = folder / "data"
    command: list[str | Path] = [POSTGRES or "", "-D", data, "-k", folder, "-c", "listen_addresses=", "-F"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=folder, user=user) as server:
        try:
            until(lambda: "ready" in _status(data) or server.poll() is not None)
            assert server.poll() is None
            yield
        finally:
            server.send_signal(signal.SIGINT)


def _status(data: Path) -> str:
    try:
        return (data / "postmaster.pid").read_text()
    except OSError:
        return ""


@pytest.fixture
def config(url: str, tmp_path: Path) -> Config:
    return Config(database_url=url, data_dir=tmp_path, max_projects=3)


def test_the_accounts_behave_as_on_sqlite(config: Config) -> None:
    with Accounts(config) as first, Accounts(config) as second, ThreadPoolExecutor(2) as pool:
        # Both at once; the second waits for the first and finds nothing left to do.
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
        assert (caller.user_id, caller.pro) == (user.id, True)
        until = datetime.now(UTC) - timedelta(seconds=1)
        assert accounts.users.subscribe(user.email, "pro", until).until == until
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
        changed = accounts.projects.update(first_project.id, settings={"device": "auto"})
        assert accounts.projects.get(first_project.id) == changed
        assert accounts.projects.delete(first_project.id)


def test_recent_keys_render_while_the_database_is_gone(tmp_path: Path) -> None:
    with cluster() as (folder, user), ExitStack() as started:
        with served(folder, user):
            live = started.enter_context(running(tmp_path, DATABASE_URL=address(folder)))
            recent, other = live.key(), live.key()
            assert live.mockup(key=recent).status == 200
        assert live.mockup(key=recent).status == 200
        refused = live.mockup(key=other)
        assert (refused.status, refused.code) == (503, "SERVER_BUSY")
        assert refused.headers["Retry-After"]
        assert live.send("GET", "/health/ready").status == 503
        log = live.log.read_text()
        assert log.count("database unavailable, only recently used keys are accepted") == 1
        assert "No such file or directory" in log, "the cause"
        with served(folder, user):
            assert live.mockup(key=other).status == 200
            assert live.mockup(key=recent).status == 200
            assert "database available again" in live.log.read_text()
            live.accounts.database.close()  # connections to the first server
            live.accounts.keys.revoke(recent)
            assert live.mockup(key=recent).status == 401
