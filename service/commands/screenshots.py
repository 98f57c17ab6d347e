"""What `render` is given as IN: files, folders, patterns, URLs and stdin."""

from __future__ import annotations

import glob
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from service.errors import invalid
from service.models.formats import READ

STDIN = "-"
# By these, files in a folder are taken for screenshots; of what kind one is, its content says.
ENDINGS = tuple(suffix for one in READ for suffix in (*one.suffixes, *one.read_suffixes))
_URL = re.compile(r"https?://", re.IGNORECASE)
_UNFIT = re.compile(r"[^\w.()+,@-]+")
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Screenshot:
    """One screenshot: where it is, what messages call it, and the name of its picture without an ending."""

    place: str
    shown: str
    stem: str

    @property
    def file(self) -> Path | None:
        """The file, unless it comes from a URL or stdin."""
        return None if self.place == STDIN or is_url(self.place) else Path(self.place)


def is_url(text: str) -> bool:
    """Whether a screenshot is to be fetched."""
    return _URL.match(text) is not None


def is_several(text: str) -> bool:
    """Whether an argument stands for any number of screenshots: it is a folder or a pattern."""
    return text != STDIN and not is_url(text) and (Path(text).is_dir() or _is_pattern(text))


def find(inputs: Sequence[str]) -> list[Screenshot]:
    """The screenshots that the arguments IN stand for, each once, in their order.

    A folder stands for the screenshots in it, without those of folders below; a pattern for the files that it
    matches. Raises 400 where there are none. Whether a file can be read shows when it is its turn.
    """
    if STDIN in inputs and sys.stdin.isatty():
        raise invalid("-: stdin is a terminal; expected as in mockup render - -o OUT < shot.png")
    if "" in inputs:
        raise invalid("IN: the name of a screenshot is empty")
    unique: dict[str | Path, Screenshot] = {}
    for screenshot in (one for text in inputs for one in _expanded(text)):
        unique.setdefault(screenshot.file.resolve() if screenshot.file else screenshot.place, screenshot)
    return list(unique.values())


def _expanded(text: str) -> list[Screenshot]:
    if text == STDIN:
        return [Screenshot(text, "stdin", "stdin")]
    if is_url(text):
        # The query of a signed URL is a secret, and has no place in messages.
        shown = re.split(r"[?#]", text, maxsplit=1)[0]
        return [Screenshot(text, shown, _name(shown))]
    if Path(text).is_dir():
        files = [file for file in Path(text).iterdir() if _is_screenshot(file)]
        none = f"{text}: this folder has no screenshots ({', '.join(ENDINGS)})"
    elif _is_pattern(text):
        files = [Path(match) for match in glob.glob(text, recursive=True) if Path(match).is_file()]
        none = f"{text}: no file matches"
    else:
        files, none = [Path(text)], ""
    if not files:
        raise invalid(none)
    return [Screenshot(str(file), str(file), file.stem) for file in sorted(files)]


def _is_pattern(text: str) -> bool:
    # A file may have brackets in its name.
    return glob.has_magic(text) and not Path(text).exists()


def _is_screenshot(file: Path) -> bool:
    return file.suffix.lower() in ENDINGS and not file.name.startswith(".") and file.is_file()


def _name(url: str) -> str:
    """A name for a file from a URL's last segment, or its host."""
    parts = urlsplit(url)
    last = Path(unquote(parts.path).rstrip("/")).name
    stem = Path(last).stem if Path(last).suffix.lower() in ENDINGS else last
    return _UNFIT.sub("-", stem).strip(".-")[:_LONGEST_NAME] or _UNFIT.sub("-", parts.netloc) or "screenshot"
