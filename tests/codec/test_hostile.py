"""Files made to be expensive: the service reads their headers quickly, and hands little of the extra data to
decoders."""

from __future__ import annotations

import io
import time
import zlib
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image
from PIL.GifImagePlugin import GifImageFile

from service.codec import header
from service.codec.decode import decode
from service.codec.formats.gif import decode as gif_decoder
from service.codec.header import PictureLimits
from service.errors import MockupError
from tests.codec import hostile, pngs, profiles
from tests.codec.pictures import saved

# Limit in seconds of processor time. Careless readers take many seconds, good ones a small fraction of one.
SECONDS = 2.0


@pytest.mark.parametrize("name", hostile.SHOWN)
def test_extra_data_changes_nothing_and_costs_no_time(name: str) -> None:
    data = hostile.SHOWN[name]()
    started = time.process_time()
    head = header.read(data)
    read = time.process_time()
    pixels = decode(data, head)
    ended = time.process_time()
    assert head.orientation == 1
    difference = np.abs(pixels.astype(int) - hostile.plain(name)).max()
    # A profile changes the colours, and decoders round differently.
    assert difference <= (60 if "profile" in name else 2)
    assert read - started < SECONDS
    assert ended - read < SECONDS


@pytest.mark.parametrize("name", hostile.REFUSED)
def test_structures_of_too_many_parts_are_refused(name: str) -> None:
    make, found = hostile.REFUSED[name]
    data = make()
    started = time.process_time()
    with pytest.raises(MockupError, match=f"The screenshot is {found}"):
        header.read(data)
    assert time.process_time() - started < SECONDS


@pytest.mark.parametrize("name", [name for name in hostile.SHOWN if name.startswith("png")])
def test_reading_a_header_unpacks_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = hostile.SHOWN[name]()
    for inflate in ("decompress", "decompressobj"):
        monkeypatch.setattr(zlib, inflate, None)
    head = header.read(data)
    assert (head.width, head.height) == (4, 3)
    monkeypatch.undo()


def test_the_first_profile_counts() -> None:
    swapped, narrow = profiles.display_p3(), profiles.display_p3()[:200]
    both = [pngs.chunk(b"iCCP", b"x\0\0" + zlib.compress(one)) for one in (swapped, narrow)]
    alone = hostile.png(both[0])
    for data in (hostile.png(*both), hostile.png(both[0], both[1] * 30)):
        assert np.array_equal(decode(data, header.read(data)), decode(alone, header.read(alone)))


@pytest.mark.parametrize("form", ["JPEG", "WEBP"])
@pytest.mark.parametrize("orientation", [1, 8])
def test_the_first_exif_counts(form: str, orientation: int) -> None:
    first, second = hostile.exif(orientation), hostile.exif(3)
    if form == "JPEG":
        data = hostile.jpeg(hostile.segment(0xE1, first), hostile.segment(0xE1, second))
    else:
        data = hostile.webp((b"EXIF", first), (b"EXIF", second))
    assert header.read(data).orientation == orientation


def test_nested_chunks_take_from_the_same_budget() -> None:
    """Chunks before a frame and chunks inside it, before its picture, count against the same limit."""
    file = io.BytesIO()
    frames = [Image.new("RGB", (40, 30), color) for color in ("red", "blue")]
    frames[0].save(file, "WEBP", save_all=True, append_images=frames[1:])
    data = file.getvalue()
    at = data.index(b"ANMF")
    size = int.from_bytes(data[at + 4 : at + 8], "little")

    def made(outer: int, inner: int) -> bytes:
        some = b"abcd\0\0\0\0"
        frame = data[at + 8 : at + 24] + some * inner + data[at + 24 : at + 8 + size]
        body = data[12:at] + some * outer + b"ANMF" + len(frame).to_bytes(4, "little") + frame
        body += data[at + 8 + size :]
        return b"RIFF" + (4 + len(body)).to_bytes(4, "little") + b"WEBP" + body

    limits = PictureLimits(parts=100)
    for outer, inner in ((0, 0), (80, 0), (0, 80), (40, 40)):
        assert header.read(made(outer, inner), limits).animated
    for outer, inner in ((100, 0), (0, 100), (60, 60)):
        with pytest.raises(MockupError, match="over 100 chunks"):
            header.read(made(outer, inner), limits)


def test_a_gif_of_ordinary_blocks_may_be_large() -> None:
    """Fifteen megabytes in blocks as large as encoders write them are far below the limit on blocks."""
    head, frame = hostile.gif()
    data = head + b"!\xfe" + (b"\xff" + bytes(255)) * 60_000 + b"\0" + frame
    assert header.read(data).width == 40


def test_the_last_control_before_a_gif_frame_counts() -> None:
    head, frame = hostile.gif()
    clear, opaque = b"!\xf9\x04\x01\0\0\0\0", b"!\xf9\x04\0\0\0\0\0"
    assert header.read(head + clear + frame).has_alpha
    for between in (clear + opaque, clear + b"!\xfe\1x\0" + opaque):
        data = head + between + frame
        assert not header.read(data).has_alpha
        assert decode(data, header.read(data)).shape == (30, 40, 3)


def spied(monkeypatch: pytest.MonkeyPatch, where: Any, name: str, reader: Any) -> list[bytes]:
    """The files that third-party decoders receive."""
    seen: list[bytes] = []

    def spy(file: Any, *rest: Any) -> Any:
        seen.append(bytes(file) if isinstance(file, np.ndarray) else file.getvalue())
        return reader(file, *rest)

    monkeypatch.setattr(where, name, spy)
    return seen


def test_comments_never_reach_the_gif_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = spied(monkeypatch, gif_decoder, "GifImageFile", GifImageFile)
    head, frame = hostile.gif()
    data = head + b"!\xff\x0bNETSCAPE2.0\3\1\0\0\0" + b"!\xfe\6secret\0" + frame[:-1] + b"!\xfe\5later\0;"
    decode(data, header.read(data))
    assert seen == [head + frame]


def test_metadata_never_reaches_the_jpeg_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = spied(monkeypatch, cv2, "imdecode", cv2.imdecode)
    plain = saved("JPEG")
    added = [
        hostile.segment(marker, body)
        for marker, body in (
            (0xE1, hostile.exif(1)),
            (0xE2, b"ICC_PROFILE\0\1\1" + bytes(99)),
            (0xED, bytes(9)),
            (0xFE, b"x"),
        )
    ]
    at = plain.index(b"\xff\xda")
    data = plain[:2] + b"".join(added) + plain[2:at] + added[3] + plain[at:] + b"behind the picture"
    decode(data, header.read(data))
    assert seen == [plain]


def test_only_one_alpha_reaches_the_webp_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = spied(monkeypatch, cv2, "imdecode", cv2.imdecode)
    data = hostile.webp_of_alphas(50)
    decode(data, header.read(data))
    assert seen[0].count(b"ALPH") == 1
