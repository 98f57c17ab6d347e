"""Video files, written by the program `ffmpeg`, which reads planes from a pipe."""

from __future__ import annotations

import contextlib
import fcntl
import os
import queue
import subprocess
import threading

from ...arrays import U8
from ...render.geometry.raster import Box
from ..formats import FILM_FORMATS
from .encoder import Reel
from .planes import Planes

# Files are as small as with the default preset, in half its time; SSIM is 0.9993 instead of 0.9996. A shorter
# motion search, in whole and half pixels, and a shorter lookahead suit recordings, whose content moves by
# whole rows, if at all. Files are a tenth smaller and have 0.4 dB less quality; encoding takes two thirds of
# the time and 75 MB less memory.
PRESET, SEARCH = "veryfast", "me=dia:subme=1:rc-lookahead=1:bframes=1:b-pyramid=0"
# Bits are spread by the variance of each frame's blocks, and colours get more of them. In a file of the same
# size, text and edges then differ less from the frames.
BITS = "aq-mode=2:aq-strength=0.8:chroma-qp-offset=-2"
# Threads are fixed, since the bytes depend on their number. One thread of H.264 encodes 80 frames of full HD
# per second, takes 50 MB less than two threads, and leaves the other processors to decoding and painting.
THREADS = {"mp4": "1", "webm": "2", "mov": "2"}
PIPE_BYTES = 1 << 20
FINISH_S = 300.0
# Buffers of frames for the program, including the one that it reads and the one that is being filled.
BUFFERS = 3
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
                f"{33.5 - 0.25 * reel.quality:g}",
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
        # In memory, since there may be no room on the disk, about which the program has something to say.
        self._said = os.fdopen(os.memfd_create("ffmpeg"), "w+b")
        self._process = subprocess.Popen(
            [program, *arguments(reel, output)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            pass_fds=[output],
            env={"LANG": "C.UTF-8"},
        )
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            fcntl.fcntl(self._process.stdin, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        # One buffer is being written, some wait, and one is being filled.
        self._free: queue.SimpleQueue[bytearray] = queue.SimpleQueue()
        for _ in range(BUFFERS):
            self._free.put(bytearray(self._planes.nbytes))
        self._frames: queue.SimpleQueue[bytearray | None] = queue.SimpleQueue()
        self._broken = False
        self._thread = threading.Thread(target=self._feed, name="ffmpeg", daemon=True)
        self._thread.start()

    def write(self, pixels: U8, changed: Box | None = None) -> None:
        """As `Encoder.write`."""
        self._planes.update(pixels, changed)
        if self._broken:
            raise self._failure()
        frame, at = self._free.get(), 0
        for part in self._planes.parts:
            frame[at : at + len(part)] = part
            at += len(part)
        self._frames.put(frame)

    def finish(self) -> None:
        """As `Encoder.finish`."""
        self._frames.put(None)
        self._thread.join()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        if self._process.wait(FINISH_S) or self._broken:
            raise self._failure()
        self._said.close()

    def _feed(self) -> None:
        assert self._process.stdin is not None
        while (frame := self._frames.get()) is not None:
            # After a failure, keep taking frames, so that no thread waits for room.
            if not self._broken:
                try:
                    self._process.stdin.write(frame)
                except OSError:
                    self._broken = True
            self._free.put(frame)

    def _failure(self) -> OSError:
        with self._said:
            self._said.seek(0)
            text = self._said.read(2000).decode(errors="replace").strip()
        return OSError(f"ffmpeg failed: {text}")
