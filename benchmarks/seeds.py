"""Draws the small pictures that fuzzing begins with into benchmarks/corpus/: `python -m benchmarks.seeds`."""

from __future__ import annotations

import io
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageCms, PngImagePlugin

from tests.codec import pngs

CORPUS = Path(__file__).parent / "corpus"


def picture(mode: str, width: int = 37, height: int = 23) -> Image.Image:
    """A small picture with slopes, an edge and some noise."""
    y, x = np.mgrid[0:height, 0:width]
    noise = np.random.default_rng(7).integers(0, 40, (height, width))
    planes = [
        (x * 5 + noise) % 256,
        (y * 9 + noise) % 256,
        np.where(x > y, 200, 30),
        np.where(x > 9, 255, 90),
    ]
    return Image.fromarray(np.dstack(planes).astype(np.uint8), "RGBA").convert(mode)


def files() -> dict[str, bytes]:
    """Names and contents of files, one for every code path of the decoders."""
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", "some text", zip=True)
    info.add_itxt("XML:com.adobe.xmp", "<x/>", zip=True)
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    exif = Image.Exif()
    exif[0x0112] = 6
    frames = [picture("P"), picture("P").transpose(Image.Transpose.ROTATE_180)]
    deep = Image.fromarray((np.arange(600, dtype=np.uint16) * 109).reshape(20, 30))
    return {
        "rgb.png": _saved(picture("RGB"), "PNG", pnginfo=info),
        "rgba.png": _saved(picture("RGBA"), "PNG", icc_profile=profile),
        "grey.png": _saved(picture("L"), "PNG", exif=exif),
        "palette.png": _saved(picture("P"), "PNG", transparency=3),
        "deep.png": _saved(deep, "PNG"),
        "bits.png": _saved(picture("1"), "PNG"),
        "animated.png": _saved(
            picture("RGB"), "PNG", save_all=True, append_images=[picture("RGB").rotate(180)]
        ),
        "grey-alpha.png": _saved(picture("LA"), "PNG"),
        "filters.png": _png(2, 8),
        "interlaced.png": _png(3, 2, interlaced=True),
        "deep-rgba.png": _png(6, 16, interlaced=True),
        **broken(),
        "plain.jpg": _saved(picture("RGB"), "JPEG", icc_profile=profile, exif=exif),
        "progressive.jpg": _saved(picture("RGB"), "JPEG", progressive=True, subsampling=2),
        "grey.jpg": _saved(picture("L"), "JPEG"),
        "cmyk.jpg": _saved(picture("CMYK"), "JPEG"),
        "lossy.webp": _saved(picture("RGB"), "WEBP", icc_profile=profile, exif=exif),
        "lossless.webp": _saved(picture("RGBA"), "WEBP", lossless=True),
        "alpha.webp": _saved(picture("RGBA"), "WEBP", quality=60),
        "animated.webp": _saved(
            picture("RGB"), "WEBP", save_all=True, append_images=[picture("RGB").rotate(180)]
        ),
        "plain.gif": _saved(picture("P"), "GIF", comment=b"a comment"),
        "animated.gif": _saved(frames[0], "GIF", save_all=True, append_images=frames[1:], transparency=2),
    }


def broken() -> dict[str, bytes]:
    """PNGs with a valid header and invalid picture data."""
    rows = (b"\4" + bytes(range(60))) * 20
    whole = zlib.compress(rows)
    streams = {
        # Five bytes of a block whose first match refers to data before the beginning.
        "match": b"\x78\x01\x03\x02\0",
        "block": whole[:-20] + b"\xff" * 40,
        "end": whole[:-12],
        "rows": zlib.compress(rows[:-61]),
        "filter": zlib.compress(rows[:-61] + b"\5" + bytes(60)),
    }
    end = pngs.chunk(b"IEND")
    found = {
        f"broken-{name}.png": pngs.SIGNATURE + pngs.ihdr(20, 20) + pngs.chunk(b"IDAT", stream) + end
        for name, stream in streams.items()
    }
    head = pngs.SIGNATURE + pngs.ihdr(480, 20, 1, 0, interlaced=True)
    found["broken-passes.png"] = head + pngs.chunk(b"IDAT", whole) + end
    return found


def _png(kind: int, depth: int, *, interlaced: bool = False) -> bytes:
    """A picture of any kind with every filter in turn."""
    values = np.random.default_rng(depth).integers(0, 1 << depth, (23, 37, pngs.CHANNELS[kind]))
    rows = [[tuple(int(value) for value in pixel) for pixel in row] for row in values]
    palette = [pngs.chunk(b"PLTE", bytes(range(3 << depth)))] if kind == 3 else []
    return pngs.write(rows, kind, depth, interlaced=interlaced, before=palette)


def _saved(image: Image.Image, form: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


if __name__ == "__main__":
    CORPUS.mkdir(exist_ok=True)
    for name, data in files().items():
        (CORPUS / name).write_bytes(data)
        print(f"{name} {len(data)}")
