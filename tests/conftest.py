"""One real server for the whole session; tests use users of their own. Some tests run alone, and last."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.support.live import UNHURRIED, Live, running
from tests.support.turns import Turns

TURNS = pytest.StashKey[Turns]()

# The same examples each time, however long each takes; `make fuzz` looks for new ones.
settings.register_profile(
    "tests", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tests")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """The running service."""
    with running(tmp_path_factory.mktemp("server"), METRICS_PORT="0", **UNHURRIED) as live:
        yield live


@pytest.fixture
def key(server: Live) -> str:
    """A key of a new user with an active Pro subscription."""
    return server.key()


def pytest_configure(config: pytest.Config) -> None:
    """Have workers of one run take turns."""
    if run := getattr(config, "workerinput", {}).get("testrunuid"):
        config.stash[TURNS] = Turns(run)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave no locks behind."""
    if turns := config.stash.get(TURNS, None):
        turns.remove()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put those that run alone last, so that the others need not wait for them."""
    items.sort(key=_alone)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Wait for a turn before the test's own time begins to count."""
    turns = item.config.stash.get(TURNS, None)
    if turns is None:
        return (yield)
    with turns.turn(alone=_alone(item)):
        return (yield)


def _alone(item: pytest.Item) -> bool:
    return item.get_closest_marker("alone") is not None
