"""Pixels that the edges of slabs share with slabs behind them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.posed import spec
from service.arrays import F32
from service.clock import Clock
from service.render import body
from service.render.body import Body
from service.render.geometry.camera import aim
from service.render.geometry.coverage import levels
from service.render.geometry.raster import Box
from service.render.geometry.silhouette import silhouette
from service.render.light.environment import load
from service.render.light.frame import Frame
from service.render.light.shading import Light
from service.render.paint.canvas import Canvas
from service.render.paint.seams import TIMES, finer, mark, mend, needed, tiles
from service.render.paint.textures import TextureFiles
from service.render.quality import FULL
from service.settings.scene import PlateSpec


def test_edges_over_other_slabs_share_pixels() -> None:
    shared = np.array([False, False, False, True, True])
    alpha, under = np.array([0.5, 0.5, 1.0, 1.0, 0.0], np.float32), np.array([1, 0, 1, 1, 1], np.float32)
    mark(shared, alpha, under)
    assert shared.tolist() == [True, False, False, False, True]


def test_boxes_contain_all_shared_pixels_and_few_others() -> None:
    y, x = np.mgrid[:300, :400]
    shared = (np.abs(y - 40 - x * 0.2) < 1) | ((np.abs(y - 250) < 1) & (x > 350))
    box, found = Box(10, 20, 400, 300), np.zeros((400, 500), int)
    for part in tiles(shared, box):
        found[part.slices] += 1
    there = found[box.slices]
    assert found.sum() == there.sum()
    assert there.max() == 1
    assert (there[shared] == 1).all()
    assert there.sum() < 12 * shared.sum()
    assert not list(tiles(np.zeros((300, 400), bool), box))


def test_only_shared_pixels_and_those_beside_them_are_needed() -> None:
    shared = np.zeros((20, 30), bool)
    shared[4, 7] = shared[15, 25] = True
    found = needed(shared, Box(102, 41, 12, 9), Box(100, 40, 30, 20))
    assert found.shape == (9 * TIMES, 12 * TIMES)
    rows, columns = np.nonzero(found)
    assert (found.max(), found.min()) == (255, 0)
    # The pixel is in row 3 and column 5 of the part.
    assert (rows.min(), rows.max() + 1) == (2 * TIMES, 5 * TIMES)
    assert (columns.min(), columns.max() + 1) == (4 * TIMES, 7 * TIMES)


def test_boxes_leave_out_what_shared_pixels_enclose() -> None:
    shared = np.zeros((300, 400), bool)
    shared[40:260, 60:340] = True
    shared[42:258, 62:338] = False
    box = Box(0, 0, 400, 300)
    assert sum(part.area for part in tiles(shared, box)) < 12 * shared.sum()


def test_shared_pixels_have_the_mean_of_a_finer_canvas() -> None:
    random, box = np.random.default_rng(3), Box(4, 6, 20, 10)
    canvas = Canvas.empty(box, 1)
    part = Box(8, 7, 5, 4)
    fine = Canvas.empty(finer(part), 1)
    for plane in (fine.rgb, fine.alpha, *fine.gains):
        plane[...] = random.random(plane.shape)
    shared = random.random((10, 20)) < 0.5
    mend(canvas, fine, shared, part)
    at = part.within(box)
    mean = fine.rgb.reshape(4, TIMES, 5, TIMES, 3).mean(axis=(1, 3))
    np.testing.assert_allclose(canvas.rgb[at][shared[at]], mean[shared[at]], atol=1e-5)
    mean = fine.gains[0].reshape(4, TIMES, 5, TIMES).mean(axis=(1, 3))
    np.testing.assert_allclose(canvas.gains[0][at][shared[at]], mean[shared[at]], atol=1e-5)
    assert not canvas.rgb[at][~shared[at]].any()
    assert not canvas.alpha.any(where=~shared)


def made(of: PlateSpec, times: int) -> Body:
    """A device on a canvas with `times` the pixels along each axis, its edges left hard."""
    camera, light = aim(of).finer(times), Light(load(of.environment), 1.0)
    tint = np.array([0.6, 0.6, 0.6], np.float32)
    quality = replace(FULL, soft_edges=False)
    return Body(Frame.of(of.device, TextureFiles(of.device, camera.k), camera, light, tint, quality))


def painted(of: PlateSpec, times: int) -> F32:
    """The light (h, w, 3) of a device, as the mean of finer pixels."""
    canvas = made(of, times).paint(Box(0, 0, times * of.width, times * of.height), Clock())
    return np.asarray(cv2.resize(canvas.rgb, (of.width, of.height), interpolation=cv2.INTER_AREA), np.float32)


@pytest.mark.long(seconds=2)
def test_an_edge_shows_the_light_beside_it() -> None:
    """Pixels that a hinge covers in part equal those averaged from a picture four times as fine."""
    of = spec("macbook-pro-14", (0, -50, 0), size=(480, 270))
    cover = levels(silhouette(of.device.slab("hinge"), aim(of)), Box(0, 0, of.width, of.height))
    edge = (cover > 40) & (cover < 215)
    assert edge.sum() > 150
    apart = np.abs(painted(of, 1) - painted(of, 4)).mean(axis=-1)[edge]
    assert apart.mean() < 0.014


@pytest.mark.parametrize(("device", "times", "mended"), [
    ("macbook-pro-14", 1, True), ("macbook-pro-14", 16, False), ("iphone-16-pro", 1, False),
])  # fmt: skip
def test_only_small_pictures_of_several_parts_are_mended(
    device: str, times: int, mended: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Box] = []

    def noted(_shared: NDArray[np.bool_], box: Box) -> Iterator[Box]:
        found.append(box)
        return iter(())

    monkeypatch.setattr(body, "tiles", noted)
    of, at = spec(device, (0, -50, 0), size=(480, 270)), Box(200 * times, 150 * times, 80, 80)
    made(of, times).paint(at, Clock())
    assert found == [at] * mended
