"""The service behind each real proxy for which `deploy/` has a file."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import urlsplit

import pytest

from benchmarks.clustered import FILES, Cluster, Instance, Kind, found, proxied
from service.accounts.grants import LIVE
from service.config import Config
from tests.support import pictures
from tests.support.live import Live
from tests.support.processes import usage
from tests.support.waiting import PATIENCE_S

pytestmark = pytest.mark.long(seconds=5)
RATE_LIMIT = 5
SLOW_S = 13.0
# The number of simultaneous requests whose responses are not read, the number of rounds, and the size of the
# largest file in bytes.
UNREAD, ROUNDS = 60, 4
VIEWER_BYTES = 4_000_000


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("proxies")
    # The service must accept larger bodies than the proxies do, and have memory for responses that are read
    # slowly.
    settings = {"RATE_LIMIT": str(RATE_LIMIT), "MAX_BODY_BYTES": str(2**26), "MEMORY_BYTES": str(2**29)}
    instance = Instance(folder / "mockup", settings | {"RENDER_THREADS": "1"})
    try:
        yield Cluster(folder, [instance] * 3)
    finally:
        instance.close()


@pytest.fixture(scope="module", params=FILES)
def front(request: pytest.FixtureRequest, behind: Cluster) -> Iterator[Live]:
    kind: Kind = request.param
    if found(kind) is None:
        pytest.skip(f"not installed: {kind}")
    with proxied(kind, behind) as (made, _):
        yield made.front


def test_a_picture_passes_unchanged(front: Live, behind: Cluster) -> None:
    through, direct = front.mockup(query="?output=raw"), behind.instances[0].live.mockup(query="?output=raw")
    assert (through.status, through.body) == (200, direct.body)
    assert through.headers["Content-Type"] == "image/png"


def test_claimed_client_addresses_are_ignored(front: Live, behind: Cluster) -> None:
    """Requests without a key are counted by their real address, although each request claims a different
    address."""
    # Every proxy sees requests from the same address, so the address's count continues from proxy to proxy.
    statuses = [front.send("POST", "/api/v1/mockup", {}).status for _ in range(RATE_LIMIT + 1)]
    assert statuses[-1] == 429
    assert set(statuses) <= {401, 429}
    direct = behind.instances[0].live.send("POST", "/api/v1/mockup", {})
    assert direct.status == 401


def test_proxies_do_not_forward_upgrades(front: Live) -> None:
    asked = {"Connection": "Upgrade", "Upgrade": "h2c"}
    assert front.mockup(query="?output=raw", headers=asked).status == 200


def test_bodies_have_a_limit(front: Live) -> None:
    most = Config.model_fields["max_body_bytes"].default
    try:
        status = front.send("POST", "/api/v1/screenshots", b" " * (most + 1), key=front.key()).status
    except OSError:
        # The proxy hung up before most of the body was sent.
        return
    assert status == 413


def test_large_bodies_come_through_where_they_are_expected(front: Live) -> None:
    text = pictures.text() + " " * 2**21
    assert front.mockup(query="?output=raw", screenshot_base64=text).status == 200
    try:
        status = front.send("POST", "/api/v1/previews", b" " * 2**19, key=front.key()).status
    except OSError:
        # The proxy hung up before most of the body was sent.
        return
    assert status == 413


@contextmanager
def slow_readers(live: Live, count: int = 40) -> Iterator[None]:
    """Clients without a key that request the largest file uncompressed, and read it slowly."""
    place = urlsplit(live.address)
    with ExitStack() as stack:
        readers = []
        for _ in range(count):
            reader = stack.enter_context(socket.socket())
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.settimeout(PATIENCE_S)
            reader.connect((place.hostname, place.port))
            reader.sendall(b"GET /docs/viewer.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\n\r\n")
            readers.append(reader)
        for reader in readers:
            assert reader.recv(512).startswith(b"HTTP/1.1 200 ")
        ended = threading.Event()

        def read() -> None:
            while not ended.wait(0.5):
                for reader in readers:
                    with suppress(OSError):
                        reader.recv(1024)

        reading = threading.Thread(target=read)
        reading.start()
        try:
            yield
        finally:
            ended.set()
            reading.join()


def test_slow_readers_lock_nobody_out(front: Live) -> None:
    """The service sees all requests come from the proxy, and the proxy sees all come from one address."""
    with slow_readers(front):
        assert [front.mockup(query="?output=raw").status for _ in range(4)] == [200] * 4


def test_slow_readers_without_a_proxy(behind: Cluster) -> None:
    live = behind.instances[0].live
    with slow_readers(live):
        assert [live.mockup(query="?output=raw").status for _ in range(4)] == [200] * 4


def hammered(live: Live, behind: Cluster) -> tuple[list[int], float]:
    """Strangers request the largest file and do not read it. Returns the statuses of pictures meanwhile, and
    the growth of the server's memory in bytes."""
    place, server = urlsplit(live.address), behind.instances[0].live.process.pid
    asked = b"GET /docs/viewer.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: identity\r\n\r\n"
    statuses, before, most = [], usage(server).pss, 0.0
    for _ in range(ROUNDS):
        with ExitStack() as stack:
            for _ in range(UNREAD):
                stranger = stack.enter_context(socket.create_connection((place.hostname, place.port)))
                stranger.sendall(asked)
            statuses.append(live.mockup(query="?output=raw").status)
            most = max(most, usage(server).pss)
    return statuses, most - before


def test_unread_files_take_no_memory_or_time_from_others(front: Live, behind: Cluster) -> None:
    """All responses share one copy of the file, which was compressed once."""
    assert front.mockup(query="?output=raw").status == 200
    statuses, grown = hammered(front, behind)
    assert statuses == [200] * ROUNDS
    assert grown < UNREAD * VIEWER_BYTES / 4


def test_files_left_unread_without_a_proxy(behind: Cluster) -> None:
    live = behind.instances[0].live
    assert live.mockup(query="?output=raw").status == 200
    statuses, grown = hammered(live, behind)
    assert statuses == [200] * ROUNDS
    assert grown < UNREAD * VIEWER_BYTES / 4


def test_unknown_keys_are_counted_by_address(front: Live) -> None:
    """The service counts unknown keys in every operation, and by the client's address rather than the
    proxy's."""
    unknown = LIVE + "A" * 43
    statuses = [front.send("GET", "/api/v1/projects", key=unknown).status for _ in range(RATE_LIMIT + 1)]
    assert statuses[-1] == 429
    assert set(statuses) <= {401, 429}


@pytest.mark.parametrize("front", ["haproxy"], indirect=True)
def test_slow_instances_stay_in_rotation(front: Live, behind: Cluster) -> None:
    """If all instances are slow and the proxy gave them up, it would have none left for requests."""
    process = behind.instances[0].live.process
    process.send_signal(signal.SIGSTOP)
    try:
        # The proxy checks every five seconds, so this lasts longer than two checks.
        time.sleep(SLOW_S)
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(front.send, "GET", "/health")
            # If the proxy had given the instance up, it would refuse the request at once.
            time.sleep(1)
            process.send_signal(signal.SIGCONT)
            assert asked.result().status == 200
    finally:
        process.send_signal(signal.SIGCONT)
