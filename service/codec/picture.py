"""What a screenshot's header says, the limits it is held to, and how it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from service.errors import Detail, MockupError, invalid

Format = Literal["png", "jpeg", "webp", "gif"]
Color = Literal["grey", "rgb", "palette", "cmyk"]

NAMES: dict[str, str] = {"png": "PNG", "jpeg": "JPEG", "webp": "WebP", "gif": "GIF"}
ACCEPTED = "PNG, JPEG, WebP and GIF are accepted"


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest screenshot that is decoded.

    Pixels, pixels a side, scans of a JPEG and pixels that they may touch, chunks, bytes of ICC profile and of
    text (unpacked).
    """

    pixels: int = 40_000_000
    side: int = 16_384
    scans: int = 100
    scan_pixels: int = 1_200_000_000
    chunks: int = 20_000
    icc: int = 4 * 2**20
    text: int = 8 * 2**20


@dataclass(frozen=True, slots=True)
class Header:
    """A screenshot's facts, read without decoding a pixel.

    `width` and `height` are pixels as shown, after the EXIF `orientation` (1-8); `stored` is the size before
    it. `has_alpha` says that there may be transparent pixels. `depth` is bits a sample. `profile` is the ICC
    profile of the pixels, None for sRGB. `span` is where the first frame's data lies, in animated formats.
    """

    format: Format
    width: int
    height: int
    orientation: int = 1
    has_alpha: bool = False
    color: Color = "rgb"
    depth: int = 8
    interlaced: bool = False
    animated: bool = False
    profile: bytes | None = None
    stored: tuple[int, int] = (0, 0)
    span: tuple[int, int] = (0, 0)


def refuse(found: str) -> MockupError:
    """A 400 that says of the screenshot what was found, e.g. `a truncated PNG file`."""
    return invalid(f"The screenshot is {found}", Detail("screenshot.src", found))


def truncated(name: str) -> MockupError:
    """A 400 for a file that ends too early."""
    return refuse(f"a truncated {name} file")


def damaged(name: str, what: str) -> MockupError:
    """A 400 for a file that contradicts itself; `what` says where."""
    return refuse(f"a damaged {name} file: {what}")


def check_size(width: int, height: int, limits: Limits, name: str) -> None:
    """Raise when a picture of `width` x `height` pixels is empty or over the limits."""
    if width < 1 or height < 1:
        raise refuse(f"an empty {name} picture of {width} × {height} pixels")
    if width > limits.side or height > limits.side:
        raise refuse(f"{width} × {height} pixels; at most {limits.side} a side are accepted")
    if width * height > limits.pixels:
        millions = f"{limits.pixels / 1e6:g}"
        raise refuse(f"{width} × {height} pixels; at most {millions} megapixels are accepted")


def shown(width: int, height: int, orientation: int) -> tuple[int, int]:
    """Width and height after EXIF `orientation`; 5 to 8 lie on their side."""
    return (height, width) if orientation >= 5 else (width, height)
