"""Small files that are expensive to open."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable

from PIL import Image

from tests.codec import hostile, pngs
from tests.codec.test_header import WHOLE, big_png, gif_of, jpeg_of, webp_of


def unpacking(megabytes: int = 600) -> bytes:
    """A PNG whose rows would unpack to 600 MB; its first row has the invalid filter 9."""
    pack = zlib.compressobj(9)
    start = pack.compress(b"\x09" * 2**16) + pack.flush(zlib.Z_FULL_FLUSH)
    # After a full flush, a block refers to no earlier data, so it can be repeated.
    block = pack.compress(b"\x09" * 2**20) + pack.flush(zlib.Z_FULL_FLUSH)
    return big_png(16_000, 2_500, start + block * megabytes)


def scans(count: int = 400) -> bytes:
    """A progressive JPEG with very many scans."""
    file = io.BytesIO()
    Image.new("RGB", (2000, 2000), (9, 99, 199)).save(file, "JPEG", progressive=True, quality=20)
    data = file.getvalue()
    at = data.rindex(b"\xff\xda")
    return data[:at] + data[at:-2] * count + b"\xff\xd9"


def text(kind: bytes, head: bytes) -> bytes:
    """A PNG with one more chunk, whose text unpacks to 64 MB."""
    packed = zlib.compress(bytes(64_000_000), 6)
    return pngs.write([[(1, 2, 3)]], before=[pngs.chunk(kind, head + packed)])


def frames(side: int = 16_000, count: int = 1000) -> bytes:
    """A GIF of a thousand frames on a screen above the limit."""
    frame = WHOLE["gif"][:-1]
    start = frame.index(b",", 13 + 3 * 2 ** ((frame[10] & 7) + 1))
    whole = frame + frame[start:] * (count - 1) + b";"
    return gif_of(side, side)[:10] + whole[10:]


BOMBS: dict[str, Callable[[], bytes]] = {
    "png of 600 megabytes": unpacking,
    "png of 64000 x 64000": lambda: big_png(64_000, 64_000, zlib.compress(bytes(10_000))),
    "png header over hardly any data": lambda: big_png(8_000, 5_000, zlib.compress(bytes(10_000))),
    "jpeg of 65000 x 65000": lambda: jpeg_of(65_000, 65_000),
    "webp of 16000 x 16000": lambda: webp_of(16_000, 16_000),
    "gif of 65000 x 65000": lambda: gif_of(65_000, 65_000),
    "gif of 1000 frames": frames,
    "jpeg of 400 scans": scans,
    "iCCP": lambda: text(b"iCCP", b"name\0\0"),
    "svg": lambda: b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
    "psd": lambda: b"8BPS\0\1" + bytes(30),
    "tiff": lambda: b"II*\0\x08\0\0\0" + bytes(30),
}

# The service decodes these files, because it never reads their extra data.
PASSED_OVER: dict[str, Callable[[], bytes]] = {
    "zTXt": lambda: text(b"zTXt", b"Comment\0\0"),
    "iTXt": lambda: text(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0"),
    "profiles": hostile.png_of_profiles,
    "comments": hostile.gif_of_comments,
    "alphas": hostile.webp_of_alphas,
}
