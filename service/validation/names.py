"""Names, matched regardless of case, spaces, hyphens and underscores."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..limits import NAME_LENGTH

# White space, underscores, and everything that looks like a hyphen.
_LOOSE = re.compile(r"[\s_\-\u2010-\u2015\u2212]+")
# Similarity, 0-1, above which one name counts as a typo of another (see `difflib`).
_NEAR = 0.65
_NUMBER = re.compile(r"[0-9]+")
# The largest difference between the numbers (generations, inches) of two names of a series at which one is
# suggested for the other.
_AWAY = 2
# A prefix of at least this length suggests the names that start with it.
_BEGINNING = 3


Normalize = Callable[[str], str]


def plain(text: str) -> str:
    """A name case-folded, without spaces, hyphens and underscores."""
    return _LOOSE.sub("", text).casefold()


def index(names: Iterable[str]) -> dict[str, str]:
    """Canonical names by their plain form."""
    return {plain(name): name for name in names}


def match(text: str, known: Mapping[str, str], form: Normalize = plain) -> str | None:
    """The canonical name for `text` in an `index`, whose keys have a certain form, or None."""
    return known.get(form(text)) if len(text) <= NAME_LENGTH else None


def nearest(text: str, known: Mapping[str, str], form: Normalize = plain) -> str | None:
    """The canonical name closest to `text`, allowing for a typo or a missing ending, or None.

    Numbers are assumed to be correct: only names with the same numbers are compared, or else the nearest in
    the same series.
    """
    key = form(text[:NAME_LENGTH])
    numbers = _numbers(key)
    if numbers and (neighbour := _neighbour(key, known)):
        return known[neighbour]
    alike = [name for name in known if not numbers or _numbers(name) == numbers]
    close = difflib.get_close_matches(key, alike, n=1, cutoff=_NEAR)
    if not close and len(key) >= _BEGINNING:
        longer = [
            name for name in known if name.startswith(key) and _numbers(name)[: len(numbers)] == numbers
        ]
        close = difflib.get_close_matches(key, longer, n=1, cutoff=0)
    return known[close[0]] if close else None


def _neighbour(key: str, known: Mapping[str, str]) -> str | None:
    """The nearest of the names that differ from `key` only in their numbers; None if none of them is near."""
    series, numbers = _NUMBER.sub("#", key), _numbers(key)

    def away(name: str) -> int:
        return sum(abs(one - other) for one, other in zip(numbers, _numbers(name), strict=True))

    same = [name for name in known if _NUMBER.sub("#", name) == series]
    found = min(same, key=lambda name: (away(name), name), default=None)
    return found if found is not None and away(found) <= _AWAY else None


def _numbers(key: str) -> tuple[int, ...]:
    return tuple(map(int, _NUMBER.findall(key)))


def listed(names: Sequence[str], word: str = "or") -> str:
    """Names in words: `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} {word} {last}" if others else last


@dataclass(frozen=True, slots=True)
class Names:
    """Metadata of a field that takes names.

    `takes` describes the names in error messages, `source` says where they are listed. An `open` field also
    takes other texts, which are checked elsewhere.
    """

    kind: str
    takes: str
    known: Callable[[], Mapping[str, str]]
    source: str = ""
    open: bool = False
    form: Normalize = plain

    def canonical(self, text: str) -> str:
        """The canonical name for `text`; raises ValueError with a suggestion."""
        found = match(text, self.known(), self.form)
        if found is None and not self.open:
            raise ValueError(self.unknown(text))
        return text if found is None else found

    def unknown(self, text: str) -> str:
        """Return `unknown device "iphon-16"; did you mean iphone-16?`, or where to find the list."""
        shown = text if len(text) <= NAME_LENGTH else text[: NAME_LENGTH - 3] + "..."
        close = nearest(text, self.known(), self.form)
        hint = f"did you mean {close}?" if close else f"see {self.source}"
        return f'unknown {self.kind} "{shown}"; {hint}'
