"""A screenshot's header, the limits on it, and the errors for screenshots that are refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..errors import Detail, MockupError, invalid
from ..limits import FILE_PARTS, ICC_BYTES, JPEG_SCAN_PIXELS, JPEG_SCANS, MAX_PIXELS, MAX_SIDE
from ..settings.formats import FORMATS

Span = tuple[int, int]
ColorModel = Literal["grey", "rgb", "palette", "cmyk"]


@dataclass(frozen=True, slots=True)
class PictureLimits:
    """Limits on a screenshot: pixels, pixels per side, JPEG scans and the pixels they cover, parts of a file.

    Parts are chunks, segments or blocks, at any level of nesting.
    """

    pixels: int = MAX_PIXELS
    side: int = MAX_SIDE
    scans: int = JPEG_SCANS
    scan_pixels: int = JPEG_SCAN_PIXELS
    parts: int = FILE_PARTS


LIMITS = PictureLimits()


@dataclass(frozen=True, slots=True)
class Tags:
    """A file's own declaration of its colours, from which `codec/color/tags.py` makes a profile.

    `cicp` has the primaries and transfer by ITU-T H.273, and takes precedence. `icc` has the positions of an
    ICC profile's parts in the file, which are deflated when `packed`. `gamma` is the encoding exponent and
    `points` are x and y of white, red, green and blue, all times 100,000; they apply if there is no profile.
    """

    cicp: tuple[int, int] | None = None
    icc: tuple[Span, ...] = ()
    packed: bool = False
    gamma: int | None = None
    points: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """A screenshot's facts, read without decoding a pixel.

    `width` and `height` are pixels as shown, after the EXIF `orientation` (1-8); `stored` is the size before
    it. `has_alpha` says that there may be transparent pixels. `depth` is bits per sample. `interlaced` says
    that the picture comes in several passes or scans. `span` is where the first frame's data lies, in
    animated formats. Decoders may divide both sides of the picture by one of the `divisors`.
    """

    format: str
    width: int
    height: int
    orientation: int = 1
    has_alpha: bool = False
    color: ColorModel = "rgb"
    depth: int = 8
    interlaced: bool = False
    animated: bool = False
    lossless: bool = False
    tags: Tags = Tags()
    stored: tuple[int, int] = (0, 0)
    span: Span = (0, 0)
    divisors: tuple[int, ...] = (1,)

    def allows(self, shape: tuple[int, ...], size: tuple[int, int]) -> bool:
        """Whether a decoder may return pixels of `shape`, HxW or HxWxC, for a `size` of width and height."""
        return shape[:2] in [(-(-size[1] // n), -(-size[0] // n)) for n in self.divisors]

    def reduction(self, requested: tuple[int, int] | None) -> int:
        """The largest divisor that leaves the stored picture no smaller than `requested`."""
        if requested is None:
            return 1
        width, height = self.stored
        large = [
            n for n in self.divisors if -(-width // n) >= requested[0] and -(-height // n) >= requested[1]
        ]
        return max(large, default=1)


class Budget:
    """Counts the parts of a file as they are parsed, which bounds the time that parsing takes."""

    def __init__(self, format: str, limits: PictureLimits = LIMITS) -> None:
        """Start the budget of one file; nested parts count towards the same budget."""
        self.left = limits.parts
        self._what = f"{FORMATS[format].file} of over {limits.parts} {FORMATS[format].parts}"

    def spend(self, parts: int = 1) -> None:
        """Count `parts` more; raises MockupError if there are too many."""
        self.left -= parts
        if self.left < 0:
            raise refuse(self._what)


def refuse(kind: str) -> MockupError:
    """A 400 that says what the screenshot is, e.g. `a truncated PNG file`."""
    return invalid(f"The screenshot is {kind}", Detail("screenshot.src", kind))


def truncated(name: str) -> MockupError:
    """A 400 for a truncated file."""
    return refuse(f"a truncated {name} file")


def damaged(name: str, what: str) -> MockupError:
    """A 400 for a malformed file; `what` describes the fault."""
    return refuse(f"a damaged {name} file: {what}")


def oversized_profile(name: str) -> MockupError:
    """A 400 for a file whose ICC profile exceeds the limit."""
    return refuse(
        f"a {name} file with an oversized colour profile; at most {ICC_BYTES >> 20} MiB are accepted"
    )


def check_size(width: int, height: int, limits: PictureLimits, name: str) -> None:
    """Raise MockupError if a picture of `width` x `height` pixels is empty or over the limits."""
    if width < 1 or height < 1:
        raise refuse(f"an empty {name} picture of {width} × {height} pixels")
    if width > limits.side or height > limits.side:
        raise refuse(f"{width} × {height} pixels; at most {limits.side} a side are accepted")
    if width * height > limits.pixels:
        millions = f"{limits.pixels / 1e6:g}"
        raise refuse(f"{width} × {height} pixels; at most {millions} megapixels are accepted")


def shown(width: int, height: int, orientation: int) -> tuple[int, int]:
    """Width and height after EXIF `orientation`; 5 to 8 swap them."""
    return (height, width) if orientation >= 5 else (width, height)
