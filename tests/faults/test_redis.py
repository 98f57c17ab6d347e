"""A server whose Redis is stopped, killed and restarted: it keeps serving, reports this, and recovers."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest

from tests.support.live import ONE_AT_ONCE, Live, running
from tests.support.stores import Redis
from tests.support.waiting import until

pytestmark = pytest.mark.long(seconds=8)


def degraded(live: Live) -> bool:
    """Whether limits are counted locally. Checks that readiness and the metric agree on it."""
    ready = live.send("GET", "/health/ready")
    assert ready.status == 200
    (figure,) = re.findall(r"^mockup_limits_degraded (.+)$", live.figures(), re.MULTILINE)
    assert ready.json["degraded"] == (["sharedLimits"] if float(figure) else [])
    return bool(ready.json["degraded"])


def said(live: Live) -> list[str]:
    """The log lines about Redis."""
    lines = [json.loads(line) for line in live.log.read_text().splitlines() if line.startswith("{")]
    return [line["event"] for line in lines if line["event"].startswith("redis")]


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL], ids=["hangs", "is gone"])
def test_a_server_whose_redis_fails_counts_alone_until_it_is_back(
    redis: Redis, tmp_path: Path, number: signal.Signals
) -> None:
    with running(tmp_path, REDIS_URL=redis.url, METRICS_PORT="0", RATE_LIMIT="5", **ONE_AT_ONCE) as live:
        key = live.key()

        def remaining() -> int:
            answer = live.mockup(key)
            assert answer.status == 200
            return int(answer.headers["X-RateLimit-Remaining"])

        assert (remaining(), degraded(live)) == (4, False)
        redis.signal(number)
        assert remaining() == 3, "counted here, from where Redis left off"
        assert degraded(live)
        assert [remaining() for _ in range(2)] == [2, 1]
        if number is signal.SIGKILL:
            redis.kill()
            redis.start()
        redis.signal(signal.SIGCONT)
        # The server recovers without receiving any request.
        until(lambda: not degraded(live), "the recovery")
        # A Redis that was stopped rather than killed may still carry out requests that it had received.
        assert remaining() in ((4,) if number is signal.SIGKILL else (2, 3))
        assert said(live) == [
            "redis is unavailable, rate limits are local",
            "redis is available again, sharing rate limits",
        ]
