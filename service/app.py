"""The composition root: the only place where services are built and wired together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from anyio import move_on_after, to_thread
from starlette.applications import Starlette

from service.accounts.limits import RateLimits
from service.accounts.store import Accounts
from service.admission import memory
from service.admission.client_address import TrustedProxies
from service.admission.queue import Queue
from service.api import key_uses, openapi, reference_page, uploads
from service.api.failures import HANDLERS
from service.api.file_responses import File
from service.api.metrics import Metrics, Reading
from service.api.middleware import middleware
from service.api.operations import routes
from service.api.pages import Viewer
from service.api.picture_file import PictureFile
from service.api.readings import readings
from service.api.services import Services
from service.api.thumbnails import Thumbnails
from service.api.tracing import open_tracer
from service.api.web_files import web_files
from service.concurrency.fair_shares import FairShares
from service.concurrency.latest import Latest
from service.config import Config
from service.devices.device import catalogue
from service.limits import TRACES_S
from service.sources.remote import Fetcher
from service.system import container
from service.system.idle import freeze, share_heap
from service.system.peaks import give_back_peaks
from service.workers.opening import open_renderers
from service.workers.renderers import Renderers


def create_app(config: Config, renderers: Renderers | None = None) -> Starlette:
    """Build the service as an ASGI application; upgrades its database first.

    `renderers` default to the best ones available on this machine; the application closes them.
    """
    share_heap()
    # First, because its processes start in parallel with what follows.
    renderers = renderers or open_renderers(config)
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
        latest=Latest(plan.slots),
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
    tracer = open_tracer(TrustedProxies(config.trusted_proxies))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        services.renderers.warm()
        freeze()
        tasks = [
            asyncio.create_task(give_back_peaks()),
            asyncio.create_task(uploads.sweep(services)),
            asyncio.create_task(key_uses.record(accounts)),
        ]
        yield
        for task in tasks:
            task.cancel()
        services.readiness.open = False
        services.renderers.close()
        await services.fetcher.close()
        await key_uses.write(accounts)
        accounts.close()
        if tracer is not None:
            with move_on_after(TRACES_S):
                await to_thread.run_sync(tracer.close, abandon_on_cancel=True)

    app = Starlette(
        routes=routes(),
        middleware=middleware(config, tracer),
        exception_handlers=dict(HANDLERS),
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.services = services
    app.state.plan = plan
    app.state.proxies = TrustedProxies(config.trusted_proxies)
    document = openapi.document()
    app.state.openapi = File.json(document)
    app.state.docs = File.constant(reference_page.html(document).encode(), "text/html; charset=utf-8")
    app.state.viewer = Viewer()
    return app
