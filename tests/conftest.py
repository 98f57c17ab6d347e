"""Fixtures for all tests, the order of tests, and the turns by which some tests run alone.

One real server serves the whole session; each test uses its own users.
"""

from __future__ import annotations

import gc
import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from service.system.container import cpus
from tests.support import stores
from tests.support.live import Live, running
from tests.support.stores import REDIS, Redis
from tests.support.turns import Turns

TESTS = Path(__file__).resolve().parent
# Processes that tests start find this tree's `service` in whatever folder they start.
os.environ["PYTHONPATH"] = str(TESTS.parent)

TURNS, TURN, KEPT = pytest.StashKey[Turns](), pytest.StashKey[ExitStack](), pytest.StashKey[bool]()

# Hypothesis generates the same examples in every run, without a deadline; `make fuzz` looks for new ones.
settings.register_profile(
    "tests", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tests")
# Without this, Hypothesis would also draw constants from the modules that earlier tests have loaded, so
# examples would depend on them.
pytest.MonkeyPatch().setattr(
    "hypothesis.internal.conjecture.providers.is_local_module_file", lambda _path: False
)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The event loop that asynchronous tests run on."""
    return "asyncio"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """The running service."""
    with running(tmp_path_factory.mktemp("server"), METRICS_PORT="0") as live:
        yield live


@pytest.fixture
def key(server: Live) -> str:
    """A key of a new user with an active Pro subscription."""
    return server.key()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    """A Redis of the test's own."""
    if REDIS is None:
        pytest.skip("redis-server is not installed")
    with stores.redis(tmp_path) as server:
        yield server


def pytest_configure(config: pytest.Config) -> None:
    """Set up the turns that the test workers share."""
    if run := getattr(config, "workerinput", {}).get("testrunuid"):
        config.stash[TURNS] = Turns(run)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the lock files of the turns."""
    if turns := config.stash.get(TURNS, None):
        turns.remove()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Start two more processes than there are processors, because many tests wait rather than compute."""
    return cpus() + 2


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Collect tests without garbage collection, which would take a quarter of the time and free little
    memory."""
    gc.disable()
    try:
        _load_share(session.config)
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order tests: those that run alone first, then the longest, so that none is left for the end.

    Tests of a folder and of a file stay together, since they share servers, browsers and pictures.
    """
    seconds = {item: _seconds(item) for item in items}
    longest: dict[Path, int] = defaultdict(int)
    for item, long in seconds.items():
        for place in (item.path, item.path.parent):
            longest[place] = max(longest[place], long)

    def order(item: pytest.Item) -> tuple[object, ...]:
        folder = item.path.parent
        return _alone(item), longest[folder], str(folder), longest[item.path], str(item.path), seconds[item]

    items.sort(key=order, reverse=True)


def pytest_collection_finish() -> None:
    """Exempt all loaded objects from garbage collection, which would scan them over and over."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Wait for a turn before the test's time starts.

    A test that runs alone keeps the turn for the next such test.
    """
    turns = item.config.stash.get(TURNS, None)
    if turns is None:
        return (yield)
    turn = item.config.stash.setdefault(TURN, ExitStack())
    if not item.config.stash.get(KEPT, False):
        turn.enter_context(turns.turn(alone=_alone(item)))
    item.config.stash[KEPT] = kept = _alone(item) and nextitem is not None and _alone(nextitem)
    try:
        return (yield)
    finally:
        if not kept:
            turn.close()


def _load_share(config: pytest.Config) -> None:
    """Load a worker's share of all test modules before it collects the modules in their common order.

    Without byte code, pytest first rewrites each module, which takes longer than all else before the first
    test. In the same order, all workers would rewrite the same modules at the same time.
    """
    worker = getattr(config, "workerinput", None)
    if worker is None or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    number = int(worker["workerid"].removeprefix("gw"))
    for file in sorted(TESTS.rglob("test_*.py"))[number :: worker["workercount"]]:
        # Collection reports modules that cannot be loaded.
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(file.relative_to(TESTS.parent).with_suffix("").parts))


def _alone(item: pytest.Item) -> bool:
    return item.get_closest_marker("alone") is not None


def _seconds(item: pytest.Item) -> int:
    """A test's approximate duration in seconds; 0 if it is not marked as long."""
    mark = item.get_closest_marker("long")
    return int(mark.kwargs.get("seconds", 2)) if mark else 0
