"""The renderers of a machine, for threads that each render a chunk."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from ...codec.sandbox import support
from ...workers.fork_server import start_fork_server
from .chunks import Chunk, open_means, render_chunk
from .manifest import RowFault
from .receipts import Receipt

if TYPE_CHECKING:
    from ...config import Config

T = TypeVar("T")


class Machine:
    """Renderers for all cores of a machine, on an event loop in a thread of their own."""

    def __init__(self, config: Config) -> None:
        """Start the renderers; raises RuntimeError where screenshots cannot be decoded in a sandbox."""
        support.verify(allowed=config.allow_unsandboxed)
        self._fork_server = start_fork_server()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="renderers", daemon=True)
        self._thread.start()
        self._open = AsyncExitStack()
        self._means = self._result(self._open.enter_async_context(open_means(config, self._fork_server)))
        self._loop.call_soon_threadsafe(self._means.renderers.warm)

    def render(self, chunk: Chunk) -> list[Receipt | RowFault]:
        """Render and publish a chunk's rows, from any thread; returns the result of each."""
        outcomes: list[Receipt | RowFault] = []
        self._result(render_chunk(chunk, self._means, outcomes.append))
        return outcomes

    def close(self) -> None:
        """End the renderers; rows that are under way fail."""
        self._result(self._open.aclose())
        self._fork_server.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _result(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
