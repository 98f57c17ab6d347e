"""The services that requests share; built once by the composition root."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, TypeVarTuple
from uuid import UUID

from anyio import to_thread
from starlette.requests import Request

from ..accounts.limits import RateLimits
from ..accounts.store import Accounts
from ..admission.queue import Queue
from ..concurrency.async_single_flight import AsyncSingleFlight
from ..concurrency.fair_shares import FairShares
from ..concurrency.latest import Latest
from ..concurrency.turns import Turns
from ..config import Config
from ..limits import FILM_CHECKS
from ..sources.remote import Fetcher
from ..workers.renderers import Renderers
from .metrics import Metrics
from .thumbnails import Thumbnails

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


@dataclass(slots=True)
class Readiness:
    """Whether the server accepts new work; turned off when it starts to shut down."""

    open: bool = True


@dataclass(frozen=True, slots=True)
class Services:
    """The services that requests share, each safe to use from several threads."""

    config: Config
    accounts: Accounts
    limits: RateLimits
    fetcher: Fetcher
    renderers: Renderers
    queue: Queue
    latest: Latest
    latest_shapes: Latest
    # Bytes in flight: bodies, screenshots, unread responses.
    budget: FairShares
    thumbnails: Thumbnails
    metrics: Metrics
    # Parsing needs as much memory again as the body, and the interpreter lock, so only one body is parsed at
    # a time.
    parsing: Turns = field(default_factory=lambda: Turns(1))
    # Reading a page takes the interpreter lock, and 40 threads would leave the event loop little of it.
    listing: Turns = field(default_factory=lambda: Turns(2))
    # Requests with an Idempotency-Key, by user and key, and pictures of links, by user and id.
    requests_under_way: AsyncSingleFlight[tuple[UUID, str], None] = field(default_factory=AsyncSingleFlight)
    # Turns for opening recordings and checking films, each in a process.
    film_checks: Turns = field(default_factory=lambda: Turns(FILM_CHECKS))
    # Set when a film waits, and when a webhook may be due.
    films_wanted: asyncio.Event = field(default_factory=asyncio.Event)
    webhooks_wanted: asyncio.Event = field(default_factory=asyncio.Event)
    readiness: Readiness = field(default_factory=Readiness)

    async def read(self, find: Callable[[*Arguments], T], *arguments: *Arguments) -> T:
        """The result of `find`, which reads a row of the accounts; for requests that come often.

        SQLite takes less time than handing the work to a thread, and its readers never wait for a writer.
        PostgreSQL is asked in a thread.
        """
        if self.accounts.is_immediate:
            return find(*arguments)
        return await to_thread.run_sync(find, *arguments)


def services_of(request: Request) -> Services:
    """The services of the application that serves `request`."""
    services: Services = request.app.state.services
    return services
