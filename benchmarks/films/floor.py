"""The least processor time of a film's frame: its recording decoded and its finished frames encoded again."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import BinaryIO

from benchmarks.films.recorded import FPS
from benchmarks.processor_time import Account
from service.films.encoders.encoder import Reel
from service.films.encoders.ffmpeg import arguments

COUNT = 120  # frames that are coded at most; their planes take 3 MB each on the disk
SIZE = 1920, 1080  # px; the canvas preset "full-hd"
QUALITY = 80  # the default of films
PROGRAM = ("ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "error")


def floor(account: Account, source: Path, film: Path, frames: int) -> float:
    """The processor seconds for a frame of the H.264 `film`, with nothing painted.

    As in films, one thread decodes the recording `source`, and one encodes with the default quality. The
    start of both programs is included.
    """
    count = min(frames, COUNT)
    reel = Reel("mp4", *SIZE, FPS, count, alpha=False, quality=QUALITY)
    with tempfile.TemporaryFile() as planes, tempfile.TemporaryFile() as target:
        _run([*PROGRAM, "-i", str(film), *_first(count), "-f", "rawvideo", "-"], output=planes)
        planes.seek(0)
        before = account.seconds
        decoding = [*PROGRAM, "-threads", "1", "-i", str(source), *_first(count), "-f", "null", "-"]
        _run([*account.command, *decoding])
        encoding = ["ffmpeg", *arguments(reel, target.fileno())]
        _run([*account.command, *encoding], read=planes, passed=target)
        return (account.seconds - before) / count


def _first(count: int) -> list[str]:
    return ["-an", "-frames:v", str(count)]


def _run(
    command: list[str],
    read: BinaryIO | None = None,
    output: BinaryIO | None = None,
    passed: BinaryIO | None = None,
) -> None:
    fds = [passed.fileno()] if passed else []
    subprocess.run(command, stdin=read, stdout=output, pass_fds=fds, check=True)
