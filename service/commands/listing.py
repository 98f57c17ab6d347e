"""Prints lists as aligned columns, readable for people and easy to parse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime


def show(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print the titles and a line for every row; datetimes in UTC to the second, None as `-`."""
    table = [list(titles), *([_cell(value) for value in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for line in table:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    # Names chosen by users must not contain terminal control codes.
    return "".join(character if character.isprintable() else "?" for character in str(value))
