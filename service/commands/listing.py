"""Prints lists as aligned columns, readable for people, or as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated, Any

import typer

Json = Annotated[bool, typer.Option("--json", help="print JSON")]


def show(titles: Sequence[str], rows: Iterable[Sequence[object]], *, json: bool = False) -> None:
    """Print the titles and a line for every row; datetimes in UTC to the second, None as `-`.

    As `json`, a list of objects whose members are named by the titles, `LAST USED` by `lastUsed`.
    """
    if json:
        names = [_member(title) for title in titles]
        show_json([dict(zip(names, row, strict=True)) for row in rows])
        return
    table = [list(titles), *([_cell(value) for value in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for line in table:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())


def show_json(value: Any) -> None:
    """Print a value as indented JSON."""
    import orjson

    options = orjson.OPT_INDENT_2 | orjson.OPT_UTC_Z | orjson.OPT_NAIVE_UTC | orjson.OPT_OMIT_MICROSECONDS
    print(orjson.dumps(value, default=str, option=options).decode())


def _member(title: str) -> str:
    first, *words = title.lower().split()
    return first + "".join(map(str.capitalize, words))


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    # Names chosen by users must not contain terminal control codes.
    return "".join(character if character.isprintable() else "?" for character in str(value))
