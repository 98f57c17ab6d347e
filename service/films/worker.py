"""The process that makes one film, frame by frame, from a recording's file to the film's file."""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import socket
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from ..arrays import U8
from ..clock import Clock
from ..codec import encode, header
from ..codec.content import measure
from ..codec.sandbox.client import Sandboxed
from ..devices.device import catalogue
from ..errors import Detail, MockupError, failed, refusal, short_of_memory
from ..limits import FILM_PLATE_BYTES, SCENE_DEVICES
from ..processes.forks import Forks
from ..render.light import environment
from ..settings import stores
from ..settings.captions import UnusableCaptionError
from ..settings.formats import READ
from ..settings.scene import Output
from ..settings.schema import Settings
from ..system.container import cpus
from ..system.idle import FILM_BLOCK, FILM_SPARE, settle_heap, trim
from .container import HEAD_BYTES, has_sound, sniff
from .encoders.encoder import Encoder, Reel
from .encoders.ffmpeg import FFmpeg
from .film import Film, FilmedFile, resolve_film
from .formats import FILM_FORMATS
from .messages import (
    MAX_MESSAGE,
    AnyJob,
    Begun,
    CheckJob,
    FileFacts,
    FilmJob,
    FilmMessage,
    FilmRequest,
    Finished,
    MeasureJob,
    Progress,
    Say,
    Stills,
    StillsJob,
    Stopped,
)
from .painter import FramePainter
from .plate_store import PlateStore
from .plates_ahead import PlatesAhead, builders
from .plates_here import FilmPlates, PlatesHere
from .recording import Recording, ShownFrame
from .scratch import Scratch, nameless
from .shutter import exposures
from .source import RecordingFacts, swapped
from .writer import FilmWriter

log = logging.getLogger(__name__)

REPORT_S = 0.1
STILL_BYTES = 64 << 20


def prepare() -> None:
    """Load, in the fork server, the modules that every film needs."""
    catalogue()
    environment.load(Settings().reflection.environment)
    # Loading leaves 10 MB of free memory, which would come with every fork.
    trim()


def run(options: dict[str, Any], channel: socket.socket, output: int, control: int) -> None:
    """Make the film of the first message, which brings its recordings, and report its progress."""
    with contextlib.suppress(OSError):
        os.nice(options["nice"])
    settle_heap(FILM_BLOCK, FILM_SPARE)
    # Each frame is a series of short calls, between which OpenCV's threads would wait busily.
    cv2.setNumThreads(1)
    forks = Forks(socket.socket(fileno=control))

    def say(message: FilmMessage) -> None:
        channel.send(pickle.dumps(message))

    try:
        message, recordings, _, _ = socket.recv_fds(channel, MAX_MESSAGE, SCENE_DEVICES + 1)
        job: AnyJob = pickle.loads(message)
        files = Files(forks, tuple(map(OpenFile, recordings)), output, options["nice"])
        match job:
            case MeasureJob():
                say(describe(files, files.recordings[0]))
            case CheckJob():
                say(_begun(check(job).reel))
            case StillsJob():
                say(make_stills(job, files))
            case FilmJob():
                say(make(job, files, say))
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


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A recording's file, by its descriptor."""

    fd: int

    @property
    def size(self) -> int:
        """The file's size in bytes."""
        return os.fstat(self.fd).st_size

    def read(self, count: int, at: int) -> bytes:
        """Read up to `count` of its bytes from the offset `at`."""
        return os.pread(self.fd, count, at)


@dataclass(frozen=True, slots=True)
class Files:
    """The recordings' files, the descriptor of the result's file, and the fork server's client.

    Processes that it starts run with the niceness `nice`.
    """

    forks: Forks
    recordings: tuple[OpenFile, ...]
    output: int
    nice: int


def describe(files: Files, file: OpenFile) -> FileFacts:
    """The facts of a recording's or screenshot's file; raises MockupError."""
    clock = Clock()
    pixels = _still(files, file, clock)
    if pixels is not None:
        return FileFacts(pixels.shape[1], pixels.shape[0], 0.0, 0.0)
    source = Recording(files.forks, sniff(file.read(HEAD_BYTES, 0)), file.fd, clock, nice=files.nice)
    try:
        facts = source.facts
        return FileFacts(facts.width, facts.height, facts.length, facts.fps)
    finally:
        source.close()


def check(job: CheckJob) -> Film:
    """The film of recordings whose facts are known; raises a 400."""
    told = (
        FilmedFile(
            RecordingFacts(facts.width, facts.height, 3, facts.length or 1.0, facts.fps or 1.0),
            still=not facts.length,
        )
        for facts in job.facts
    )
    return resolve_film(job.request, *told)


def make(job: FilmJob, files: Files, say: Say) -> Finished:
    """Make a film; raises MockupError."""
    clock = Clock()
    with _opened(job.request, files, clock, _all) as (film, facts, shown):
        reel = film.reel
        say(_begun(reel))
        plan = [exposures(film, number) for number in range(reel.count)]
        times = [time for exposed in plan for time in exposed]
        store = PlateStore(map(film.spec, times), Scratch(nameless(files.output), FILM_PLATE_BYTES))
        with _plates(film, store, times, files, clock) as plates:
            watermark = job.request.watermark
            painter = FramePainter(film, facts, clock, store, job.fonts, watermark=watermark, plates=plates)
            encoder = _encoder(job, files, reel)
            told = time.monotonic()
            for number, exposed in enumerate(plan):
                encoder.write(*painter.paint(number, exposed, next(shown)))
                _check_size(job, files.output)
                if (now := time.monotonic()) - told > REPORT_S:
                    told = now
                    say(Progress(number + 1))
            encoder.finish()
    _check_size(job, files.output)
    say(Progress(reel.count))
    return Finished(film.scene.device.id, os.fstat(files.output).st_size, painter.warnings)


def make_stills(job: StillsJob, files: Files) -> Stills:
    """Make the pictures of a film at the times of the job; raises MockupError."""
    clock, made = Clock(), dict[int, bytes]()

    def chosen(film: Film) -> list[int]:
        return sorted({film.schedule.number(time) for time in job.times})

    with _opened(job.request, files, clock, chosen) as (film, facts, shown):
        store, watermark = PlateStore(()), job.request.watermark
        painter = FramePainter(film, facts, clock, store, job.fonts, watermark=watermark)
        for number in chosen(film):
            pixels, _ = painter.paint(number, exposures(film, number), next(shown))
            made[number] = encode.encode(pixels, Output("png"))
    wanted = [made[film.schedule.number(time)] for time in job.times]
    with os.fdopen(os.dup(files.output), "wb") as file:
        file.writelines(wanted)
    return Stills(film.scene.device.id, tuple(map(len, wanted)), painter.warnings)


@contextlib.contextmanager
def _plates(
    film: Film, store: PlateStore, times: Sequence[float], files: Files, clock: Clock
) -> Iterator[FilmPlates]:
    """The plates; from other processes if poses differ and there are processors for them."""
    count = builders(cpus())
    if not film.path.moves or not count:
        yield PlatesHere(film, store, times, clock)
        return
    ahead = PlatesAhead(files.forks, film, store, times, clock)
    try:
        ahead.start(count, files.nice)
        yield ahead
    finally:
        ahead.close()


def _all(film: Film) -> list[int]:
    return list(range(film.reel.count))


def _begun(reel: Reel) -> Begun:
    return Begun(reel.count, reel.fps, reel.width, reel.height)


def _encoder(job: FilmJob, files: Files, reel: Reel) -> Encoder:
    if not FILM_FORMATS[reel.format].coder:
        return FilmWriter(files.forks, reel, files.output, files.nice)
    assert job.program is not None
    return FFmpeg(job.program, reel, files.output)


def _check_size(job: FilmJob, output: int) -> None:
    """Raise a 400 for a file that has become too large."""
    asked, size = job.request.export.max_bytes, os.fstat(output).st_size
    advice = "a lower export.quality, motion.fps or duration, or a smaller canvas, makes it smaller"
    if job.request.export.store is not None and size > stores.PREVIEW_BYTES:
        text = f"the App Store takes app previews of {stores.PREVIEW_BYTES / 1e6:g} MB; {advice}"
        raise refusal(Detail("export.store", text))
    if asked is not None and size > asked:
        raise refusal(Detail("export.maxBytes", f"the film takes more than {asked} bytes; {advice}"))
    if job.max_bytes is not None and size > job.max_bytes:
        raise refusal(Detail("export", f"the film takes more than {job.max_bytes / 2**20:g} MiB; {advice}"))


@contextlib.contextmanager
def _opened(
    request: FilmRequest, files: Files, clock: Clock, chosen: Callable[[Film], list[int]]
) -> Iterator[tuple[Film, tuple[RecordingFacts, ...], Iterator[tuple[ShownFrame, ...]]]]:
    """The film, the facts of its recordings, and for each of the chosen frames, in order, the frame that each
    recording shows."""
    with contextlib.ExitStack() as ends:
        sources, shown, sound = list[U8 | Recording](), list[FilmedFile](), False
        for file, playback in zip(files.recordings, request.playbacks, strict=True):
            pixels = _still(files, file, clock)
            if pixels is not None:
                height, width, channels = pixels.shape
                facts = RecordingFacts(width, height, channels, 1.0, 1.0)
                shown.append(FilmedFile(facts, still=True, content=measure(pixels)))
                sources.append(pixels)
                continue
            container = sniff(file.read(HEAD_BYTES, 0))
            sound = sound or has_sound(container, file.read, file.size)
            source = Recording(files.forks, container, file.fd, clock, playback.start, nice=files.nice)
            ends.callback(source.close)
            shown.append(FilmedFile(source.facts))
            sources.append(source)
        film = resolve_film(replace(request, sound=sound), *shown)
        frames = list[Iterator[ShownFrame]]()
        for one, part in zip(sources, film.shows, strict=True):
            if isinstance(one, Recording):
                assert part is not None
                one.frames([part.source(number) for number in chosen(film)])
                frames.append(iter(one.next, None))
            else:
                frames.append(_same(one))
        yield film, tuple(one.facts for one in shown), zip(*frames, strict=True)


def _still(files: Files, file: OpenFile, clock: Clock) -> U8 | None:
    """The pixels of a file that is a still picture, None for others; raises a 400 for a damaged one."""
    head, size = file.read(HEAD_BYTES, 0), file.size
    if not any(one.matches(head) for one in READ) or size > STILL_BYTES:
        return None
    data = file.read(size, 0)
    facts = header.read(data)
    if facts.animated:
        return None
    decoder = Sandboxed(max_bytes=size, forks=Forks(files.forks.control.dup()))
    try:
        return np.array(decoder.decode(data, facts, None, clock))
    finally:
        decoder.close()


def _same(pixels: U8) -> Iterator[ShownFrame]:
    """A still picture, in red, green and blue, as frames that are all the same."""
    pixels, fresh = swapped(pixels), True
    while True:
        yield ShownFrame(fresh, pixels)
        fresh = False
