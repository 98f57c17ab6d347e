"""Video files, written by the program `ffmpeg`, which reads planes from a pipe."""

from __future__ import annotations

import contextlib
import fcntl
import os
import queue
import select
import subprocess
import threading

from ...arrays import U8
from ...render.geometry.raster import Box
from ..formats import FILM_FORMATS
from .encoder import Reel
from .planes import Planes

# Files are as small as with the default preset, in half its time; SSIM is 0.9993 instead of 0.9996. A shorter
# motion search, in whole and half pixels, and a shorter lookahead suit recordings, because their content
# moves by whole rows, if at all. Files are a tenth smaller and have 0.4 dB less quality; encoding takes two
# thirds of the time and 75 MB less memory. Without frames that are predicted from both sides, files of the
# same quality are a seventh larger, and encoding takes 17 MB less memory and nine tenths of the time.
PRESET, SEARCH = "veryfast", "me=dia:subme=1:rc-lookahead=1:bframes=0"
# Bits are spread by the variance of each frame's blocks, and colours get more of them. In a file of the same
# size, text and edges then differ less from the frames.
BITS = "aq-mode=2:aq-strength=0.8:chroma-qp-offset=-2"
# The constant rate factor at the least and the best `quality`. With the default quality, frames of a laptop
# differ from its pictures by 0.70 levels of 255; a factor higher by two makes files a fifth smaller, and the
# difference 0.72.
WORST_FACTOR, BEST_FACTOR = 33.5, 6.5
# Threads are fixed, since the bytes depend on their number. One thread of H.264 encodes 80 frames of full HD
# per second, takes 50 MB less than two threads, and leaves the other processors to decoding and painting.
THREADS = {"mp4": "1", "webm": "2", "mov": "2"}
PIPE_BYTES = 1 << 20
# The program returns the memory of frames to the system: in glibc's heap, gaps between them take 3 MB.
ENVIRONMENT = {"LANG": "C.UTF-8", "MALLOC_MMAP_THRESHOLD_": str(1 << 20)}
# Seconds within which the program has to take the next bytes, or to end after the last ones. At the lowest
# priority on a busy machine, the program takes a minute for a 4K frame.
STALL_S = 300.0
# Share of the file's size for everything besides the pictures.
OVERHEAD = 0.04

# The colour properties of the planes from `planes.py`.
_TAGS = "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"
_EXACT = ("-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact")


def arguments(reel: Reel, output: int) -> list[str]:
    """The program's arguments for a film that it writes to the file behind a descriptor."""
    alpha = reel.alpha and reel.format != "mp4"
    rate = _rate(reel)
    layout = {"mp4": "yuv420p", "webm": "yuva420p" if alpha else "yuv420p"}
    pixels = layout.get(reel.format, "yuva444p" if alpha else "yuv444p")
    said = ["-hide_banner", "-nostdin", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", pixels]
    said += ["-s", f"{reel.width}x{reel.height}", "-r", str(reel.fps), "-i", "pipe:0", "-vf", _TAGS]
    said += ["-an", "-c:v", FILM_FORMATS[reel.format].coder, "-threads", THREADS[reel.format]]
    match reel.format:
        case "mp4":
            said += [
                "-preset",
                PRESET,
                "-x264-params",
                f"{SEARCH}:{BITS}",
                "-crf",
                f"{_factor(reel.quality):g}",
                "-pix_fmt",
                pixels,
            ]
            said += ["-maxrate", str(rate), "-bufsize", str(rate)] if rate else []
            said += ["-profile:v", "high", "-g", str(2 * reel.fps), "-movflags", "+faststart"]
            kind = "mp4"
        case "webm":
            said += ["-b:v", str(rate), "-maxrate", str(rate)] if rate else ["-b:v", "0"]
            said += ["-crf", f"{round(54 - 0.3 * reel.quality)}", "-pix_fmt", pixels]
            said += ["-deadline", "good", "-cpu-used", "4", "-row-mt", "1", "-g", str(4 * reel.fps)]
            said += ["-auto-alt-ref", "0"] if alpha else []
            kind = "webm"
        case _:
            deep = "yuva444p10le" if alpha else "yuv444p10le"
            said += ["-profile:v", "4444", "-pix_fmt", deep, "-vendor", "apl0"]
            kind = "mov"
    return [*said, *_EXACT, "-f", kind, "-y", f"/proc/self/fd/{output}"]


def _factor(quality: int) -> float:
    """The constant rate factor of H.264 for a `quality` of 10-100."""
    return WORST_FACTOR + (BEST_FACTOR - WORST_FACTOR) * (quality - 10) / 90


def _rate(reel: Reel) -> int:
    """Bits per second at which a film one second longer would fill the largest file; 0 without a limit."""
    if reel.most is None:
        return 0
    return int(reel.most * 8 * (1 - OVERHEAD) / (reel.count / reel.fps + 1))


class FFmpeg:
    """Writes a video file; frames wait for the program on a thread of their own."""

    def __init__(self, program: str, reel: Reel, output: int) -> None:
        """Start the program; it writes to the file behind a descriptor."""
        self._planes = Planes(
            reel.width,
            reel.height,
            alpha=reel.alpha and reel.format != "mp4",
            full=reel.format == "mov",
        )
        # Messages are kept in memory, so that the program can report a full disk.
        self._said = os.fdopen(os.memfd_create("ffmpeg"), "w+b")
        self._process = subprocess.Popen(
            [program, *arguments(reel, output)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            pass_fds=[output],
            env=ENVIRONMENT,
        )
        assert self._process.stdin is not None
        self._pipe = self._process.stdin.fileno()
        # Do not wait in the system for a program that has stalled.
        os.set_blocking(self._pipe, False)
        with contextlib.suppress(OSError):
            fcntl.fcntl(self._pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        # Frames are sent from the planes. The next one is painted meanwhile, but has to wait for them.
        self._free = threading.Semaphore()
        self._frames: queue.SimpleQueue[memoryview | None] = queue.SimpleQueue()
        self._fault: Exception | None = None
        self._thread = threading.Thread(target=self._feed, name="ffmpeg", daemon=True)
        self._thread.start()

    def write(self, pixels: U8, changed: Box | None = None) -> None:
        """As `Encoder.write`."""
        self._free.acquire()
        if self._fault is not None:
            raise self._failure() from self._fault
        self._planes.update(pixels, changed)
        self._frames.put(self._planes.data)

    def finish(self) -> None:
        """As `Encoder.finish`."""
        self._frames.put(None)
        self._thread.join()
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            failed = self._process.wait(STALL_S) != 0
        except subprocess.TimeoutExpired as error:
            failed, self._fault = True, self._fault or error
        if failed or self._fault is not None:
            raise self._failure() from self._fault
        self._said.close()

    def _feed(self) -> None:
        while (frame := self._frames.get()) is not None:
            # After a failure, whatever its cause, keep freeing the planes, because `write` waits for them.
            if self._fault is None:
                try:
                    self._send(frame)
                except Exception as error:
                    self._fault = error
            self._free.release()

    def _send(self, left: memoryview) -> None:
        """Write a frame to the program; raises OSError if that has ended or takes no more bytes."""
        poller = select.poll()
        poller.register(self._pipe, select.POLLOUT)
        while left:
            if not poller.poll(STALL_S * 1000):
                raise TimeoutError(f"it took no data for {STALL_S:g} s")
            left = left[os.write(self._pipe, left) :]

    def _failure(self) -> OSError:
        """The error for a program that failed by itself, or is ended here because it could not be fed."""
        self._process.kill()
        self._process.wait()
        with self._said:
            self._said.seek(0)
            text = self._said.read(2000).decode(errors="replace").strip()
        return OSError(f"ffmpeg failed: {text or self._fault or 'it said nothing'}")
