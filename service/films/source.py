"""The frames of a recording, one after another; runs in the process that decodes an untrusted file.

FFmpeg's libraries in OpenCV decode video. They read through a descriptor that this process was given,
because it cannot open files. Pillow decodes animated pictures.
"""

from __future__ import annotations

import io
import os
from collections import deque
from dataclasses import dataclass
from typing import Any, Protocol, cast

import cv2
import numpy as np
from PIL import Image

from ..arrays import U8
from ..errors import MockupError, invalid
from ..limits import FILM_FRAMES, RECORDING_PIXELS
from .container import CODECS, MARKS, Container, refuse_codec

OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
# Bytes of frames that are kept to be shown backwards.
BACKWARDS_BYTES = 96 << 20
# The time for which browsers show frames of a GIF whose delay is zero.
LEAST_S, INSTEAD_S = 0.015, 0.1
UNKNOWN_FPS = 30.0
THREADS = [cv2.CAP_PROP_N_THREADS, 1]


@dataclass(frozen=True, slots=True)
class RecordingFacts:
    """Width, height and channels of a recording's upright frames, its length in seconds and its frame rate.

    The length and the average rate are as the file states them.
    """

    width: int
    height: int
    channels: int
    length: float
    fps: float


class FrameSource(Protocol):
    """Frames in order, one at a time; their pixels are converted only when they are taken."""

    facts: RecordingFacts

    def advance(self) -> float | None:
        """Go to the next frame, and return the time from which it is shown, in seconds after the first frame;
        None after the last frame."""
        ...

    def pixels(self, into: U8 | None = None) -> U8:
        """The frame that `advance` went to, (h, w, 3 or 4) uint8: a new array, or the given one if it has
        that shape. Its channels are in OpenCV's order: blue, green, red and alpha."""
        ...

    def seek(self, time: float) -> None:
        """Let the next frame be one that is shown at `time` or before."""
        ...


class RecordingFile(io.BufferedIOBase):
    """A file read through a descriptor, with its own position, because processes share the descriptor's."""

    def __init__(self, fd: int) -> None:
        """Begin at the start."""
        self._fd, self._at, self._size = fd, 0, os.fstat(fd).st_size

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes, at most `size`."""
        data = os.pread(self._fd, self._size if size is None or size < 0 else size, self._at)
        self._at += len(data)
        return data

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Move to an offset."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def tell(self) -> int:
        """The offset."""
        return self._at

    def readable(self) -> bool:
        """Always true."""
        return True

    def seekable(self) -> bool:
        """Always true."""
        return True


def opened(container: Container, fd: int) -> FrameSource:
    """The frames of a file; raises a 400 if it is damaged, too large or in another codec."""
    try:
        return Animation(fd) if container.demuxer is None else Video(fd, container.demuxer)
    except MockupError:
        raise
    except (cv2.error, OSError, ValueError, SyntaxError, EOFError) as error:
        raise _damaged(container.label) from error


def _damaged(label: str) -> MockupError:
    return invalid(f"The recording is a damaged {label} file: it could not be decoded")


def check_size(width: int, height: int) -> None:
    """Raise a 400 for frames that are empty or too large."""
    if not (width > 0 and height > 0 and width * height <= RECORDING_PIXELS):
        size, most = f"{width} × {height} pixels", f"{RECORDING_PIXELS / 1e6:g}"
        raise invalid(f"The recording's frames are {size}; at most {most} megapixels are read")


class Video:
    """A video file, decoded on one thread."""

    def __init__(self, fd: int, demuxer: str) -> None:
        # The file must not choose its demuxer or decoder, or refer to other files.
        os.environ[OPTIONS] = f"input_format;{demuxer}|codec_whitelist;{','.join(CODECS)}"
        self._label = "WebM" if demuxer == "matroska" else "MP4 or MOV"
        self._fd = fd
        self._capture = self._opened()
        mark = int(self._capture.get(cv2.CAP_PROP_FOURCC)).to_bytes(4, "little", signed=False)
        name = mark.decode("ascii", "replace")
        if name.lower() not in MARKS:
            raise refuse_codec(name if name.isprintable() else "")
        width, height = (int(self._capture.get(one)) for one in (3, 4))
        check_size(width, height)
        self._ended = False
        self._first = 0.0
        # Read a frame at once, because the sizes that the file states may be wrong.
        first = self._grabbed()
        if first is None:
            raise _damaged(self._label)
        self._first = first
        # The time of the frame that has been decoded already, although nobody has asked for it yet.
        self._ahead: float | None = 0.0
        self._shape: tuple[int, ...] | None = None
        self._shape = self.pixels().shape
        height, width = self._shape[:2]
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        fps = fps if 0.01 < fps < 1000 else UNKNOWN_FPS
        count = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        if count > 0:
            self.facts = RecordingFacts(width, height, 3, count / fps, fps)
        else:
            self.facts = RecordingFacts(width, height, 3, *self._measured())

    def advance(self) -> float | None:
        """As `FrameSource.advance`."""
        ahead, self._ahead = self._ahead, None
        return self._grabbed() if ahead is None else ahead

    def pixels(self, into: U8 | None = None) -> U8:
        """As `FrameSource.pixels`."""
        found, pixels = self._capture.retrieve(into)
        if not found or pixels is None:
            raise _damaged(self._label)
        # A frame of another size comes in an array of its own.
        check_size(pixels.shape[1], pixels.shape[0])
        if self._shape not in (None, pixels.shape):
            raise invalid("The recording's frames change their size")
        return np.asarray(pixels, np.uint8)

    def seek(self, time: float) -> None:
        """As `FrameSource.seek`: to a key frame of the file's index."""
        self._ended = False
        wanted = time + self._first
        if time > 0 and self._capture.set(cv2.CAP_PROP_POS_MSEC, wanted * 1000):
            found = self._ahead = self._grabbed()
            if found is not None and found <= time:
                return
        # The file may have no index, and with uneven frame times the index may lead too far.
        self._ended = False
        # Two decoders would take twice the memory.
        del self._capture
        self._capture = self._opened()
        self._ahead = self._grabbed()

    def _opened(self) -> cv2.VideoCapture:
        # OpenCV's type hints require a particular class, but it accepts any object that reads like a file.
        capture = cv2.VideoCapture(cast(Any, RecordingFile(self._fd)), cv2.CAP_FFMPEG, THREADS)
        if not capture.isOpened():
            raise _damaged(self._label)
        return capture

    def _measured(self) -> tuple[float, float]:
        """The length and rate of a file that does not state them, as browsers record; reads all of it."""
        last, count = 0.0, 1
        while self._capture.grab():
            last = max(last, self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000 - self._first)
            count += 1
        self.seek(0)
        fps = (count - 1) / last if last > 0 else UNKNOWN_FPS
        return last + 1 / fps, fps

    def _grabbed(self) -> float | None:
        """The time of the next frame, which is decoded, but not converted."""
        if self._ended or not self._capture.grab():
            self._ended = True
            return None
        return float(self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000 - self._first)


class Animation:
    """An animated GIF, PNG or WebP."""

    def __init__(self, fd: int) -> None:
        self._image = Image.open(cast(Any, RecordingFile(fd)), formats=("GIF", "PNG", "WEBP"))
        width, height = self._image.size
        check_size(width, height)
        count = getattr(self._image, "n_frames", 1)
        if count < 2:
            raise invalid("The recording is a still picture; send it as a screenshot")
        if count > 4 * FILM_FRAMES:
            raise invalid(f"The recording has {count} frames; at most {4 * FILM_FRAMES} are read")
        self._count = count
        self._starts = [0.0]
        alpha = False
        for place in range(count):
            self._image.seek(place)
            self._image.load()
            alpha = alpha or _transparent(self._image)
            seconds = float(self._image.info.get("duration", 0) or 0) / 1000
            self._starts.append(self._starts[-1] + (seconds if seconds > LEAST_S else INSTEAD_S))
        length = self._starts[-1]
        self._mode = "RGBA" if alpha else "RGB"
        self.facts = RecordingFacts(width, height, 4 if alpha else 3, length, count / length)
        self._place = 0

    def advance(self) -> float | None:
        """As `FrameSource.advance`."""
        if self._place == self._count:
            return None
        self._place += 1
        return self._starts[self._place - 1]

    def pixels(self, into: U8 | None = None) -> U8:
        """As `FrameSource.pixels`."""
        self._image.seek(self._place - 1)
        pixels = swapped(np.asarray(self._image.convert(self._mode), np.uint8))
        if into is None:
            return pixels
        if into.shape != pixels.shape:
            raise invalid("The recording's frames change their size")
        into[...] = pixels
        return into

    def seek(self, time: float) -> None:
        """As `FrameSource.seek`: to the first frame, because every frame depends on the previous one."""
        self._place = 0


def swapped(pixels: U8) -> U8:
    """A picture (h, w, 3 or 4) in the other order of channels: OpenCV's from red, green and blue, or back."""
    code = cv2.COLOR_RGB2BGR if pixels.shape[2] == 3 else cv2.COLOR_RGBA2BGRA
    return np.asarray(cv2.cvtColor(pixels, code), np.uint8)


def _transparent(image: Image.Image) -> bool:
    """Whether a frame is transparent; in some formats, the previous frames show through a transparent
    frame."""
    if not image.has_transparency_data:
        return False
    least, _ = image.convert("RGBA").getchannel("A").getextrema()
    return isinstance(least, int) and least < 255


class Player:
    """Finds the frame that a source shows at any time; fastest when times ascend."""

    def __init__(self, source: FrameSource) -> None:
        """Nothing is decoded yet."""
        self._source = source
        facts = source.facts
        frame = facts.width * facts.height * facts.channels
        self._most = max(2, BACKWARDS_BYTES // frame)
        self._window = self._most / max(facts.fps, 1.0)
        # The frames before the next one: only the newest, unless times descend.
        self._past: deque[tuple[float, U8]] = deque(maxlen=1)
        self._next = source.advance()
        self._asked = 0.0

    def at(self, time: float, into: U8 | None = None) -> tuple[float, U8]:
        """The frame at a time in seconds, and its own time: the first frame for earlier times, the last for
        later ones.

        If an array `into` is given, a frame that was not kept is written there, and needs no other memory.
        """
        if self._past and time < self._past[0][0]:
            self._rewind(time)
        elif len(self._past) > 1 and time > self._asked and time >= self._past[-1][0]:
            # Times ascend again, so earlier frames are no longer needed.
            self._past = deque(self._past, maxlen=1)
        self._asked = time
        while self._next is not None and (self._next <= time or not self._past):
            if len(self._past) == self._past.maxlen:
                # Release this frame first, so that its memory is free for the new one.
                self._past.popleft()
            self._past.append((self._next, self._source.pixels(into if self._past.maxlen == 1 else None)))
            self._next = self._source.advance()
        return self._shown(time)

    @property
    def kept(self) -> int:
        """The number of earlier frames that are kept."""
        return len(self._past)

    def skip(self, time: float) -> None:
        """Begin at a time, without decoding all earlier frames."""
        if time > 0:
            self._source.seek(time)
            self._past.clear()
            self._next = self._source.advance()

    def _shown(self, time: float) -> tuple[float, U8]:
        return next((one for one in reversed(self._past) if one[0] <= time), self._past[0])

    def _rewind(self, time: float) -> None:
        """Go back; if times descend in small steps, the frames just before `time` are kept, too."""
        window = self._window if self._asked - time <= self._window else 0.0
        self._past = deque(maxlen=self._most if window else 1)
        self._source.seek(max(0.0, time - window))
        self._next = self._source.advance()
