"""Supervision of workers with real processes; decoders represent all kinds."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator

import pytest

from service.codec.sandbox import messages
from service.processes import supervisor
from service.processes.forks import ForkServer
from service.processes.supervisor import Supervisor
from service.processes.worker import Worker
from tests.support.processes import children, send
from tests.support.waiting import soon

pytestmark = [pytest.mark.long]


@pytest.fixture
def fork_server() -> Iterator[ForkServer]:
    made = ForkServer(messages.KIND)
    yield made
    made.close()


def test_a_worker_is_started_when_needed_and_again_after_its_end(fork_server: ForkServer) -> None:
    worker = Worker(fork_server, messages.KIND, messages.options(max_pixels=1000))
    assert worker.child is None
    first = worker.ready()
    assert worker.ready() is first
    (pid,) = children(fork_server.pid)
    send(pid, signal.SIGKILL)
    while worker.ready() is first:
        pass
    assert children(fork_server.pid) != [pid]
    worker.end()
    assert worker.child is None
    assert not children(fork_server.pid)
    fork_server.close()
    with pytest.raises(OSError, match="closed"):
        worker.ready()


async def test_short_lived_workers_are_restarted_after_a_while(
    fork_server: ForkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "RECOVERY_S", 0.2)
    died: list[int] = []
    # A decoder exits when it receives its number, because a message to a decoder must come with descriptors.
    workers = [Worker(fork_server, messages.KIND, messages.options(max_pixels=1000)) for _ in range(2)]
    kept = Supervisor(
        "decoder",
        workers,
        longest=64,
        received=lambda *_: None,
        died=died.append,
        unable=lambda: None,
    )
    assert kept.up
    kept.start()
    kept.start()
    await soon(lambda: not kept.up)
    await soon(lambda: died.count(1) > 2 and died.count(2) > 2)
    kept.close()
    assert kept.child(1) is kept.child(2) is None
    told = len(died)
    await asyncio.sleep(0.5)
    assert len(died) == told
    assert not children(fork_server.pid)
