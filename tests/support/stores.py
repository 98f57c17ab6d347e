"""Redis and PostgreSQL servers for a test, on sockets in a folder, if they are installed."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from tests.support.processes import tree
from tests.support.waiting import until

# Debian installs these programs outside the search path.
PLACES = os.pathsep.join([os.defpath, *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin")))])


def program(name: str) -> str | None:
    """The path of a program; None if it is not installed."""
    return shutil.which(name) or shutil.which(name, path=PLACES)


REDIS = program("redis-server")
INITDB, POSTGRES = program("initdb"), program("postgres")


class Server:
    """A server that can be stopped, continued, killed and restarted."""

    def __init__(self, command: list[str], folder: Path, user: str | None = None) -> None:
        """Start the server, and wait until it listens."""
        self.folder = folder
        self._command, self._user = command, user
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it listens."""
        self.clear()
        self.process = subprocess.Popen(
            self._command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            user=self._user,
        )
        process = self.process
        until(lambda: self.listens() or process.poll() is not None, f"the start of {self._command[0]}")
        assert process.poll() is None, f"{self._command[0]} ended with {process.poll()}"

    def clear(self) -> None:
        """Remove the files that a killed server leaves behind."""

    def listens(self) -> bool:
        """Whether the server accepts connections."""
        raise NotImplementedError

    def signal(self, number: int) -> None:
        """Send a signal to all processes of the server."""
        assert self.process is not None
        # PostgreSQL's processes have sessions of their own, so signal each of them.
        for pid in tree(self.process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def kill(self) -> None:
        """Kill all processes of the server, including stopped ones."""
        assert self.process is not None
        self.signal(signal.SIGKILL)
        self.process.wait()


class Redis(Server):
    """A Redis that writes nothing to disk, on a socket and, if `port` is given, on loopback."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        assert REDIS is not None
        self.path = folder / "redis.sock"
        command = [REDIS, "--port", str(port), "--bind", "127.0.0.1", "--unixsocket", str(self.path)]
        command += ["--dir", str(folder), "--save", "", "--appendonly", "no", "--daemonize", "no"]
        super().__init__(command, folder)

    @property
    def url(self) -> str:
        """The server's address for `MOCKUP_REDIS_URL`."""
        return f"redis+unix://{self.path}"

    def clear(self) -> None:
        self.path.unlink(missing_ok=True)

    def listens(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe:
            return self.path.exists() and probe.connect_ex(str(self.path)) == 0


class PostgreSQL(Server):
    """A PostgreSQL server for the database that `cluster` created in `folder`."""

    def __init__(self, folder: Path, user: str | None) -> None:
        assert POSTGRES is not None
        self._data = folder / "data"
        command = [POSTGRES, "-D", str(self._data), "-k", str(folder), "-c", "listen_addresses=", "-F"]
        super().__init__(command, folder, user)

    @property
    def url(self) -> str:
        """The server's address for `MOCKUP_DATABASE_URL`."""
        return f"postgresql://mockup@/postgres?host={self.folder}"

    def clear(self) -> None:
        for name in ("data/postmaster.pid", ".s.PGSQL.5432", ".s.PGSQL.5432.lock"):
            (self.folder / name).unlink(missing_ok=True)

    def listens(self) -> bool:
        with suppress(OSError):
            return "ready" in (self._data / "postmaster.pid").read_text()
        return False

    def stop(self) -> None:
        """Shut the server down in the orderly way, which closes its connections."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


@contextmanager
def redis(folder: Path) -> Iterator[Redis]:
    """A Redis until the end of the block."""
    server = Redis(folder)
    try:
        yield server
    finally:
        server.kill()


@contextmanager
def cluster() -> Iterator[tuple[Path, str | None]]:
    """A folder with an empty database, and the system user to run its server as."""
    assert INITDB is not None
    # PostgreSQL refuses to run as root.
    user = "nobody" if os.geteuid() == 0 else None
    # The path of a socket must be short.
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        subprocess.run(["cp", "-a", f"{_empty(user)}/.", folder], check=True)
        yield folder, user


@cache
def _empty(user: str | None) -> Path:
    """A folder with an empty database; copying it takes a tenth of the time of creating one."""
    assert INITDB is not None
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if user:
        shutil.chown(folder, user)
    subprocess.run(
        [INITDB, "-D", folder / "data", "-A", "trust", "-U", "mockup", "-E", "UTF8", "--no-sync"],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=folder,
        user=user,
    )
    return folder


@contextmanager
def postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL with an empty database until the end of the block."""
    with cluster() as (folder, user):
        server = PostgreSQL(folder, user)
        try:
            yield server
        finally:
            server.signal(signal.SIGCONT)
            server.stop()
