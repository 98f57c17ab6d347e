"""The cache of results, which has a limit in bytes: which results it keeps, evicts and never stores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from service.arrays import F32
from service.clock import Clock
from service.render.geometry.footing import joined, rooted
from service.render.geometry.mesh import mesh
from service.render.memoize import ENTRY, Memoized, memoize, nbytes
from service.render.paint.contact import around, hidden
from service.render.plates import plate
from tests.render.posing import scene

SIZE = 4000  # bytes of one result


@dataclass(frozen=True)
class Pair:
    one: F32
    other: tuple[F32, ...]


def test_the_least_recently_used_goes_first_by_bytes() -> None:
    made: list[int] = []

    @memoize(3 * (SIZE + ENTRY))
    def row(number: int) -> F32:
        made.append(number)
        return np.zeros(SIZE // 4, np.float32)

    for number in (1, 2, 3, 1, 4):
        row(number)
    assert row.nbytes == 3 * (SIZE + ENTRY)
    assert row(1) is row(1)
    assert made == [1, 2, 3, 4]
    assert row.dropped == 1
    row(2)
    assert made[-1] == 2
    row.clear()
    assert row.nbytes == row.dropped == 0


def test_results_above_the_limit_are_not_kept() -> None:
    @memoize(SIZE)
    def row(number: int) -> F32:
        return np.zeros(SIZE // 4, np.float32)

    assert row(1).nbytes == SIZE
    assert row(1) is not row(1)
    assert row.nbytes == 0


def test_a_key_may_ignore_arguments() -> None:
    @memoize(10 * SIZE, key=lambda store, name: name)
    def row(store: dict[str, float], name: str) -> F32:
        return np.full(4, store[name], np.float32)

    assert row({"a": 1.0}, "a") is row({"a": 1.0}, "a")
    assert row({"b": 2.0}, "b")[0] == 2


def test_nested_arrays_are_counted() -> None:
    line = np.zeros(10, np.float32)
    assert nbytes(Pair(line, (line, line))) == 120
    assert nbytes(None) == 0


@pytest.mark.parametrize("device", ["apple-watch-series-10-46", "steam-deck-oled"])
def test_a_device_turned_to_and_fro_fits_into_the_caches(device: str) -> None:
    caches: dict[str, Memoized[Any, Any]] = {
        "mesh": mesh, "rooted": rooted, "joined": joined, "hidden": hidden, "around": around
    }  # fmt: skip
    for one in caches.values():
        one.clear()
    for turn in (-20.0, 160.0):
        given = {"device": device, "deviceTransform.rotationY": turn, "ground.kind": "none"}
        plate.build(scene({**given, "canvas.width": 640, "canvas.height": 480}, (400, 480)).spec, Clock())
    assert not [name for name, one in caches.items() if one.dropped]
