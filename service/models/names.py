"""Names as callers write them: whatever their case, spaces, hyphens and underscores."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

# White space, underscores, and everything that looks like a hyphen.
_LOOSE = re.compile(r"[\s_\-\u2010-\u2015\u2212]+")
# Longer texts are no names, and are not worth a comparison.
_LONGEST = 64
# The share of letters that two names must have in common, in order, for one to be a slip of the other.
_NEAR = 0.65
# A beginning this long suggests the names that go on from there.
_BEGINNING = 3


def plain(text: str) -> str:
    """What two ways of writing a name have in common: its letters, digits and other signs, case folded."""
    return _LOOSE.sub("", text).casefold()


def index(names: Iterable[str]) -> dict[str, str]:
    """Canonical names by their plain form."""
    return {plain(name): name for name in names}


def match(text: str, known: Mapping[str, str]) -> str | None:
    """The canonical name that `text` stands for in an `index`, None when it is none."""
    return known.get(plain(text)) if len(text) <= _LONGEST else None


def nearest(text: str, known: Mapping[str, str]) -> str | None:
    """The canonical name most like `text`: a slip of the pen, or a longer name that begins so; else None."""
    wanted = plain(text[:_LONGEST])
    close = difflib.get_close_matches(wanted, known, n=1, cutoff=_NEAR)
    if not close and len(wanted) >= _BEGINNING:
        longer = [name for name in known if name.startswith(wanted)]
        close = difflib.get_close_matches(wanted, longer, n=1, cutoff=0)
    return known[close[0]] if close else None


@dataclass(frozen=True, slots=True)
class Names:
    """What names a field takes, given among its metadata.

    `takes` is said where something else was found, `source` says where the names are listed. An `open` field
    takes other texts too, which somebody else judges.
    """

    kind: str
    takes: str
    known: Callable[[], Mapping[str, str]]
    source: str = ""
    open: bool = False

    def canonical(self, text: str) -> str:
        """The canonical name that `text` stands for; raises ValueError with what to write instead."""
        found = match(text, self.known())
        if found is None and not self.open:
            raise ValueError(self.unknown(text))
        return text if found is None else found

    def unknown(self, text: str) -> str:
        """`unknown device "iphon-16"; did you mean iphone-16-pro?`, or where the list is."""
        shown = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
        close = nearest(text, self.known())
        hint = f"did you mean {close}?" if close else f"see {self.source}"
        return f'unknown {self.kind} "{shown}"; {hint}'
