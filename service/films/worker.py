"""The process that makes one film: frame by frame, from a recording's file to the film's."""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import socket
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from ..arrays import U8
from ..clock import Clock
from ..codec import header
from ..codec.content import measure
from ..codec.sandbox.client import Sandboxed
from ..devices.device import catalogue
from ..errors import MockupError, failed, short_of_memory
from ..processes.forks import Forks
from ..render.light import environment
from ..settings.captions import UnusableCaptionError
from ..settings.formats import READ
from ..settings.schema import Settings
from ..system.idle import settle_heap
from .container import HEAD_BYTES, Container, has_sound, sniff
from .encoders.encoder import Encoder, Reel
from .encoders.ffmpeg import FFmpeg
from .film import Film, resolve_film
from .formats import FILM_FORMATS
from .messages import (
    MAX_MESSAGE,
    Begun,
    FilmJob,
    FilmMessage,
    FilmRequest,
    Finished,
    Progress,
    Say,
    Stopped,
)
from .painter import Painter
from .recording import Recording, ShownFrame
from .source import RecordingFacts
from .writer import FilmWriter

log = logging.getLogger(__name__)

REPORT_S = 0.1
STILL_BYTES = 64 << 20
Read = Callable[[int, int], bytes]


def prepare() -> None:
    """Load, in the fork server, what every film needs."""
    catalogue()
    environment.load(Settings().reflection.environment)


def run(options: dict[str, Any], channel: socket.socket, recording: int, output: int, control: int) -> None:
    """Make the film that the first message asks for, and say how far it is."""
    with contextlib.suppress(OSError):
        os.nice(options["nice"])
    settle_heap()
    cv2.setNumThreads(2)
    forks = Forks(socket.socket(fileno=control))

    def say(message: FilmMessage) -> None:
        channel.send(pickle.dumps(message))

    try:
        job: FilmJob = pickle.loads(channel.recv(MAX_MESSAGE))
        say(make(job, forks, recording, output, say))
    except MockupError as error:
        say(Stopped(error, "".join(traceback.format_exception(error.__cause__)) if error.__cause__ else ""))
    except UnusableCaptionError as error:
        say(Stopped(MockupError(failed().code, str(error))))
    except MemoryError:
        say(Stopped(short_of_memory()))
    except BrokenPipeError:
        return
    except Exception:
        say(Stopped(failed(), traceback.format_exc()[-MAX_MESSAGE // 2 :]))


def make(job: FilmJob, forks: Forks, recording: int, output: int, say: Say) -> Finished:
    """Make a film of the file behind one descriptor, in the file behind another; raises MockupError."""
    clock = Clock()
    with _opened(job, forks, recording, clock) as (film, facts, shown):
        reel = film.reel
        say(Begun(reel.count, reel.fps, reel.width, reel.height))
        painter = Painter(film, facts, clock, job.fonts)
        encoder = _encoder(job, forks, reel, output)
        told = time.monotonic()
        for number in range(reel.count):
            encoder.write(*painter.paint(number, next(shown)))
            if (now := time.monotonic()) - told > REPORT_S:
                told = now
                say(Progress(number + 1))
        encoder.finish()
    say(Progress(reel.count))
    return Finished(film.scene.device.id, os.fstat(output).st_size, painter.warnings)


def _encoder(job: FilmJob, forks: Forks, reel: Reel, output: int) -> Encoder:
    if not FILM_FORMATS[reel.format].coder:
        return FilmWriter(forks, reel, output)
    assert job.program is not None
    return FFmpeg(job.program, reel, output)


@contextlib.contextmanager
def _opened(
    job: FilmJob, forks: Forks, file: int, clock: Clock
) -> Iterator[tuple[Film, RecordingFacts, Iterator[ShownFrame]]]:
    """The film, what its recording is, and the pixels of its frames in order."""
    request, size = job.request, os.fstat(file).st_size

    def read(count: int, at: int) -> bytes:
        return os.pread(file, count, at)

    pixels = _still(read, size, forks, clock)
    if pixels is not None:
        height, width, channels = pixels.shape
        facts = RecordingFacts(width, height, channels, 1.0, 1.0)
        film = resolve_film(request, facts, still=True, content=measure(pixels))
        yield film, facts, _same(pixels)
        return
    container = sniff(read(HEAD_BYTES, 0))
    request = _with_sound(request, container, read, size)
    source = Recording(forks, container, file, clock, request.playback.start)
    try:
        film = resolve_film(request, source.facts)
        source.frames([film.schedule.source(number) for number in range(film.reel.count)])
        yield film, source.facts, iter(source.next, None)
    finally:
        source.close()


def _with_sound(request: FilmRequest, container: Container, read: Read, size: int) -> FilmRequest:
    return replace(request, sound=has_sound(container, read, size))


def _still(read: Read, size: int, forks: Forks, clock: Clock) -> U8 | None:
    """The pixels of a file that is a still picture, None for others; raises a 400 for a damaged one."""
    head = read(HEAD_BYTES, 0)
    if not any(one.matches(head) for one in READ) or size > STILL_BYTES:
        return None
    data = read(size, 0)
    facts = header.read(data)
    if facts.animated:
        return None
    decoder = Sandboxed(max_bytes=size, forks=Forks(forks.control.dup()))
    try:
        return np.array(decoder.decode(data, facts, None, clock))
    finally:
        decoder.close()


def _same(pixels: U8) -> Iterator[ShownFrame]:
    fresh = True
    while True:
        yield ShownFrame(0.0, fresh, pixels)
        fresh = False
