"""Recordings made for tests: by OpenCV, which writes VP9, and by our own writers of animations."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from service.arrays import U8
from service.films.encoders.encoder import Reel
from service.films.writer import WRITERS

FFMPEG = shutil.which("ffmpeg")
SIZE = 96, 160  # width and height, px
CYCLE = 23  # number of different frames


def level(number: int) -> int:
    """The grey of a frame; the levels repeat after `CYCLE` frames."""
    return 20 + 10 * (number % CYCLE)


def frame(number: int, size: tuple[int, int] = SIZE) -> U8:
    """A grey frame with a white box that moves down."""
    pixels = np.full((size[1], size[0], 3), level(number), np.uint8)
    top = 8 + 4 * (number % CYCLE)
    pixels[top : top + 8, 8:24] = 255
    return pixels


def video(path: Path, count: int = 20, code: str = "VP90", size: tuple[int, int] = SIZE) -> Path:
    """A file of some frames, 25 per second, written by OpenCV."""
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*code), 25, size)
    assert writer.isOpened()
    for number in range(count):
        writer.write(cv2.cvtColor(frame(number, size), cv2.COLOR_RGB2BGR))
    writer.release()
    return path


def animation(format: str, count: int = 5, *, alpha: bool = False, fps: int = 25) -> bytes:
    """An animated picture by our own writer."""
    file = io.BytesIO()
    reel = Reel(format, *SIZE, fps, count, alpha, 100)
    writer = WRITERS[format](file, reel)
    for number in range(count):
        pixels = frame(number)
        if alpha:
            pixels = np.dstack([pixels, np.where(pixels[..., :1] == 255, 255, 128).astype(np.uint8)])
        writer.write(pixels)
    writer.finish()
    return file.getvalue()


def encoded(path: Path, *arguments: str, frames: Sequence[U8]) -> Path:
    """A file written by ffmpeg from frames at 25 per second."""
    assert FFMPEG is not None
    height, width = frames[0].shape[:2]
    given: list[Any] = [FFMPEG, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24"]
    given += ["-s", f"{width}x{height}", "-r", "25", "-i", "-", *arguments, str(path)]
    subprocess.run(given, input=b"".join(one.tobytes() for one in frames), check=True)
    return path


def opened(path: Path) -> int:
    """A descriptor of a file."""
    return os.open(path, os.O_RDONLY)
