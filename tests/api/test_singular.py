"""Messages write a count of one in the singular, and stages that did not begin have no times."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from service.accounts.limits import Window
from service.api import admission
from service.clock import Clock
from service.errors import MockupError
from tests.api.application import application


async def test_one_is_singular_and_nothing_is_timed_without_work(tmp_path: Path) -> None:
    with application(tmp_path) as app:
        app.fill()
        reply = await app.send(key=app.key())
        assert reply.status == 503
        assert reply.json["error"]["message"] == "The server is busy. Try again in 1 second"
        assert "server-timing" not in reply.headers


def test_one_second_is_singular() -> None:
    assert admission.limited(Window(1, 0, 0, False, 1)).message.endswith("Try again in 1 second")
    assert admission.limited(Window(1, 0, 0, False, 2)).message.endswith("Try again in 2 seconds")
    with pytest.raises(MockupError, match=r"longer than 1 second$"):
        Clock(1, started=time.perf_counter() - 2).check()
    with pytest.raises(MockupError, match=r"longer than 0\.5 seconds$"):
        Clock(0.5, started=time.perf_counter() - 2).check()
