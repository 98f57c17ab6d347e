"""The process that renders: one picture after the other, without secrets and without the network."""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import resource
import select
import socket
import time
import traceback
from dataclasses import replace
from typing import Any

from ..arrays import U8
from ..clock import CancelledError, Clock
from ..codec.content import measure
from ..codec.sandbox.client import Sandboxed
from ..codec.sandbox.keeping import KeepingDecoder, mapped
from ..devices.device import catalogue
from ..engine.request import RenderRequest
from ..engine.studio import LARGE, Studio
from ..errors import MockupError, failed
from ..limits import SCENE_DEVICES
from ..processes import packing
from ..processes.forks import Forks
from ..processes.segments import Segment, sealed
from ..processes.worker import NUMBER
from ..render.light import environment
from ..settings.rendering import Rendering
from ..settings.schema import Reflection
from ..system.idle import private
from .messages import (
    NUMBER_AT,
    OWNER,
    OWNER_AT,
    TAKEN,
    TAKEN_AT,
    Decoded,
    Done,
    Failed,
    Job,
    LogLine,
    Made,
    RendererReply,
    RendererRequest,
    SharedFlag,
)
from .worker_plates import WorkerPlates

log = logging.getLogger(__name__)

# Idle time after which memory goes back to the system.
REST_S = 5.0
# Most descriptors of a job: those of its message, a plate and the screenshots of a scene.
DESCRIPTORS = 2 + SCENE_DEVICES
# Most characters of a traceback that are sent: its end, which tells the most.
MAX_TEXT = 16384


def prepare() -> None:
    """Load, in the fork server, the modules that every renderer needs."""
    catalogue()
    # The other environments are loaded when needed: all of them would delay the start considerably.
    environment.load(Reflection.model_fields["environment"].default)


def run(options: dict[str, Any], channel: socket.socket, jobs: int, control: int) -> None:
    """Serve as a renderer: take jobs from the socket `jobs`, and fork decoders through `control`."""
    # Each kept plate that is mapped takes a descriptor.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with contextlib.suppress(OSError):
        # With SCHED_BATCH, a renderer that wakes up does not preempt the event loop. Its priority stays the
        # same: otherwise, each request of a flood would make the loop preempt a renderer.
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    logging.basicConfig(handlers=[_Lines(channel)])
    number = NUMBER.unpack(channel.recv(NUMBER.size))[0]
    forks = Forks(socket.socket(fileno=control))
    try:
        Renderer(options, number, channel, socket.socket(fileno=jobs), forks).serve()
    except Exception:
        log.exception("a renderer ends")


class Renderer:
    """Takes jobs and sends replies."""

    def __init__(
        self,
        options: dict[str, Any],
        number: int,
        channel: socket.socket,
        jobs: socket.socket,
        forks: Forks,
    ) -> None:
        self._number = number
        self._channel = channel
        self._jobs = jobs
        self._at_work_on = 0
        self._plates = WorkerPlates(self._publish)
        self._spare = options["spare"]
        decoder = Sandboxed(max_pixels=options["max_pixels"], max_bytes=options["max_bytes"], forks=forks)
        self._decoder = KeepingDecoder(decoder, self._publish_pixels)
        self._studio = Studio(plates=self._plates, decoder=self._decoder, fonts=options["fonts"])

    def serve(self) -> None:
        """Work until the server closes its end."""
        poller = select.epoll()
        # A job wakes one of the renderers that wait, rather than all of them.
        poller.register(self._jobs, select.EPOLLIN | select.EPOLLEXCLUSIVE)
        if not poller.poll(0):
            self._studio.warm_up()
            self._studio.trim()
        kept = private()
        while True:
            if not poller.poll(REST_S):
                self._studio.trim()
                kept = private()
                poller.poll()
            try:
                message, fds, _, _ = socket.recv_fds(
                    self._jobs, NUMBER.size, DESCRIPTORS, socket.MSG_DONTWAIT
                )
            except BlockingIOError:
                # Another renderer has taken the job.
                continue
            if not message:
                return
            number = NUMBER.unpack(message)[0]
            if not fds:
                self._send(Failed(number, failed(), "no descriptor came with the job", {}, {}))
            elif self._work(number, *fds) > LARGE or private() > kept + self._spare:
                # The next large picture may go to another renderer, and two renderers must not both keep that
                # much memory.
                self._studio.trim()
                kept = private()

    def _work(self, number: int, fd: int, *others: int) -> int:
        """Do a job; returns the number of pixels of its picture, 0 if it has none."""
        memory = packing.opened(fd, writable=True)
        meant = NUMBER.unpack_from(memory, NUMBER_AT)[0] == number
        if not meant or OWNER.unpack_from(memory, OWNER_AT)[0]:
            # The job was handed out twice, because a renderer died and it was unknown which jobs it had
            # taken.
            for other in others:
                os.close(other)
            return 0
        taken = time.perf_counter()
        # Write the time first: the server reads it as soon as there is an owner.
        TAKEN.pack_into(memory, TAKEN_AT, taken)
        OWNER.pack_into(memory, OWNER_AT, self._number)
        self._at_work_on = number
        clock = Clock()
        try:
            job: Job = packing.unpack(memory)
            waited = taken - job.asked
            clock = Clock(job.timeout, started=job.started + waited, cancelled=SharedFlag(memory))
            clock.add("queue", waited * 1e3)
            spec = job.request.scene.spec if isinstance(job.request, RenderRequest) else None
            self._plates.expect(spec, job.keep)
            self._plates.retain(job.live)
            received = iter(others)
            if job.plate is not None:
                self._plates.receive(job.plate, next(received))
            pixels = [mapped(next(received), shape) if shape else None for shape in job.pixels]
            self._decoder.expect(pixels, job.keep_pixels)
            rendering = self._rendered(job.request, clock)
            encoded = sealed(memoryview(rendering.data))
        except CancelledError:
            self._send(Failed(number, None, "", clock.stages, clock.begun))
        except MockupError as error:
            self._send(Failed(number, error, _traceback(error.__cause__), clock.stages, clock.begun))
        except Exception as error:
            self._send(Failed(number, failed(), _traceback(error), clock.stages, clock.begun))
        else:
            told = replace(rendering, data=b"")
            self._hand_over(Done(number, told, len(rendering.data), clock.stages, clock.begun), encoded)
            return told.width * told.height
        finally:
            self._decoder.expect()
        return 0

    def _rendered(self, request: RendererRequest, clock: Clock) -> Rendering:
        if not isinstance(request, RenderRequest):
            with clock.stage("draw"):
                return self._studio.draw(request, clock)
        made = self._studio.render(request, clock)
        if not request.options.text:
            return made
        with clock.stage("serialize"):
            return made.in_base64()

    def _publish(self, plate: Segment | None) -> None:
        if plate is None:
            self._send(Made(self._at_work_on))
        else:
            self._send(Made(self._at_work_on), plate.fd)

    def _publish_pixels(self, screenshot: int, pixels: U8) -> None:
        shape = (pixels.shape[0], pixels.shape[1], pixels.shape[2])
        # A copy, since the decoder may hold on to the memory that it wrote to.
        copy = sealed(pixels.reshape(-1).data)
        self._hand_over(Decoded(self._at_work_on, screenshot, shape, measure(pixels)), copy)

    def _hand_over(self, reply: RendererReply, fd: int) -> None:
        """Send a reply with the descriptor of its memory, and close the descriptor."""
        try:
            self._send(reply, fd)
        finally:
            os.close(fd)

    def _send(self, reply: RendererReply, *fds: int) -> None:
        socket.send_fds(self._channel, [pickle.dumps(reply)], fds)


def _traceback(error: BaseException | None) -> str:
    return "".join(traceback.format_exception(error))[-MAX_TEXT:] if error else ""


class _Lines(logging.Handler):
    """Sends log lines to the server."""

    def __init__(self, channel: socket.socket) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(logging.Formatter())
        self._channel = channel

    def emit(self, record: logging.LogRecord) -> None:
        """Send one record."""
        told = LogLine(record.name, record.levelno, self.format(record)[-MAX_TEXT:])
        self._channel.send(pickle.dumps(told))
