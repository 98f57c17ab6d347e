"""The application in this process, with renderers that the tests control."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structlog
from starlette.applications import Starlette

from service.app import create_app
from service.clock import Clock
from service.config import Config
from service.engine.request import DrawingRequest, RenderRequest
from service.settings.rendering import Rendering
from service.settings.scene import Scene
from service.settings.warnings import Warning
from service.system.container import cpus
from service.workers.plate_cache import PlateCache
from service.workers.screenshot_cache import DecodedScreenshot, ScreenshotCache
from tests.support import pictures
from tests.support.live import furnish

PICTURE = pictures.png(8, 6)
REQUEST = {"screenshot_base64": pictures.text()}


@dataclass
class Puppet:
    """Stands in for the renderers: runs `work` in a thread, then returns the same small picture every
    time."""

    work: Callable[[Clock], None] = lambda clock: None
    seen: list[Scene] = field(default_factory=list)
    warnings: tuple[Warning, ...] = ()
    started: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    at_once: int = 1
    up: bool = True
    sandboxed: bool = True
    replaced: int = 0
    forks: Any = None
    screenshots: ScreenshotCache = field(default_factory=lambda: ScreenshotCache(0))
    plates: PlateCache = field(default_factory=lambda: PlateCache(0))

    def warm(self) -> None:
        pass

    async def render(
        self, request: RenderRequest, clock: Clock, screenshots: Sequence[DecodedScreenshot | None] = ()
    ) -> Rendering:
        self.seen.append(request.scene)
        with clock.stage("puppet"):
            # A stage refuses to begin after the deadline.
            self.started.release()
            await self._worked(clock)
        made = Rendering(PICTURE, "image/png", 8, 6, "iphone-16-pro", self.warnings)
        return made.in_base64() if request.options.text else made

    async def draw(self, request: DrawingRequest, clock: Clock) -> Rendering:
        await self._worked(clock)
        return Rendering(PICTURE, "image/png", 8, 6, "iphone-16-pro", ())

    async def _worked(self, clock: Clock) -> None:
        job = asyncio.ensure_future(asyncio.to_thread(self.work, clock))
        try:
            await asyncio.shield(job)
        except asyncio.CancelledError:
            # As with real renderers, the call returns once the work has stopped.
            await asyncio.wait({job})
            job.exception()
            raise

    def close(self) -> None:
        pass


@dataclass
class Reply:
    """The application's response, or status 0 if the application sent none."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Application:
    """The application, its studio, and keys for it."""

    app: Starlette
    studio: Puppet
    count: int = 0
    slots: ExitStack = field(default_factory=ExitStack)

    def key(self) -> str:
        self.count += 1
        accounts = self.app.state.services.accounts
        user = accounts.users.add(f"user{self.count}@example.com", "pro")
        return str(accounts.keys.issue(user.id))

    def fill(self) -> None:
        """Occupy every slot of the queue."""
        queue = self.app.state.services.queue
        for number in range(queue.capacity):
            self.slots.enter_context(queue.slot(f"filling:{number}"))

    def empty(self) -> None:
        """Release the slots."""
        self.slots.close()

    async def send(
        self,
        body: Any = None,
        *,
        key: str,
        method: str = "POST",
        path: str = "/api/v1/mockup",
        query: str = "",
        left: asyncio.Event | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """One request; the client leaves when `left` is set."""
        data = json.dumps(REQUEST if body is None else body).encode()
        reply, sent = Reply(), False

        async def receive() -> Any:
            nonlocal sent
            if not sent:
                sent = True
                return {"type": "http.request", "body": data, "more_body": False}
            await (left or asyncio.Event()).wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                reply.status = message["status"]
                reply.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            else:
                reply.body += message.get("body", b"")

        sent_headers = {
            "authorization": f"Bearer {key}",
            "content-type": "application/json",
            "content-length": str(len(data)),
            **(headers or {}),
        }
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "scheme": "http",
            "server": ("127.0.0.1", 80),
            "client": ("127.0.0.1", 1),
            "headers": [(name.encode(), value.encode()) for name, value in sent_headers.items()],
        }
        await self.app(scope, receive, send)
        return reply


@contextmanager
def application(folder: Path, **settings: Any) -> Iterator[Application]:
    """An application whose database is in `folder`."""
    config = Config(
        database_url=f"sqlite:///{folder}/mockup.db",
        data_dir=folder,
        key_secret="a secret of the tests",
        **settings,
    )
    furnish(folder)
    # Formatting tracebacks with all variables would take seconds.
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, plain])
    studio = Puppet(at_once=config.render_threads or cpus())
    app = create_app(config, studio)
    try:
        yield Application(app, studio)
    finally:
        app.state.services.accounts.close()
        structlog.reset_defaults()
