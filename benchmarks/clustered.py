"""Three instances with one PostgreSQL and one Redis behind a real proxy, all on this machine's loopback."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from service.accounts.store import Accounts
from tests.support import pictures, stores
from tests.support.live import Live, running
from tests.support.stores import INITDB, POSTGRES, REDIS
from tests.support.waiting import until

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
Kind = Literal["nginx", "haproxy", "caddy"]
# Proxies that choose among instances; Caddy's file has one only.
PROXIES: tuple[Kind, ...] = ("nginx", "haproxy")
FILES: dict[Kind, str] = {"nginx": "nginx.conf", "haproxy": "haproxy.cfg", "caddy": "Caddyfile"}
INSTANCES = 3
LIMIT = 60
# The rate limit's window outlasts a run on the slowest machine.
SETTINGS = {
    "RATE_LIMIT": str(LIMIT),
    "RATE_WINDOW_S": "3600",
    "WRITE_RATE_LIMIT": "1000",
    "RENDER_THREADS": "1",
    "METRICS_PORT": "0",
    "LOG_LEVEL": "info",
    # The value that deploy/haproxy.cfg and deploy/kubernetes need.
    "DRAIN_S": "5",
}


def found(name: str) -> str | None:
    """The path of a proxy's program; None if it is not installed."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")


def missing(kinds: Sequence[Kind] = PROXIES) -> list[str]:
    """The programs that are not installed."""
    places = [("initdb", INITDB), ("postgres", POSTGRES), ("redis-server", REDIS)]
    return [name for name, place in (*places, *((kind, found(kind)) for kind in kinds)) if place is None]


def free_port() -> int:
    """A port of the loopback that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Instance:
    """One server, which can be stopped, killed and started again at the same address."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        folder.mkdir(parents=True)
        self.port = free_port()
        self._folder, self._settings = folder, {**settings, "PORT": str(self.port)}
        self._running = ExitStack()
        self.logs = ""
        self.start()

    def start(self) -> None:
        """Start the server, and wait until it is ready."""
        self.live = self._running.enter_context(running(self._folder, **self._settings))
        until(lambda: self.live.send("GET", "/health/ready").status == 200, "readiness")

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Send the server a signal, and wait for its end."""
        self.live.process.send_signal(number)
        self.live.process.wait()
        self.close()

    def close(self) -> None:
        """End the server if it is running."""
        self._running.close()
        self.logs += self.live.log.read_text()

    def figure(self, pattern: str) -> float:
        """The sum of the metrics whose name and labels match."""
        return sum(map(float, re.findall(rf"^mockup_{pattern} (\S+)$", self.live.figures(), re.MULTILINE)))


@dataclass(frozen=True)
class Cluster:
    """Instances, and an address that leads to all of them."""

    folder: Path
    instances: Sequence[Instance]
    address: str = ""

    @property
    def front(self) -> Live:
        """The cluster as one server, with the accounts that all instances share."""
        return replace(self.instances[0].live, address=self.address)

    @property
    def accounts(self) -> Accounts:
        """The accounts of all instances."""
        return self.instances[0].live.accounts


@contextmanager
def cluster(folder: Path, **settings: str) -> Iterator[Cluster]:
    """Three instances without a proxy."""
    with ExitStack() as stack:
        database = stack.enter_context(stores.postgresql())
        redis = stack.enter_context(stores.redis(folder))
        common = SETTINGS | {
            "DATABASE_URL": database.url,
            "REDIS_URL": redis.url,
            "UPLOAD_DIR": str(folder / "uploads"),
        }
        instances = []
        for number in range(1, INSTANCES + 1):
            instances.append(Instance(folder / f"mockup-{number}", common | settings))
            stack.callback(instances[-1].close)
        yield Cluster(folder, instances)


def configured(kind: Kind, folder: Path, instances: Sequence[Instance], port: int, by_plate: bool) -> Path:
    """The file of `deploy/` with addresses of this machine."""
    name = FILES[kind]
    text = (DEPLOY / name).read_text("utf-8")
    if kind == "caddy":
        # Leave out the certificate and the administration port.
        text = text.replace("{\n", "{\n\tadmin off\n", 1)
        text = text.replace("mockups.example.com {", f"http://127.0.0.1:{port} {{")
        text = text.replace("127.0.0.1:8000", f"127.0.0.1:{instances[0].port}")
    for number, instance in enumerate(instances, 1):
        text = text.replace(f"mockup-{number}:8000", f"127.0.0.1:{instance.port}")
    for listening in ("listen 8080", "bind :8080"):
        text = text.replace(listening, f"{listening.split()[0]} 127.0.0.1:{port}")
    text = text.replace("/tmp/", f"{folder}/")  # noqa: S108
    if by_plate:
        text = text.replace("default_backend instances\n", "default_backend by_plate\n")
    file = folder / name
    file.write_text(text)
    return file


@contextmanager
def proxied(kind: Kind, behind: Cluster, *, by_plate: bool = False) -> Iterator[tuple[Cluster, int]]:
    """The cluster behind a proxy, and the proxy's process."""
    port, folder = free_port(), behind.folder / f"{kind}-{by_plate}"
    folder.mkdir()
    file = configured(kind, folder, behind.instances, port, by_plate)
    program = found(kind) or kind
    command = {
        # If started by root, it would switch to a user who may not enter the folder.
        "nginx": [program, "-c", str(file), "-p", str(folder), "-g", "daemon off; user root;"],
        "haproxy": [program, "-db", "-f", str(file)],
        "caddy": [program, "run", "--adapter", "caddyfile", "--config", str(file)],
    }[kind]
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(command, stdout=log, stderr=log, env=environment) as process,
    ):
        try:
            front = replace(behind, address=f"http://127.0.0.1:{port}")

            def serves() -> bool:
                assert process.poll() is None, (folder / "log").read_text()
                try:
                    return front.front.send("GET", "/health").status == 200
                except OSError:
                    return False

            until(serves, f"the start of {kind}")
            yield front, process.pid
        finally:
            process.terminate()
            process.wait()


@dataclass
class Load:
    """Renders by several callers, each one after another: when each began, and its result."""

    requests: list[tuple[float, int]] = field(default_factory=list)

    @property
    def lost(self) -> list[tuple[float, int]]:
        """Renders that did not end in a picture."""
        return [one for one in self.requests if one[1] != 200]


@contextmanager
def load(front: Live, callers: int, screenshot: bytes | None = None) -> Iterator[Load]:
    """Run callers that request renders repeatedly; each uses a new user for every fifty renders."""
    made, ended = Load(), threading.Event()
    text = pictures.text(screenshot)

    def call() -> None:
        while not ended.is_set():
            key = front.key()
            for _ in range(50):
                if ended.is_set():
                    return
                begun = time.monotonic()
                try:
                    status = front.mockup(key, "?output=raw", screenshot_base64=text).status
                except OSError:
                    status = 0
                made.requests.append((begun, status))

    threads = [threading.Thread(target=call) for _ in range(callers)]
    for thread in threads:
        thread.start()
    try:
        yield made
    finally:
        ended.set()
        for thread in threads:
            thread.join()
