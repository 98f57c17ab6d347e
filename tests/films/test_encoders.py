"""Encoded films: the decoded frames, compared with the original ones."""

from __future__ import annotations

import io
import os
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from service.arrays import U8
from service.errors import MockupError
from service.films import formats
from service.films.encoders import ffmpeg
from service.films.encoders.encoder import Reel
from service.films.encoders.ffmpeg import FFmpeg
from service.films.encoders.planes import WEIGHTS, Planes
from service.films.formats import FILM_FORMATS, program_for
from service.films.writer import WRITERS
from service.render.geometry.raster import Box
from tests.films.recordings import FFMPEG
from tests.support.processes import tree

SIZE = 128, 96
BARS = [
    (255, 0, 0),
    (0, 255, 0),
    (0, 0, 255),
    (255, 255, 0),
    (0, 255, 255),
    (255, 0, 255),
    (192, 64, 32),
    (9, 90, 200),
]
needs_ffmpeg = pytest.mark.skipif(FFMPEG is None, reason="ffmpeg is not installed")


def chart(shift: int = 0, *, alpha: bool = False) -> U8:
    """A grey ramp above saturated bars, with a small box that moves. With `alpha`, the right half is
    transparent."""
    width, height = SIZE
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[: height // 2] = np.linspace(0, 255, width).astype(np.uint8)[None, :, None]
    for place, color in enumerate(BARS):
        pixels[height // 2 :, place * 16 : place * 16 + 16] = color
    pixels[8:16, 8 + 4 * shift : 24 + 4 * shift] = (200, 30, 60)
    if not alpha:
        return pixels
    clear = np.full((height, width, 1), 255, np.uint8)
    clear[:, width // 2 :] = 0
    return np.dstack([pixels, clear])


def reel(format: str, count: int = 4, *, alpha: bool = False, fps: int = 25, quality: int = 100) -> Reel:
    return Reel(format, *SIZE, fps, count, alpha, quality)


def written(one: Reel, path: Path) -> bytes:
    """The file of a film of the chart; the writer is told which box of each frame has changed."""
    frames = [chart(number, alpha=one.alpha) for number in range(one.count)]
    moving = Box(8, 8, 16 + 4 * one.count, 8)
    if not FILM_FORMATS[one.format].coder:
        file = io.BytesIO()
        encoder: Any = WRITERS[one.format](file, one)
        for frame in frames:
            encoder.write(frame)
        encoder.finish()
        return file.getvalue()
    with path.open("w+b") as output:
        encoder = FFmpeg(FFMPEG or "", one, output.fileno())
        for number, frame in enumerate(frames):
            encoder.write(frame, moving if number else None)
        encoder.finish()
    return path.read_bytes()


def probed(path: Path) -> dict[str, str]:
    command = ["ffprobe", "-v", "error", "-show_entries", "stream:format", "-of", "default=nw=1", str(path)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return dict(line.split("=", 1) for line in reversed(lines) if "=" in line)


def decoded(path: Path, *options: str, layout: str = "rgb24") -> U8:
    """Every frame as ffmpeg decodes it, (n, h, w, 3 or 4)."""
    command = [FFMPEG or "", "-loglevel", "error", *options, "-i", str(path), "-f", "rawvideo"]
    # FFmpeg guesses a different matrix if it is not told the right one.
    command += ["-vf", "scale=in_color_matrix=bt709:in_range=tv", "-pix_fmt", layout, "-"]
    found = subprocess.run(command, capture_output=True, check=True).stdout
    return np.frombuffer(found, np.uint8).reshape(-1, SIZE[1], SIZE[0], 4 if layout == "rgba" else 3)


def flat(apart: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Pixels in the middle of the ramp and of each bar, where the chroma of neighbours does not mix."""
    columns = [place * 16 + at for place in range(8) for at in range(5, 11)]
    return np.concatenate(
        [apart[..., 20:44, :, :].reshape(-1, 3), apart[..., 52:92, columns, :].reshape(-1, 3)]
    )


def test_planes_are_bt709_of_limited_range() -> None:
    planes = Planes(*SIZE, alpha=False)
    planes.update(chart())
    luma, blue, red = np.split(np.frombuffer(planes.data, np.uint8), [96 * 128, 96 * 128 + 48 * 64])
    luma, blue, red = luma.reshape(96, 128), blue.reshape(48, 64), red.reshape(48, 64)
    # The values of ITU-R BT.709 for full red, green and blue, and for black and white.
    for place, wanted in enumerate([(63, 102, 240), (173, 42, 26), (32, 240, 118)]):
        found = luma[80, place * 16 + 8], blue[40, place * 8 + 4], red[40, place * 8 + 4]
        assert np.abs(np.array(found, int) - wanted).max() <= 1
    assert (luma[30, 0], luma[30, -1]) == (16, 235)
    assert (blue[20], red[20]) == (pytest.approx(128), pytest.approx(128))
    assert WEIGHTS.sum(axis=1).tolist() == [round(32768 * 219 / 255), 0, 0]


def test_planes_of_a_changed_part_are_those_of_the_whole() -> None:
    for alpha in (False, True):
        whole, part = Planes(*SIZE, alpha=alpha), Planes(*SIZE, alpha=alpha)
        part.update(chart(0, alpha=alpha))
        for number in range(1, 6):
            whole.update(chart(number, alpha=alpha))
            part.update(chart(number, alpha=alpha), Box(9, 8, 37, 8))
            assert whole.data == part.data
        part.update(chart(0, alpha=alpha), Box(0, 0, 0, 0))
        assert whole.data == part.data


@needs_ffmpeg
@pytest.mark.parametrize(("format", "most"), [("mp4", 4), ("webm", 4), ("mov", 3)])
def test_video_has_the_colours_of_its_frames(tmp_path: Path, format: str, most: int) -> None:
    path = tmp_path / f"film.{format}"
    first = written(reel(format), path)
    found = decoded(path).astype(int)
    wanted = np.stack([chart(number) for number in range(4)]).astype(int)
    assert found.shape == wanted.shape
    assert np.abs(flat(found - wanted)).max() <= most
    assert np.abs(flat(found - wanted)).mean() <= 1
    said = probed(path)
    assert (said["color_range"], said["color_space"], said["avg_frame_rate"]) == ("tv", "bt709", "25/1")
    assert written(reel(format), path) == first, "the same frames give the same bytes"
    if format == "mp4":
        assert first.index(b"moov") < first.index(b"mdat"), "the index comes first"
        assert (said["codec_name"], said["pix_fmt"]) == ("h264", "yuv420p")


@needs_ffmpeg
def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with open("/dev/full", "r+b", buffering=0) as output:
        encoder = FFmpeg(FFMPEG or "", reel("mp4"), output.fileno())
        encoder.write(chart())
        with pytest.raises(OSError, match="No space left on device"):
            encoder.finish()


def impatient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> FFmpeg:
    """An encoder whose program is a shell script, which it waits for a tenth of a second."""
    program = tmp_path / "ffmpeg"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(ffmpeg, "STALL_S", 0.1)
    monkeypatch.setattr(ffmpeg, "PIPE_BYTES", 4096)
    with (tmp_path / "film").open("w+b") as output:
        return FFmpeg(str(program), reel("mp4"), output.fileno())


def fill(encoder: FFmpeg) -> None:
    """Write a frame, and one that has to wait for it."""
    for number in range(2):
        encoder.write(chart(number))


def test_a_program_that_reads_nothing_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tree(os.getpid())
    encoder = impatient(tmp_path, monkeypatch, "exec sleep 1000")
    with pytest.raises(OSError, match="took no data"):
        fill(encoder)
    assert tree(os.getpid()) == before


def test_a_program_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tree(os.getpid())
    encoder = impatient(tmp_path, monkeypatch, "exec sleep 1000")
    with pytest.raises(OSError, match="timed out"):
        encoder.finish()
    assert tree(os.getpid()) == before


def test_any_fault_while_feeding_ends_a_film(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def send(self: FFmpeg, left: memoryview) -> None:
        raise ValueError("no such frame")

    monkeypatch.setattr(FFmpeg, "_send", send)
    encoder = impatient(tmp_path, monkeypatch, "exec cat")
    with pytest.raises(OSError, match="no such frame") as error:
        fill(encoder)
    assert isinstance(error.value.__cause__, ValueError)


@needs_ffmpeg
@pytest.mark.parametrize(("format", "decoder"), [("webm", "libvpx-vp9"), ("mov", "prores")])
def test_video_is_transparent(tmp_path: Path, format: str, decoder: str) -> None:
    path = tmp_path / f"film.{format}"
    written(reel(format, alpha=True), path)
    found = decoded(path, "-c:v", decoder, layout="rgba")
    assert found[0, 10:80, 4:60, 3].min() >= 253
    assert found[0, 10:80, 68:124, 3].max() <= 2


def test_animations_have_the_colours_of_their_frames(tmp_path: Path) -> None:
    limits = {"gif": 12, "webp": 8, "apng": 0}
    for format, most in limits.items():
        for alpha in (False, True) if format != "gif" else (False,):
            data = written(reel(format, alpha=alpha), tmp_path / "film")
            with Image.open(io.BytesIO(data)) as image:
                assert getattr(image, "n_frames", 0) == 4
                assert image.info.get("loop", 0) == 0
                for number in range(4):
                    image.seek(number)
                    image.load()
                    assert round(image.info["duration"]) == 40
                    found = np.array(image.convert("RGBA" if alpha else "RGB")).astype(int)
                    wanted = chart(number, alpha=alpha).astype(int)
                    apart = found - wanted
                    if alpha:
                        assert np.abs(apart[..., 3]).max() <= 1
                        apart = apart[..., :3] * (wanted[..., 3:] > 0)
                    if format == "webp":
                        # Chroma has half the resolution, so colours mix at edges.
                        apart = flat(apart)
                    assert np.abs(apart).max() <= most, (format, number)
                    assert np.abs(apart).mean() <= (2 if most else 0), (format, number)
        assert written(reel(format), tmp_path / "film") == written(reel(format), tmp_path / "film")


def test_a_gif_of_few_colours_is_exact_and_draws_what_changed(tmp_path: Path) -> None:
    frames = [np.full((96, 128, 3), 40, np.uint8) for _ in range(30)]
    for number, frame in enumerate(frames):
        frame[20:24, number : number + 8] = (250, 120, 7)
    file = io.BytesIO()
    writer = WRITERS["gif"](file, reel("gif", 30, fps=30))
    for frame in frames:
        writer.write(frame)
    writer.finish()
    with Image.open(file) as image:
        delays = []
        for number, frame in enumerate(frames):
            image.seek(number)
            assert (np.array(image.convert("RGB")) == frame).all()
            delays.append(image.info["duration"])
    # A frame lasts a thirtieth of a second, which GIF cannot express in hundredths, but all frames together
    # must last a second.
    assert sum(delays) == 1000
    assert len(file.getvalue()) < 30 * 1000


def test_pictures_are_numbered(tmp_path: Path) -> None:
    data = written(reel("frames"), tmp_path / "film")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == [f"frame-000{number}.png" for number in (1, 2, 3, 4)]
        shown = cv2.imdecode(np.frombuffer(archive.read("frame-0003.png"), np.uint8), cv2.IMREAD_COLOR)
    assert (np.asarray(shown)[..., ::-1] == chart(2)).all()
    assert data == written(reel("frames"), tmp_path / "film")


def test_missing_encoders_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program_for("gif") is None
    with pytest.raises(MockupError, match="mp4 needs the program ffmpeg, which is not installed") as error:
        program_for("mp4")
    assert (error.value.code, error.value.status) == ("ENCODER_MISSING", 501)
    poor = tmp_path / "ffmpeg"
    poor.write_text("#!/bin/sh\necho ' V..... libvpx-vp9 VP9'\n")
    poor.chmod(0o755)
    assert program_for("webm") == str(poor)
    with pytest.raises(MockupError, match="libx264, which the one here lacks"):
        program_for("mp4")
    assert formats.BY_SUFFIX[".png"] == "apng"
