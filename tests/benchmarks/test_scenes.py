"""Scenes compared with the path tracer: the measures, and one scene that must stay within them."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import scenes
from benchmarks.cases import FINE, HEIGHT, SCENES, WIDTH, SceneCase
from benchmarks.regions import Regions, code
from service.render.geometry.camera import stage


def regions(number: int) -> Regions:
    """A single device, with a number, on an empty background."""
    fine = np.zeros((FINE * HEIGHT, FINE * WIDTH), np.int32)
    fine[FINE * 100 : FINE * 200, FINE * 100 : FINE * 300] = number
    zero = np.zeros_like(fine)
    return code(fine, zero, zero)


def test_pixels_that_show_another_device_are_counted() -> None:
    shares = np.zeros((2, HEIGHT, WIDTH), np.float32)
    shares[0, 100:200, 100:300] = 1
    assert scenes.swapped(shares, regions(1)) == 0
    assert scenes.swapped(shares, regions(2)) == 98 * 198
    shares[0, 150, 150] = 0
    assert scenes.swapped(shares, regions(1)) == 1
    # Edges may be displaced by a pixel, so this column does not count.
    shares[0, :, 100] = 0
    assert scenes.swapped(shares, regions(1)) == 1


def test_shadows_differ_where_either_darkens() -> None:
    faces = np.zeros((HEIGHT, WIDTH), bool)
    faces[:10, :10] = True
    ours, truth = np.zeros((HEIGHT, WIDTH, 3), np.float32), np.zeros((HEIGHT, WIDTH, 3), np.float32)
    assert scenes.apart(ours, truth, faces) == 0
    truth[:5, :10] = 20
    truth[20:] = 90
    assert scenes.apart(ours, truth, faces) == pytest.approx(20)
    ours[:5, :10] = 14
    assert scenes.apart(ours, truth, faces) == pytest.approx(6)


@pytest.mark.parametrize("case", SCENES, ids=lambda case: case.title)
def test_both_computations_of_the_camera_agree(case: SceneCase) -> None:
    """The benchmark computes the camera from its definition; the renderer's must be the same."""
    seen = stage(scenes.spec(case))
    assert seen.camera.k == pytest.approx(case.view.scale)
    assert seen.camera.distance == pytest.approx(case.view.distance)
    for number, figure in enumerate(case.figures):
        assert seen.shift(number) == pytest.approx(figure.middle, abs=1e-6)
        assert seen.cameras[number].turn == pytest.approx(figure.turn, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.title, marks=[pytest.mark.thorough] if case.title == "desk" else [])
        for case in SCENES
    ],
)
def test_scenes_look_as_traced(case: SceneCase) -> None:
    figures, _ = scenes.compare(case)
    assert figures.order == 0
    assert figures.ssim > 0.985
    assert figures.shadow < 6
