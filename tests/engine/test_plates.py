"""The plate cache: by bytes, least recently used."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from service.engine.plates import Plates
from service.render.plates.plate import Plate
from service.settings.resolve import resolve
from service.settings.scene import PlateSpec
from service.settings.schema import Settings

SIZE = 1000  # bytes of a plate


def spec(width: int = 64) -> PlateSpec:
    return replace(resolve(Settings.defaults(), (100, 200), fast=False).spec, width=width)


def plate() -> Plate:
    return Plate(np.zeros((1, SIZE), np.uint8), ())


def test_a_plate_is_built_once_and_kept() -> None:
    built: list[PlateSpec] = []

    def build() -> Plate:
        built.append(spec())
        return plate()

    plates = Plates(10 * SIZE)
    first = plates.get(spec(), build)
    assert plates.get(spec(), build) is first
    assert len(built) == 1
    assert (plates.hits, plates.misses) == (1, 1)
    assert plates.nbytes == SIZE


def test_the_least_recently_used_goes_first() -> None:
    built: list[int] = []

    def got(width: int) -> None:
        def build() -> Plate:
            built.append(width)
            return plate()

        plates.get(spec(width), build)

    plates = Plates(3 * SIZE)
    for width in (1, 2, 3, 1, 4):
        got(width)
    assert plates.nbytes == 3 * SIZE
    for width in (1, 3, 4):
        got(width)
    assert built == [1, 2, 3, 4]
    got(2)
    assert built[-1] == 2


def test_a_plate_above_the_limit_is_not_cached() -> None:
    plates = Plates(SIZE - 1)
    assert plates.get(spec(), plate).nbytes == SIZE
    assert plates.nbytes == 0
    assert Plates(0).get(spec(), plate).nbytes == SIZE


def test_plates_are_released() -> None:
    plates = Plates(3 * SIZE)
    plates.get(spec(), plate)
    assert spec() in plates
    plates.clear()
    assert spec() not in plates
    assert (plates.nbytes, plates.limit) == (0, 3 * SIZE)
