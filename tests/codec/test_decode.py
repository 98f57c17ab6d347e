from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from service.arrays import U8
from service.codec import header
from service.codec.decode import decode
from service.errors import MockupError
from tests.codec import pngs
from tests.codec.pictures import gradient, photo
from tests.support.looped import looped

SIZES = [(1, 1), (1, 7), (9, 1), (5, 3), (13, 11)]


def decoded(data: bytes) -> U8:
    head = header.read(data)
    pixels = decode(data, head, None)
    assert pixels.shape[:2] == (head.height, head.width)
    assert pixels.flags.c_contiguous
    assert pixels.dtype == np.uint8
    return pixels


def samples(width: int, height: int, kind: int, depth: int) -> list[list[tuple[int, ...]]]:
    rng = np.random.default_rng(width * 100 + height + depth)
    values = rng.integers(0, 1 << depth, (height, width, pngs.CHANNELS[kind]))
    return [[tuple(int(v) for v in pixel) for pixel in row] for row in values]


def eight(value: int, depth: int) -> int:
    """The 8-bit value nearest to a sample of `depth` bits."""
    return round(value * 255 / ((1 << depth) - 1))


@looped("interlaced", [False, True])
@looped(
    "kind, depth",
    [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (4, 8), (4, 16), (6, 8), (6, 16)],
)
def test_every_kind_of_png(kind: int, depth: int, interlaced: bool) -> None:
    for width, height in SIZES:
        rows = samples(width, height, kind, depth)
        pixels = decoded(pngs.write(rows, kind, depth, interlaced=interlaced))
        expected = np.array([[[eight(v, depth) for v in pixel] for pixel in row] for row in rows], np.uint8)
        if kind in (0, 4):
            expected = np.concatenate((expected[..., :1],) * 3 + (expected[..., 1:],), axis=2)
        if expected.shape[2] == 4 and (expected[..., 3] == 255).all():
            expected = expected[..., :3]
        assert np.array_equal(pixels, expected), (width, height)


@looped("interlaced", [False, True])
@looped("depth", [1, 2, 4, 8])
@looped("alpha", [b"", b"\x80\x00", b"\xff\xff"])
def test_palettes(depth: int, interlaced: bool, alpha: bytes) -> None:
    table = np.random.default_rng(depth).integers(0, 256, (1 << depth, 3), np.uint8)
    before = [pngs.chunk(b"PLTE", table.tobytes())] + ([pngs.chunk(b"tRNS", alpha)] if alpha else [])
    for width, height in SIZES:
        rows = samples(width, height, 3, depth)
        pixels = decoded(pngs.write(rows, 3, depth, interlaced=interlaced, before=before))
        indices = np.array(rows)[..., 0]
        opacity = np.full(256, 255, np.uint8)
        opacity[: len(alpha)] = list(alpha)
        expected = np.dstack((table[indices], opacity[indices]))
        shown = expected if (expected[..., 3] < 255).any() else expected[..., :3]
        assert np.array_equal(pixels, shown)


@looped("filters", [(0,), (1,), (2,), (3,), (4,), (0, 2, 4), (1, 2, 3, 4)])
@looped("kind, depth", [(2, 8), (2, 16), (6, 8), (6, 16)])
def test_every_filter(kind: int, depth: int, filters: tuple[int, ...]) -> None:
    rows = samples(60, 11, kind, depth)
    pixels = decoded(pngs.write(rows, kind, depth, filters=filters))
    assert np.array_equal(pixels, [[[eight(v, depth) for v in pixel] for pixel in row] for row in rows])


@pytest.mark.parametrize("kind", [4, 6])
@pytest.mark.parametrize("alpha", [255, 254])
def test_alpha_is_kept_for_a_single_pixel(kind: int, alpha: int) -> None:
    colors = (5,) if kind == 4 else (9, 5, 7)
    rows: list[list[tuple[int, ...]]] = [[(*colors, 255)] * 3 for _ in range(7)]
    rows[5][1] = (*colors, alpha)
    expected = np.array(rows, np.uint8)[..., [0, 0, 0, 1] if kind == 4 else slice(None)]
    assert np.array_equal(decoded(pngs.write(rows, kind)), expected[..., : 3 if alpha == 255 else 4])


def test_a_transparent_color_in_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.codec.raw.BAND", 6)
    rows = [[(y, 0, 0), (y, 1, 1)] for y in range(9)]
    key = pngs.chunk(b"tRNS", struct.pack(">3H", 8, 1, 1))
    assert decoded(pngs.write(rows, before=[key]))[..., 3].ravel().tolist() == [255] * 17 + [0]


@pytest.mark.parametrize("interlaced", [False, True])
@pytest.mark.parametrize(("kind", "depth", "size"), [(2, 8, 3), (0, 1, 1)])
@pytest.mark.parametrize("filters", [(5,), (0, 0, 0, 5), (2, 2, 255)])
def test_a_filter_that_does_not_exist(
    filters: tuple[int, ...], kind: int, depth: int, size: int, interlaced: bool
) -> None:
    # Pictures one pixel wide have the same number of rows interlaced or not.
    raw = b"".join(bytes([method]) + bytes(size) for method in filters)
    data = pngs.SIGNATURE + pngs.ihdr(1, len(filters), depth, kind, interlaced)
    data += pngs.chunk(b"IDAT", zlib.compress(raw)) + pngs.chunk(b"IEND")
    with pytest.raises(MockupError, match="damaged PNG file: it could not be decoded"):
        decoded(data)


# The rows of a PNG of 3 x 4 pixels.
ROWS = (b"\0" + bytes(range(9))) * 4


@pytest.mark.parametrize(
    ("stream", "found"),
    [
        (zlib.compress(ROWS, 0)[:-9], "a truncated PNG file"),
        (zlib.compress(ROWS, 9)[:-8], "a truncated PNG file"),
        (zlib.compress(ROWS[:-1]), "a truncated PNG file"),
        (zlib.compress(ROWS)[:2] + b"\xff" * 20, "a damaged PNG file: its picture data cannot be unpacked"),
        (b"\0\0" + zlib.compress(ROWS)[2:], "a damaged PNG file: its picture data cannot be unpacked"),
    ],
)
def test_picture_data_that_is_short_or_broken(stream: bytes, found: str) -> None:
    # The rows of each of these pictures take 40 bytes.
    for width, height, kind, depth, interlaced in (
        (3, 4, 2, 8, False),
        (72, 4, 0, 1, False),
        (8, 10, 0, 1, True),
    ):
        data = pngs.ihdr(width, height, depth, kind, interlaced) + pngs.chunk(b"IDAT", stream)
        with pytest.raises(MockupError) as caught:
            decoded(pngs.SIGNATURE + data + pngs.chunk(b"IEND"))
        assert caught.value.message == f"The screenshot is {found}"


@pytest.mark.parametrize("depth", [8, 1])
def test_a_lack_of_memory_is_not_blamed_on_the_file(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def short(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("service.codec.formats.png.samples.unfilter", short)
    data = pngs.write(samples(9, 9, 0, depth), 0, depth, interlaced=True)
    with pytest.raises(MemoryError):
        decoded(data)


@pytest.mark.parametrize(
    "stream",
    [
        zlib.compress(ROWS)[:-4],
        zlib.compress(ROWS)[:-4] + b"abcd",
        zlib.compress(ROWS + bytes(100_000)),
        zlib.compress(ROWS) + b"more",
    ],
    ids=["no checksum", "a wrong checksum", "more rows", "more data"],
)
def test_data_after_the_rows_is_ignored(stream: bytes) -> None:
    data = pngs.SIGNATURE + pngs.ihdr(3, 4) + pngs.chunk(b"IDAT", stream) + pngs.chunk(b"IEND")
    assert decoded(data).tobytes() == bytes(range(9)) * 4


def test_an_index_beyond_the_palette_is_black() -> None:
    data = pngs.write([[(0,), (7,)]], 3, 8, before=[pngs.chunk(b"PLTE", b"\xff\xff\xff")])
    assert decoded(data).tolist() == [[[255, 255, 255], [0, 0, 0]]]


@pytest.mark.parametrize(
    ("kind", "depth", "clear", "other"),
    [
        (0, 1, (1,), (0,)),
        (0, 2, (2,), (1,)),
        (0, 8, (77,), (78,)),
        (0, 16, (0x1234,), (0x1235,)),
        (2, 8, (1, 2, 3), (1, 2, 4)),
        (2, 16, (0x100, 0x200, 0x300), (0x100, 0x200, 0x301)),
    ],
)
def test_one_transparent_color(kind: int, depth: int, clear: tuple[int, ...], other: tuple[int, ...]) -> None:
    key = pngs.chunk(b"tRNS", struct.pack(f">{len(clear)}H", *clear))
    pixels = decoded(pngs.write([[clear, other]], kind, depth, before=[key]))
    assert pixels.shape == (1, 2, 4)
    assert pixels[0, :, 3].tolist() == [0, 255]
    assert decoded(pngs.write([[other, other]], kind, depth, before=[key])).shape == (1, 2, 3)


def test_an_apng_shows_its_default_picture() -> None:
    rows = samples(6, 4, 2, 8)
    animation = [pngs.chunk(b"acTL", struct.pack(">II", 1, 0))]
    frame = struct.pack(">IIIIIHHBB", 0, 6, 4, 0, 0, 1, 10, 0, 0)
    data = pngs.write(
        rows, before=animation, after=[pngs.chunk(b"fcTL", frame), pngs.chunk(b"fdAT", b"\0\0\0\1junk")]
    )
    assert header.read(data).animated
    assert np.array_equal(decoded(data), np.array(rows, np.uint8))


def test_several_idat_chunks_and_trailing_bytes() -> None:
    whole = pngs.write(samples(9, 9, 2, 8))
    parts = []
    for kind, body in pngs.chunks(whole):
        pieces = [body[i : i + 7] for i in range(0, len(body), 7)] if kind == b"IDAT" else [body]
        parts += [pngs.chunk(kind, piece) for piece in pieces]
    split = pngs.SIGNATURE + b"".join(parts) + b"trailing"
    assert np.array_equal(decoded(split), decoded(whole))


def exif(orientation: int) -> Image.Exif:
    block = Image.Exif()
    block[0x0112] = orientation
    return block


@looped("form", ["PNG", "JPEG", "WEBP"])
@looped("orientation", range(1, 9))
def test_exif_orientation(form: str, orientation: int) -> None:
    """The tag's value is defined as the corner at which the first stored pixel is shown."""
    stored = np.zeros((16, 32, 3), np.uint8)
    stored[:8, :8] = (250, 0, 0)
    stored[:8, 24:] = (0, 250, 0)
    file = io.BytesIO()
    options = {"lossless": True} if form == "WEBP" else {"quality": 95} if form == "JPEG" else {}
    Image.fromarray(stored).save(file, form, exif=exif(orientation), **options)
    pixels = decoded(file.getvalue())
    assert pixels.shape[:2] == ((16, 32) if orientation < 5 else (32, 16))
    red, green = {
        1: ((0, 0), (0, -1)),
        2: ((0, -1), (0, 0)),
        3: ((-1, -1), (-1, 0)),
        4: ((-1, 0), (-1, -1)),
        5: ((0, 0), (-1, 0)),
        6: ((0, -1), (-1, -1)),
        7: ((-1, -1), (0, -1)),
        8: ((-1, 0), (0, 0)),
    }[orientation]
    assert pixels[red][0] > 200
    assert pixels[green][1] > 200


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_jpeg(mode: str, progressive: bool) -> None:
    source = photo(97, 61)
    file = io.BytesIO()
    Image.fromarray(source).convert(mode).save(
        file, "JPEG", quality=92, subsampling=0, progressive=progressive
    )
    pixels = decoded(file.getvalue())
    expected = np.asarray(Image.open(file).convert("RGB"))
    assert np.abs(pixels.astype(int) - expected).max() <= 2


@pytest.mark.parametrize(
    ("wanted", "size"),
    [
        (None, (101, 203)),
        ((101, 203), (101, 203)),
        ((52, 10), (101, 203)),
        ((51, 102), (51, 102)),
        ((26, 51), (26, 51)),
        ((20, 52), (51, 102)),
        ((1, 1), (13, 26)),
    ],
)
def test_a_jpeg_is_no_smaller_than_wanted(wanted: tuple[int, int] | None, size: tuple[int, int]) -> None:
    source = gradient(101, 203)
    file = io.BytesIO()
    Image.fromarray(source).save(file, "JPEG", quality=95, subsampling=0)
    data = file.getvalue()
    pixels = decode(data, header.read(data), wanted)
    assert pixels.shape == (size[1], size[0], 3)
    n = -(-101 // size[0])
    whole = np.pad(source, ((0, n * size[1] - 203), (0, n * size[0] - 101), (0, 0)), "edge")
    means = whole.reshape(size[1], n, size[0], n, 3).mean((1, 3))
    assert np.abs(pixels - means).max() <= 6


def test_wanted_is_counted_after_turning() -> None:
    file = io.BytesIO()
    Image.fromarray(photo(80, 40)).save(file, "JPEG", exif=exif(6))
    data = file.getvalue()
    head = header.read(data)
    assert (head.width, head.height) == (40, 80)
    assert decode(data, head, (20, 40)).shape == (40, 20, 3)
    assert decode(data, head, (40, 20)).shape == (80, 40, 3)


def test_cmyk_jpeg() -> None:
    inks = Image.new("CMYK", (16, 16), (0, 255, 255, 0))
    file = io.BytesIO()
    inks.save(file, "JPEG", quality=95)
    head = header.read(file.getvalue())
    assert head.color == "cmyk"
    red = decoded(file.getvalue())[8, 8]
    assert red[0] > 245
    assert max(red[1:]) < 10


@pytest.mark.parametrize("lossless", [False, True])
@pytest.mark.parametrize("alpha", [False, True])
def test_webp(lossless: bool, alpha: bool) -> None:
    source = photo(61, 37, alpha=alpha)
    file = io.BytesIO()
    Image.fromarray(source).save(file, "WEBP", lossless=lossless, quality=90, exact=True)
    pixels = decoded(file.getvalue())
    expected = np.asarray(Image.open(file))
    assert pixels.shape == source.shape
    assert np.abs(pixels.astype(int) - expected).max() <= (0 if lossless else 6)


def test_an_animated_webp_shows_its_first_frame() -> None:
    first, second = Image.fromarray(photo(40, 30, alpha=True)), Image.new("RGBA", (40, 30), "blue")
    file = io.BytesIO()
    first.save(file, "WEBP", save_all=True, append_images=[second], lossless=True, exact=True)
    assert header.read(file.getvalue()).animated
    pixels, expected = decoded(file.getvalue()), np.asarray(first)
    assert np.array_equal(pixels[..., 3], expected[..., 3])
    seen = expected[..., 3] > 0
    assert np.array_equal(pixels[seen], expected[seen])


@pytest.mark.parametrize("alpha", [False, True])
def test_a_lossy_animated_webp_shows_its_first_frame(alpha: bool) -> None:
    """A frame with transparency has a header of its own, with its size, for the decoder."""
    first, second = Image.fromarray(photo(41, 30, alpha=alpha)), Image.new("RGB", (41, 30), "blue")
    file = io.BytesIO()
    first.save(file, "WEBP", save_all=True, append_images=[second], quality=90, exact=True)
    assert header.read(file.getvalue()).animated
    assert (b"ALPH" in file.getvalue()) == alpha
    pixels = decoded(file.getvalue())
    expected = np.asarray(Image.open(file).convert("RGBA" if alpha else "RGB"))
    assert pixels.shape == expected.shape
    seen = expected[..., 3] > 0 if alpha else np.ones(expected.shape[:2], bool)
    assert np.abs(pixels.astype(int) - expected)[seen].max() <= 6


@pytest.mark.parametrize("alpha", [False, True])
def test_a_frame_of_another_size_than_its_header_says_is_damaged(alpha: bool) -> None:
    buffer = io.BytesIO()
    first, second = (
        Image.new("RGBA" if alpha else "RGB", (64, 48), color) for color in ("#20406080", "#F00")
    )
    first.save(buffer, "WEBP", save_all=True, append_images=[second], quality=50)
    data = bytearray(buffer.getvalue())
    width = data.index(b"ANMF") + 8 + 6
    assert data[width : width + 3] == (63).to_bytes(3, "little")
    data[width] = 61
    with pytest.raises(MockupError, match="a frame whose size differs from its header"):
        decoded(bytes(data))


@pytest.mark.parametrize("interlaced", [False, True])
def test_gif(interlaced: bool) -> None:
    source = Image.fromarray(gradient(50, 41)).quantize(200)
    file = io.BytesIO()
    source.save(file, "GIF", interlace=interlaced)
    assert np.array_equal(decoded(file.getvalue()), np.asarray(source.convert("RGB")))


def test_an_animated_gif_shows_its_first_frame() -> None:
    frames = [Image.new("P", (20, 10), i) for i in range(3)]
    palette = [v for i in range(256) for v in (i * 40 % 256, 255 - i, i)]
    for frame in frames:
        frame.putpalette(palette)
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], transparency=2, loop=0)
    head = header.read(file.getvalue())
    assert head.animated
    assert decoded(file.getvalue())[5, 5].tolist()[:3] == [0, 255, 0]


def test_a_transparent_gif() -> None:
    source = Image.new("P", (4, 2), 0)
    source.putpalette([255, 0, 0, 0, 0, 255])
    source.putpixel((1, 1), 1)
    file = io.BytesIO()
    source.save(file, "GIF", transparency=1)
    pixels = decoded(file.getvalue())
    assert pixels[0, 0].tolist() == [255, 0, 0, 255]
    assert pixels[1, 1, 3] == 0


def test_input_bytes_are_not_changed() -> None:
    data = pngs.write(samples(8, 8, 6, 8), 6)
    before = bytes(bytearray(data))
    first = decoded(data)
    first[:] = 0
    assert data == before
    assert decoded(data).any()
