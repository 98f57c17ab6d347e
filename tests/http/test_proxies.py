"""The service behind each proxy that `deploy/` has a file for, all of them real."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks.clustered import FILES, Cluster, Instance, Kind, found, proxied
from service.config import Config
from tests.support.live import Live

pytestmark = pytest.mark.long(seconds=5)
RATE_LIMIT = 5
SLOW_S = 13.0


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("proxies")
    # Bodies that are too large for the proxies would be none for the service.
    instance = Instance(folder / "mockup", {"RATE_LIMIT": str(RATE_LIMIT), "MAX_BODY_BYTES": str(2**26)})
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


def test_a_picture_comes_through_as_it_is(front: Live, behind: Cluster) -> None:
    through, direct = front.mockup(query="?output=raw"), behind.instances[0].live.mockup(query="?output=raw")
    assert (through.status, through.body) == (200, direct.body)
    assert through.headers["Content-Type"] == "image/png"


def test_what_a_client_says_of_its_address_is_dropped(front: Live, behind: Cluster) -> None:
    """Requests without a key are counted by address, and each claims another."""
    # All proxies are asked from the same address, whose requests are counted on.
    statuses = [front.send("POST", "/api/v1/mockup", {}).status for _ in range(RATE_LIMIT + 1)]
    assert statuses[-1] == 429
    assert set(statuses) <= {401, 429}
    direct = behind.instances[0].live.send("POST", "/api/v1/mockup", {})
    assert direct.status == 401


def test_an_upgrade_is_not_passed_on(front: Live) -> None:
    asked = {"Connection": "Upgrade", "Upgrade": "h2c"}
    assert front.mockup(query="?output=raw", headers=asked).status == 200


def test_bodies_have_a_limit(front: Live) -> None:
    most = Config.model_fields["max_body_bytes"].default
    try:
        status = front.send("POST", "/api/v1/screenshots", b" " * (most + 1), key=front.key()).status
    except OSError:
        # It has hung up while most was still to come.
        return
    assert status == 413


@pytest.mark.parametrize("front", ["haproxy"], indirect=True)
def test_instances_that_are_slow_are_not_given_up(front: Live, behind: Cluster) -> None:
    """When all of them are, nothing would be left to send requests to."""
    process = behind.instances[0].live.process
    process.send_signal(signal.SIGSTOP)
    try:
        # Longer than two checks of five seconds.
        time.sleep(SLOW_S)
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(front.send, "GET", "/health")
            # It either waits, or is refused at once.
            time.sleep(1)
            process.send_signal(signal.SIGCONT)
            assert asked.result().status == 200
    finally:
        process.send_signal(signal.SIGCONT)
