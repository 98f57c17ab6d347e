from __future__ import annotations

import random
import re
import struct
import zlib
from collections.abc import Callable

import numpy as np
import pytest

from service.codec import header, unsupported
from service.codec.decode import decode
from service.codec.header import PictureLimits
from service.codec.picture import Tags
from service.errors import Code, MockupError
from tests.codec import pngs
from tests.codec.pictures import gradient, saved


def refusal(data: bytes, limits: PictureLimits | None = None) -> str:
    """The message with which the header's reader or the decoder refuses a file."""
    with pytest.raises(MockupError) as caught:
        decode(data, header.read(data, limits or PictureLimits()), None)
    error = caught.value
    assert error.code is Code.INVALID_REQUEST
    assert [detail.path for detail in error.details] == ["screenshot.src"]
    assert error.details[0].message
    return error.message


WHOLE: dict[str, bytes] = {
    "png": pngs.write(
        [[(1, 2, 3), (4, 5, 6)], [(7, 8, 9), (0, 0, 0)]], after=[pngs.chunk(b"tIME", b"\0" * 7)]
    ),
    "jpeg": saved("JPEG"),
    "progressive": saved("JPEG", progressive=True),
    "webp": saved("WEBP"),
    "lossless": saved("WEBP", lossless=True),
    "gif": saved("GIF"),
}


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF"])
def test_facts(form: str) -> None:
    head = header.read(saved(form))
    assert (head.format, head.width, head.height) == (form.lower(), 40, 30)
    assert (head.orientation, head.tags, head.animated) == (1, Tags(), False)


@pytest.mark.parametrize(
    ("data", "named"),
    [
        (b"", "empty"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG picture"),
        (b"\xef\xbb\xbf<?xml version='1.0'?><!-- x --><svg width='1'/>", "an SVG picture"),
        (b"8BPS\0\1" + b"\0" * 30, "a Photoshop (PSD) file"),
        (b"II*\0\x08\0\0\0", "a TIFF picture"),
        (b"MM\0*\0\0\0\x08", "a TIFF picture"),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "a HEIC picture"),
        (b"\0\0\0\x18ftypavif\0\0\0\0", "an AVIF picture"),
        (b"\0\0\0\x18ftypisom\0\0\0\0", "an MP4 video"),
        (b"BM" + b"\0" * 60, "a BMP picture"),
        (b"%PDF-1.7", "a PDF document"),
        (b"<!DOCTYPE html><title>404</title>", "an HTML page"),
        (b'  {"error": "no"}', "JSON"),
        (b"iVBORw0KGgoAAAANSUhEUgAA", "base64 encoded twice"),
        (b"Not found", "plain text"),
        (b"RIFF\0\0\0\0WAVE", "a RIFF file that is not WebP"),
        (b"\x00\x01\x02\xff" * 9, "of an unknown format"),
    ],
)
def test_other_files_are_named(data: bytes, named: str) -> None:
    message = refusal(data)
    assert named in message
    assert "; PNG, JPEG, WebP and GIF are accepted" in message


@pytest.mark.parametrize("name", WHOLE)
def test_truncated_at_every_percent(name: str) -> None:
    """A truncated file is refused, unless the part that was cut off follows the picture."""
    data = WHOLE[name]
    decode(data, header.read(data), None)
    for percent in range(1, 100):
        cut = data[: len(data) * percent // 100]
        if name == "gif" and cut == data[: len(data) - 1]:
            continue
        assert re.search("truncated|damaged|unknown|empty|text|not WebP", refusal(cut)), percent


@pytest.mark.parametrize("change", [1, -1, 4, 1 << 16, 1 << 31, -(1 << 33)])
def test_every_chunk_length_of_a_png_altered(change: int) -> None:
    data = WHOLE["png"]
    at = 8
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        altered = (
            data[:at]
            + struct.pack(">I", (length + change) % (1 << 32) if change > -9 else 0)
            + data[at + 4 :]
        )
        if altered != data:
            refusal(altered)
        at += 12 + length


def outcome(data: bytes) -> str:
    """The result of decoding a file: `pixels` if their size is that in the header, `another size`, or the
    error's code."""
    try:
        head = header.read(data)
        pixels = decode(data, head, None)
    except MockupError as error:
        return error.code
    return "pixels" if pixels.shape[:2] == (head.height, head.width) else "another size"


@pytest.mark.parametrize("name", WHOLE)
def test_changed_bytes_never_surprise(name: str) -> None:
    """Whichever bytes are changed, the file is refused or gives pixels of the size in its header."""
    rng = random.Random(name)
    for _ in range(400):
        data = bytearray(WHOLE[name])
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        assert outcome(bytes(data)) in ("pixels", Code.INVALID_REQUEST)


def decoded_with(packed: bytes) -> bool:
    """Whether a PNG with `packed` as its profile is decoded; invalid profiles are ignored, as in browsers."""
    data = pngs.write([[(1, 2, 3)]], before=[pngs.chunk(b"iCCP", b"name\0\0" + packed)])
    return bool((decode(data, header.read(data)) == (1, 2, 3)).all())


def big_png(width: int, height: int, body: bytes = b"") -> bytes:
    return pngs.SIGNATURE + pngs.ihdr(width, height) + pngs.chunk(b"IDAT", body) + pngs.chunk(b"IEND")


def jpeg_of(width: int, height: int) -> bytes:
    data = bytearray(WHOLE["jpeg"])
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", height, width)
    return bytes(data)


def webp_of(width: int, height: int) -> bytes:
    data = bytearray(saved("WEBP", exif=b"Exif\0\0II*\0\x08\0\0\0\0\0"))
    at = data.index(b"VP8X") + 12
    data[at : at + 6] = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return bytes(data)


def gif_of(width: int, height: int) -> bytes:
    return WHOLE["gif"][:6] + struct.pack("<HH", width, height) + WHOLE["gif"][10:]


@pytest.mark.parametrize("make", [big_png, jpeg_of, webp_of, gif_of])
def test_sizes_over_the_limits(make: Callable[[int, int], bytes]) -> None:
    assert "megapixels" in refusal(make(10_000, 10_000))
    assert "16384 a side" in refusal(make(16_385, 1000))
    assert "16384 a side" in refusal(make(1000, 60_000))
    with pytest.raises(MockupError, match=r"0\.001 megapixels"):
        header.read(make(40, 30), PictureLimits(pixels=1000))


@pytest.mark.parametrize("make", [big_png, jpeg_of])
def test_empty_pictures(make: Callable[[int, int], bytes]) -> None:
    assert "an empty" in refusal(make(0, 30))
    assert "an empty" in refusal(make(30, 0))


@pytest.mark.parametrize("make", [big_png, jpeg_of])
def test_a_large_header_over_hardly_any_data(make: Callable[[int, int], bytes]) -> None:
    assert "truncated" in refusal(make(8000, 5000))


def test_a_png_that_unpacks_to_600_megabytes() -> None:
    """The header says 64 x 64 pixels, so the decoder never unpacks the data after their rows."""
    pack = zlib.compressobj(9)
    start = pack.compress(bytes(2**16)) + pack.flush(zlib.Z_FULL_FLUSH)
    # This block refers to no earlier data, so it can be repeated.
    block = pack.compress(bytes(2**20)) + pack.flush(zlib.Z_FULL_FLUSH)
    data = big_png(64, 64, start + block * 600 + pack.flush())
    assert len(data) < 700_000
    assert decode(data, header.read(data), None).shape == (64, 64, 3)


def test_png_rows_that_do_not_fill_the_picture() -> None:
    assert "truncated" in refusal(big_png(64, 64, zlib.compress(bytes(64 * 193 - 1))))
    assert "truncated" in refusal(big_png(64, 64, zlib.compress(bytes(64 * 193))[:-12]))
    assert "unpacked" in refusal(big_png(64, 64, b"\x78\x9c" + b"\xff" * 500))


def test_oversized_profiles() -> None:
    for packed in (
        zlib.compress(b"\0" * 64_000_000, 1),
        zlib.compress(bytes(4 * 2**20 + 1)),
        bytes(5_000_000),
    ):
        chunk = pngs.chunk(b"iCCP", b"name\0\0" + packed)
        assert "oversized colour profile" in refusal(pngs.write([[(1, 2, 3)]], before=[chunk]))
    assert decoded_with(zlib.compress(bytes(4 * 2**20)))
    assert decoded_with(b"cannot be unpacked")
    segment = b"\xff\xe2" + struct.pack(">H", 65533) + b"ICC_PROFILE\0"
    jpeg = WHOLE["jpeg"]
    segments = [segment + bytes((i, 255)) + b"\0" * 65517 for i in range(1, 80)]
    assert "oversized colour profile" in refusal(jpeg[:2] + b"".join(segments) + jpeg[2:])
    webp = saved("WEBP", icc_profile=b"\0" * 5_000_000)
    assert "oversized colour profile" in refusal(webp)


def test_a_jpeg_of_400_scans() -> None:
    data = WHOLE["progressive"]
    at = data.rindex(b"\xff\xda")
    scan = data[at:-2]
    assert header.read(data[:at] + scan * 50 + b"\xff\xd9").width == 40
    assert "too many scans" in refusal(data[:at] + scan * 400 + b"\xff\xd9")


def test_scans_are_weighed_by_their_pixels() -> None:
    large = saved("JPEG", 1000, 800, progressive=True)
    at = large.rindex(b"\xff\xda")
    limits = PictureLimits(scan_pixels=1000 * 800 * 20)
    assert "too many scans" in refusal(large[:at] + large[at:-2] * 20 + b"\xff\xd9", limits)
    assert header.read(large, limits).width == 1000


@pytest.mark.parametrize("marker", [0xC3, 0xC9, 0xCA])
def test_rare_jpeg_kinds(marker: int) -> None:
    data = WHOLE["jpeg"].replace(b"\xff\xc0", bytes((0xFF, marker)), 1)
    assert "kind" in refusal(data)


def test_a_jpeg_of_twelve_bits() -> None:
    data = bytearray(WHOLE["jpeg"])
    data[data.index(b"\xff\xc0") + 4] = 12
    assert "12 bits" in refusal(bytes(data))


def test_a_gif_of_a_thousand_frames_costs_one() -> None:
    frame = WHOLE["gif"][:-1]
    start = frame.index(b",", 13 + 3 * 2 ** ((frame[10] & 7) + 1))
    data = frame + frame[start:] * 999 + b";"
    head = header.read(data)
    assert head.animated
    assert head.span[1] == len(frame)
    single = WHOLE["gif"]
    assert np.array_equal(decode(data, head, None), decode(single, header.read(single), None))


def test_a_gif_frame_larger_than_its_screen_enlarges_it() -> None:
    data = gif_of(10, 10)
    head = header.read(data)
    assert (head.width, head.height) == (40, 30)
    assert decode(data, head, None).shape == (30, 40, 3)


def test_a_png_whose_size_changes_between_header_and_decoding() -> None:
    data = pngs.write([[(1, 2, 3)] * 4] * 4)
    other = pngs.write([[(1, 2, 3)] * 4] * 2)
    with pytest.raises(MockupError):
        decode(other, header.read(data), None)


@pytest.mark.parametrize("kind", [b"IHDR", b"PLTE", b"IDAT", b"ABCD"])
def test_critical_png_chunks_with_a_wrong_checksum(kind: bytes) -> None:
    data = pngs.write(
        [[(0,)]], 3, before=[pngs.chunk(b"PLTE", b"abc"), pngs.chunk(b"ABCD")][: 2 if kind == b"ABCD" else 1]
    )
    at = data.index(kind) + 4
    (length,) = struct.unpack_from(">I", data, at - 8)
    broken = bytearray(data)
    broken[at + length] ^= 1
    assert "wrong checksum" in refusal(bytes(broken))


def test_optional_png_chunks_with_a_wrong_checksum_are_ignored() -> None:
    chunk = bytearray(pngs.chunk(b"gAMA", struct.pack(">I", 100000)))
    chunk[-1] ^= 1
    pixels = gradient(5, 5)
    rows = [[tuple(int(v) for v in p) for p in row] for row in pixels]
    data = pngs.write(rows, before=[bytes(chunk)])
    assert np.array_equal(decode(data, header.read(data), None), pixels)


def test_unknown_critical_png_chunks() -> None:
    assert "unknown chunk ABCD" in refusal(pngs.write([[(0, 0, 0)]], before=[pngs.chunk(b"ABCD")]))


@pytest.mark.parametrize(
    "exif", [b"", b"Exif\0\0", b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0MM\0*\0\0\0\x08\xff\xff"]
)
def test_broken_exif_means_upright(exif: bytes) -> None:
    segment = b"\xff\xe1" + struct.pack(">H", 2 + len(exif)) + exif
    data = WHOLE["jpeg"][:2] + segment + WHOLE["jpeg"][2:]
    assert header.read(data).orientation == 1


def test_bytes_behind_the_picture_are_ignored() -> None:
    for data in WHOLE.values():
        assert np.array_equal(
            decode(data + b"\0junk", header.read(data + b"\0junk"), None),
            decode(data, header.read(data), None),
        )


def test_data_behind_a_stream_that_ends_early_is_refused() -> None:
    body = zlib.compress(bytes(64 * 193 - 9)) + b"junk" * 20_000
    assert "truncated" in refusal(big_png(64, 64, body))


@pytest.mark.parametrize(
    ("data", "how"),
    [
        (b"\0\0\0\x18ftypheic\0\0\0\0", "a HEIC picture; .*; convert it with heif-convert FILE"),
        (b"\0\0\0\x18ftypmif1\0\0\0\0", "a HEIF picture; .*; convert it with heif-convert"),
        (b"\0\0\0\x18ftypavif\0\0\0\0", "an AVIF picture; .*; convert it with avifdec"),
    ],
)
def test_unsupported_formats_come_with_a_conversion(data: bytes, how: str) -> None:
    with pytest.raises(MockupError, match=how):
        header.read(data)


def test_every_conversion_belongs_to_a_named_format() -> None:
    assert set(unsupported.CONVERSIONS) <= {name for _, name in unsupported.MAGIC} | {
        *unsupported.BRANDS.values(),
        "an SVG picture",
    }
