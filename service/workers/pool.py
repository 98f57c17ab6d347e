"""The server's end of the renderers: jobs go out and pictures come back, all on the event loop."""

from __future__ import annotations

import asyncio
import contextvars
import itertools
import logging
import os
import pickle
import socket
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from ..admission.memory import plan
from ..clock import CancelledError, Clock
from ..config import Config
from ..engine.request import DrawingRequest, RenderRequest, SourceFile
from ..errors import MockupError, failed, stopping
from ..limits import OVERSTAY_S, RENDER_ATTEMPTS, RENDERS_AHEAD
from ..processes import packing
from ..processes.forks import ForkServer
from ..processes.segments import Segments
from ..processes.supervisor import Supervisor
from ..processes.worker import NUMBER, Worker
from ..settings.rendering import Rendering
from ..settings.scene import PlateSpec
from ..system.container import cpus
from ..system.idle import Idle, give_back
from . import messages
from .fork_server import RENDERER, start_fork_server
from .messages import (
    MAX_REPLY,
    NUMBER_AT,
    Decoded,
    Done,
    Failed,
    Job,
    LogLine,
    Made,
    RendererReply,
    RendererRequest,
)
from .pending_job import PendingJob
from .plate_cache import PlateCache, SharedPlate
from .screenshot_cache import DecodedScreenshot, ScreenshotCache

log = logging.getLogger(__name__)

# Larger pictures are not copied out of the memory they come in. Smaller ones are copied, since that memory
# would keep a descriptor for as long as a slow client takes to read its response.
COPIED_BYTES = 8 * 2**20
# Idle time after which memory goes back to the system.
REST_S = 5.0


class RenderError(Exception):
    """An unexpected error, as a renderer reports it."""


class Pool:
    """Renders in processes, one per CPU; used on one event loop."""

    sandboxed = True

    def __init__(
        self, config: Config, fork_server: ForkServer | None = None, more: Sequence[str] = ()
    ) -> None:
        """Start the fork server unless one is given; `warm` or the first picture forks the renderers.

        The fork server forks for the modules `more`, too.
        """
        self.at_once = config.render_threads or cpus()
        planned = plan(config, self.at_once)
        self.plates = PlateCache(planned.plates)
        self.screenshots = ScreenshotCache(planned.screenshots)
        self.forks = self.fork_server = fork_server or start_fork_server(*more)
        options = messages.options(
            config.max_source_pixels, config.max_source_bytes, planned.spare, config.fonts_folder
        )
        self._jobs, self._job_source = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._jobs.setblocking(False)
        self.renderers = Supervisor(
            "renderer",
            [Worker(self.fork_server, RENDERER, options, self._descriptors) for _ in range(self.at_once)],
            longest=MAX_REPLY,
            received=self._received,
            died=self._died,
            unable=self._fail_all,
        )
        self._segments = Segments()
        self._room = asyncio.Semaphore(self.at_once + RENDERS_AHEAD)
        self._numbers = itertools.count(1)
        self.pending: dict[int, PendingJob] = {}  # by job number
        self._idle = Idle(REST_S, self._rest)
        self._expiry: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def up(self) -> bool:
        """As `service.workers.renderers.Renderers.up`."""
        return self.renderers.up

    @property
    def replaced(self) -> int:
        """As `service.workers.renderers.Renderers.replaced`."""
        return self.renderers.replaced

    def warm(self) -> None:
        """As `service.workers.renderers.Renderers.warm`."""
        self.renderers.start()

    async def render(
        self, request: RenderRequest, clock: Clock, screenshots: Sequence[DecodedScreenshot | None] = ()
    ) -> Rendering:
        """As `service.workers.renderers.Renderers.render`."""
        found = list(screenshots) or [None] * len(request.files)
        if request.supposed is not None:
            for number in request.supposed.unknown:
                id = request.files[number].id
                found[number] = found[number] or (self.screenshots.find(id) if id else None)
            request = request.measured(
                {
                    number: known.content
                    for number in request.supposed.unknown
                    if (known := found[number]) is not None
                }
            )
        spec = request.scene.spec
        plate, builds = None, False
        if request.options.reduced is None:
            with clock.stage("plate"):
                plate, builds = await self.plates.claim(spec)
        try:
            job = Job(
                request,
                clock.started,
                clock.timeout,
                time.perf_counter(),
                plate=plate.serial if plate else None,
                keep=self.plates.limit if builds else None,
            )
            return await self._made(job, clock, plate, spec if builds else None, found)
        finally:
            if builds:
                self.plates.settle(spec)

    async def draw(self, request: DrawingRequest, clock: Clock) -> Rendering:
        """As `service.workers.renderers.Renderers.draw`."""
        return await self._made(Job(request, clock.started, clock.timeout, time.perf_counter()), clock)

    def close(self) -> None:
        """As `service.workers.renderers.Renderers.close`."""
        self._closed = True
        self._idle.close()
        self.renderers.close()
        self.fork_server.close()
        self._jobs.close()
        self._job_source.close()
        self._segments.close()
        self.plates.clear()
        self.screenshots.clear()
        if self._expiry is not None:
            self._expiry.cancel()
        for sent in self.pending.values():
            sent.fail(stopping())

    async def _made(
        self,
        job: Job,
        clock: Clock,
        plate: SharedPlate | None = None,
        builds: PlateSpec | None = None,
        screenshots: Sequence[DecodedScreenshot | None] = (),
    ) -> Rendering:
        """The outcome of a job; `builds` is the spec of the plate that it builds for all renderers."""
        await self._room.acquire()
        try:
            if self._closed:
                raise stopping()
            number, request = next(self._numbers), job.request
            if isinstance(request, RenderRequest):
                job, screenshots = self._with_screenshots(job, request, screenshots)
            segment = packing.pack(replace(job, live=self.plates.live), self._segments.take)
            NUMBER.pack_into(segment.memory, NUMBER_AT, number)
        except BaseException:
            self._room.release()
            raise
        result: asyncio.Future[Rendering | None] = asyncio.get_running_loop().create_future()
        context = contextvars.copy_context()
        known = tuple(screenshots)
        sent = PendingJob(job.asked, segment, request, plate, builds, known, clock, result, context)
        self.pending[number] = sent
        result.add_done_callback(lambda _: self._settled(number))
        self._send(number)
        # Fork the renderers after the first job is sent, since a renderer without a job warms up first.
        self.warm()
        with clock.wait(sent.waited):
            try:
                rendering = await asyncio.shield(result)
            except asyncio.CancelledError:
                if result.done():
                    # The result and the cancellation came at the same moment.
                    raise
                sent.cancel()
                # Read an error that nobody waits for, or asyncio logs it; also after a second cancellation.
                result.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
                overstay = asyncio.get_running_loop().call_later(OVERSTAY_S, self._overstayed, number)
                await asyncio.wait({result})
                overstay.cancel()
                raise
        if rendering is None:
            raise CancelledError
        return rendering

    def _with_screenshots(
        self, job: Job, request: RenderRequest, known: Sequence[DecodedScreenshot | None]
    ) -> tuple[Job, list[DecodedScreenshot | None]]:
        """The job and its decoded screenshots: those that are `known`, or in the cache by now."""
        found = [self._found(file, one) for file, one in zip(request.files, known, strict=True)]
        files = tuple(
            # Files are sent beside the pickle instead of in it, so that they are copied only once.
            replace(
                file,
                data=cast(memoryview, pickle.PickleBuffer(b"" if one and one.replaces_file else file.data)),
            )
            for file, one in zip(request.files, found, strict=True)
        )
        pairs = zip(request.files, found, strict=True)
        keep = tuple(one is None and self._keeps(file) for file, one in pairs)
        backdrop = request.backdrop
        if backdrop is not None:
            buffer = cast(memoryview, pickle.PickleBuffer(backdrop.data))
            backdrop = replace(backdrop, data=buffer)
        sent = replace(
            job,
            request=replace(request, files=files, backdrop=backdrop),
            pixels=tuple(one.shape if one else None for one in found),
            keep_pixels=keep,
        )
        return sent, found

    def _found(self, file: SourceFile, known: DecodedScreenshot | None) -> DecodedScreenshot | None:
        """The decoded screenshot, if it is `known` or in the cache."""
        if file.id is None:
            return None
        known = known or self.screenshots.find(file.id)
        if known is None:
            self.screenshots.misses += 1
        else:
            self.screenshots.hits += 1
        return known

    def _keeps(self, file: SourceFile) -> bool:
        """Whether to keep the pixels of a screenshot that is about to be decoded."""
        size = file.header.width * file.header.height * 4
        return file.id is not None and self.screenshots.is_worth(file.id, size)

    def _send(self, number: int) -> None:
        sent = self.pending[number]
        try:
            socket.send_fds(self._jobs, [NUMBER.pack(number)], sent.descriptors)
        except OSError as error:
            sent.fail(_failure(f"a job could not be sent: {error}"))

    def _settled(self, number: int) -> None:
        """Clean up after a job that no renderer is working on any more."""
        self._segments.give(self.pending.pop(number).settle())
        self._room.release()
        self._idle.touch()

    def _overstayed(self, number: int) -> None:
        sent = self.pending.get(number)
        if sent is not None:
            self.renderers.kill(sent.owner)

    def _descriptors(self) -> tuple[int, ...]:
        """Descriptors for each renderer: the sockets to the jobs and to the fork server."""
        return self._job_source.fileno(), self.fork_server.control.fileno()

    def _received(self, number: int, message: bytes, fd: int | None) -> None:
        self._take(pickle.loads(message), number, fd)

    def _take(self, reply: RendererReply, number: int, fd: int | None) -> None:
        if isinstance(reply, LogLine):
            # Log in the request's context, so that the line has the request's id.
            taken = (sent for sent in self.pending.values() if sent.owner == number)
            context = next((sent.context for sent in taken), None) or contextvars.copy_context()
            context.run(logging.getLogger(reply.logger).log, reply.level, reply.text)
            return
        sent = self.pending.get(reply.job)
        if sent is None or sent.result.done():
            # The job was handed out twice, and another renderer has finished it.
            if fd is not None:
                os.close(fd)
            return
        if isinstance(reply, Made):
            if sent.spec is not None:
                self.plates.built(sent.spec, fd)
            return
        if isinstance(reply, Decoded):
            self._keep(sent.request, reply, fd)
            return
        for name, spent in reply.stages.items():
            sent.clock.add(name, spent, reply.begun[name])
        match reply:
            case Done():
                try:
                    data = _picture(fd, reply.size)
                except OSError as error:
                    sent.fail(_failure(f"a picture could not be received: {error}"))
                else:
                    sent.result.set_result(replace(reply.rendering, data=data))
            case Failed():
                if reply.error is None:
                    sent.result.set_result(None)
                else:
                    reply.error.__cause__ = RenderError(reply.cause) if reply.cause else None
                    sent.fail(reply.error)

    def _keep(self, request: RendererRequest, reply: Decoded, fd: int | None) -> None:
        assert isinstance(request, RenderRequest)
        assert fd is not None
        file = request.files[reply.number]
        assert file.id is not None
        self.screenshots.keep(DecodedScreenshot(file.id, file.header, reply.shape, fd, reply.content))
        if self._expiry is None:
            self._expire()

    def _expire(self) -> None:
        """Forget screenshots that have not been used for a while, and schedule the next such call."""
        due = self.screenshots.expire(time.monotonic())
        loop = asyncio.get_running_loop()
        self._expiry = None if due is None else loop.call_later(due - time.monotonic(), self._expire)

    def _died(self, number: int) -> None:
        """Hand the job of a dead renderer to another one, once; fail all jobs if no renderer can start."""
        self._fail_all()
        for job, sent in list(self.pending.items()):
            owner = sent.owner
            if sent.result.done():
                continue
            if owner == number:
                if sent.cancelled:
                    sent.result.set_result(None)
                    continue
                if sent.attempts >= RENDER_ATTEMPTS:
                    sent.fail(_failure(f"{RENDER_ATTEMPTS} renderers died while rendering one picture"))
                    continue
                sent.hand_on()
            # A job that no renderer has taken may be lost with this one. If it is not, its second copy is
            # skipped.
            if owner in (0, number):
                self._send(job)

    def _fail_all(self) -> None:
        """Fail all jobs if no renderer runs, and none ever will."""
        if self.up:
            return
        if self.fork_server.closed:
            error = stopping()
        elif self.fork_server.fault:
            error = _failure(f"the fork server could not start: {self.fork_server.fault}")
        else:
            return
        for sent in list(self.pending.values()):
            sent.fail(error)

    def _rest(self) -> None:
        self._segments.trim()
        give_back()


def _picture(fd: int | None, size: int) -> bytes | memoryview:
    """The bytes behind a descriptor, which is closed; a large picture stays in its memory."""
    if fd is None:
        raise OSError("no descriptor came with it")
    if size > COPIED_BYTES:
        return memoryview(packing.opened(fd))[:size]
    try:
        return os.pread(fd, size, 0)
    finally:
        os.close(fd)


def _failure(cause: str) -> MockupError:
    error = failed()
    error.__cause__ = RenderError(cause)
    return error
