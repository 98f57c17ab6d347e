"""Straps and their case: which hides which, and that nothing shines through between them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from benchmarks import posed
from service.models.devices import catalogue
from service.render.geometry.coverage import fill
from service.render.geometry.mesh import mesh
from service.render.geometry.raster import Box
from service.render.geometry.silhouette import silhouette
from service.render.geometry.straps import SUNK, strap, sunk, unhidden

SIZE = (480, 270)
WATCH = catalogue()["apple-watch-ultra-3"]
CASE = WATCH.slab("body")


@pytest.mark.parametrize(
    ("angles", "nearer"),
    [((8, 150, -5), "strap-top"), ((-8, 150, 5), "strap-bottom"), ((60, 0, 0), "strap-top")],
)
def test_the_strap_that_lies_before_its_case_hides_more_of_it(
    angles: tuple[float, float, float], nearer: str
) -> None:
    camera = posed.camera(posed.spec(WATCH, angles, size=SIZE))
    outline = silhouette(CASE, camera)[0]
    straps = [slab for slab in WATCH.slabs if strap(slab)]
    hidden = {slab.name: len(unhidden(mesh(slab), mesh(CASE), outline, camera).triangles) for slab in straps}
    assert max(hidden, key=hidden.__getitem__) == nearer


def test_sunk_straps_go_on_into_their_case() -> None:
    shape, case = mesh(WATCH.slab("strap-top")), mesh(CASE)
    moved = np.linalg.norm(sunk(shape, case).points - shape.points, axis=1)
    assert moved[shape.cut] == pytest.approx(SUNK)
    assert not moved[~shape.cut].any()
    assert shape.height[shape.cut].max() < -15


@pytest.mark.parametrize("angles", [(8, 150, -5), (10, -42, 0), (15, -35, 5), (-20, 170, 0)])
def test_nothing_shines_through_between_strap_and_case(angles: tuple[float, float, float]) -> None:
    spec = posed.spec(WATCH, angles, size=SIZE)
    camera, box = posed.camera(spec), Box(0, 0, *SIZE)
    parts = [slab for slab in WATCH.slabs if strap(slab) or slab == CASE]
    whole = np.max([fill(silhouette(slab, camera), box) for slab in parts], axis=0)
    inside = cv2.erode(cv2.morphologyEx(whole, cv2.MORPH_CLOSE, np.ones((5, 5))), np.ones((5, 5))) > 0.99
    picture, _ = posed.picture(spec)
    assert picture[..., 3][inside].min() == 255
