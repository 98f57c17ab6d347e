"""Single header fields at the ends of their ranges."""

from __future__ import annotations

import struct
import zlib

import pytest

from service.codec import header
from service.codec.decode import decode
from service.codec.exif import orientation
from service.codec.formats.png.header import raw_size
from service.codec.header import PictureLimits
from service.errors import MockupError
from service.limits import ICC_BYTES
from tests.codec import pngs
from tests.codec.pictures import saved
from tests.codec.test_header import WHOLE, refusal

CHROMA = struct.pack(">8I", *range(1000, 9000, 1000))


def exif(value: int, *, order: str = "<", kind: int = 3, count: int = 1, before: int = 0) -> bytes:
    """An EXIF block whose orientation is `value`, after other entries."""
    other = struct.pack(order + "HHIHH", 0x010F, 3, 1, 6, 0)
    entry = struct.pack(order + "HHIHH", 0x0112, kind, count, value, 0)
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", 8)
    return head + struct.pack(order + "H", before + 1) + other * before + entry


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("before", [0, 1, 5])
def test_orientations(order: str, before: int) -> None:
    for value in range(12):
        expected = value if value in range(1, 9) else 1
        assert orientation(exif(value, order=order, before=before)) == expected
        assert orientation(b"Exif\0\0" + exif(value, order=order, before=before)) == expected


def test_invalid_orientations_mean_upright() -> None:
    assert orientation(exif(6, kind=4)) == 1
    assert orientation(exif(6, count=2)) == 1
    for length in range(len(exif(6))):
        assert orientation(exif(6)[:length]) == 1, "cut short"


def png(*chunks: bytes, kind: int = 2) -> header.Header:
    pixel = {0: (9,), 2: (1, 2, 3), 4: (9, 9), 6: (1, 2, 3, 4)}[kind]
    return header.read(pngs.write([[pixel]], kind, before=chunks))


@pytest.mark.parametrize(
    ("gamma", "taken"), [(999, False), (1000, True), (45455, True), (1_000_000, True), (1_000_001, False)]
)
def test_only_plausible_gammas_are_used(gamma: int, taken: bool) -> None:
    chunk = pngs.chunk(b"gAMA", struct.pack(">I", gamma))
    assert png(chunk).tags.gamma == (gamma if taken else None)
    assert png(chunk, pngs.chunk(b"sRGB", b"\0")).tags.gamma is None


@pytest.mark.parametrize("length", [0, 3, 5, 8])
def test_a_gamma_of_another_length_is_ignored(length: int) -> None:
    assert png(pngs.chunk(b"gAMA", struct.pack(">Q", 45455 << 32)[:length])).tags.gamma is None


@pytest.mark.parametrize(("kind", "taken"), [(0, False), (2, True), (4, False), (6, True)])
def test_only_colour_pictures_have_primaries(kind: int, taken: bool) -> None:
    tags = png(pngs.chunk(b"cHRM", CHROMA), kind=kind).tags
    assert tags.points == (struct.unpack(">8I", CHROMA) if taken else None)
    assert png(pngs.chunk(b"cHRM", CHROMA[:-1]), kind=kind).tags.points is None


def test_a_transparent_colour_beside_alpha_is_ignored() -> None:
    for kind in (4, 6):
        assert png(pngs.chunk(b"tRNS", b"any"), kind=kind).has_alpha
    assert png(pngs.chunk(b"tRNS", b"\0\1\0\2\0\3")).has_alpha
    assert not png().has_alpha
    for length in (0, 4, 8):
        assert "transparency" in refusal(
            pngs.write([[(1, 2, 3)]], before=[pngs.chunk(b"tRNS", bytes(length))])
        )


@pytest.mark.parametrize("kind", sorted({*range(0xC3, 0xD0)} - {0xC4, 0xC8, 0xCC}))
def test_every_kind_of_jpeg_that_is_not_decoded(kind: int) -> None:
    data = WHOLE["jpeg"].replace(b"\xff\xc0", bytes((0xFF, kind)), 1)
    assert "kind" in refusal(data)


def jpeg(profile: int) -> bytes:
    """A JPEG with a profile of `profile` bytes, in several parts."""
    parts, left, number = b"", profile, 1
    while left:
        size = min(left, 60_000)
        parts += (
            b"\xff\xe2" + struct.pack(">H", 16 + size) + b"ICC_PROFILE\0" + bytes((number, 255)) + bytes(size)
        )
        left -= size
        number += 1
    return WHOLE["jpeg"][:2] + parts + WHOLE["jpeg"][2:]


def test_the_largest_profile_of_a_jpeg() -> None:
    head = header.read(jpeg(ICC_BYTES))
    assert sum(end - start for start, end in head.tags.icc) == ICC_BYTES
    with pytest.raises(MockupError, match="oversized"):
        header.read(jpeg(ICC_BYTES + 1))


def gif(screen: int, frame: int, length: int | None = None) -> bytes:
    """A GIF of one pixel; `screen` and `frame` are the flags that describe the colour tables of screen and
    frame."""
    table = b"\0\0\0\xff\xff\xff"
    data = b"GIF89a" + struct.pack("<HHBBB", 1, 1, screen, 0, 0) + (table if screen & 0x80 else b"")
    data += b"," + struct.pack("<HHHHB", 0, 0, 1, 1, frame) + (table if frame & 0x80 else b"")
    return (data + b"\x02\x02\x4c\x01\0;")[:length]


@pytest.mark.parametrize(("screen", "frame"), [(0x80, 0), (0, 0x80), (0x80, 0x80), (0x80, 0xC0)])
def test_colour_tables_of_a_gif(screen: int, frame: int) -> None:
    head = header.read(gif(screen, frame))
    assert (head.width, head.height, head.interlaced) == (1, 1, bool(frame & 0x40))


def test_a_gif_without_a_colour_table() -> None:
    for frame in (0, 0x40):
        assert "no colour table" in refusal(gif(0, frame))
    assert "no colour table" in refusal(gif(0x70, 0x07))


def test_a_truncated_gif_is_reported_as_truncated() -> None:
    whole = gif(0x80, 0)
    for length in range(7, len(whole) - 1):
        assert "truncated" in refusal(whole[:length]), length


def test_a_webp_header_tells_lossless_files() -> None:
    assert header.read(saved("WEBP", lossless=True)).lossless
    assert not header.read(saved("WEBP")).lossless


@pytest.mark.parametrize("form", ["VP8X", "VP8 ", "VP8L"])
def test_webp_chunks_of_nine_bytes(form: str) -> None:
    """The header of a canvas or a picture needs ten bytes, so nine are refused."""
    body = {"VP8X": bytes(10), "VP8 ": b"\0\0\0\x9d\x01\x2a\1\0\1\0", "VP8L": b"\x2f" + bytes(9)}[form]
    for length, told in ((9, True), (10, False)):
        chunk = form.encode() + struct.pack("<I", length) + body[:length] + bytes(length & 1)
        rest = b"VP8L" + struct.pack("<I", 10) + b"\x2f" + bytes(9)
        data = b"WEBP" + chunk + (rest if form == "VP8X" else b"")
        data = b"RIFF" + struct.pack("<I", len(data)) + data
        if told:
            with pytest.raises(MockupError, match="truncated"):
                header.read(data)
        else:
            assert (header.read(data).width, header.read(data).height) == (1, 1)


@pytest.mark.parametrize("more", [1, 2, 9, 1000])
def test_a_webp_chunk_that_ends_behind_its_file(more: int) -> None:
    data = bytearray(saved("WEBP"))
    (size,) = struct.unpack_from("<I", data, 16)
    data[16:20] = struct.pack("<I", size + more)
    if len(data) >= 20 + size + more:
        return  # this byte pads the chunk to an even size
    assert "truncated" in refusal(bytes(data))


def riff(*chunks: tuple[bytes, bytes]) -> bytes:
    """A WebP file that consists of these chunks."""
    body = b"WEBP"
    for kind, data in chunks:
        body += kind + struct.pack("<I", len(data)) + data + bytes(len(data) & 1)
    return b"RIFF" + struct.pack("<I", len(body)) + body


LOSSLESS = b"\x2f" + bytes(9)  # one pixel


def lossy(width: int, height: int, partition: int, length: int) -> bytes:
    """The beginning of a VP8 frame that announces a first partition of `partition` bytes, followed by
    `length` bytes."""
    size = struct.pack("<HH", width, height)
    return (partition << 5).to_bytes(3, "little") + b"\x9d\x01\x2a" + size + bytes(length)


def test_a_webp_picture_without_a_canvas_is_measured_too() -> None:
    plain = saved("WEBP")
    assert b"VP8X" not in plain
    with pytest.raises(MockupError, match=r"0\.001 megapixels"):
        header.read(plain, PictureLimits(pixels=1000))


def test_scaling_bits_are_no_part_of_a_webps_size() -> None:
    head = header.read(riff((b"VP8 ", lossy(40 | 1 << 14, 30 | 2 << 14, 4, 4))))
    assert (head.width, head.height) == (40, 30)


def test_a_first_partition_longer_than_its_chunk() -> None:
    assert header.read(riff((b"VP8 ", lossy(40, 30, 20, 20)))).width == 40
    with pytest.raises(MockupError, match="truncated"):
        header.read(riff((b"VP8 ", lossy(40, 30, 21, 20))))


def test_frames_of_animations() -> None:
    canvas = (b"VP8X", b"\x02" + bytes(9))
    frame = bytes(16) + b"VP8L" + struct.pack("<I", 10) + LOSSLESS
    head = header.read(riff(canvas, (b"ANMF", frame)))
    assert (head.width, head.height, head.animated) == (1, 1, True)
    for cut in (0, 16, 23):
        with pytest.raises(MockupError, match="truncated"):
            header.read(riff(canvas, (b"ANMF", frame[:cut])))
    with pytest.raises(MockupError, match="without a picture"):
        header.read(riff(canvas, (b"ANMF", bytes(16) + b"ABCD" + bytes(4))))
    for place in (0, 3, 6, 9):
        moved = bytearray(frame)
        moved[place] = 1
        with pytest.raises(MockupError, match="damaged"):
            header.read(riff(canvas, (b"ANMF", bytes(moved))))


def test_a_jpegs_scan_before_its_frame() -> None:
    data = WHOLE["jpeg"]
    at = data.index(b"\xff\xda")
    assert "damaged" in refusal(data[:2] + data[at:])


def test_code_points_of_a_png() -> None:
    assert png(pngs.chunk(b"cICP", bytes((9, 16, 0, 1)))).tags.cicp == (9, 16)
    assert png(pngs.chunk(b"cICP", bytes((9, 16, 0)))).tags.cicp is None


@pytest.mark.parametrize("size", [(1, 1), (2, 3), (5, 4), (8, 8), (9, 17)])
@pytest.mark.parametrize("interlaced", [False, True])
def test_every_size_of_an_interlaced_png(size: tuple[int, int], interlaced: bool) -> None:
    """In an interlaced picture this small, some of the seven passes are empty."""
    width, height = size
    rows = [[(x, y, 7) for x in range(width)] for y in range(height)]
    data = pngs.write(rows, interlaced=interlaced)
    head = header.read(data)
    assert (head.width, head.height, head.interlaced) == (width, height, interlaced)
    packed = b"".join(body for kind, body in pngs.chunks(data) if kind == b"IDAT")
    assert raw_size(width, height, 8, 2, interlaced) == len(zlib.decompress(packed))
    assert decode(data, head, None).tolist() == [[list(pixel) for pixel in row] for row in rows]
