"""Signals to the decoders and renderers of a running server under load."""

from __future__ import annotations

import contextlib
import itertools
import random
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.system.container import cpus
from tests.support import pictures
from tests.support.live import Live, running
from tests.support.processes import Usage, decoders, is_stopped, renderers, send, tree, usage
from tests.support.waiting import until

pytestmark = pytest.mark.long(seconds=4)

CALLERS = 6
SHOTS = 5
DOCUMENTED = {200, 400, 500, 503, 504}
# The largest number of processes: the server, its fork server, and a renderer and a decoder for each
# processor.
MOST = 2 + 2 * cpus()

numbers = itertools.count()


def ask(live: Live, key: str) -> int:
    """The status of a small picture of a new screenshot, which no cache has decoded."""
    red, green, blue = next(numbers).to_bytes(3)
    shot = pictures.text(pictures.png(300, 500, (red, green, blue)))
    body = {"screenshot_base64": shot, "settings": {"canvas": {"width": 160, "height": 120}}}
    return live.send("POST", "/api/v1/mockup?output=raw", body, key=key).status


@contextlib.contextmanager
def callers(live: Live, statuses: Counter[int]) -> Iterator[None]:
    """While the block runs, callers request one picture after another; `statuses` counts their responses."""
    stopped, lock = threading.Event(), threading.Lock()

    def call(key: str) -> None:
        while not stopped.is_set():
            status = ask(live, key)
            with lock:
                statuses[status] += 1

    with ThreadPoolExecutor(CALLERS) as pool:
        jobs = [pool.submit(call, live.key()) for _ in range(CALLERS)]
        try:
            yield
        finally:
            stopped.set()
        for job in jobs:
            job.result()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    # A picture waits until its deadline if its decoder has been stopped, so deadlines are short.
    with running(tmp_path_factory.mktemp("decoders"), RATE_LIMIT="100000", RENDER_TIMEOUT_S="20") as made:
        yield made


@pytest.fixture(scope="module")
def before(live: Live) -> Usage:
    """The server's memory and open files, after many pictures and with all renderers and decoders running."""
    pid = live.process.pid
    until(lambda: len(renderers(pid)) == len(decoders(pid)) == cpus())
    statuses: Counter[int] = Counter()
    # Request pictures until every renderer has had every plate and the most shared memory it can get. Repeat
    # if a decoder has just exited, because its files would be missing from the count.
    while not statuses or len(decoders(pid)) < cpus():
        enough = statuses[200] + 200
        with callers(live, statuses):
            until(lambda: statuses[200] >= enough)  # noqa: B023
    return usage(pid)


@pytest.mark.parametrize(
    ("whom", "sent"),
    [
        # The process ends, whatever the signal.
        pytest.param(decoders, signal.SIGSEGV, marks=pytest.mark.thorough),
        (decoders, signal.SIGKILL),
        pytest.param(decoders, signal.SIGSTOP, marks=pytest.mark.thorough),
        pytest.param(renderers, signal.SIGSEGV, marks=pytest.mark.thorough),
        (renderers, signal.SIGKILL),
    ],
)
def test_killed_and_stopped_processes_are_replaced(
    live: Live, before: Usage, whom: Callable[[int], list[int]], sent: signal.Signals
) -> None:
    pid, key, rng = live.process.pid, live.key(), random.Random(sent)
    statuses: Counter[int] = Counter()
    with callers(live, statuses):
        for shot in range(SHOTS):
            # Renders go on before the next process is hit, whichever it was.
            while not (there := whom(pid)):
                assert ask(live, key) in DOCUMENTED
            with contextlib.suppress(ProcessLookupError):
                send(rng.choice(there), sent)
            until(lambda: ask(live, key) == 200, f"a picture after shot {shot}")
        # A stopped decoder does not notice the end of its renderer. It is replaced when its renderer gets the
        # next picture.
        until(lambda: not any(map(is_stopped, tree(pid))), "the end of the stopped")
    assert set(statuses) <= DOCUMENTED, statuses
    assert statuses[200] > 0

    # The server has closed the descriptors of all dead processes.
    until(lambda: ask(live, key) == 200 and len(tree(pid)) <= MOST, f"the end of {len(tree(pid))} processes")
    until(lambda: usage(pid).files <= before.files + 6, f"the end of {usage(pid)} after {before}")
    until(lambda: len(renderers(pid)) == cpus())
    assert decoders(pid)
