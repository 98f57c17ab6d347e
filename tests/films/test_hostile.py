"""Recordings that are damaged or too large: each is decoded or refused, without crashes or time-outs."""

from __future__ import annotations

import os
import random
import struct
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from service.clock import Clock
from service.errors import Code, MockupError
from service.films.container import has_sound, sniff
from service.films.recording import Recording
from service.limits import RECORDING_PIXELS
from service.processes.forks import ForkServer
from tests.films.recordings import FFMPEG, animation, encoded, frame, video
from tests.support.seeds import seeded

TIMES = [0.0, 0.05, 0.2, 0.1, 5.0]
# Values written over fields that hold sizes, counts and times.
EDGES = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, ...]:
    """Undamaged recordings in every container."""
    folder = tmp_path_factory.mktemp("whole")
    return _whole(folder)


@cache
def _whole(folder: Path) -> tuple[bytes, ...]:
    found = [video(folder / "a.webm", 6).read_bytes()]
    found += [animation(kind, 4) for kind in ("gif", "apng", "webp")]
    if FFMPEG is not None:
        frames = [frame(number) for number in range(6)]
        for name, arguments in (
            ("a.mp4", ("-c:v", "libx264", "-pix_fmt", "yuv420p")),
            ("b.mp4", ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "frag_keyframe+empty_moov")),
            ("c.mov", ("-c:v", "prores_ks", "-pix_fmt", "yuv422p10le")),
        ):
            found.append(encoded(folder / name, *arguments, frames=frames).read_bytes())
    return tuple(found)


def damaged(data: bytes, dice: random.Random) -> bytes:
    """A file with altered bytes, fields or parts; the first bytes stay, so that its format is recognised."""
    made = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 5, 20))):
        at = dice.randrange(8, len(made))
        match dice.randrange(7):
            case 0:
                made[at] ^= 1 << dice.randrange(8)
            case 1:
                made[at : at + 4] = struct.pack(">I", dice.choice(EDGES))
            case 2:
                made[at : at + 8] = dice.randbytes(8)
            case 3:
                del made[at : at + dice.randrange(1, 200)]
            case 4:
                other = dice.randrange(8, len(made))
                made[at:at] = made[other : other + dice.randrange(1, 400)]
            case 5:
                del made[max(at, 16) :]
            case 6:
                made += made[at:] * dice.randrange(1, 4)
        if len(made) < 32:
            break
    return bytes(made)


def answered(forks: ForkServer, path: Path) -> bool:
    """Whether a recording is decoded rather than refused; any other outcome is an error."""
    fd = os.open(path, os.O_RDONLY)
    try:
        container = sniff(os.pread(fd, 64, 0))
        has_sound(container, lambda count, at: os.pread(fd, count, at), os.fstat(fd).st_size)
        recording = Recording(forks, container, fd, Clock(60))
        try:
            facts = recording.facts
            assert 0 < facts.width * facts.height <= RECORDING_PIXELS
            recording.frames(TIMES)
            for _ in TIMES:
                shown = recording.next()
                assert shown.pixels.shape == (facts.height, facts.width, facts.channels)
        finally:
            recording.close()
    except MockupError as error:
        if error.code is not Code.INVALID_REQUEST or not error.message.startswith("The recording"):
            raise
        return False
    finally:
        os.close(fd)
    return True


def test_undamaged_recordings_are_decoded(
    forks: ForkServer, whole: tuple[bytes, ...], tmp_path: Path
) -> None:
    for data in whole:
        (tmp_path / "file").write_bytes(data)
        assert answered(forks, tmp_path / "file")


@pytest.mark.long(seconds=6)
@seeded(60)
def test_damaged_recordings_are_decoded_or_refused(
    forks: ForkServer, whole: tuple[bytes, ...], tmp_path: Path, seed: int
) -> None:
    dice = random.Random(seed)
    (tmp_path / "file").write_bytes(damaged(whole[seed % len(whole)], dice))
    answered(forks, tmp_path / "file")


@pytest.mark.thorough
@pytest.mark.long(seconds=40)
@seeded(300)
def test_three_hundred_more_are_decoded_or_refused(
    forks: ForkServer, whole: tuple[bytes, ...], tmp_path: Path, seed: int
) -> None:
    dice = random.Random(1000 + seed)
    (tmp_path / "file").write_bytes(damaged(whole[seed % len(whole)], dice))
    answered(forks, tmp_path / "file")


def test_large_frames_are_shown_within_the_limit(forks: ForkServer, tmp_path: Path) -> None:
    """Each frame is as large as a phone's screen, and together they exceed the shared memory."""
    path = video(tmp_path / "a.webm", 6, size=(1206, 2622))
    fd = os.open(path, os.O_RDONLY)
    recording = Recording(forks, sniff(os.pread(fd, 64, 0)), fd, Clock())
    try:
        recording.frames([number / 25 for number in range(6)])
        found = [recording.next().pixels[-1, -1, 0] for _ in range(6)]
    finally:
        recording.close()
        os.close(fd)
    assert all(before < after for before, after in pairwise(found)), found
    too_large = video(tmp_path / "b.webm", 1, size=(4096, 2304))
    assert not answered(forks, too_large)
