"""Signals to the decoders and renderers of a running server under load."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from benchmarks.load import Tally, call, taking_turns
from benchmarks.processes import decoders, renderers, usage
from service.container import cpus
from tests import pictures
from tests.live import Live, running

SECONDS = 2.2
DOCUMENTED = {200, 400, 500, 503, 504}


def eventually(condition: Callable[[], bool]) -> bool:
    for _ in range(200):
        if condition():
            return True
        time.sleep(0.05)
    return False


def under_fire(
    live: Live, sent: signal.Signals, whom: Callable[[int], list[int]], seconds: float = SECONDS
) -> Tally:
    """What six callers get while one process after another is sent a signal."""
    stop, rng = threading.Event(), random.Random(sent)

    def fire() -> None:
        while not stop.wait(0.15):
            if pids := whom(live.process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(rng.choice(pids), sent)

    thread = threading.Thread(target=fire)
    thread.start()
    try:
        return call(live.address, requests(live), 6, seconds)
    finally:
        stop.set()
        thread.join()


def requests(live: Live) -> Callable[[int], tuple[str, object]]:
    bodies = [
        {
            "screenshot_base64": pictures.text(pictures.png(300, 500 + n)),
            "settings": {"canvas": {"width": 160, "height": 120}},
        }
        for n in range(4)
    ]
    return taking_turns([live.key() for _ in range(6)], bodies)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with running(tmp_path_factory.mktemp("decoders"), RATE_LIMIT="100000") as made:
        yield made


@pytest.mark.parametrize(
    ("whom", "sent"),
    [
        (decoders, signal.SIGSEGV),
        (decoders, signal.SIGKILL),
        (decoders, signal.SIGSTOP),
        (renderers, signal.SIGSEGV),
        (renderers, signal.SIGKILL),
    ],
)
def test_processes_that_are_shot(live: Live, whom: Callable[[int], list[int]], sent: signal.Signals) -> None:
    pid = live.process.pid
    call(live.address, requests(live), 6, 0.5)
    before = usage(pid)
    tally = under_fire(live, sent, whom)
    assert set(tally.statuses) <= DOCUMENTED, tally.statuses
    assert tally.statuses[200] > tally.statuses.total() / 2, tally.statuses

    # Nothing is left stopped, and none of the dead is still held by a descriptor.
    assert eventually(lambda: live.mockup().status == 200 and usage(pid).processes <= before.processes)
    assert eventually(lambda: usage(pid).files <= before.files + 6), (before, usage(pid))
    assert eventually(lambda: len(renderers(pid)) == cpus())
    assert decoders(pid)
