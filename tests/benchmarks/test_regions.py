"""Masks of regions drawn here, for devices of the catalogue."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.cases import FINE
from benchmarks.regions import (
    BAND,
    Regions,
    band,
    contours,
    edges,
    from_outside,
    ground,
    rise,
    screen,
    smooth,
    whole,
)
from benchmarks.solid import BACK, FRONT, GASKET, SCREEN, WALL
from service.devices.device import Device, catalogue

SIZE = 60  # px


def phone() -> Device:
    return catalogue()["iphone-16-pro"]


def number(name: str) -> int:
    return 1 + [slab.name for slab in phone().slabs].index(name)


def region(slab: str, slot: int, layer: int = 0) -> int:
    return number(slab) << 12 | slot << 8 | layer


def blank() -> Regions:
    return np.zeros((SIZE * FINE, SIZE * FINE), np.int32)


def put(regions: Regions, x: float, y: float, wide: float, high: float, value: int) -> None:
    left, top, right, bottom = (round(FINE * side) for side in (x, y, x + wide, y + high))
    regions[top:bottom, left:right] = value


def a_front() -> Regions:
    """A wall around a bezel around a screen, with an island in the screen; sizes in px."""
    regions = blank()
    put(regions, 5, 5, 50, 50, region("body", WALL))
    put(regions, 10, 10, 40, 40, region("body", GASKET))
    put(regions, 10.5, 10.5, 39, 39, region("body", FRONT))
    put(regions, 15, 15, 30, 30, region("body", FRONT + SCREEN))
    put(regions, 25, 20, 10, 4, region("body", FRONT))
    return regions


def test_glass_is_smooth_and_has_no_screen_behind_it() -> None:
    regions = a_front()
    glass = whole(smooth(regions, phone()))
    assert glass.sum() == 38 * 38 - 30 * 30 + 10 * 4
    assert whole(screen(regions)).sum() == 30 * 30 - 10 * 4
    assert not (glass & whole(screen(regions))).any()


def test_smooth_glass_of_a_back_counts_and_frosted_glass_does_not() -> None:
    regions = blank()
    put(regions, 5, 5, 50, 50, region("body", BACK))
    put(regions, 10, 10, 30, 30, region("camera", FRONT))
    put(regions, 15, 15, 10, 10, region("lens-1", WALL))
    put(regions, 17, 17, 6, 6, region("lens-1", FRONT, 3))
    assert whole(smooth(regions, phone())).sum() == 30 * 30 - 10 * 10 + 6 * 6


def test_the_band_lies_about_edges_and_off_the_silhouette() -> None:
    regions = blank()
    put(regions, 5, 5, 50, 50, region("body", WALL))
    put(regions, 30, 5, 25, 50, region("body", FRONT))
    found = band(regions)
    columns = np.flatnonzero(found.any(axis=0))
    assert columns.tolist() == list(range(30 - int(BAND), 30 + int(BAND)))
    rows = np.flatnonzero(found.any(axis=1))
    assert rows.tolist() == list(range(6, 54))
    # A picture of nothing but a silhouette has no inner edges.
    regions[regions > 0] = region("body", WALL)
    assert not band(regions).any()
    assert not edges(regions).any()


def test_distances_to_the_background_are_in_pixels() -> None:
    regions = blank()
    put(regions, 5, 5, 50, 50, 1)
    away = from_outside(regions)
    assert away[30 * FINE, 30 * FINE] == pytest.approx(25, abs=0.5)
    assert away[30 * FINE, 5 * FINE] == pytest.approx(0.25)
    assert away[0, 0] == 0


def test_contours_run_round_each_region_a_pixel_apart() -> None:
    regions = blank()
    y, x = (np.indices(regions.shape) + 0.5) / FINE
    regions[np.hypot(x - 30, y - 30) < 20] = region("body", WALL)
    (ring,) = contours(regions)
    assert len(ring) == pytest.approx(2 * np.pi * 20, abs=3)
    assert np.hypot(*(ring - 30).T) == pytest.approx(20, abs=0.3)
    steps = np.hypot(*(np.roll(ring, -1, axis=0) - ring).T)
    assert steps == pytest.approx(1, abs=0.1)


def test_parts_rise_by_the_height_in_the_device_file() -> None:
    slabs = {slab.name: slab for slab in phone().slabs}
    body, camera = slabs["body"], slabs["camera"]
    assert rise(camera, body) == pytest.approx(4.175 + 3.3 / 2 - 8.25 / 2)
    assert rise(slabs["side"], body) == pytest.approx(35.4 + 1.6 / 2 - 71.5 / 2)


def test_the_surroundings_of_a_raised_part_lie_on_its_parent() -> None:
    regions = blank()
    put(regions, 5, 5, 50, 50, region("body", BACK))
    put(regions, 20, 20, 20, 20, region("camera", FRONT))
    found = ground(regions, phone())
    assert not found[20:40, 20:40].any()
    rows = np.flatnonzero(found[:, 30])
    # The ground reaches as far from the plate as twice its height of 1.7 mm, at 2.8 px per mm. Pixels that
    # touch the plate belong to the edges.
    assert rows.min() in (10, 11, 12)
    assert rows.max() in (47, 48, 49)
    assert found.sum() < 50 * 50 - 20 * 20
    regions[regions == region("camera", FRONT)] = region("body", BACK)
    assert not ground(regions, phone()).any()
