"""A hinge and a lid that are close to a face: the light that they hide from it, and the light that they send
to it."""

from __future__ import annotations

import numpy as np
import pytest

from service.arrays import F32, F64
from service.devices.device import Slab, catalogue
from service.render.geometry.camera import Camera
from service.render.geometry.face import Plane, plane
from service.render.geometry.mesh import pose
from service.render.light.brdf import hemisphere
from service.render.light.environment import load
from service.render.light.hinged import foot_occluders, underside
from service.render.light.occluder import Occluder, rectangle
from service.render.light.shading import Light
from service.render.light.tint import Colors
from service.render.paint.final_gather import sent
from service.render.paint.foot import Foot, foot
from service.render.paint.order import shaped
from service.render.paint.over import over
from service.render.paint.radiance import radiance
from service.render.quality import PREVIEW
from tests.render.posing import framed, posed

LAPTOP = catalogue()["macbook-pro-14"]
COLORS = Colors(np.array([0.6, 0.6, 0.6], np.float32))
RAYS = hemisphere(4096)


def close(camera: Camera, slab: Slab, front: bool) -> tuple[Occluder, ...]:
    return foot_occluders(
        framed(LAPTOP, camera, Light(load("studio"), 1.0), COLORS), slab, plane(slab, front)
    )


def hidden(camera: Camera, at: Plane, over: tuple[Occluder, ...], places: list[tuple[float, float]]) -> F64:
    """The hidden share (n,) of uniform light at places of a face, mm right of and above its middle."""
    axes = camera.view(np.stack([at.x, at.y, at.normal])).astype(np.float32)
    points = camera.view(np.array([at.origin + x * at.x + y * at.y for x, y in places])).astype(np.float32)
    ways = np.broadcast_to((RAYS @ axes).astype(np.float32), (len(points), *RAYS.shape))
    left = np.ones(ways.shape[:2])
    for one in over:
        left *= 1 - one.filled(points, ways, 0.01)
    return np.asarray(1 - left.mean(axis=1), np.float64)


def test_a_round_hinge_hides_as_much_as_a_cylinder() -> None:
    deck, hinge = LAPTOP.slab("deck"), LAPTOP.slab("hinge")
    camera, at = posed(20, 0), plane(deck, True)
    hinges = tuple(one for one in close(camera, deck, True) if one.behind)
    front = float((np.array(hinge.center) - at.origin) @ at.y) - hinge.size[1] / 2
    before = np.array([-0.45, -0.2, 0.1, 0.4, 1.0, 3.0])
    found = hidden(camera, at, hinges, [(0.0, front - away) for away in before])
    radius = hinge.size[2] / 2
    aside = before + radius
    middle, spread = np.arctan2(radius, aside), np.arcsin(np.minimum(radius / np.hypot(aside, radius), 1))
    truth = (np.cos(middle - spread) - np.cos(middle + spread)) / 2
    np.testing.assert_allclose(found, truth, atol=0.08)


def test_a_hinge_hides_light_from_the_deck_below() -> None:
    deck, hinge = LAPTOP.slab("deck"), LAPTOP.slab("hinge")
    camera, at = posed(20, 0), plane(deck, True)
    middle = float((np.array(hinge.center) - at.origin) @ at.y)
    hinges = tuple(one for one in close(camera, deck, True) if one.behind)
    under, beyond = hidden(camera, at, hinges, [(0.0, middle), (0.0, middle + hinge.size[1])])
    assert under > 0.45
    assert beyond < 0.05


def test_a_lid_hides_less_where_its_corner_rises() -> None:
    deck, lid = LAPTOP.slab("deck"), LAPTOP.slab("lid")
    camera, at = posed(20, 0), plane(deck, True)
    line = float((plane(lid, True).origin - lid.size[1] / 2 * plane(lid, True).y - at.origin) @ at.y)
    wide = lid.size[0] / 2
    along = hidden(camera, at, close(camera, deck, True), [(x, line - 1) for x in (135.0, 145.0, wide - 1)])
    assert along[0] == pytest.approx(along[1], abs=0.03)
    assert along[2] < along[1] - 0.1


@pytest.mark.parametrize(("k", "occluders", "near"), [(0.6, 2, False), (4.0, 10, True)])
def test_what_is_narrow_in_a_preview_exchanges_no_light(k: float, occluders: int, near: bool) -> None:
    of = framed(LAPTOP, posed(20, 0, k), Light(load("studio"), 1.0), COLORS, quality=PREVIEW)
    deck, lid, hinge = (LAPTOP.slab(name) for name in ("deck", "lid", "hinge"))
    assert len(foot_occluders(of, deck, plane(deck, True), hinges=False)) == occluders
    assert radiance(of, lid).near == near
    assert (over(of, hinge, True, 0) is not None) == near
    assert over(of, deck, True, 0) is not None


def test_the_lower_wall_of_a_lid_follows_its_corners() -> None:
    lid, deck, camera = LAPTOP.slab("lid"), LAPTOP.slab("deck"), posed(20, 0)
    frame = framed(LAPTOP, camera, Light(load("studio"), 1.0), COLORS)
    at, high = plane(lid, True), lid.size[1] / 2
    x, y = (camera.view(way[None])[0] for way in (at.x, at.y))
    middle = camera.view(at.origin[None])[0]
    reached = []
    for one in underside(frame, lid, rectangle(frame, deck, True).face):
        assert one.axes[2] @ y < 0
        for end in (-1, 1):
            place = one.middle + end * one.half[0] * one.axes[0] - middle
            reached.append((float(place @ x), float(place @ y)))
    corner, wide = lid.corner.extent, lid.size[0] / 2
    for across, up in reached:
        part = max(abs(across) - (wide - corner), 0) / corner
        rise = corner * (1 - max(1 - part**lid.corner.exponent, 0) ** (1 / lid.corner.exponent))
        assert up == pytest.approx(rise - high, abs=0.01)
    assert max(across for across, _ in reached) == pytest.approx(wide, abs=1e-3)
    assert min(across for across, _ in reached) == pytest.approx(-wide, abs=1e-3)


def test_a_lids_wall_has_vertices_around_the_ends_of_a_hinge() -> None:
    lid, half = LAPTOP.slab("lid"), LAPTOP.slab("hinge").size[0] / 2
    frame = framed(LAPTOP, posed(20, 0), Light(load("studio"), 1.0), COLORS)
    axes, center = pose(lid)
    across = (shaped(frame, lid).points - center) @ axes[:, 0]
    for end in (-half, half):
        assert np.abs(across - end).min() < 1e-6
        assert len(np.unique(across[np.abs(across - end) < 2].round(6))) >= 5


def test_slabs_close_to_each_face_are_found() -> None:
    camera = posed(20, 0)
    # The deck's occluders are two for each side of the hinge, and the lid's foot, rim, back and front and
    # three chords of each corner.
    assert len(close(camera, LAPTOP.slab("deck"), True)) == 18
    assert len(close(camera, LAPTOP.slab("hinge"), True)) == 4
    (deck,) = close(camera, LAPTOP.slab("lid"), False)
    assert deck.half[0] < LAPTOP.slab("deck").size[0] / 2
    for name, front in (("lid", True), ("deck", False), ("hinge", False)):
        assert close(camera, LAPTOP.slab(name), front) == ()
    light = Light(load("studio"), 1.0)
    for other in ("iphone-16-pro", "apple-watch-ultra-3", "studio-display", "galaxy-z-fold-7-half-open"):
        frame = framed(catalogue()[other], camera, light, COLORS)
        for slab in frame.device.slabs:
            for front in (True, False):
                assert foot_occluders(frame, slab, plane(slab, front)) == ()


def test_all_hinges_of_a_laptop_stand_on_its_deck() -> None:
    device, camera = catalogue()["thinkpad-x1-carbon"], posed(20, 0)
    deck, hinge = (device.slab(name) for name in ("deck", "hinge"))
    others = [
        hinge.model_copy(
            update={"name": f"hinge-{x}", "size": (30.0, *hinge.size[1:]), "center": (x, *hinge.center[1:])}
        )
        for x in (-100.0, 0.0, 100.0)
    ]
    rest = [slab for slab in device.slabs if slab is not hinge]
    device = device.model_copy(update={"slabs": (*rest, *others)})
    over = foot_occluders(framed(device, camera, Light(load("studio"), 1.0), COLORS), deck, plane(deck, True))
    assert sum(one.behind > 0 for one in over) == 18


def test_a_hinge_hides_light_beside_its_ends() -> None:
    deck, hinge = LAPTOP.slab("deck"), LAPTOP.slab("hinge")
    camera, at = posed(20, 0), plane(deck, True)
    middle = float((np.array(hinge.center) - at.origin) @ at.y)
    hinges = tuple(one for one in close(camera, deck, True) if one.behind)
    end = hinge.size[0] / 2
    places = [(side * (end + away), middle) for side in (-1, 1) for away in (0.3, 1.0, 8.0)]
    left = hidden(camera, at, hinges, places)
    for near, farther, far in (left[:3], left[3:]):
        assert near > 0.2
        assert near > farther > far
        assert far < 0.05


def change(name: str, front: bool, camera: Camera) -> Foot:
    slab, light = LAPTOP.slab(name), Light(load("studio"), 1.0)
    over = close(camera, slab, front)
    found = foot(framed(LAPTOP, camera, light, COLORS), slab, front, over, None)
    assert found is not None
    return found


def column(found: Foot, x: float) -> F32:
    """The change of radiance (n,) along a vertical line, x mm right of the middle, from the top down."""
    place = int((x / found.wide + 0.5) * found.picture.shape[1])
    return np.asarray(found.picture[:, place, :3].mean(axis=1), np.float32)


def test_the_deck_lights_the_back_of_a_lid() -> None:
    found = change("lid", False, posed(12, 158))
    seen = column(found, 0)
    assert found.outer < found.inner < 0
    assert seen[-1] > 0.1
    assert (np.diff(seen[-20:]) > 0).all()
    assert abs(seen[0]) < 0.01


def test_a_deck_has_less_light_before_its_hinge() -> None:
    found = change("deck", True, posed(20, 0))
    seen = column(found, 0)
    assert 0 < found.inner < found.outer
    assert seen.min() < -0.2
    assert abs(seen[-1]) < 0.02


def test_light_before_a_hinge_is_gathered_where_it_changes_most() -> None:
    # No other test needs this part of SciPy, and every process that collects tests would load it.
    from scipy.interpolate import interp1d

    deck, camera = LAPTOP.slab("deck"), posed(20, 0)
    frame, at = framed(LAPTOP, camera, Light(load("studio"), 1.0), COLORS), plane(deck, True)
    hinges = tuple(one for one in close(camera, deck, True) if one.behind)
    found = foot(frame, deck, True, hinges, None)
    assert found is not None
    up, middle = camera.view(at.y[None])[0], camera.view(at.origin[None])[0]
    (line,) = {round(float((one.foot - middle) @ up), 4) for one in hinges if one.foot is not None}
    wide, high, end = deck.size[0] / 2, deck.size[1] / 2, hinges[0].half[0]
    assert (found.wide, found.outer) == (2 * wide, high)
    assert line - found.inner == pytest.approx(16, abs=1e-3)

    rows = np.array([line - away for away in (7.0, 3.5, 1.8, 0.9, 0.4, 0.0, -1.2)] + [high])
    count = frame.quality.gather_points
    columns = [-wide * np.cos(np.pi * number / (count - 1)) for number in range(count)]
    columns += [side * (end + past) for side in (-1, 1) for past in (-8.0, -3.0, -0.5, 0.0, 0.5, 5.0)]
    columns = [one for one in sorted(columns) if abs(one) <= wide]
    assert np.diff(columns).min() > 0.4
    paint, places = frame.face(deck, True), (np.array(columns), rows)
    gathered = sent(frame, paint, at, hinges, places)[0] - sent(frame, paint, at, (), places)[0]

    tall, across = found.picture.shape[:2]
    x = ((np.arange(across) + 0.5) / across * 2 - 1) * wide
    y = found.inner + (np.arange(tall)[::-1] + 0.5) / tall * (high - found.inner)
    # Between the places, light is interpolated; at the strip's inner end it does not change.
    known = np.concatenate([np.zeros((1, len(columns), 4)), gathered[::-1]])
    upright = interp1d(np.append(found.inner, rows), known, axis=0)(y)
    np.testing.assert_allclose(found.picture, interp1d(columns, upright, axis=1)(x), atol=1e-3)


def test_faces_without_standing_parts_do_not_change() -> None:
    phone, light = catalogue()["iphone-16-pro"], Light(load("studio"), 1.0)
    frame = framed(phone, posed(20, 0), light, COLORS)
    assert foot(frame, phone.slab("body"), True, (), None) is None
