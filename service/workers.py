"""A bounded queue in front of the render threads: work is taken on at once, or refused at once."""

from __future__ import annotations

import asyncio
import contextvars
import math
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from service.clock import Clock
from service.config import Config
from service.errors import Code, MockupError

T = TypeVar("T")
QUEUE_PER_THREAD = 16
_CGROUP = Path("/sys/fs/cgroup")


class Workers:
    """Render threads; at most `threads + queue` pieces of work are held, and `per_user` of one user."""

    def __init__(self, threads: int, queue: int, per_user: int) -> None:
        """Start with idle threads; they come to be as they are needed."""
        self.threads = threads
        self.capacity = threads + queue
        self._per_user = per_user
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="render")
        self._lock = threading.Lock()
        self._held = 0
        self._users: Counter[str] = Counter()
        self._mean = 0.25  # seconds a piece of work takes; follows what is measured

    @classmethod
    def from_config(cls, config: Config) -> Workers:
        """As configured, or as the CPUs at hand suggest."""
        threads = config.render_threads or cpus()
        queue = QUEUE_PER_THREAD * threads if config.queue_size is None else config.queue_size
        return cls(threads, queue, config.renders_per_user)

    @property
    def held(self) -> int:
        """Pieces of work that wait or run."""
        return self._held

    @contextmanager
    def seat(self, user: str) -> Iterator[None]:
        """Count one request of `user` while it lasts; raises `SERVER_BUSY` when there is no room for it."""
        if self._users[user] >= self._per_user:
            raise self._busy(f"{self._per_user} renders of this user are in flight already")
        if self._held >= self.capacity:
            raise self._busy("The server is busy")
        self._users[user] += 1
        try:
            yield
        finally:
            self._users[user] -= 1
            if not self._users[user]:
                del self._users[user]

    async def run(self, work: Callable[[], T], clock: Clock) -> T:
        """The result of `work`, done in a render thread.

        Raises `SERVER_BUSY` at once when the queue is full and `RENDER_TIMEOUT` at the clock's deadline,
        however busy the thread still is. When the caller is cancelled or too late, the clock is cancelled:
        waiting work is dropped and running work stops at its next check.
        """
        job = self._submit(work, clock)
        result = asyncio.wrap_future(job)
        try:
            done, _ = await asyncio.wait({result}, timeout=_finite(clock.remaining))
        except asyncio.CancelledError:
            self._drop(job, result, clock)
            raise
        if not done:
            self._drop(job, result, clock)
            message = f"Rendering took longer than {clock.timeout:g} seconds"
            raise MockupError(Code.RENDER_TIMEOUT, message)
        return result.result()

    def close(self) -> None:
        """Drop waiting work and let the threads end; running work is not waited for."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _submit(self, work: Callable[[], T], clock: Clock) -> Future[T]:
        with self._lock:
            if self._held >= self.capacity:
                raise self._busy("The server is busy")
            self._held += 1
        queued = time.perf_counter()

        def timed() -> T:
            start = time.perf_counter()
            clock.stages["queue"] = (start - queued) * 1e3
            clock.check()
            result = work()
            self._mean += 0.1 * (time.perf_counter() - start - self._mean)
            return result

        try:
            # In the request's context, so that log lines of the render carry its id.
            job = self._executor.submit(contextvars.copy_context().run, timed)
        except BaseException:
            self._release()
            raise
        job.add_done_callback(lambda _: self._release())
        return job

    def _release(self) -> None:
        with self._lock:
            self._held -= 1

    def _drop(self, job: Future[T], result: asyncio.Future[T], clock: Clock) -> None:
        clock.cancel()
        job.cancel()
        # Nobody will look at it any more, so that it must not be reported as never retrieved.
        result.add_done_callback(lambda done: done.cancelled() or done.exception())

    def _busy(self, message: str) -> MockupError:
        wait = max(1, math.ceil(self._held * self._mean / self.threads))
        return MockupError(Code.SERVER_BUSY, f"{message}. Try again in {wait} seconds", retry_after=wait)


def cpus() -> int:
    """CPUs this process may use: those of its affinity mask, or fewer where a control group says so."""
    at_hand = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(at_hand, math.ceil(quota(_CGROUP) or at_hand)))


def quota(root: Path) -> float | None:
    """CPUs that the control group under `root` grants, version 2 or 1; None when it sets no limit."""
    try:
        most, period = (root / "cpu.max").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        try:
            most = (root / "cpu" / "cpu.cfs_quota_us").read_text(encoding="ascii").strip()
            period = (root / "cpu" / "cpu.cfs_period_us").read_text(encoding="ascii").strip()
        except OSError:
            return None
    try:
        return int(most) / int(period) if int(most) > 0 else None
    except ValueError:
        return None


def _finite(seconds: float) -> float | None:
    return None if math.isinf(seconds) else seconds
