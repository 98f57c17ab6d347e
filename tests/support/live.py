"""The real server in a separate process, and an HTTP client for it."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from service.accounts.store import Accounts, User
from service.config import Config
from tests.support import pictures, ready
from tests.support.ready import Ready
from tests.support.waiting import PATIENCE_S, until

SMALL = {"canvas": {"width": 320, "height": 240}}
SERVICE = ("service", "serve")
SECRET = "a secret of the tests"
# Deadlines that even a machine with twenty times its usual load meets, and time for all previews of a page.
UNHURRIED = {
    **{f"{name}_S": "600" for name in ("RENDER_TIMEOUT", "QUEUE_TIMEOUT", "FETCH_TOTAL", "SHUTDOWN")},
    "PREVIEW_LIMIT_S": "1800",
}
# For tests in which the number of renderers does not matter, because renderers take longest to start.
ONE_AT_ONCE = {"RENDER_THREADS": "1"}
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Answer:
    """A response."""

    status: int
    headers: Message
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The error's code; empty if the response is no error."""
        body = self.json
        if "error" not in body:
            return ""
        return str(body["error"]["code"] if isinstance(body["error"], dict) else body["code"])

    @property
    def message(self) -> str:
        """The error's message."""
        return str(self.json["error"]["message"])

    @property
    def details(self) -> dict[str, str]:
        """The error's details: message by path."""
        return {item["path"]: item["message"] for item in self.json["error"].get("details", [])}


@dataclass(frozen=True)
class Live:
    """A running server and its accounts."""

    address: str
    accounts: Accounts
    log: Path
    process: subprocess.Popen[bytes] | Ready

    @property
    def metrics(self) -> str:
        """The address of the server's metrics, if it was started with METRICS_PORT."""
        line = next(line for line in self.log.read_text().splitlines() if '"metrics"' in line)
        return str(json.loads(line)["address"])

    def figures(self) -> str:
        """The metrics, in Prometheus' format."""
        with urlopen(self.metrics, timeout=PATIENCE_S) as answer:
            return str(answer.read().decode())

    def held(self) -> int:
        """Renders that have a slot."""
        (found,) = re.findall(r"^mockup_renders_held (.+)$", self.figures(), re.MULTILINE)
        return int(float(found))

    def user(self, plan: str = "pro") -> User:
        """A new user."""
        return self.accounts.users.add(f"user{next(_numbers)}@example.com", plan)

    def key(self, plan: str = "pro") -> str:
        """The key of a new user, so that no test uses up the rate limit of another."""
        return self.accounts.keys.issue(self.user(plan).id)

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request; a body that is not bytes is sent as JSON."""
        sent = {"X-Forwarded-For": stranger()}
        if key is not None:
            sent["Authorization"] = f"Bearer {key}"
        if body is not None:
            sent["Content-Type"] = "application/json"
        sent |= headers or {}
        data = json.dumps(body).encode() if body is not None and not isinstance(body, bytes) else body
        parts = urlsplit(self.address)
        connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, data, {name: value for name, value in sent.items() if value})
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def mockup(self, key: str | None = None, query: str = "", headers: Any = None, **body: Any) -> Answer:
        """A mockup of the small screenshot on a small canvas, unless `body` says otherwise."""
        request = {"settings": SMALL, **body}
        if not any(name.startswith("screenshot") for name in body):
            request |= {"type": "screenshot", "screenshot": {"type": "base64", "src": pictures.text()}}
        return self.send("POST", f"/api/v1/mockup{query}", request, key=key or self.key(), headers=headers)


def stranger() -> str:
    """A client address that no test has used before."""
    number = next(_numbers)
    return f"198.18.{number // 250}.{number % 250 + 1}"


@cache
def upgraded() -> bytes:
    """A database that has the current tables, so that servers need not create them."""
    with TemporaryDirectory() as folder:
        with Accounts(Config(data_dir=Path(folder), key_secret=SECRET)) as accounts:
            accounts.upgrade()
        return (Path(folder) / "mockup.db").read_bytes()


def furnish(folder: Path) -> None:
    """Copy a database as in `upgraded` into `folder`, unless there is one."""
    database = folder / "mockup.db"
    if not database.exists():
        folder.mkdir(mode=0o700, exist_ok=True)
        database.touch(0o600)
        database.write_bytes(upgraded())


@contextmanager
def running(folder: Path, *wrapped: str, program: Sequence[str] = (), **settings: str) -> Iterator[Live]:
    """A server on a free port with a database in `folder`; `settings` are more `MOCKUP_` variables.

    Few tests are about deadlines, so these are long unless `settings` change them. `wrapped` is the beginning
    of a command line that runs the command after it, and `program` a module that serves, with its arguments.
    Without either, the server begins with everything loaded; `program=SERVICE` starts it from scratch, as
    users do.
    """
    variables = {
        "PORT": "0",
        "DATABASE_URL": f"sqlite:///{folder}/mockup.db",
        "DATA_DIR": str(folder),
        "KEY_SECRET": SECRET,
        "LOG_FORMAT": "json",
        "LOG_LEVEL": "debug",
        "ALLOW_PRIVATE_SOURCES": "1",
        "TRUSTED_PROXIES": "127.0.0.1",
        **UNHURRIED,
        **settings,
    }
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MOCKUP_")}
    environment = clean | {f"MOCKUP_{name}": value for name, value in variables.items()}
    if variables["DATABASE_URL"] == f"sqlite:///{folder}/mockup.db":
        furnish(folder)
    log = folder / "server.log"
    process: subprocess.Popen[bytes] | Ready
    with log.open("wb") as out:
        if wrapped or program:
            command = [*wrapped, sys.executable, "-m", *(program or SERVICE)]
            process = subprocess.Popen(command, env=environment, stdout=out, stderr=out)
        else:
            process = ready.start(SERVICE[1:], environment, out)
    try:
        address = _address(log, process)
        config = Config(
            database_url=variables["DATABASE_URL"],
            data_dir=folder,
            key_secret=variables["KEY_SECRET"],
            plans=variables.get("PLANS", {}),
        )
        with Accounts(config) as accounts:
            yield Live(address, accounts, log, process)
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"the server did not stop:\n{log.read_text()[-10_000:]}") from None


def _address(log: Path, process: subprocess.Popen[bytes] | Ready) -> str:
    def serving() -> list[str]:
        return [line for line in log.read_text().splitlines() if '"serving"' in line]

    until(lambda: serving() or process.poll() is not None, "the start of the server")
    if not serving():
        raise AssertionError(f"the server did not start:\n{log.read_text()}")
    return str(json.loads(serving()[0])["address"])
