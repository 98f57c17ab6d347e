"""Devices for tests: the first of each category, and in longer runs all others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from service.devices.device import catalogue

_FIRST = {one.category: id_ for id_, one in reversed(catalogue().entries.items())}.values()


def each(ids: Iterable[str], *more: object) -> list[Any]:
    """Parameters of a test: a device and further values.

    `make check` runs only the first device of each category.
    """
    return _marked(pytest.mark.long, ids, more)


def few(ids: Iterable[str], *more: object) -> list[Any]:
    """As `each`, for tests that paint: only `make thorough` runs devices other than the first of each
    category."""
    return _marked(pytest.mark.thorough, ids, more)


def _marked(mark: pytest.MarkDecorator, ids: Iterable[str], more: tuple[object, ...]) -> list[Any]:
    return [pytest.param(id_, *more, marks=[] if id_ in _FIRST else [mark]) for id_ in ids]
