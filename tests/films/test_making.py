"""The processes of films: they end with their caller."""

from __future__ import annotations

import asyncio
import pickle
import threading

import pytest

from service.errors import MockupError
from service.films import making as module
from service.films.making import making
from service.films.messages import MeasureJob
from service.processes.forks import Child, ForkServer
from service.processes.worker import Worker
from tests.support.waiting import PATIENCE_S, soon


async def test_a_process_ends_if_its_caller_leaves_while_it_starts(
    forks: ForkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    started: list[Child] = []
    ready = Worker.ready

    def slow(self: Worker) -> Child:
        begun.set()
        assert go_on.wait(PATIENCE_S)
        started.append(ready(self))
        return started[0]

    async def make() -> None:
        async with making(forks, MeasureJob(), [0], 0, nice=False):
            pass

    monkeypatch.setattr(Worker, "ready", slow)
    task = asyncio.create_task(make())
    assert await asyncio.to_thread(begun.wait, PATIENCE_S)
    # A film that takes too long may be cancelled as well.
    for _ in range(2):
        task.cancel()
        await asyncio.sleep(0)
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    await soon(lambda: [child.pidfd for child in started] == [None], "the end of the process")


async def test_settings_are_as_large_as_a_message_at_most(
    forks: ForkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(_: Worker) -> Child:
        raise InterruptedError

    async def make() -> None:
        async with making(forks, MeasureJob(), [0], 0, nice=False):
            pass

    monkeypatch.setattr(Worker, "ready", stopped)
    size = len(pickle.dumps(MeasureJob()))
    monkeypatch.setattr(module, "MAX_MESSAGE", size)
    with pytest.raises(InterruptedError):
        await make()
    monkeypatch.setattr(module, "MAX_MESSAGE", size - 1)
    with pytest.raises(MockupError, match="too large"):
        await make()
