"""The composition root: the only place where services are built and wired together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio import move_on_after, to_thread
from starlette.applications import Starlette

from .accounts.limits import RateLimits
from .accounts.store import Accounts
from .admission import memory
from .admission.client_address import TrustedProxies
from .admission.queue import Queue
from .api import film_work, key_uses, openapi, reference_page, uploads
from .api.failures import HANDLERS
from .api.metrics import Metrics, Reading
from .api.middleware import middleware
from .api.operations import build_models, public_paths, routes
from .api.pages import ReferencePages
from .api.picture_file import PictureFile
from .api.readings import readings
from .api.services import Services
from .api.thumbnails import Thumbnails
from .api.tracing import open_tracer
from .api.web_files import web_files
from .concurrency.fair_shares import FairShares
from .concurrency.latest import Latest
from .config import Config
from .devices.device import catalogue
from .films.messages import KINDS
from .limits import PREVIEWS_AT_ONCE, TRACES_S
from .sources.remote import Fetcher
from .system import container
from .system.idle import freeze, share_heap
from .system.peaks import give_back_peaks
from .workers.opening import open_renderers
from .workers.renderers import Renderers


def create_app(config: Config, renderers: Renderers | None = None) -> Starlette:
    """Build the service as an ASGI application; upgrades its database first.

    `renderers` default to the best ones available on this machine; the application closes them.
    """
    share_heap()
    # Open the renderers first, because their processes start while the rest is built.
    renderers = renderers or open_renderers(config, more=KINDS if config.films_at_once else ())
    accounts = Accounts(config)
    accounts.upgrade()
    plan = memory.plan(config, renderers.at_once)
    queue = Queue(renderers.at_once, plan.slots, plan.renders, plan.alone)
    services = Services(
        config=config,
        accounts=accounts,
        limits=RateLimits(config),
        fetcher=Fetcher(config),
        renderers=renderers,
        queue=queue,
        latest=Latest(plan.slots, min(renderers.at_once, PREVIEWS_AT_ONCE)),
        latest_shapes=Latest(plan.slots),
        budget=FairShares(plan.in_flight),
        thumbnails=Thumbnails(
            queue, PictureFile(config.data_dir), config.render_timeout_s, config.queue_timeout_s
        ),
        metrics=Metrics(),
    )
    services.metrics.watch(
        (
            *readings(services),
            Reading("memory_bytes", "Memory in use by the container", lambda: container.memory_in_use() or 0),
            Reading("memory_limit_bytes", "Memory that the container may use", container.memory),
        )
    )
    catalogue()
    web_files()
    build_models()
    tracer = open_tracer(TrustedProxies(config.trusted_proxies))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        services.renderers.warm()
        freeze()
        tasks = [
            asyncio.create_task(give_back_peaks()),
            asyncio.create_task(uploads.sweep(services)),
            asyncio.create_task(key_uses.record(accounts)),
            asyncio.create_task(to_thread.run_sync(services.fetcher.load)),
        ]
        making = [asyncio.create_task(one) for one in film_work.workers(services)]
        yield
        for task in (*tasks, *making):
            task.cancel()
        services.readiness.open = False
        # Cancelled tasks leave their films to other instances.
        await asyncio.gather(*making, return_exceptions=True)
        services.renderers.close()
        await services.fetcher.close()
        await key_uses.write(accounts)
        accounts.close()
        if tracer is not None:
            with move_on_after(TRACES_S):
                await to_thread.run_sync(tracer.close, abandon_on_cancel=True)

    app = Starlette(
        routes=routes(),
        middleware=middleware(config, tracer, public_paths()),
        exception_handlers=dict(HANDLERS),
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.services = services
    app.state.plan = plan
    app.state.proxies = TrustedProxies(config.trusted_proxies)
    app.state.reference_pages = ReferencePages(openapi.document, reference_page.html)
    return app
