"""Straps, other parts and the case of a watch: what they hide of each other, and that nothing shows through
between them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from benchmarks import posed
from frames.generator.sheet import read
from service.devices.device import Device, catalogue
from service.devices.families import making
from service.devices.families.sheet import Watch
from service.render.geometry.camera import Camera
from service.render.geometry.coverage import fill
from service.render.geometry.mesh import mesh
from service.render.geometry.raster import Box, facing
from service.render.geometry.silhouette import silhouette
from service.render.geometry.straps import SUNK, Case, middle, sunk, unhidden
from service.render.light.environment import load
from service.render.light.shading import Light
from service.render.light.tint import Colors
from service.render.paint.order import parts
from tests.render.posing import framed
from tests.render.posing import posed as seen
from tests.support.shared_art import SharedArt

SIZE = (480, 270)
WATCH = catalogue()["apple-watch-ultra-3"]
CASE = WATCH.slab("body")
CLOSED = catalogue()["apple-watch-series-9-45"]
COLORS = Colors(np.array([0.6, 0.6, 0.6], np.float32))
SHARES = np.array([(8, 1, 1), (1, 8, 1), (1, 1, 8), (1, 1, 1)]) / np.array([[10], [10], [10], [3]])


@pytest.mark.parametrize(
    ("angles", "nearer"),
    [((8, 150, -5), "strap-top"), ((-8, 150, 5), "strap-bottom"), ((60, 0, 0), "strap-top")],
)
def test_the_strap_in_front_of_the_case_hides_more_of_it(
    angles: tuple[float, float, float], nearer: str
) -> None:
    camera = posed.camera(posed.spec(WATCH, angles, size=SIZE))
    outline = silhouette(CASE, camera)[0]
    straps = [WATCH.slab("strap-top"), WATCH.slab("strap-bottom")]
    case = Case.of(mesh(CASE), outline, camera)
    hidden = {slab.name: len(unhidden(mesh(slab), case).triangles) for slab in straps}
    assert max(hidden, key=hidden.__getitem__) == nearer


def test_sunk_straps_continue_into_their_case() -> None:
    shape = mesh(WATCH.slab("strap-top"))
    moved = np.linalg.norm(sunk(shape, middle(CASE)).points - shape.points, axis=1)
    assert moved[shape.cut] == pytest.approx(SUNK)
    assert not moved[~shape.cut].any()
    assert shape.height[shape.cut].max() < -15


@pytest.mark.long(seconds=2)
@pytest.mark.parametrize(
    "angles",
    [(20, 150, 0), *(pytest.param(one, marks=pytest.mark.thorough) for one in ((8, 160, -5), (-20, 200, 0)))],
)
def test_repainted_triangles_cover_none_in_front_of_them(
    angles: tuple[float, float, float],
) -> None:
    watch = catalogue()["apple-watch-series-10-46"]
    case, camera = watch.slab("body"), posed.camera(posed.spec(watch, angles, size=SIZE))
    outline = silhouette(case, camera)[0]
    for slab in (slab for slab in watch.slabs if slab.role == "strap"):
        shape = mesh(slab)
        again = unhidden(shape, Case.of(mesh(case), outline, camera)).triangles
        left = {tuple(one) for one in shape.triangles[facing(shape, camera.eye)]} - {
            tuple(one) for one in again
        }
        if not left or not len(again):
            continue
        corners = shape.points[np.array(sorted(left))]
        px = camera.project(corners.reshape(-1, 3)).reshape(-1, 3, 2)
        nearest = camera.view(corners.reshape(-1, 3))[:, 2].reshape(-1, 3).min(axis=1)
        places = np.einsum("pc,tcd->tpd", SHARES, shape.points[again]).reshape(-1, 3)
        height = camera.view(places)[:, 2]
        for at, up in zip(camera.project(places), height, strict=True):
            sides = np.roll(px, -1, axis=1) - px
            turns = sides[..., 0] * (at - px)[..., 1] - sides[..., 1] * (at - px)[..., 0]
            inside = (turns > 0).all(axis=1) | (turns < 0).all(axis=1)
            assert not (inside & (nearest > up + 5)).any()


def opened(identifier: str) -> Device:
    """A watch with short, open straps, which do not lie before or behind each other."""
    sheet = read(identifier)
    assert isinstance(sheet, Watch)
    band = sheet.band.model_copy(update={"form": "open", "length": 36.0, "angle": 84.0})
    return making.device(sheet.model_copy(update={"band": band}), SharedArt())


def least(watch: Device, angles: tuple[float, float, float], *, closed: bool) -> int:
    """The least alpha, 0-255, well inside the silhouette of a watch.

    If `closed`, narrow gaps in the silhouette are closed first.
    """
    spec = posed.spec(watch, angles, size=SIZE)
    camera, box = posed.camera(spec), Box(0, 0, *SIZE)
    slabs = [slab for slab in watch.slabs if slab.role in ("strap", "case")]
    whole = np.max([fill(silhouette(slab, camera), box) for slab in slabs], axis=0)
    if closed:
        whole = cv2.morphologyEx(whole, cv2.MORPH_CLOSE, np.ones((5, 5)))
    inside = cv2.erode(whole, np.ones((5, 5))) > 0.99
    picture, _ = posed.picture(spec)
    return int(picture[..., 3][inside].min())


@pytest.mark.long(seconds=2)
@pytest.mark.parametrize("angles", [(8, 150, -5), (10, -42, 0), (15, -35, 5), (-20, 170, 0)])
def test_nothing_shines_through_between_strap_and_case(angles: tuple[float, float, float]) -> None:
    assert least(opened(WATCH.id), angles, closed=True) == 255


@pytest.mark.long(seconds=2)
@pytest.mark.parametrize("angles", [(8, 150, -5), (10, -42, 0), (15, -35, 5), (-20, 170, 0)])
def test_little_shines_through_where_a_closure_begins(angles: tuple[float, float, float]) -> None:
    assert least(CLOSED, angles, closed=False) > 0.8 * 255


@pytest.mark.parametrize(("angle", "last"), [(35, False), (-35, False), (150, True), (180, True)])
def test_a_closure_is_before_its_watch_only_from_behind(angle: float, last: bool) -> None:
    frame = framed(CLOSED, seen(0, angle), Light(load("studio"), 1.0), COLORS)
    order = [part.slab.name for part in parts(frame)]
    assert order[-1 if last else 0] == "strap-closure"
    assert order.count("strap-closure") == 1


def visible(name: str, camera: Camera) -> float:
    """The share of the triangles of a watch's part that nothing hides."""
    frame = framed(WATCH, camera, Light(load("studio"), 1.0), COLORS)
    part = next(part for part in parts(frame) if part.slab.name == name)
    return len(part.shape.triangles) / len(mesh(part.slab).triangles)


@pytest.mark.parametrize(("angle", "hidden"), [(0, True), (180, False)], ids=["in front", "from behind"])
def test_a_case_hides_most_of_the_closure_behind_it(angle: float, hidden: bool) -> None:
    share = visible("strap-closure", seen(0, angle))
    assert (share < 0.7) == hidden
    assert (share == 1) != hidden


def test_a_case_hides_a_part_on_its_far_side() -> None:
    assert 0 < visible("crown-1", seen(0, 30, 6.0)) < 1
