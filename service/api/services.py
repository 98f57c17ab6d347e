"""What the operations work with; the composition root builds it once."""

from __future__ import annotations

from dataclasses import dataclass, field

from anyio import CapacityLimiter
from starlette.requests import Request

from service.accounts.limits import RateLimits
from service.accounts.store import Accounts
from service.admission.budget import Budget
from service.admission.queue import Queue
from service.api.metrics import Metrics
from service.api.previews import Previews
from service.config import Config
from service.sources.remote import Fetcher
from service.workers.renderers import Renderers


@dataclass(slots=True)
class Readiness:
    """Whether new work is welcome; turned off when the server begins to stop."""

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
    budget: Budget
    previews: Previews
    metrics: Metrics
    # What takes as much memory again as a body, and the interpreter's lock, is done for one at a time.
    parsing: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(1))
    # Reading a page takes the interpreter's lock, and 40 threads that want it leave the event loop little.
    listing: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(2))
    readiness: Readiness = field(default_factory=Readiness)


def services_of(request: Request) -> Services:
    """The services of the application that serves `request`."""
    services: Services = request.app.state.services
    return services
