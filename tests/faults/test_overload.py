"""Ten times more than the server can render: only the documented answers, and accepted work is done."""

from __future__ import annotations

import math
from pathlib import Path

from benchmarks.load import call, offer, taking_turns
from benchmarks.soak import refusals
from tests import pictures
from tests.live import running

BODY = {"screenshot_base64": pictures.text(), "settings": {"canvas": {"width": 640, "height": 480}}}


def test_ten_times_overload(tmp_path: Path) -> None:
    with running(tmp_path, RATE_LIMIT="200", QUEUE_SIZE="4", METRICS_PORT="0") as live:
        make = taking_turns([live.key() for _ in range(20)], [BODY])
        usual = call(live.address, make, 4, 1.0)
        assert set(usual.statuses) == {200}
        flood = offer(live.address, make, max(1000.0, 10 * usual.rate), 3.5)
        assert set(flood.statuses) <= {200, 429, 503}, flood.statuses
        assert flood.statuses[503], "it was no overload"
        at_once = refusals(live)[math.inf]
        assert at_once >= flood.statuses[503] / 2, "most find the queue full and are refused by that alone"
        assert flood.statuses[200] >= usual.statuses[200] / 2, (usual.statuses, flood.statuses)
        assert live.send("GET", "/health/ready").status == 200
        assert live.mockup().status == 200


def test_all_of_a_users_parallel_renders_are_made(tmp_path: Path) -> None:
    with running(tmp_path) as live:
        greedy = call(live.address, taking_turns([live.key()], [BODY]), 8, 1.0)
        assert set(greedy.statuses) <= {200, 429}
        assert greedy.statuses[200] <= 60
