"""Devices to run tests on; `make check` takes the first of each category of the catalogue."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from service.devices.device import catalogue

_FIRST = {one.category: id_ for id_, one in reversed(catalogue().entries.items())}.values()


def each(ids: Iterable[str], *more: object) -> list[Any]:
    """Parameters of a test: a device, and what comes with it."""
    return [pytest.param(id_, *more, marks=[] if id_ in _FIRST else [pytest.mark.long]) for id_ in ids]
