"""Recordings decoded frame by frame, with and without the sandbox."""

from __future__ import annotations

import io
import os
import struct
from pathlib import Path

import numpy as np
import pytest

from service.arrays import U8
from service.clock import Clock
from service.errors import MockupError
from service.films.container import has_sound, sniff
from service.films.decoder import same
from service.films.encoders.encoder import Reel
from service.films.recording import Recording, ShownFrame
from service.films.source import FrameSource, Player, RecordingFacts
from service.films.source import opened as source_of
from service.films.writer import WRITERS
from service.processes.forks import ForkServer
from tests.films.recordings import FFMPEG, SIZE, animation, encoded, frame, level, opened, video

needs_ffmpeg = pytest.mark.skipif(FFMPEG is None, reason="ffmpeg is not installed")


def source(path: Path) -> FrameSource:
    fd = opened(path)
    return source_of(sniff(os.pread(fd, 64, 0)), fd)


def shown(forks: ForkServer, path: Path, times: list[float], start: float = 0.0) -> list[tuple[int, bool]]:
    """For each time, the number of the frame, and whether it is reported as a new one."""
    fd = opened(path)
    recording = Recording(forks, sniff(os.pread(fd, 64, 0)), fd, Clock(), start)
    try:
        assert (recording.facts.width, recording.facts.height) == SIZE
        recording.frames(times)
        return [seen(recording.next()) for _ in times]
    finally:
        recording.close()
        os.close(fd)


def seen(one: ShownFrame) -> tuple[int, bool]:
    return number(one.pixels[-20:, :40].mean()), one.fresh


def number(grey: float) -> int:
    return round((grey - level(0)) / 10)


def test_frames_come_at_their_times(forks: ForkServer, tmp_path: Path) -> None:
    """Times may ascend, repeat or descend. After the end of the recording, its last frame is shown."""
    path = video(tmp_path / "a.webm")
    found = shown(forks, path, [0, 0.01, 0.041, 0.1, 0.3, 0.5, 0.79, 2, 3])
    assert [one for one, _ in found] == [0, 0, 1, 2, 7, 12, 19, 19, 19]
    assert [fresh for _, fresh in found] == [True, False, True, True, True, True, True, False, False]
    back = shown(forks, path, [0.501, 0.401, 0.301, 0.101, 0, 0.2])
    assert [one for one, _ in back] == [12, 10, 7, 2, 0, 5]
    assert [one for one, _ in shown(forks, path, [0.601, 0.7], start=0.6)] == [15, 17]


def test_repeated_frames_are_not_sent_again(forks: ForkServer, tmp_path: Path) -> None:
    path, file = tmp_path / "a.png", io.BytesIO()
    writer = WRITERS["apng"](file, Reel("apng", *SIZE, 25, 6, False, 100))
    for number in (0, 0, 1, 1, 1, 0):
        writer.write(frame(number))
    writer.finish()
    path.write_bytes(file.getvalue())
    found = shown(forks, path, [number / 25 + 0.01 for number in range(6)])
    assert found == [(0, True), (0, False), (1, True), (1, False), (1, False), (0, True)]
    one, other = (np.zeros((200, 8, 3), np.uint8) for _ in range(2))
    other[-1, -1, -1] = 1
    assert same(one, one.copy())
    assert not same(one, other)


class Frames:
    """Twenty frames, a tenth of a second each, that claim to have a size."""

    def __init__(self, width: int, height: int) -> None:
        self.facts = RecordingFacts(width, height, 3, 2.0, 10.0)
        self.decoded = self.place = 0

    def advance(self) -> float | None:
        self.place, self.decoded = self.place + 1, self.decoded + 1
        return (self.place - 1) / 10 if self.place <= 20 else None

    def pixels(self, into: U8 | None = None) -> U8:
        pixels = np.empty((2, 2, 3), np.uint8) if into is None else into
        pixels[...] = self.place - 1
        return pixels

    def seek(self, time: float) -> None:
        self.place = int(time * 10)


def test_frames_are_kept_for_as_long_as_times_descend() -> None:
    """Times go forwards and backwards twice. No frame is decoded twice on the way forwards, and few are
    kept."""
    frames = Frames(2, 2)
    player = Player(frames)
    ways = [*range(20), *range(18, -1, -1), *range(1, 20), *range(18, -1, -1)]
    assert [int(player.at(way / 10 + 0.01)[1][0, 0, 0]) for way in ways] == ways
    assert frames.decoded < 3 * 20 + 5
    for way in range(20):
        player.at(way / 10 + 0.01)
    assert player.kept == 1


def test_no_frame_is_kept_when_a_recording_starts_again() -> None:
    # Ten frames of this size would be kept to be shown backwards.
    player, place = Player(Frames(2000, 1600)), np.zeros((2, 2, 3), np.uint8)
    for way in (*range(20), *range(20), *range(8, 20)):
        _, found = player.at(way / 10 + 0.01, place)
        assert found is place
        assert found[0, 0, 0] == way
        assert player.kept == 1


@pytest.mark.parametrize("format", ["gif", "apng", "webp"])
def test_animations_are_recordings(forks: ForkServer, tmp_path: Path, format: str) -> None:
    path = tmp_path / f"a.{format}"
    path.write_bytes(animation(format))
    assert [one for one, _ in shown(forks, path, [0, 0.09, 0.15, 0.25, 0.05])] == [0, 2, 3, 4, 1]


@needs_ffmpeg
@pytest.mark.parametrize("name", ["a.png", "a.mp4"])
def test_blue_is_the_first_channel(tmp_path: Path, name: str) -> None:
    frames = [np.full((SIZE[1], SIZE[0], 3), (230, 120, shade), np.uint8) for shade in (20, 40)]
    coder = ["-f", "apng"] if name == "a.png" else ["-c:v", "libx264", "-pix_fmt", "yuv420p"]
    path = encoded(tmp_path / name, *coder, frames=frames)
    _, pixels = Player(source(path)).at(0)
    assert np.abs(pixels[..., :3].astype(int) - (20, 120, 230)).max() <= 4


def test_transparency_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(animation("apng", alpha=True))
    _, pixels = Player(source(path)).at(0)
    assert pixels.shape == (SIZE[1], SIZE[0], 4)
    assert set(pixels[..., 3].flat) == {128, 255}


def test_other_codecs_and_damaged_files_are_refused(forks: ForkServer, tmp_path: Path) -> None:
    files = {
        "a codec that is not read here (FMP4)": video(tmp_path / "m.mp4", code="mp4v").read_bytes(),
        "a damaged WebM file": b"\x1a\x45\xdf\xa3" + bytes(2000),
        "a damaged MP4 or MOV file": b"\0\0\0\x18ftypmp42" + bytes(2000),
        "not MP4, MOV, WebM, GIF, APNG or WebP": b"%PDF-1.7" + bytes(100),
        "a damaged GIF file": b"GIF89a" + bytes(50),
    }
    cut = video(tmp_path / "w.webm").read_bytes()
    files["a damaged WebM file:"] = cut[:300]
    for what, data in files.items():
        path = tmp_path / "file"
        path.write_bytes(data)
        with pytest.raises(MockupError, match=what.rstrip(":").replace("(", r"\(").replace(")", r"\)")):
            shown(forks, path, [0])


def test_a_truncated_recording_holds_its_last_frame(forks: ForkServer, tmp_path: Path) -> None:
    path = video(tmp_path / "w.webm")
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * 0.7)])
    found = [one for one, _ in shown(forks, path, [0, 0.1, 0.7, 0.8])]
    assert found[:2] == [0, 2]
    assert found[2] == found[3] < 18


@needs_ffmpeg
def test_codecs_rotation_and_uneven_times(forks: ForkServer, tmp_path: Path) -> None:
    frames = [frame(number) for number in range(20)]
    tags = "scale=out_color_matrix=bt709,setparams=colorspace=bt709:range=tv"
    forms = {
        "h264.mp4": ["-vf", tags, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-bf", "2", "-crf", "8"],
        "hevc.mov": ["-vf", tags, "-c:v", "libx265", "-x265-params", "log-level=error", "-tag:v", "hvc1"],
        "prores.mov": ["-c:v", "prores_ks"],
    }
    for name, given in forms.items():
        path = encoded(tmp_path / name, *given, frames=frames)
        assert [one for one, _ in shown(forks, path, [0, 0.121, 0.6, 0.3])] == [0, 3, 15, 7], name
    uneven = ["-vf", "setpts='if(lt(N,10),N,10+(N-10)*3)/25/TB'", "-vsync", "vfr", *forms["h264.mp4"][2:]]
    path = encoded(tmp_path / "uneven.mp4", *uneven, frames=frames)
    assert [one for one, _ in shown(forks, path, [0.2, 0.4, 0.5, 0.521, 0.75, 0.3])] == [5, 10, 10, 11, 12, 7]
    turned = encoded(tmp_path / "turned.mp4", *forms["h264.mp4"], "-metadata:s:v", "rotate=90", frames=frames)
    facts = source(turned).facts
    assert (facts.width, facts.height) in (SIZE, SIZE[::-1])


@needs_ffmpeg
def test_sound_is_found(tmp_path: Path) -> None:
    tone = ["-f", "lavfi", "-i", "sine=duration=1"]
    frames = [frame(number) for number in range(20)]
    for name, given in (("a.mp4", ["-c:v", "libx264", "-c:a", "aac"]), ("a.webm", ["-c:a", "libopus"])):
        for sound in (True, False):
            path = encoded(tmp_path / name, *(tone if sound else []), *given, "-shortest", frames=frames)
            data = path.read_bytes()

            def read(count: int, at: int, data: bytes = data) -> bytes:
                return data[at : at + count]

            assert has_sound(sniff(data), read, len(data)) is sound


@needs_ffmpeg
def test_a_file_that_does_not_say_its_length_is_measured(forks: ForkServer, tmp_path: Path) -> None:
    """Browsers record files without a length or an index."""
    frames = [frame(number) for number in range(20)]
    path = encoded(tmp_path / "a.webm", "-c:v", "libvpx", "-live", "1", frames=frames)
    facts = source(path).facts
    assert facts.length == pytest.approx(0.8, abs=0.01)
    assert facts.fps == pytest.approx(25, rel=0.01)
    assert [one for one, _ in shown(forks, path, [0, 0.401, 0.7, 0.241])] == [0, 10, 17, 6]
    assert [one for one, _ in shown(forks, path, [0.401], start=0.4)] == [10]


def box(kind: bytes, content: bytes = b"") -> bytes:
    """A box of an MP4 file."""
    return struct.pack(">I4s", 8 + len(content), kind) + content


@pytest.mark.parametrize(("before", "found"), [(0, True), (3996, True), (3997, False)])
def test_sound_is_found_within_four_thousand_boxes(before: int, found: bool) -> None:
    sound = box(b"hdlr", bytes(8) + b"soun" + bytes(12))
    for kind in (b"mdia", b"trak", b"moov"):
        sound = box(kind, sound)
    data = box(b"ftyp", b"isom") + box(b"free") * (before - 1) + sound if before else sound
    mov = sniff(box(b"ftyp", b"isom" + bytes(8)))
    assert has_sound(mov, lambda count, at: data[at : at + count], len(data)) == found
