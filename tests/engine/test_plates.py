"""The plate cache: by bytes, least recently used."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from service.clock import Clock
from service.engine.plates import Plates
from service.models.scene import PlateSpec, resolve
from service.models.settings import Settings
from service.render.plate import Plate

SIZE = 1000  # bytes a plate


def spec(width: int = 64) -> PlateSpec:
    return replace(resolve(Settings.defaults(), (100, 200), fast=False).spec, width=width)


def plate(*_: object) -> Plate:
    return Plate(np.zeros((1, SIZE), np.uint8), None)


def test_a_plate_is_built_once_and_kept() -> None:
    built: list[PlateSpec] = []

    def build(wanted: PlateSpec, clock: Clock) -> Plate:
        built.append(wanted)
        return plate()

    plates = Plates(10 * SIZE, build)
    first = plates.get(spec(), Clock())
    assert plates.get(spec(), Clock()) is first
    assert len(built) == 1
    assert (plates.hits, plates.misses) == (1, 1)
    assert plates.nbytes == SIZE


def test_the_least_recently_used_goes_first() -> None:
    built: list[int] = []

    def build(wanted: PlateSpec, clock: Clock) -> Plate:
        built.append(wanted.width)
        return plate()

    plates = Plates(3 * SIZE, build)
    for width in (1, 2, 3, 1, 4):
        plates.get(spec(width), Clock())
    assert plates.nbytes == 3 * SIZE
    for width in (1, 3, 4):
        plates.get(spec(width), Clock())
    assert built == [1, 2, 3, 4]
    plates.get(spec(2), Clock())
    assert built[-1] == 2


def test_a_plate_above_the_limit_is_made_and_not_kept() -> None:
    plates = Plates(SIZE - 1, plate)
    assert plates.get(spec(), Clock()).nbytes == SIZE
    assert plates.nbytes == 0
    assert Plates(0, plate).get(spec(), Clock()).nbytes == SIZE
