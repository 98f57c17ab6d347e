"""The picture file formats, a line each; `service/codec/formats/<name>/` reads and writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal


@dataclass(frozen=True, slots=True)
class Format:
    """One format: its name, the marks of its files, and whether it is read, written or both.

    `name` is its name in `export.format` and of its folder, `label` is its name in sentences. A file begins
    with `signature` and consists of `parts`. Its name ends in one of `suffixes`; written files end in the
    first. `read_suffixes` are further suffixes, for screenshots only. `alpha` says that the format can store
    transparency, `lossy` that `export.quality` applies. If the encoder takes the whole picture at once,
    `encoding_pixel` is its peak memory in bytes per pixel; `encoding_s` is its time in seconds per megapixel.
    """

    name: str
    label: str
    signature: re.Pattern[bytes]
    suffixes: tuple[str, ...]
    read_suffixes: tuple[str, ...] = ()
    parts: str = ""
    read: bool = True
    written: bool = True
    alpha: bool = True
    lossy: bool = False
    encoding_pixel: int = 0
    encoding_s: float = 0.01

    @property
    def mime(self) -> str:
        """The format's media type."""
        return f"image/{self.name}"

    @property
    def file(self) -> str:
        """A file of the format in words, such as `a PNG file`."""
        return f"{'an' if self.label[0] in 'AEIOU' else 'a'} {self.label} file"

    def matches(self, data: bytes | bytearray) -> bool:
        """Whether a file begins like the files of this format."""
        return self.signature.match(data) is not None


def _begins(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern, re.DOTALL)


FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        Format("png", "PNG", _begins(rb"\x89PNG\r\n\x1a\n"), (".png",), (".apng",), "chunks"),
        Format(
            "jpeg",
            "JPEG",
            _begins(rb"\xff\xd8\xff"),
            (".jpg", ".jpeg"),
            (".jfif",),
            "segments",
            alpha=False,
            lossy=True,
        ),
        Format(
            "webp",
            "WebP",
            _begins(rb"RIFF....WEBP"),
            (".webp",),
            parts="chunks",
            lossy=True,
            encoding_pixel=8,
            encoding_s=0.05,
        ),
        Format(
            "avif",
            "AVIF",
            _begins(rb"....ftypavi[fs]"),
            (".avif",),
            read=False,
            lossy=True,
            encoding_pixel=45,
            encoding_s=0.15,
        ),
        Format("gif", "GIF", _begins(rb"GIF8[79]a"), (".gif",), parts="blocks", written=False),
    )
}
READ = tuple(one for one in FORMATS.values() if one.read)
WRITTEN = tuple(one for one in FORMATS.values() if one.written)

# The format of a picture's file name, by its suffix.
BY_SUFFIX: dict[str, str] = {suffix: one.name for one in WRITTEN for suffix in one.suffixes}
# Formats by the names that callers may use: the format's own and its suffixes, so jpg means jpeg.
BY_NAME: dict[str, str] = {
    name: one.name for one in WRITTEN for name in (one.name, *(suffix[1:] for suffix in one.suffixes))
}

if TYPE_CHECKING:
    Written = str
else:
    # A Literal, so that validation, OpenAPI and the page of settings list the names of the table.
    Written = Literal[tuple(one.name for one in WRITTEN)]
