"""Has films made in processes of their own, on the event loop."""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ..errors import failed
from ..processes.forks import Forks
from ..processes.worker import Worker
from .messages import MAX_MESSAGE, WORKER, FilmJob, FilmMessage, Finished, Stopped, options

log = logging.getLogger(__name__)


@asynccontextmanager
async def making(
    forks: Forks, job: FilmJob, recording: int, output: int, *, nice: bool
) -> AsyncIterator[AsyncIterator[FilmMessage]]:
    """Make a film of the file behind a descriptor in that behind another; yields what is said of it.

    The last message is `Finished`; before it, MockupError may be raised. When the block is left, the process
    ends.
    """
    worker = Worker(forks, WORKER, options(nice=nice), lambda: (recording, output, forks.control.fileno()))
    child = await asyncio.to_thread(worker.ready)
    try:
        child.channel.setblocking(False)
        await asyncio.get_running_loop().sock_sendall(child.channel, pickle.dumps(job))
        yield _said(worker)
    finally:
        await asyncio.to_thread(worker.end)


async def _said(worker: Worker) -> AsyncIterator[FilmMessage]:
    assert worker.child is not None
    channel, loop = worker.child.channel, asyncio.get_running_loop()
    while True:
        try:
            message = await loop.sock_recv(channel, MAX_MESSAGE)
        except OSError:
            message = b""
        if not message:
            log.error("a process that made a film died")
            raise failed()
        said: FilmMessage = pickle.loads(message)
        if isinstance(said, Stopped):
            if said.cause:
                log.error("a film could not be made: %s", said.cause)
            raise said.error
        yield said
        if isinstance(said, Finished):
            return
