"""Giant pictures leave a renderer to others, and end soon after their caller has left."""

from __future__ import annotations

import json
import signal
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support import pictures
from tests.support.live import Live, running
from tests.support.processes import processor_s, renderers, send, stop
from tests.support.waiting import PATIENCE_S, until

pytestmark = pytest.mark.long

GIANT: dict[str, Any] = {
    "device": "card",
    "canvas": {"width": 4096, "height": 4096},
    "export": {"scale": 1.54, "format": "avif"},
    "postProcessing": {"grain": {"amount": 1}},
}
# The most processor time that a renderer with two idle processors can use in the time allowed for ending.
MOST_S = 2.0


def sent(live: Live, key: str, settings: dict[str, Any]) -> HTTPConnection:
    """A connection that waits for a picture."""
    parts = urlsplit(live.address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_S)
    body = json.dumps({"screenshot_base64": pictures.text(), "settings": settings})
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    connection.request("POST", "/api/v1/mockup", body, headers)
    return connection


@pytest.mark.thorough
def test_a_giant_picture_ends_soon_after_its_caller_has_left(tmp_path: Path) -> None:
    """The test measures processor time, which does not depend on the load of the machine."""
    with running(tmp_path, RENDER_THREADS="1", METRICS_PORT="0") as live:
        key = live.key()
        assert live.mockup(key).status == 200
        # The caller leaves in the middle of painting, composing and encoding. AVIF encoders cannot be
        # stopped.
        for worked in (0.5, 1.5, 2.5, 3.5):
            (pid,) = renderers(live.process.pid)
            before = processor_s(pid)
            with closing(sent(live, key, GIANT)):
                until(lambda: processor_s(pid) - before > worked)  # noqa: B023
            left = last = processor_s(pid)

            def ended() -> bool:
                nonlocal last
                last = max(last, processor_s(pid))  # noqa: B023
                return live.held() == 0 and "mockup_renders_running 0" in live.figures()

            until(ended)
            assert last - left < MOST_S
            assert live.mockup(key).status == 200


def test_giant_pictures_of_one_user_leave_a_renderer_to_others(tmp_path: Path) -> None:
    """The test stops the renderers of giant pictures, so that it does not depend on how long these take."""
    with (
        running(tmp_path, RENDER_THREADS="2", QUEUE_TIMEOUT_S="20", METRICS_PORT="0") as live,
        ExitStack() as held,
    ):
        until(lambda: len(renderers(live.process.pid)) == 2)
        for _ in range(10):
            assert live.mockup().status == 200
        before = {pid: processor_s(pid) for pid in renderers(live.process.pid)}
        greedy = live.key()
        for turned in range(4):
            settings = GIANT | {"deviceTransform": {"rotationY": 5 + turned}}
            held.enter_context(closing(sent(live, greedy, settings)))
        until(lambda: live.held() == 4)
        until(lambda: sum(map(processor_s, before)) - sum(before.values()) > 2)
        busy = [pid for pid in before if processor_s(pid) - before[pid] > 0.4]
        assert all(stop(pid) for pid in busy)
        assert len(busy) == 1
        assert [live.mockup().status for _ in range(10)] == [200] * 10
        send(busy[0], signal.SIGCONT)
