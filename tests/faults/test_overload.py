"""Overload: all responses are documented ones, and accepted work is done."""

from __future__ import annotations

import math
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import pytest

from benchmarks.soak import refusals
from tests.support import pictures
from tests.support.live import Live, running
from tests.support.processes import renderers, send, stop
from tests.support.waiting import until

pytestmark = pytest.mark.long

BODY: dict[str, Any] = {
    "screenshot_base64": pictures.text(),
    "settings": {"canvas": {"width": 640, "height": 480}},
}
ROOM = 12
CALLERS = 4 * ROOM


def test_four_times_the_capacity_is_refused_or_served(tmp_path: Path) -> None:
    settings = {"RENDER_THREADS": "2", "QUEUE_SIZE": str(ROOM - 2)}
    with running(tmp_path, METRICS_PORT="0", **settings) as live:
        assert live.mockup().status == 200
        until(lambda: len(renderers(live.process.pid)) == 2)
        keys = [live.key() for _ in range(CALLERS)]
        for key in keys:
            assert live.send("POST", "/api/v1/mockup", {}, key=key).status == 400, "it is known from now on"
        # While both renderers are stopped, no work is done, and the queue stays full.
        halted = renderers(live.process.pid)
        assert all(stop(pid) for pid in halted)
        with ThreadPoolExecutor(CALLERS) as pool:
            jobs = [pool.submit(live.mockup, key, **BODY) for key in keys]
            done = [job for _, job in zip(range(CALLERS - ROOM), as_completed(jobs), strict=False)]
            assert Counter(job.result().status for job in done) == {503: CALLERS - ROOM}
            assert live.held() == ROOM
            assert refusals(live)[math.inf] > 0, "most are refused by their head alone"
            assert live.send("GET", "/health").status == 200
            assert live.send("GET", "/health/ready").status == 503
            for pid in halted:
                send(pid, signal.SIGCONT)
        assert all(int(job.result().headers["Retry-After"]) >= 1 for job in done)
        assert Counter(job.result().status for job in jobs if job not in done) == {200: ROOM}
        until(lambda: live.held() == 0)
        assert live.send("GET", "/health/ready").status == 200
        assert live.mockup().status == 200


def test_all_of_a_users_parallel_renders_are_made(server: Live, key: str) -> None:
    with ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(lambda _: server.mockup(key, **BODY).status, range(60)))
        assert Counter(statuses) == {200: 60}
