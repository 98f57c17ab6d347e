"""Draws the small pictures that fuzzing begins with into benchmarks/corpus/: `python -m benchmarks.seeds`."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image, ImageCms, PngImagePlugin

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
    """Names and contents; every kind that the decoders take a path of their own for."""
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


def _saved(image: Image.Image, form: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


if __name__ == "__main__":
    CORPUS.mkdir(exist_ok=True)
    for name, data in files().items():
        (CORPUS / name).write_bytes(data)
        print(f"{name} {len(data)}")
