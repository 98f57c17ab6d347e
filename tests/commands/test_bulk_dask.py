"""`mockup render --scheduler`: a real scheduler and workers, of which some are killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.commands.script import COMMAND, Mockup
from tests.commands.test_bulk import SMALL, receipts, rows
from tests.support import object_store, pictures
from tests.support.dask_cluster import Cluster
from tests.support.object_store import ObjectStore

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed"),
]

ROWS = 24
# The path of the screenshot of a row in the middle; the store does not answer for it until the test releases
# it.
STUCK = "/shots/10.png"
LONG_S = 300


@pytest.fixture
def store() -> Iterator[ObjectStore]:
    with object_store.running() as store:
        for number in range(ROWS):
            store.put(f"/shots/{number}.png", pictures.png(60 + number, 100), {})
        store.versions.clear()
        yield store


@pytest.fixture
def cluster(place: Path, store: ObjectStore) -> Iterator[Cluster]:
    with ExitStack() as ends:
        cluster = Cluster(place, store.environment)
        ends.callback(cluster.close)
        yield cluster


def manifest() -> None:
    rows(*({"screenshot": f"s3://shots/{n}.png", "output": f"s3://made/{n}.png"} for n in range(ROWS)))


def driver(cluster: Cluster, store: ObjectStore) -> subprocess.Popen[str]:
    command = [*COMMAND, "render", "--manifest", "jobs.jsonl", "--scheduler", cluster.address, *SMALL]
    environment = {**os.environ, **store.environment}
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LONG_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def finished(process: subprocess.Popen[str]) -> str:
    said = process.communicate(timeout=LONG_S)[1]
    assert process.returncode == 0, said + Path("cluster.log").read_text()
    return said


def assert_published_once(store: ObjectStore) -> None:
    assert store.versions == {f"/made/{n}.png": 1 for n in range(ROWS)}
    lines = Counter(one["line"] for one in receipts())
    assert lines == dict.fromkeys(range(1, ROWS + 1), 1)
    ids = {one["output"].removeprefix("s3:/"): one["row"] for one in receipts()}
    for path, id in ids.items():
        assert store.objects[path][1]["x-amz-meta-mockup-row"] == id


def test_a_worker_is_killed_and_the_store_fails(cluster: Cluster, store: ObjectStore) -> None:
    manifest()
    store.nth = 10
    store.held[STUCK] = threading.Event()
    cluster.scheduler()
    first = cluster.worker()
    run = driver(cluster, store)
    assert store.waiting.acquire(timeout=LONG_S), "the first worker is at the row that is held"
    first.kill()
    store.held.pop(STUCK).set()
    cluster.worker()
    finished(run)
    assert store.failed > 0
    assert_published_once(store)


@pytest.mark.thorough  # waits for half a minute, and `make bulk` kills schedulers too
def test_the_scheduler_is_killed(cluster: Cluster, store: ObjectStore) -> None:
    manifest()
    store.held[STUCK] = threading.Event()
    scheduler = cluster.scheduler()
    workers = [cluster.worker(), cluster.worker()]
    run = driver(cluster, store)
    assert store.waiting.acquire(timeout=LONG_S)
    committed = len(receipts()) if Path("jobs.jsonl.receipts.jsonl").exists() else 0
    scheduler.kill()
    store.held.pop(STUCK).set()
    # Workers exit with 0 when they lose their scheduler, so their supervisor must restart them after a
    # success, too.
    assert [worker.wait(LONG_S) for worker in workers] == [0, 0]
    cluster.scheduler()
    cluster.worker()
    assert "lost the scheduler; waiting for it to come back" in finished(run)
    assert_published_once(store)
    assert len(receipts()) >= committed


@pytest.mark.thorough  # tests/commands/test_bulk.py kills a driver without a cluster
def test_the_driver_is_killed(cluster: Cluster, store: ObjectStore) -> None:
    """When the same command is run again, the same renderers continue with the rows that have no receipt."""
    manifest()
    store.held[STUCK] = threading.Event()
    cluster.scheduler()
    cluster.worker()
    run = driver(cluster, store)
    assert store.waiting.acquire(timeout=LONG_S)
    file = Path("jobs.jsonl.receipts.jsonl")
    until(lambda: file.exists() and file.stat().st_size > 0)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    before = {one["line"] for one in map(json.loads, file.read_text().splitlines())}
    store.held.pop(STUCK).set()
    finished(driver(cluster, store))
    assert before < {one["line"] for one in receipts()}
    assert_published_once(store)


@pytest.mark.thorough
def test_rows_that_fail_are_listed(cluster: Cluster, store: ObjectStore) -> None:
    manifest()
    del store.objects["/shots/3.png"]
    store.objects["/shots/4.png"] = b"no picture", {"ETag": '"1"', "Last-Modified": _THEN}
    cluster.scheduler()
    cluster.worker()
    run = driver(cluster, store)
    said = run.communicate(timeout=LONG_S)[1]
    assert run.returncode == 1, said
    assert "jobs.jsonl:4: s3://shots/3.png: " in said
    assert "jobs.jsonl:5: s3://shots/4.png: " in said
    assert f"2 of {ROWS} pictures could not be rendered" in said
    assert len(receipts()) == ROWS - 2


def test_there_is_no_scheduler(mockup: Mockup, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from service.commands.bulk import dask_driver

    monkeypatch.setattr(dask_driver, "CONNECT_S", 0.5)
    # This run must fail before it starts any renderer.
    monkeypatch.setattr("service.workers.fork_server.ForkServer", lambda *_: pytest.fail("it was started"))
    rows({"screenshot": "a.png", "output": "b.png"})
    address = Cluster(place, {}).address
    said = mockup("render", "--manifest", "jobs.jsonl", "--scheduler", address, code=1)
    assert f"{address}: no scheduler" in said
    for other in ("scheduler:8786", "tcp://", "nonsense://a"):
        said = mockup("render", "--manifest", "jobs.jsonl", "--scheduler", other, code=1)
        assert "no scheduler" in said


_THEN = "Sun, 22 Nov 2026 10:00:00 GMT"
