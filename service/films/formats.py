"""The formats of films, one line each, and their encoders."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from functools import cache

from ..errors import Code, MockupError

PROGRAM = "ffmpeg"


@dataclass(frozen=True, slots=True)
class FilmFormat:
    """A format: its media type, the ending of its files, and the encoder of `ffmpeg` that writes it, if any.

    `alpha` says that transparency can be written.
    """

    mime: str
    suffix: str
    coder: str = ""
    alpha: bool = True


FILM_FORMATS: dict[str, FilmFormat] = {
    "mp4": FilmFormat("video/mp4", ".mp4", "libx264", alpha=False),
    "webm": FilmFormat("video/webm", ".webm", "libvpx-vp9"),
    "mov": FilmFormat("video/quicktime", ".mov", "prores_ks"),
    "gif": FilmFormat("image/gif", ".gif", alpha=False),
    "webp": FilmFormat("image/webp", ".webp"),
    "apng": FilmFormat("image/apng", ".png"),
    "frames": FilmFormat("application/zip", ".zip"),
}
# Formats by file extension; APNG has .apng as a second one.
BY_SUFFIX = {one.suffix: name for name, one in FILM_FORMATS.items()} | {".apng": "apng"}


def program_for(format: str) -> str | None:
    """The program that a format needs, or None; raises ENCODER_MISSING if it is not installed."""
    coder = FILM_FORMATS[format].coder
    if not coder:
        return None
    program = shutil.which(PROGRAM)
    if program is None:
        raise _missing(format, f"the program {PROGRAM}, which is not installed here")
    if coder not in _coders(program):
        raise _missing(format, f"{PROGRAM} with {coder}, which the one here lacks")
    return program


def _missing(format: str, what: str) -> MockupError:
    others = ", ".join(name for name, one in FILM_FORMATS.items() if not one.coder)
    return MockupError(Code.ENCODER_MISSING, f"{format} needs {what}; these do without it: {others}")


@cache
def _coders(program: str) -> frozenset[str]:
    """The names of the video encoders that a program has."""
    command = [program, "-hide_banner", "-encoders"]
    found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30).stdout
    words = (line.split() for line in found.splitlines())
    return frozenset(line[1] for line in words if len(line) > 1 and line[0].startswith("V"))
