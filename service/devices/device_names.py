"""The names of a device: id, full name, aliases, and the short forms that people use.

`MacBook Pro 14-inch (M1-M5)` is also `MacBook Pro 14`, `MacBook Pro 14" M3` and `Apple MacBook Pro 14 inch`;
`Galaxy S24 Ultra` is also `S24 Ultra`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from ..validation.names import Names, plain
from .device import Entry, catalogue

# By brand, the words that people may leave out: `Galaxy S24 Ultra` is also `S24 Ultra`.
LINES = {"Apple": "Apple", "Samsung": "Galaxy", "Microsoft": "Microsoft"}

# Each step replaces different spellings with the same one; `plain` is applied afterwards.
_FORMS = (
    (re.compile(r"(\d)[\s\-]*(?:inch(?:es)?\b|in\b|\"|\u2033|\u201d|'')"), r"\1"),
    (re.compile(r"(\d)(?:st|nd|rd|th)[\s\-]*(?:generation|gen\b\.?|edition)"), r"\1"),
    (re.compile(r"\b(?:generation|gen\b\.?)[\s\-]*(\d)"), r"\1"),
    (re.compile(r"\+"), "plus"),
    (re.compile(r"[(),/]"), ""),
)
_SIZE = re.compile(r"\s+[\d.]+-inch$")
_RANGE = re.compile(r"([A-Za-z]*)(\d+)-([A-Za-z]*)(\d+)")


def form(text: str) -> str:
    """A device's name without the parts that people write in different ways: `14-inch` is `14`, `3rd gen` is
    `3`."""
    text = text.casefold()
    for pattern, replacement in _FORMS:
        text = pattern.sub(replacement, text)
    return plain(text)


def short_names(entry: Entry) -> Iterator[str]:
    """Names derived from a device's full name: without its brackets, and with one item of them or its year
    instead."""
    start, _, rest = entry.name.partition("(")
    inside, _, _ = rest.partition(")")
    items = list(_items(inside))
    if entry.year is not None:
        items.append(str(entry.year))
    for base in (*_either(start.partition(",")[0]), *entry.aliases):
        yield base
        for item in items:
            yield f"{base} {item}"


@cache
def by_name() -> dict[str, str]:
    """The ids of the catalogue's devices by the form of every name.

    Ids take precedence over full names, full names over aliases, and aliases over short names. A short name
    that several devices share means the newest of them, and none if several are equally new. A short name
    without a size must be unique.
    """
    entries = catalogue().entries.values()
    known: dict[str, str] = {}
    for names in (_ids, _full, _aliases, short_names, _without_size):
        called: dict[str, dict[str, Entry]] = {}
        for entry in entries:
            for name in _branded(entry, names(entry)):
                called.setdefault(form(name), {})[entry.id] = entry
        for name, found in called.items():
            if len(found) == 1 or names is not _without_size:
                one = _newest(list(found.values()))
                if one is not None:
                    known.setdefault(name, one.id)
    return known


@cache
def finishes() -> dict[str, str]:
    """The names of all finishes by their plain form."""
    return {plain(one.name): one.name for entry in catalogue().entries.values() for one in entry.finishes}


DEVICES = Names("device", "a device's id or full name", by_name, "GET /api/v1/devices", form=form)


def _ids(entry: Entry) -> Iterable[str]:
    return (entry.id,)


def _full(entry: Entry) -> Iterable[str]:
    return (entry.name,)


def _aliases(entry: Entry) -> Iterable[str]:
    return entry.aliases


def _without_size(entry: Entry) -> Iterable[str]:
    name = entry.name.partition("(")[0].partition(",")[0].strip()
    return (_SIZE.sub("", name),) if _SIZE.search(name) else ()


def _branded(entry: Entry, names: Iterable[str]) -> Iterator[str]:
    """The names, with the brand in front, and without the brand's line of products."""
    line = f"{LINES.get(entry.brand or '', '')} "
    for name in names:
        yield name
        if entry.brand is not None:
            yield f"{entry.brand} {name}"
        if len(line) > 1 and name.startswith(line):
            yield name.removeprefix(line)


def _either(name: str) -> Iterator[str]:
    """`iPhone 16e` and `iPhone 17e` for `iPhone 16e / 17e`; only the last words differ."""
    first, *others = (part.strip() for part in name.split("/"))
    yield first
    for other in others:
        kept = first.split()[: -len(other.split())]
        yield " ".join((*kept, other))


def _items(inside: str) -> Iterator[str]:
    """Items in brackets: `M4/M5` and `M4-M5` are `M4` and `M5`, `Gen 12/13` is `Gen 12`, `Gen 13`."""
    for part in inside.split(","):
        lead, _, _ = part.strip().rpartition(" ")
        for place, item in enumerate(part.strip().split("/")):
            item = item.strip() if not place or not lead or " " in item else f"{lead} {item.strip()}"
            if span := _RANGE.fullmatch(item):
                prefix, low, _, high = span.groups()
                yield from (
                    f"{prefix}{number}" for number in range(int(low), min(int(high), int(low) + 20) + 1)
                )
            elif item:
                yield item


def _newest(entries: list[Entry]) -> Entry | None:
    """The newest of some devices; None if several are equally new."""
    latest = max(entry.year or 0 for entry in entries)
    found = [entry for entry in entries if (entry.year or 0) == latest]
    return found[0] if len(found) == 1 else None
