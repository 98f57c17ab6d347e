"""One real server for the whole session; tests use users of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.live import Live, running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """The running service."""
    with running(tmp_path_factory.mktemp("server")) as live:
        yield live


@pytest.fixture
def key(server: Live) -> str:
    """A key of a new user with an active Pro subscription."""
    return server.key()
