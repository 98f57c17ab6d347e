"""Keeps worker processes running: forks and watches them, replaces those that end, and kills them."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Callable

from .forks import Child
from .worker import NUMBER, Worker

log = logging.getLogger(__name__)

# A worker that dies before it has run for this time is replaced only after the same time again.
RECOVERY_S = 1.0


class Supervisor:
    """Keeps several workers of one kind running on an event loop, each under its number from 1."""

    def __init__(
        self,
        name: str,
        workers: list[Worker],
        *,
        longest: int,
        received: Callable[[int, bytes, int | None], None],
        died: Callable[[int], None],
        unable: Callable[[], None],
    ) -> None:
        """Nothing runs before `start`; `name` is the workers' name in log lines.

        `received` gets a worker's number, its message of at most `longest` bytes and the descriptor that came
        with it. `died` gets the number of a worker that has ended, once its successor is being started, and
        `unable` is called whenever a worker could not be started.
        """
        self._name = name
        self._workers = dict(enumerate(workers, 1))
        self._longest = longest
        self._received = received
        self._died = died
        self._unable = unable
        # When the running workers first answered.
        self._born: dict[int, float] = {}
        # Workers that could not be started or died soon after their start, and have not run for long since
        # then.
        self._failing: set[int] = set()
        # Workers killed because nobody wants their work any more.
        self._unwanted: set[int] = set()
        self._started = self._closed = False
        # Workers that have died and been replaced.
        self.replaced = 0

    @property
    def up(self) -> bool:
        """Whether any worker keeps running; a failure is noticed with some delay."""
        return len(self._failing) < len(self._workers)

    def start(self) -> None:
        """Have all workers forked, once."""
        if not self._started:
            self._started = True
            for number in self._workers:
                self._start(number)

    def child(self, number: int) -> Child | None:
        """A worker's process while it is running."""
        worker = self._workers.get(number)
        return worker.child if worker else None

    def kill(self, number: int) -> None:
        """Kill a worker, if it is running, to end its work; its successor starts at once."""
        if child := self.child(number):
            self._unwanted.add(number)
            child.signal_kill()

    def close(self) -> None:
        """Kill all workers and stop watching them."""
        self._closed = True
        running = [number for number, worker in self._workers.items() if worker.child]
        for number in running:
            if child := self.child(number):
                child.signal_kill()
        for number in running:
            self._end(number)

    def _start(self, number: int) -> None:
        if self._closed:
            return
        worker, loop = self._workers[number], asyncio.get_running_loop()
        try:
            child = worker.start()
            child.channel.send(NUMBER.pack(number))
        except OSError:
            log.exception("a %s could not be started", self._name)
            worker.end()
            self._retry(number)
            self._unable()
            return
        child.channel.setblocking(False)
        self._born.pop(number, None)
        loop.add_reader(child.channel.fileno(), self._read, number)

    def _retry(self, number: int) -> None:
        self._failing.add(number)
        asyncio.get_running_loop().call_later(RECOVERY_S, self._start, number)

    def _lasted(self, number: int, child: Child) -> None:
        if self.child(number) is child:
            self._failing.discard(number)

    def _read(self, number: int) -> None:
        child = self._workers[number].child
        assert child is not None
        try:
            if not child.is_connected:
                child.handshake()
                self._born[number] = time.monotonic()
                asyncio.get_running_loop().call_later(RECOVERY_S, self._lasted, number, child)
                return
            message, fds, _, _ = socket.recv_fds(child.channel, self._longest, 1)
        except BlockingIOError:
            return
        except OSError:
            message, fds = b"", []
        if message:
            self._received(number, message, fds[0] if fds else None)
        else:
            self._replace(number)

    def _replace(self, number: int) -> None:
        self._end(number)
        self.replaced += 1
        if number in self._unwanted:
            self._unwanted.discard(number)
            log.info("a %s was killed at work that was cancelled; replaced", self._name)
            self._start(number)
        else:
            log.warning("a %s died; replaced", self._name)
            born = self._born.get(number)
            if born is None or time.monotonic() - born < RECOVERY_S:
                self._retry(number)
            else:
                self._start(number)
        self._died(number)

    def _end(self, number: int) -> None:
        worker = self._workers[number]
        if worker.child is not None:
            asyncio.get_running_loop().remove_reader(worker.child.channel.fileno())
            worker.end()
