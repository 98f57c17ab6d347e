"""Pictures of any size, one in each form whose decoding takes a different amount of memory."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from PIL import Image

from tests.codec import pngs, profiles
from tests.codec.pictures import gradient


def saved(width: int, height: int, mode: str, form: str, **options: object) -> bytes:
    file = io.BytesIO()
    drawn(width, height, mode).save(file, form, **options)
    return file.getvalue()


# A small cache suffices, because forms of the same mode are next to each other in the table.
@lru_cache(maxsize=2)
def drawn(width: int, height: int, mode: str) -> Image.Image:
    pixels = Image.fromarray(gradient(width, height))
    if "A" in mode:
        pixels.putalpha(Image.linear_gradient("L").resize((width, height)))
    return pixels.convert(mode)


def png(
    width: int, height: int, kind: int, depth: int, *chunks: bytes, interlaced: bool = False, filter: int = 4
) -> bytes:
    """A PNG whose filtered rows are zero except for one byte in the middle of each, so that it is quick to
    write."""
    pack = zlib.compressobj(1)
    packed = []
    for x, y, dx, dy in pngs.PASSES if interlaced else ((0, 0, 1, 1),):
        w, h = (width - x + dx - 1) // dx, (height - y + dy - 1) // dy
        if not (w and h):
            continue
        rows = np.zeros((h, 1 + (w * depth * pngs.CHANNELS[kind] + 7) // 8), np.uint8)
        rows[:, 0] = filter
        rows[:, 1 + rows.shape[1] // 2] = np.arange(h)
        packed.append(pack.compress(rows.tobytes()))
    body = b"".join(packed) + pack.flush()
    head = pngs.ihdr(width, height, depth, kind, interlaced)
    return pngs.SIGNATURE + head + b"".join(chunks) + pngs.chunk(b"IDAT", body) + pngs.chunk(b"IEND")


def turned() -> Image.Exif:
    block = Image.Exif()
    block[0x0112] = 6
    return block


PALETTE = pngs.chunk(b"PLTE", bytes(range(256)) * 3)
PROFILE = pngs.chunk(b"iCCP", b"p3\0\0" + zlib.compress(profiles.display_p3()))
GREY = pngs.chunk(b"iCCP", b"grey\0\0" + zlib.compress(profiles.grey(1.5)))
Maker = Callable[[int, int], bytes]
FORMS: dict[str, Maker] = {
    "grey png": lambda w, h: png(w, h, 0, 8),
    "rgb png": lambda w, h: png(w, h, 2, 8),
    "rgb png, 16 bits, interlaced": lambda w, h: png(w, h, 2, 16, interlaced=True),
    "rgba png": lambda w, h: png(w, h, 6, 8),
    "rgba png, 16 bits": lambda w, h: png(w, h, 6, 16),
    "rgba png, 16 bits, interlaced": lambda w, h: png(w, h, 6, 16, interlaced=True),
    "rgba png with a profile": lambda w, h: png(w, h, 6, 8, PROFILE),
    "grey and alpha png with a profile": lambda w, h: png(w, h, 4, 8, GREY),
    "grey and alpha png, 16 bits": lambda w, h: png(w, h, 4, 16),
    "palette png": lambda w, h: png(w, h, 3, 8, PALETTE, interlaced=True),
    "palette png with alpha": lambda w, h: png(w, h, 3, 8, PALETTE, pngs.chunk(b"tRNS", bytes(200))),
    "turned rgba png": lambda w, h: saved(w, h, "RGBA", "PNG", compress_level=1, exif=turned()),
    "jpeg": lambda w, h: saved(w, h, "RGB", "JPEG", subsampling=0),
    "grey jpeg": lambda w, h: saved(w, h, "L", "JPEG"),
    "turned jpeg": lambda w, h: saved(w, h, "RGB", "JPEG", exif=turned()),
    "jpeg with a profile": lambda w, h: saved(w, h, "RGB", "JPEG", icc_profile=profiles.display_p3()),
    "progressive jpeg": lambda w, h: saved(w, h, "RGB", "JPEG", subsampling=0, progressive=True),
    "cmyk jpeg": lambda w, h: saved(w, h, "CMYK", "JPEG"),
    "cmyk jpeg with a profile": lambda w, h: saved(w, h, "CMYK", "JPEG", icc_profile=profiles.four_inks(50)),
    "progressive cmyk jpeg": lambda w, h: saved(w, h, "CMYK", "JPEG", progressive=True),
    "webp": lambda w, h: saved(w, h, "RGB", "WEBP", method=0),
    "webp with alpha": lambda w, h: saved(w, h, "RGBA", "WEBP", method=0),
    "lossless webp": lambda w, h: saved(w, h, "RGB", "WEBP", lossless=True, method=0, quality=0),
    "lossless webp with alpha": lambda w, h: saved(w, h, "RGBA", "WEBP", lossless=True, method=0, quality=0),
    "animated webp": lambda w, h: saved(
        w,
        h,
        "RGBA",
        "WEBP",
        save_all=True,
        append_images=[Image.new("RGBA", (w, h))],
        lossless=True,
        method=0,
        quality=0,
    ),
    "gif": lambda w, h: saved(w, h, "P", "GIF"),
    "interlaced gif": lambda w, h: saved(w, h, "P", "GIF", interlace=1),
    "transparent gif": lambda w, h: saved(w, h, "P", "GIF", transparency=3),
}
