from __future__ import annotations

import io
import os
import subprocess
import sys
import tracemalloc

import cv2
import numpy as np
import pytest
from PIL import Image, ImageCms

from service.arrays import U8
from service.codec import header
from service.codec.encode import encode, trim, writer
from service.codec.formats.avif import encode as avif
from service.codec.formats.jpeg.encode import PACKET_ROWS
from service.codec.formats.jpeg.flatten import flatten
from service.codec.formats.png import encode as png
from service.settings.formats import FORMATS, WRITTEN
from service.settings.scene import Output
from tests.codec import pngs
from tests.codec.pictures import gradient, photo
from tests.support.looped import looped

NAMES = [one.name for one in WRITTEN]
SIZES = [(1, 1), (1, 40), (40, 1), (7, 5), (64, 9), (33, 300)]


def opencv(data: bytes) -> U8:
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    assert pixels is not None
    order = [2, 1, 0, 3][: pixels.shape[2]]
    return np.asarray(pixels[..., order], np.uint8)


def check_png(data: bytes, pixels: U8) -> None:
    """Check that three independent decoders read exactly these pixels."""
    height, width, channels = pixels.shape
    assert pngs.read(data) == (width, height, channels, pixels.tobytes())
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(data))), pixels)
    assert np.array_equal(opencv(data), pixels)


@looped("fast", [False, True])
@looped("alpha", [False, True])
@looped("size", SIZES)
def test_png_is_lossless(size: tuple[int, int], alpha: bool, fast: bool) -> None:
    rng = np.random.default_rng(3)
    noise = rng.integers(0, 256, (size[1], size[0], 4 if alpha else 3), np.uint8)
    if alpha:
        noise[0, 0, 3] = 7
    for pixels in (photo(*size, alpha=alpha), noise, np.full_like(noise, 90)):
        check_png(encode(pixels, Output("png", fast=fast)), pixels)


@pytest.mark.parametrize("alpha", [False, True])
@pytest.mark.parametrize("heights", [[1, 1, 1], [5, 300, 2], [600], [257, 256, 255], [1, 599]])
def test_png_in_bands(heights: list[int], alpha: bool) -> None:
    pixels = photo(50, sum(heights), alpha=alpha)
    writer = png.PNGWriter(50, len(pixels), alpha=alpha)
    top = 0
    for height in heights:
        writer.write(pixels[top : top + height])
        top += height
    check_png(writer.finish(), pixels)


def test_fast_png_of_repeated_pixels_goes_unfiltered() -> None:
    x, y = np.meshgrid(np.arange(640), np.arange(600))
    flat = np.stack([(x + 2 * y) // (9 + channel) % 256 for channel in range(3)], axis=2).astype(np.uint8)
    quick, usual = encode(flat, Output("png", fast=True)), encode(flat, Output("png"))
    check_png(quick, flat)
    assert len(quick) < 0.8 * len(usual)
    noise = np.random.default_rng(3).integers(0, 4, flat.shape, np.uint8)
    assert encode(noise, Output("png", fast=True)) == encode(noise, Output("png"))


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("alpha", [False, True])
@pytest.mark.parametrize("form", NAMES)
@pytest.mark.long
def test_bytes_do_not_depend_on_the_bands(form: str, alpha: bool, fast: bool) -> None:
    # A wide picture takes several packets; formats that encode the picture as a whole have none.
    width = 700 if form in ("png", "jpeg") else 100
    pixels = photo(width, 1300, alpha=alpha)
    pixels[:600] = pixels[:600, :1]
    files = []
    output = Output(form, 80, fast=fast)
    for height in (1, 7, 499, 1300):
        file = writer(width, 1300, alpha=alpha, output=output)
        for top in range(0, 1300, height):
            band = pixels[top : top + height].copy()
            file.write(band)
            band[:] = 0
        files.append(file.finish())
    assert set(files) == {encode(pixels, output)}


@pytest.mark.parametrize("form", NAMES)
def test_writers_insist_on_the_rows_they_were_promised(form: str) -> None:
    file = writer(4, 4, alpha=False, output=Output(form))
    file.write(np.zeros((3, 4, 3), np.uint8))
    with pytest.raises(ValueError, match="1 rows"):
        file.finish()
    for shape in ((2, 4, 3), (1, 5, 3), (0, 4, 3)):
        with pytest.raises(ValueError, match="band"):
            file.write(np.zeros(shape, np.uint8))


def test_a_band_may_be_changed_once_it_is_written() -> None:
    pixels = photo(30, 40)
    writer = png.PNGWriter(30, 40, alpha=False)
    for top in range(0, 40, 10):
        band = pixels[top : top + 10].copy()
        writer.write(band)
        band[:] = 0
    check_png(writer.finish(), pixels)


def test_missing_and_surplus_rows_are_errors() -> None:
    writer = png.PNGWriter(4, 4, alpha=False)
    writer.write(np.zeros((3, 4, 3), np.uint8))
    with pytest.raises(ValueError, match="1 rows"):
        writer.finish()
    with pytest.raises(ValueError, match="band"):
        writer.write(np.zeros((2, 4, 3), np.uint8))
    with pytest.raises(ValueError, match="band"):
        writer.write(np.zeros((1, 4, 4), np.uint8))


def test_png_of_a_view_and_of_many_bands() -> None:
    pixels = photo(123, 1500)[::-1, ::-1]
    check_png(encode(pixels, Output("png")), np.ascontiguousarray(pixels))


def test_png_drops_an_opaque_alpha_and_is_tagged() -> None:
    pixels = np.dstack((gradient(20, 20), np.full((20, 20), 255, np.uint8)))
    data = encode(pixels, Output("png"))
    check_png(data, pixels[..., :3])
    assert (b"sRGB", b"\0") in pngs.chunks(data)


def test_png_is_about_as_small_as_that_of_opencv() -> None:
    pixels = photo(640, 480)
    pixels[:200] = gradient(640, 200)
    pixels[200:300] = 240
    theirs = cv2.imencode(".png", pixels[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 1])[1]
    assert len(encode(pixels, Output("png"))) <= 1.1 * len(theirs)


@pytest.mark.parametrize("quality", [75, 95])
@pytest.mark.parametrize("size", [(300, 1300), (33, 511), (16, 512), (1, 513), (4096, 600), (2000, 1)])
@pytest.mark.long
def test_jpeg_in_packets_equals_jpeg_at_once(size: tuple[int, int], quality: int) -> None:
    pixels = photo(*size)
    data = encode(pixels, Output("jpeg", quality))
    sampling = cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444 if quality > 90 else cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420
    parameters = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling]
    whole = cv2.imencode(".jpg", pixels[..., ::-1], parameters)[1].tobytes()
    assert np.array_equal(opencv(data), opencv(whole))
    with Image.open(io.BytesIO(data)) as ours, Image.open(io.BytesIO(whole)) as theirs:
        assert np.array_equal(np.asarray(ours), np.asarray(theirs))
    assert (b"\xff\xd0" in data) == (size[1] > PACKET_ROWS)
    assert len(data) < len(whole) + 1000


@pytest.mark.long(seconds=2)
def test_jpeg_of_the_widest_picture() -> None:
    pixels = np.broadcast_to(np.arange(16_384, dtype=np.uint16)[None, :, None] // 64, (300, 16_384, 3))
    shown = opencv(encode(pixels.astype(np.uint8), Output("jpeg", 95)))
    assert np.abs(shown.astype(int) - pixels).max() <= 4


@pytest.mark.parametrize(("quality", "sampling"), [(85, (2, 2)), (89, (2, 2)), (90, (1, 1)), (100, (1, 1))])
def test_jpeg(quality: int, sampling: tuple[int, int]) -> None:
    pixels = gradient(67, 45)
    data = encode(pixels, Output("jpeg", quality))
    image = Image.open(io.BytesIO(data))
    assert image.format == "JPEG"
    assert image.layer[0][1:3] == sampling  # type: ignore[attr-defined]
    assert np.abs(np.asarray(image).astype(int) - pixels).max() < 16
    assert is_srgb(image)


def test_jpeg_lays_alpha_on_white() -> None:
    pixels = np.zeros((16, 16, 4), np.uint8)
    pixels[:, 8:] = (200, 0, 0, 255)
    shown = np.asarray(Image.open(io.BytesIO(encode(pixels, Output("jpeg", 95)))))
    assert shown[4, 2].min() > 250
    assert np.abs(shown[4, 13].astype(int) - (200, 0, 0)).max() < 6


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("alpha", [False, True])
def test_webp(alpha: bool, fast: bool) -> None:
    pixels = photo(67, 45, alpha=alpha)
    image = Image.open(io.BytesIO(encode(pixels, Output("webp", 95, fast))))
    assert image.format == "WEBP"
    shown = np.asarray(image)
    assert shown.shape == pixels.shape
    assert np.abs(shown[:, :40, :3].astype(int) - pixels[:, :40, :3]).mean() < 6
    assert is_srgb(image)
    if alpha:
        assert np.array_equal(shown[..., 3], pixels[..., 3])


@pytest.mark.parametrize("quality", [10, 60, 85, 100])
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("alpha", [False, True])
def test_avif(alpha: bool, fast: bool, quality: int) -> None:
    pixels = photo(67, 45, alpha=alpha)
    data = encode(pixels, Output("avif", quality, fast))
    shown = opencv(data)
    assert shown.shape == pixels.shape
    off = np.abs(shown.astype(int) - pixels)
    assert off[:, :40, :3].mean() < {10: 25, 60: 8, 85: 6, 100: 3}[quality]
    if alpha:
        assert off[..., 3].max() <= 16
        assert off[..., 3].mean() < 1.5


def test_avif_is_tagged_srgb_and_keeps_coloured_edges() -> None:
    """The nclx box says BT.709 primaries, the sRGB curve, BT.601 coefficients and full range."""
    pixels = np.zeros((32, 32, 3), np.uint8)
    pixels[:, ::2] = (255, 0, 0)
    pixels[:, 1::2] = (0, 0, 255)
    data = encode(pixels, Output("avif", 90))
    assert b"colrnclx\0\x01\0\x0d\0\x06\x80" in data
    # With 4:2:0 every pixel would be the same purple.
    assert np.abs(opencv(data).astype(int) - pixels).mean() < 8


def test_avif_of_low_quality_has_sharp_alpha() -> None:
    pixels = np.zeros((64, 64, 4), np.uint8)
    cv2.circle(pixels, (32, 32), 20, (200, 120, 40, 255), -1, cv2.LINE_AA)
    shown = opencv(encode(pixels, Output("avif", 10)))
    assert np.abs(shown[..., 3].astype(int) - pixels[..., 3]).max() <= 16


def by_pillow(pixels: U8, form: str, **options: object) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, form, **options)
    return file.getvalue()


@pytest.mark.parametrize(("fast", "method"), [(False, 2), (True, 1)])
def test_webp_takes_the_documented_effort(fast: bool, method: int) -> None:
    pixels = photo(160, 120)
    made = encode(pixels, Output("webp", 80, fast=fast))
    profile = Image.open(io.BytesIO(made)).info["icc_profile"]
    each = [by_pillow(pixels, "WEBP", quality=80, method=one, icc_profile=profile) for one in range(4)]
    assert len(set(each)) == 4
    assert made == each[method]


def test_avif_takes_the_documented_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = photo(160, 120, alpha=True)

    def expected(speed: int, quality: int = 80) -> bytes:
        options = {"codec": "aom", "subsampling": "4:4:4", "max_threads": 2, "autotiling": False}
        advanced = {"alpha:cq-level": "3"}
        return by_pillow(pixels, "AVIF", quality=quality, speed=speed, advanced=advanced, **options)

    def made(quality: int = 80, *, fast: bool = False) -> bytes:
        return encode(pixels, Output("avif", quality, fast=fast))

    assert len({expected(speed) for speed in (7, 8, 9)}) == 3
    assert made() == expected(8)
    assert made(fast=True) == expected(9)
    assert made(99) == made(98) == expected(8, 98) != expected(8, 97)
    assert avif.LARGE == 4_000_000
    monkeypatch.setattr(avif, "LARGE", 160 * 120)
    assert made() == expected(8)
    monkeypatch.setattr(avif, "LARGE", 160 * 120 - 1)
    assert made() == expected(9)


@pytest.mark.parametrize("size", [(1, 1), (16_384, 2), (2, 16_384), (33, 511)])
def test_avif_of_any_size(size: tuple[int, int]) -> None:
    pixels = np.full((size[1], size[0], 3), (40, 90, 200), np.uint8)
    assert np.abs(opencv(encode(pixels, Output("avif"))).astype(int) - pixels).max() <= 4


@pytest.mark.parametrize("form", NAMES)
def test_written_files_are_read_back_as_srgb(form: str) -> None:
    data = encode(photo(30, 20), Output(form, 90))
    if FORMATS[form].read:
        head = header.read(data)
        assert (head.format, head.width, head.height) == (form, 30, 20)
    assert FORMATS[form].mime == f"image/{form}"


@pytest.mark.parametrize("form", NAMES)
def test_same_pixels_same_bytes_and_input_untouched(form: str) -> None:
    pixels = photo(90, 700, alpha=True)
    before = pixels.copy()
    pixels.flags.writeable = False
    assert encode(pixels, Output(form)) == encode(pixels, Output(form))
    assert np.array_equal(pixels, before)


# Prints the digests of a picture that is written twice. The second time, packets are filtered into memory
# that was used before.
DIGESTS = """
import hashlib
from service.codec.encode import encode
from service.settings.formats import WRITTEN
from service.settings.scene import Output
from tests.codec.pictures import photo

rows = {"png": 1501, "jpeg": 1501}
for one in 2 * WRITTEN:
    pixels = photo(400, rows.get(one.name, 64), alpha=True)
    print(hashlib.sha256(encode(pixels, Output(one.name))).hexdigest())
"""


def test_bytes_do_not_depend_on_earlier_memory() -> None:
    found = set()
    for filling in ("1", "254"):
        environment = os.environ | {"MALLOC_PERTURB_": filling}
        command = [sys.executable, "-c", DIGESTS]
        found.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert len(found) == 1


def test_flatten_is_exact() -> None:
    colors, alphas = np.meshgrid(np.arange(256), np.arange(256))
    pixels = np.dstack((colors, colors, colors, alphas)).astype(np.uint8)
    exact = (colors.astype(float) * alphas + (255 - alphas) * 255) / 255
    assert np.array_equal(flatten(pixels), np.dstack([np.rint(exact)] * 3))


def is_srgb(image: Image.Image) -> bool:
    """Whether the embedded profile leaves sRGB values as they are."""
    profile = ImageCms.ImageCmsProfile(io.BytesIO(image.info["icc_profile"]))
    transform = ImageCms.buildTransform(profile, ImageCms.createProfile("sRGB"), "RGB", "RGB")
    probe = Image.fromarray(gradient(256, 16))
    shown = np.asarray(ImageCms.applyTransform(probe, transform))
    return bool(np.abs(shown.astype(int) - np.asarray(probe)).max() <= 1)


def test_trimming_releases_the_memory_of_packets() -> None:
    trim()
    tracemalloc.start()
    try:
        encode(photo(64, 64), Output("png"))
        kept, _ = tracemalloc.get_traced_memory()
        trim()
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept > png.PACKET_BYTES > left
