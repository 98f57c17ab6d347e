"""The IN arguments of `render`: files, folders, patterns, URLs and stdin."""

from __future__ import annotations

import glob
import itertools
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ..errors import invalid
from ..settings.formats import READ

STDIN = "-"
# File extensions of screenshots in a folder; the content determines the actual format.
ENDINGS = tuple(suffix for one in READ for suffix in (*one.suffixes, *one.read_suffixes))
_URL = re.compile(r"https?://", re.IGNORECASE)
_UNFIT = re.compile(r"[^\w.()+,@-]+")
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class ScreenshotFile:
    """A screenshot: its place, its name in messages, and the stem of its picture's file name.

    `folder` is where that file belongs below the folder of pictures.
    """

    place: str
    shown: str
    stem: str
    folder: str = ""

    @property
    def file(self) -> Path | None:
        """The file, or None for a URL or stdin."""
        return None if self.place == STDIN or is_url(self.place) else Path(self.place)

    @property
    def host(self) -> str:
        """The public host of a URL, which a browser window shows; empty for others."""
        if not is_url(self.place):
            return ""
        # Parsing URLs as the HTTP client does takes a while to load.
        from ..sources.location import public_host

        return public_host(self.place)


def is_url(text: str) -> bool:
    """Whether an argument is an http or https URL."""
    return _URL.match(text) is not None


def is_several(text: str) -> bool:
    """Whether an argument may mean several screenshots: a folder or a pattern."""
    return text != STDIN and not is_url(text) and (Path(text).is_dir() or _is_pattern(text))


def find(inputs: Sequence[str]) -> list[ScreenshotFile]:
    """The screenshots that the IN arguments name, in order and without duplicates.

    A folder means the screenshots directly in it; a pattern means the files it matches, in the folders below
    its first wildcard. Raises a 400 if there are none. Files are not opened yet.
    """
    if STDIN in inputs and sys.stdin.isatty():
        raise invalid("-: stdin is a terminal; expected as in mockup render - -o OUT < shot.png")
    if "" in inputs:
        raise invalid("IN: the name of a screenshot is empty")
    unique: dict[str | Path, ScreenshotFile] = {}
    for screenshot in (one for text in inputs for one in _expanded(text)):
        unique.setdefault(screenshot.file.resolve() if screenshot.file else screenshot.place, screenshot)
    return list(unique.values())


def _expanded(text: str) -> list[ScreenshotFile]:
    if text == STDIN:
        return [ScreenshotFile(text, "stdin", "stdin")]
    if is_url(text):
        # The query of a signed URL is a secret and must not appear in messages.
        shown = re.split(r"[?#]", text, maxsplit=1)[0]
        return [ScreenshotFile(text, shown, _name(shown))]
    above = Path()
    if Path(text).is_dir():
        above = Path(text)
        files = [file for file in Path(text).iterdir() if _is_screenshot(file)]
        none = f"{text}: this folder has no screenshots ({', '.join(ENDINGS)})"
    elif _is_pattern(text):
        files = [Path(match) for match in glob.glob(text, recursive=True) if Path(match).is_file()]
        none = f"{text}: no file matches"
        above = _above(text)
    else:
        return [ScreenshotFile(text, text, Path(text).stem)]
    if not files:
        raise invalid(none)
    return [
        ScreenshotFile(str(file), str(file), file.stem, str(file.parent.relative_to(above)))
        for file in sorted(files)
    ]


def _above(pattern: str) -> Path:
    """The folder that a pattern's first wildcard is in."""
    return Path(*itertools.takewhile(lambda part: not glob.has_magic(part), Path(pattern).parts[:-1]))


def _is_pattern(text: str) -> bool:
    # A file name may contain brackets.
    return glob.has_magic(text) and not Path(text).exists()


def _is_screenshot(file: Path) -> bool:
    return file.suffix.lower() in ENDINGS and not file.name.startswith(".") and file.is_file()


def _name(url: str) -> str:
    """A file name from a URL's last segment, or its host."""
    parts = urlsplit(url)
    last = Path(unquote(parts.path).rstrip("/")).name
    stem = Path(last).stem if Path(last).suffix.lower() in ENDINGS else last
    return _UNFIT.sub("-", stem).strip(".-")[:_LONGEST_NAME] or _UNFIT.sub("-", parts.netloc) or "screenshot"
