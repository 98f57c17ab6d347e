from __future__ import annotations

import ctypes
import gc
import io
import resource
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageCms

from service.arrays import U8
from service.codec import header
from service.codec.color import tags
from service.codec.color.convert import to_srgb
from service.codec.color.icc import from_cicp, from_gamma, srgb
from service.codec.color.matrix import parse
from service.codec.decode import decode
from service.codec.raw import Mode, Raw
from tests.codec import pngs, profiles
from tests.codec.pictures import photo


def palette() -> U8:
    """Every fifth level of each channel, 52 x 2704 pixels."""
    levels = np.arange(0, 256, 5)
    return np.stack(np.meshgrid(levels, levels, levels), -1).reshape(52, -1, 3).astype(np.uint8)


def png(pixels: U8, *chunks: bytes, profile: bytes | None = None) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", icc_profile=profile)
    data = file.getvalue()
    return data[:33] + b"".join(chunks) + data[33:]


def decoded(data: bytes) -> NDArray[np.int64]:
    return decode(data, header.read(data), None).astype(np.int64)


def test_display_p3_keeps_its_colors() -> None:
    pixels = palette()
    shown = decoded(png(pixels, profile=profiles.display_p3()))
    expected = profiles.p3_as_srgb(pixels)
    assert np.abs(shown - expected).max() <= 1
    assert np.abs(expected - pixels).max() > 40


def test_display_p3_under_alpha() -> None:
    pixels = np.dstack((palette(), np.full((52, 2704), 99, np.uint8)))
    shown = decoded(png(pixels, profile=profiles.display_p3()))
    assert np.abs(shown[..., :3] - profiles.p3_as_srgb(pixels[..., :3])).max() <= 1
    assert (shown[..., 3] == 99).all()


@pytest.mark.parametrize("form", ["JPEG", "WEBP"])
def test_display_p3_in_other_formats(form: str) -> None:
    pixels = np.zeros((16, 16, 3), np.uint8)
    pixels[:] = (40, 200, 90)
    file = io.BytesIO()
    options = {"lossless": True} if form == "WEBP" else {"quality": 100, "subsampling": 0}
    Image.fromarray(pixels).save(file, form, icc_profile=profiles.display_p3(), **options)
    assert np.abs(decoded(file.getvalue()) - profiles.p3_as_srgb(pixels)).max() <= 3


def test_a_large_jpeg_profile_in_several_segments() -> None:
    profile = profiles.display_p3()
    profile += b"\0" * 150_000
    profile = len(profile).to_bytes(4, "big") + profile[4:]
    pixels = np.full((8, 8, 3), (40, 200, 90), np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=100, subsampling=0, icc_profile=profile)
    assert tags.profile(file.getvalue(), header.read(file.getvalue())) == profile
    assert np.abs(decoded(file.getvalue()) - profiles.p3_as_srgb(pixels)).max() <= 3


def test_srgb_profiles_change_nothing() -> None:
    pixels = palette()
    for profile in (srgb(), ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()):
        assert np.array_equal(decoded(png(pixels, profile=profile)), pixels)


@pytest.mark.parametrize("profile", [b"junk", profiles.grey(2.2), profiles.display_p3()[:300], b"\0" * 200])
def test_unusable_profiles_are_ignored(profile: bytes) -> None:
    pixels = photo(20, 20)
    assert np.array_equal(decoded(png(pixels, profile=profile)), pixels)


def test_grey_profile() -> None:
    pixels = np.arange(256, dtype=np.uint8)[None]
    shown = decoded(png(pixels, profile=profiles.grey(1.0)))
    expected = profiles.encoded(np.arange(256) / 255)[None, :, None] * 255
    assert shown.shape == (1, 256, 3)
    assert np.abs(shown - expected).max() <= 1


def test_grey_profile_under_alpha() -> None:
    pixels = np.dstack((np.full((4, 4), 128), np.full((4, 4), 50))).astype(np.uint8)
    shown = decoded(png(pixels, profile=profiles.grey(1.0)))
    assert np.abs(shown - (188, 188, 188, 50)).max() <= 1


def test_four_inks_through_their_profile() -> None:
    """The cyan ink has L* 50, which is level 119 in sRGB. Without the profile, the pixel would be about (0,
    255, 255)."""
    file = io.BytesIO()
    Image.new("CMYK", (16, 16), (255, 0, 0, 0)).save(
        file, "JPEG", quality=100, icc_profile=profiles.four_inks(50)
    )
    shown = decoded(file.getvalue())
    assert np.abs(shown - shown.mean()).max() <= 2
    assert 60 < shown.mean() < 125


def test_cicp_display_p3_wins_over_the_rest() -> None:
    pixels = palette()
    cicp = pngs.chunk(b"cICP", bytes((12, 13, 0, 1)))
    shown = decoded(png(pixels, cicp, pngs.chunk(b"gAMA", struct.pack(">I", 100000))))
    assert np.abs(shown - profiles.p3_as_srgb(pixels)).max() <= 1


@pytest.mark.parametrize("code", [(1, 13), (1, 1), (200, 13), (9, 99), (2, 2)])
def test_cicp_srgb_or_unknown_changes_nothing(code: tuple[int, int]) -> None:
    pixels = photo(20, 20)
    assert np.array_equal(decoded(png(pixels, pngs.chunk(b"cICP", bytes((*code, 0, 1))))), pixels)


@pytest.mark.parametrize("transfer", [16, 18])
def test_cicp_hdr_is_monotonic_and_reaches_white(transfer: int) -> None:
    pixels = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, 2)
    shown = decoded(png(pixels, pngs.chunk(b"cICP", bytes((9, transfer, 0, 1)))))[0]
    assert (np.diff(shown, axis=0) >= 0).all()
    assert shown[0].max() <= 1
    assert shown[-1].min() == 255
    assert np.ptp(shown, axis=1).max() <= 1


def test_gamma_without_profile() -> None:
    pixels = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, 2)
    shown = decoded(png(pixels, pngs.chunk(b"gAMA", struct.pack(">I", 100000))))
    assert np.abs(shown - profiles.encoded(pixels / 255) * 255).max() <= 1


def test_the_usual_gamma_and_srgb_change_nothing() -> None:
    pixels = photo(20, 20)
    gamma = pngs.chunk(b"gAMA", struct.pack(">I", 45455))
    points = (31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
    usual = pngs.chunk(b"cHRM", struct.pack(">8I", *points))
    linear = pngs.chunk(b"gAMA", struct.pack(">I", 100000))
    for chunks in ([gamma], [gamma, usual], [linear, pngs.chunk(b"sRGB", b"\0")]):
        assert np.array_equal(decoded(png(pixels, *chunks)), pixels)


def test_chromaticities_of_display_p3() -> None:
    pixels = palette()
    points = (31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)
    chunks = [pngs.chunk(b"gAMA", struct.pack(">I", 45455)), pngs.chunk(b"cHRM", struct.pack(">8I", *points))]
    assert np.abs(decoded(png(pixels, *chunks)) - profiles.p3_as_srgb(pixels)).max() <= 1


@pytest.mark.parametrize(
    "points", [(0,) * 8, (1,) * 8, (2**32 - 1,) * 8, (31270, 32900, *(30000, 30000) * 3)]
)
def test_impossible_chromaticities_are_ignored(points: tuple[int, ...]) -> None:
    pixels = photo(8, 8)
    chunks = [pngs.chunk(b"gAMA", struct.pack(">I", 45455)), pngs.chunk(b"cHRM", struct.pack(">8I", *points))]
    assert decoded(png(pixels, *chunks)).shape == (8, 8, 3)


def test_a_profile_is_read_from_a_compressed_iccp() -> None:
    packed = b"name\0\0" + zlib.compress(profiles.display_p3())
    data = png(photo(4, 4), pngs.chunk(b"iCCP", packed))
    assert tags.profile(data, header.read(data)) == profiles.display_p3()


@pytest.mark.parametrize("alpha", [False, True])
def test_the_fast_path_agrees_with_little_cms(alpha: bool) -> None:
    pixels = palette()
    if alpha:
        pixels = np.dstack((pixels, np.full((52, 2704), 99, np.uint8)))
    gammas = (profiles.curve(np.linspace(0, 1, 1024) ** gamma) for gamma in (1.8, 2.2, 2.4))
    for profile in (
        profiles.display_p3(),
        profiles.display_p3(*gammas),
        from_cicp(9, 14),
        from_cicp(5, 4),
        from_gamma(2.4, None, srgb=False),
    ):
        assert profile
        model = parse(profile)
        assert model
        transform = ImageCms.buildTransform(
            ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"), "RGB", "RGB"
        )
        theirs = np.asarray(ImageCms.applyTransform(Image.fromarray(pixels[..., :3]), transform))
        ours = model.apply(pixels)
        assert np.abs(ours[..., :3].astype(int) - theirs).max() <= 1
        assert not alpha or (ours[..., 3] == 99).all()


@pytest.mark.parametrize("form", range(5))
def test_parametric_curves(form: int) -> None:
    """All five forms of parametric curves give the same colours as in Little CMS.

    Each of the curves maps black to black, so black point compensation has no effect.
    """
    numbers = (
        (1.8,),
        (2.0, 1.05, -0.05),
        (2.0, 1.05, -0.05, -0.002),
        profiles.SRGB_CURVE,
        (*profiles.SRGB_CURVE, 0.01, 0.0),
    )[form]
    para = b"para" + struct.pack(f">IHH{len(numbers)}i", 0, form, 0, *(round(v * 65536) for v in numbers))
    profile = profiles.display_p3(para)
    model = parse(profile)
    assert model
    transform = ImageCms.buildTransform(
        ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"), "RGB", "RGB"
    )
    theirs = np.asarray(ImageCms.applyTransform(Image.fromarray(palette()), transform))
    difference = np.abs(model.apply(palette()).astype(int) - theirs)
    assert difference.max() <= 3
    assert (difference <= 1).mean() > 0.99


def test_other_profiles_have_no_model() -> None:
    for profile in (
        b"",
        b"junk" * 99,
        profiles.grey(2.2),
        profiles.four_inks(50),
        profiles.display_p3(b"odd "),
    ):
        assert parse(profile) is None


def resident() -> int:
    """Resident bytes of this process, without memory that only the allocator holds."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(ctypes.c_size_t(0))
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc to measure memory by")
@pytest.mark.parametrize(
    "mode", ["RGB", *(pytest.param(mode, marks=pytest.mark.long) for mode in ("L", "CMYK"))]
)
def test_large_profiles_are_not_kept(mode: Mode) -> None:
    """Twenty different profiles of 4 MB each are used, but the cache of profiles has a limit in bytes."""
    base = {"RGB": profiles.display_p3(), "L": profiles.grey(2.2), "CMYK": profiles.four_inks(50)}[mode]
    raw = Raw(mode, np.full((2, 2) if mode == "L" else (2, 2, len(mode)), 99, np.uint8))
    expected = to_srgb(raw, base)
    before = resident()
    for number in range(20):
        padded = base + bytes(4_000_000) + number.to_bytes(4, "big")
        profile = len(padded).to_bytes(4, "big") + padded[4:]
        assert np.array_equal(to_srgb(raw, profile), expected)
        del padded, profile
    assert resident() - before < 40 * 2**20


def test_a_transform_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    profile = profiles.four_inks(47)
    raw = Raw("CMYK", np.full((2, 2, 4), 99, np.uint8))
    first = to_srgb(raw, profile)
    monkeypatch.setattr("service.codec.color.convert._build", None)
    assert np.array_equal(to_srgb(raw, bytes(bytearray(profile))), first)
