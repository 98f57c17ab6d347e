"""Renders chunks in this process' own renderers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from .chunks import Chunk, Report, open_means, render_chunk

if TYPE_CHECKING:
    from ...config import Config
    from ...processes.forks import ForkServer

# Chunks under way at a time, so that renderers do not idle while a chunk's last picture is rendered.
AHEAD = 2


async def render(
    chunks: AsyncIterator[Chunk], report: Report, config: Config, fork_server: ForkServer
) -> None:
    """Render all chunks; raises the first error that no row has caused, such as a full disk."""
    under_way = asyncio.Semaphore(AHEAD)
    async with open_means(config, fork_server) as means:

        async def make(chunk: Chunk) -> None:
            try:
                await render_chunk(chunk, means, report)
            finally:
                under_way.release()

        try:
            async with asyncio.TaskGroup() as group:
                async for chunk in chunks:
                    await under_way.acquire()
                    group.create_task(make(chunk))
        except BaseExceptionGroup as errors:
            raise _first(errors) from errors


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
