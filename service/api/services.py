"""The services that requests share; built once by the composition root."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from starlette.requests import Request

from service.accounts.limits import RateLimits
from service.accounts.store import Accounts
from service.admission.queue import Queue
from service.api.metrics import Metrics
from service.api.thumbnails import Thumbnails
from service.concurrency.fair_shares import FairShares
from service.concurrency.latest import Latest
from service.concurrency.single_flight import AsyncSingleFlight
from service.concurrency.turns import Turns
from service.config import Config
from service.sources.remote import Fetcher
from service.workers.renderers import Renderers


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
    # Parsing takes as much memory again as the body, and the interpreter lock: one body at a time.
    parsing: Turns = field(default_factory=lambda: Turns(1))
    # Reading a page takes the interpreter's lock, and 40 threads that want it leave the event loop little.
    listing: Turns = field(default_factory=lambda: Turns(2))
    # Those with an Idempotency-Key, by user and key, and pictures by link, by user and id.
    requests_under_way: AsyncSingleFlight[tuple[UUID, str], None] = field(default_factory=AsyncSingleFlight)
    readiness: Readiness = field(default_factory=Readiness)


def services_of(request: Request) -> Services:
    """The services of the application that serves `request`."""
    services: Services = request.app.state.services
    return services
