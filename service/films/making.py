"""Runs the processes that make films, from the event loop."""

from __future__ import annotations

import asyncio
import logging
import pickle
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from ..errors import failed, invalid
from ..processes.forks import Child, Forks
from ..processes.worker import Worker
from .messages import (
    MAX_MESSAGE,
    WORKER,
    AnyJob,
    CheckJob,
    FilmMessage,
    Finished,
    MeasureJob,
    Stills,
    Stopped,
    options,
)

log = logging.getLogger(__name__)


@asynccontextmanager
async def making(
    forks: Forks, job: AnyJob, recordings: Sequence[int], output: int, *, nice: bool
) -> AsyncIterator[AsyncIterator[FilmMessage]]:
    """Do a job that reads the descriptors `recordings` and writes to `output`; yields its process's messages.

    The last message is the job's result. Iterating may raise MockupError. Leaving the block ends the
    process.
    """
    sent = pickle.dumps(job)
    if len(sent) > MAX_MESSAGE:
        raise invalid("The film's settings are too large")
    worker = Worker(forks, WORKER, options(nice=nice), lambda: (output, forks.control.fileno()))
    starting = asyncio.create_task(asyncio.to_thread(worker.ready))
    try:
        child = await asyncio.shield(starting)
        # The message fits into the socket's buffer, which is empty.
        socket.send_fds(child.channel, [sent], recordings)
        child.channel.setblocking(False)
        yield _said(worker, isinstance(job, MeasureJob | CheckJob))
    finally:
        await asyncio.shield(_ended(worker, starting))


async def _ended(worker: Worker, starting: asyncio.Future[Child]) -> None:
    """End a process, but wait for its start first, which goes on even if the caller has left."""
    await asyncio.wait({starting})
    await asyncio.to_thread(worker.end)


async def result(
    forks: Forks, job: AnyJob, recordings: Sequence[int] = (), output: int = 0, *, nice: bool = False
) -> FilmMessage:
    """The result of a job; by default, it reads and writes no files. Raises MockupError."""
    async with making(forks, job, recordings, output, nice=nice) as said:
        *_, last = [message async for message in said]
    return last


async def _said(worker: Worker, short: bool) -> AsyncIterator[FilmMessage]:
    """The messages of a process; only one if the job is `short`."""
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
        if short or isinstance(said, Finished | Stills):
            return
