"""Servers with other limits than the usual ones, shared by the folder's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.live import UNHURRIED, Live, running


@pytest.fixture(scope="session")
def small_bodies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service that takes bodies of at most 2048 bytes, and trusts no proxy that tests could be."""
    with running(
        tmp_path_factory.mktemp("small"), MAX_BODY_BYTES="2048", TRUSTED_PROXIES="10.0.0.0/8", **UNHURRIED
    ) as live:
        yield live


@pytest.fixture(scope="session")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A service whose deadline nothing can meet, and whose windows last one second."""
    with running(
        tmp_path_factory.mktemp("hurried"),
        RENDER_TIMEOUT_S="0.001",
        RATE_WINDOW_S="1",
        RATE_LIMIT="3",
    ) as live:
        yield live
