"""How occluders change the light of faces and walls: a lid above a deck, a monitor's stand, a watch's
straps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from service.arrays import F64
from service.devices.device import Device, Surface, catalogue
from service.devices.finishes import in_finish
from service.render.geometry.camera import Camera, stage
from service.render.geometry.face import plane
from service.render.geometry.mesh import mesh, pose
from service.render.geometry.rotation import rotation
from service.render.kernels.occluders import Rays
from service.render.light.brdf import hemisphere, reflectance
from service.render.light.environment import load, lookup
from service.render.light.interreflection import fields
from service.render.light.lobes import NARROW, WIDE
from service.render.light.near_field import gathered
from service.render.light.occluder import (
    Occluder,
    face_occluders,
    patch,
    rectangle,
    screen_over,
    wall_occluders,
)
from service.render.light.shading import Ground, Light
from service.render.light.tint import Colors
from service.render.material import SURFACES
from service.render.paint.final_gather import FinalGather, _places, final_gather, sent
from service.render.paint.over import over as gathered_over
from service.render.paint.wall import lit as lit_wall
from service.render.quality import FULL, PREVIEW, Quality
from service.validation.color import parse
from tests.render.ggx import masking, slope
from tests.render.posing import PLAIN, flat, framed, picture, posed, scene
from tests.support.monitors import on_plates

LEVEL = 0.45
LAPTOP = catalogue()["macbook-pro-14"]
MONITOR = on_plates()
COLORS = Colors(np.array([0.6, 0.6, 0.6], np.float32))
SLABS = {slab.name: slab for slab in LAPTOP.slabs}


def over(camera: Camera, name: str = "deck", front: bool = True) -> Occluder | None:
    slab = SLABS[name]
    return screen_over(framed(LAPTOP, camera, Light(load("studio"), 1.0), COLORS), slab, plane(slab, front))


def deck(camera: Camera, places: list[tuple[float, float]]) -> tuple[F64, F64, F64]:
    """Points (n, 3) of the deck given in its own mm, its normal (3,) and directions to the camera (n, 3)."""
    at = plane(SLABS["deck"], True)
    points = camera.view(np.array([at.origin + x * at.x + y * at.y for x, y in places]))
    toward = np.array([0, 0, camera.distance]) - points
    return points, camera.view(at.normal[None])[0], toward / np.linalg.norm(toward, axis=1)[:, None]


def lit(camera: Camera, colors: Colors = COLORS, quality: Quality = FULL) -> FinalGather:
    found = over(camera)
    assert found is not None
    slab, frame = SLABS["deck"], framed(LAPTOP, camera, Light(load("studio"), 1.0), colors, quality=quality)
    return final_gather(frame, slab, True, plane(slab, True), (found,))


def onto_lid(camera: Camera, point: F64, leaving: F64) -> NDArray[np.bool_]:
    """Which of these directions (n, 3) from a point meet the front of the lid."""
    at = plane(SLABS["lid"], True)
    middle, x, y, normal = camera.view(np.stack([at.origin, at.x, at.y, at.normal]))
    facing = leaving @ normal
    with np.errstate(divide="ignore"):
        way = ((middle - point) @ normal) / facing
    met = point + way[:, None] * leaving - middle
    width, height, _ = SLABS["lid"].size
    inside = (np.abs(met @ x) < width / 2) & (np.abs(met @ y) < height / 2)
    return np.asarray((facing < 0) & (way > 0) & inside)


def lobes(normal: F64, toward: F64, count: int = 60_000) -> tuple[F64, F64]:
    """Directions of a GGX lobe (n, 3) and their weights (n,)."""
    alpha, random = LEVEL**2, np.random.default_rng(2)
    part, turn = (np.arange(count) + 0.5) / count, 2 * np.pi * random.random(count)
    x = np.cross(normal, [0.3, 0.5, 0.8])
    x /= np.linalg.norm(x)
    radius = alpha * np.sqrt(part / (1 - part))
    half = normal + np.outer(radius * np.cos(turn), x) + np.outer(radius * np.sin(turn), np.cross(normal, x))
    half /= np.linalg.norm(half, axis=1)[:, None]
    vh = half @ toward
    leaving = 2 * vh[:, None] * half - toward
    nl, nv = leaving @ normal, normal @ toward
    hidden = masking(slope(np.array(nv), alpha)) + masking(slope(nl, alpha))
    weight = vh / (half @ normal * nv) / (1 + hidden)
    weight = np.where((nl > 0) & (vh > 0), weight, 0)
    return leaving, weight / weight.sum()


PLACES = [(x, y) for x in (-130.0, 0.0, 90.0) for y in (-100.0, -30.0, 40.0, 80.0)]


@pytest.mark.parametrize(("rx", "ry"), [(0, 0), (20, 0), (10, 30), (0, -50)])
def test_a_deck_has_the_light_left_and_sent_by_the_lid(rx: float, ry: float) -> None:
    camera = posed(rx, ry)
    points, normal, toward = deck(camera, PLACES)
    lid, sky = over(camera), load("studio").sharp
    assert lid is not None
    metal, truth = SURFACES["aluminium"], []
    for point, away, lost in zip(points, toward, taken_by_the_lid(camera), strict=True):
        leaving, weight = lobes(normal, away)
        light, hit = lookup(sky, leaving.astype(np.float32)), onto_lid(camera, point, leaving)
        light[hit] = lid.face.radiance(leaving[hit].astype(np.float32))
        kept = reflectance(np.array([normal @ away], np.float32), metal.roughness, COLORS.tint)[0]
        matt = load_diffuse(normal) * (1 - lost) * COLORS.tint * metal.diffuse
        truth.append(weight @ light * kept * (1 - metal.diffuse) + matt)
    found = lit(camera).at(*np.array(PLACES, np.float32).T)[:, :3]
    assert np.abs(found - truth).mean() < 0.08 * np.mean(truth)
    # The light itself varies by more than the error that the test allows.
    assert np.ptp(np.mean(truth, axis=1)) > 0.12 * np.mean(truth)


def test_black_metal_mirrors_the_lid_at_grazing_angles() -> None:
    camera, black = posed(-12, -25), Colors(np.full(3, 0.02, np.float32))
    points, normal, toward = deck(camera, PLACES)
    lid, sky, metal = over(camera), load("studio").sharp, SURFACES["aluminium"]
    assert lid is not None
    truth, plain = [], []
    for point, away, lost in zip(points, toward, taken_by_the_lid(camera), strict=True):
        leaving, weight = lobes(normal, away)
        light, hit = lookup(sky, leaving.astype(np.float32)), onto_lid(camera, point, leaving)
        light[hit] = lid.face.radiance(leaving[hit].astype(np.float32))
        halves = leaving + away
        met = (halves / np.linalg.norm(halves, axis=1)[:, None]) @ away
        fresnel = black.tint[0] + (1 - black.tint[0]) * np.maximum(1 - met, 0) ** 5
        kept = reflectance(np.array([normal @ away], np.float32), metal.roughness, black.tint)[0]
        matt = load_diffuse(normal) * (1 - lost) * black.tint * metal.diffuse
        truth.append(weight * fresnel / (weight @ fresnel) @ light * kept * (1 - metal.diffuse) + matt)
        plain.append(weight @ light * kept * (1 - metal.diffuse) + matt)
    found = lit(camera, black).at(*np.array(PLACES, np.float32).T)[:, :3]
    assert np.abs(found - truth).mean() < 0.08 * np.mean(truth)
    assert np.abs(np.array(plain) - truth).mean() > 0.2 * np.mean(truth)


def test_lost_light_has_the_hue_of_the_hidden_light() -> None:
    found = over(posed(20, 0))
    assert found is not None
    slab, camera = SLABS["deck"], posed(20, 0)
    frame = framed(LAPTOP, camera, Light(load("night"), 1.0), COLORS)
    hue = final_gather(frame, slab, True, plane(slab, True), (found,)).hue
    assert hue.mean() == pytest.approx(1, abs=1e-3)
    assert np.ptp(hue) > 0.05


def test_a_decks_light_is_nearly_the_same_in_a_preview() -> None:
    camera = posed(20, -25)
    full, preview = lit(camera), lit(camera, quality=PREVIEW)
    assert preview.size == full.size
    difference = np.abs(preview.picture - full.picture)[..., :3]
    assert 1e-4 < difference.mean() < 0.03 * full.picture[..., :3].mean()
    assert preview.hue == pytest.approx(full.hue, abs=0.02)


def load_diffuse(normal: F64) -> F64:
    return np.asarray(lookup(load("studio").diffuse, normal[None].astype(np.float32))[0], np.float64)


def taken_by_the_lid(camera: Camera) -> F64:
    """The share (n,) of a matt deck's light that would come from directions that meet the lid."""
    points, normal, _ = deck(camera, PLACES)
    random = np.random.default_rng(3)
    x = np.cross(normal, [0.3, 0.5, 0.8])
    x /= np.linalg.norm(x)
    height, turn = random.random(30_000), 2 * np.pi * random.random(30_000)
    flat = np.sqrt(height)[:, None]
    sky = flat * (np.outer(np.cos(turn), x) + np.outer(np.sin(turn), np.cross(normal, x)))
    sky += np.outer(np.sqrt(1 - height), normal)
    light = lookup(load("studio").sharp, sky.astype(np.float32)).mean(axis=1)
    lost = [light @ onto_lid(camera, point, sky) for point in points]
    return np.asarray(np.array(lost) / light.sum(), np.float64)


def test_the_lid_hides_its_part_of_the_sky() -> None:
    camera = posed(20, 0)
    found = lit(camera).at(*np.array(PLACES, np.float32).T)[:, 3]
    assert np.abs(found - taken_by_the_lid(camera)).max() < 0.08


def test_the_walls_of_a_phone_have_nothing_close_by() -> None:
    phone = framed(catalogue()["iphone-16-pro"], posed(10, 0), Light(load("studio"), 1.0), COLORS)
    for slab in phone.device.slabs:
        assert not wall_occluders(phone, slab, {})


def test_only_deck_and_hinge_have_a_screen_above() -> None:
    camera = posed(20, 0)
    assert over(camera) is not None
    assert over(camera, front=False) is None
    assert over(camera, "hinge") is not None
    assert over(camera, "lid") is None
    phone = framed(catalogue()["iphone-16-pro"], camera, Light(load("studio"), 1.0), COLORS)
    for slab in phone.device.slabs:
        for front in (True, False):
            assert screen_over(phone, slab, plane(slab, front)) is None


def stands(name: str, front: bool) -> tuple[FinalGather | None, tuple[Occluder, ...]]:
    """The final gather of a face of a monitor's part, if there is one, and the occluders of the face."""
    monitor, camera, light = MONITOR, posed(15, -35), Light(load("studio"), 1.0)
    slab = monitor.slab(name)
    at, frame = plane(slab, front), framed(monitor, camera, light, COLORS)
    over = face_occluders(frame, slab, at, fields(frame))
    return final_gather(frame, slab, front, at, over) if over else None, over


def test_a_polished_back_mirrors_the_outline_of_a_strap_sharply() -> None:
    watch = catalogue()["apple-watch-series-10-46"]
    back = in_finish(watch, parse(watch.finishes[0].hex))
    slab, camera = back.slab("body"), Camera(rotation(-17, -119, 13), 5.0, 400.0, (300.0, 300.0), 600, 600)
    frame, at = framed(back, camera, Light(load("sunset"), 1.0), COLORS), plane(slab, False)
    assert frame.face(slab, False)[0].roughness <= NARROW
    others = face_occluders(frame, slab, at, fields(frame))
    found = final_gather(frame, slab, False, at, others)
    # The shade of the strap ends here, at a slant to the rows of gathered points.
    columns, rows = np.arange(-12.0, -4.0, 0.4), np.arange(13.0, 19.0, 0.4)
    want = sent(frame, frame.face(slab, False), at, others, (columns, rows))[0]
    x, y = (each.astype(np.float32).ravel() for each in np.meshgrid(columns, rows[::-1]))
    got = found.at(x, y).reshape(want.shape)
    most = want[..., :3].max()
    assert np.ptp(want[..., :3]) > 0.1 * most
    assert np.abs(got - want)[..., :3].mean() < 0.002 * most


def test_the_foot_of_a_monitor_and_its_stand_see_each_other() -> None:
    foot, over_foot = stands("foot", True)
    upright, over_upright = stands("upright", False)
    assert foot is not None
    assert upright is not None
    # The display's lower wall is an occluder of both. Without it, light would shine through the display.
    assert len(over_foot) == 5
    assert len(over_upright) == 3
    depth = MONITOR.slab("body").size[2]
    (lower,) = (one for one in over_foot if one.half[1] == depth / 2)
    assert lower.axes[2] @ posed(15, -35).view(np.array([[0, 1.0, 0]]))[0] == pytest.approx(-1)
    # Both faces are darker where they meet.
    depth, middle = MONITOR.slab("foot").size[1], np.zeros(1, np.float32)
    behind, before = (foot.at(middle, np.full(1, y * depth, np.float32)) for y in (0.3, -0.4))
    # The result is compared with the light of 2,048 rays from these very points.
    assert behind[0, 3] == pytest.approx(0.524, abs=0.04)
    assert before[0, 3] == pytest.approx(0.242, abs=0.03)
    assert all(one.field is not None for one in over_foot)
    assert stands("foot", False)[0] is None


def test_a_post_shades_the_raised_part_that_holds_it_and_its_foot() -> None:
    item, camera, light = catalogue()["monitor"], posed(-16, -174), Light(load("studio"), 1.0)
    frame = framed(item, camera, light, COLORS)
    post, holder = item.slab("upright"), item.slab("bulge")
    light_on = gathered_over(frame, holder, True, 0)
    assert light_on is not None
    axes, center = pose(holder)
    x, y = (pose(post)[1] - center) @ axes[:, :2]
    across = np.array([x + side * (post.size[0] / 2 + 10) for side in (-1, 1)] + [x + 160], np.float32)
    up = np.full(3, min(y, 0) - 40, np.float32)
    left, right, far = light_on.at(across, up)[:, 3]
    assert min(left, right) > far + 0.1
    # All four walls of a post stand around its end on the foot.
    sides = {name[1] for name in fields(frame) if name[0] == "upright"}
    assert sides >= {"left", "right", "top", "bottom"}


def test_a_stand_takes_light_from_the_back_it_hangs_on() -> None:
    back, over = stands("body", False)
    assert back is not None
    # The walls of the stand hide light from the part of the back beside it, and reflect light to the part
    # above it.
    assert len(over) == 6
    width, high = MONITOR.slab("upright").size[0], np.full(1, -100.0, np.float32)
    under, beside, far = (
        back.at(np.full(1, x, np.float32), high)[0, 3] for x in (0.0, width / 2 + 15, width / 2 + 120)
    )
    assert under > beside > far + 0.05


def test_the_top_of_a_stand_lights_the_back_just_above_it() -> None:
    back, upright = MONITOR.slab("body"), MONITOR.slab("upright")
    camera, light, at = posed(8, 155), Light(load("window"), 1.0), plane(back, False)
    frame = framed(MONITOR, camera, light, COLORS)
    found = final_gather(frame, back, False, at, face_occluders(frame, back, at, fields(frame)))
    axes, center = pose(upright)
    top = float((center + upright.size[1] / 2 * axes[:, 1] - at.origin) @ at.y)
    near, close, far = (
        found.at(np.zeros(1, np.float32), np.full(1, top + up, np.float32))[0, :3].mean()
        for up in (1.5, 6.0, 30.0)
    )
    assert near > 1.05 * far
    # The light changes within a few mm, so the grid has to be fine enough to show it.
    assert close - far < 0.4 * (near - far)


def test_points_behind_a_face_do_not_see_it() -> None:
    _, (rear, face, *_) = stands("foot", True)
    ahead = np.broadcast_to(-face.axes[2], (1, 1, 3)).astype(np.float32)
    for distance, share in ((20.0, 1.0), (-20.0, 0.0)):
        point = (face.middle + distance * face.axes[2])[None].astype(np.float32)
        assert face.filled(point, ahead, 0.1) == share
        assert rear.filled(point, ahead, 0.1) == 0


def test_points_close_to_a_face_may_see_it_in_every_lobe() -> None:
    _, (_, face, *_) = stands("foot", True)
    normal, (wide, high) = face.axes[2], face.half
    near, far = (
        (face.middle + distance * normal)[None].astype(np.float32)
        for distance in (0.5 * np.hypot(wide, high), 10 * np.hypot(wide, high))
    )
    for way, seen in ((-normal, True), (normal, False)):
        for point, count in ((far, seen), (near, True)):
            rays = Rays(point, np.ascontiguousarray(way[:, None, None]), np.zeros(1, np.float32))
            assert len(face.before(rays, np.ascontiguousarray(-normal[None]), WIDE)) == count


def test_the_case_of_a_watch_has_its_straps_around_it() -> None:
    watch, camera, light = catalogue()["apple-watch-ultra-3"], posed(0, 180), Light(load("studio"), 1.0)
    case = watch.slab("body")
    frame = framed(watch, camera, light, COLORS)
    sent = fields(frame)
    over = face_occluders(frame, case, plane(case, False), sent)
    assert over
    beside = wall_occluders(frame, case, sent)
    # The case has two straps of four pieces and their closure of three beside it, each with two faces and two
    # walls.
    assert len(beside) == (4 + 4 + 3) * 4
    # A strap's occluders include the faces of the case and of the closure, and the case's wall where it is
    # straight.
    strap = watch.slab("strap-top")
    around = wall_occluders(frame, strap, sent)
    assert len(around) == (4 + 4 + 3) * 2 + 3
    (end,) = (one for one in around if one.field is None)
    assert 2 * end.half[0] == pytest.approx(strap.size[0])
    assert [one for one in around if not one.matt] == [end]
    assert not wall_occluders(frame, watch.slab("crown-1"), sent)


def test_a_closure_does_not_come_out_of_the_case() -> None:
    watch, camera = catalogue()["apple-watch-series-9-45"], posed(0, 180)
    frame = framed(watch, camera, Light(load("studio"), 1.0), COLORS)
    sent = fields(frame)
    around = wall_occluders(frame, watch.slab("strap-closure"), sent)
    assert all(one.field is not None for one in around)
    # The closure sees two parts of the strap in four pieces and itself in three, each with two faces, and the
    # case's two faces.
    assert len(around) == (4 + 4 + 3) * 2 + 2


WATCH = catalogue()["apple-watch-ultra-3"]


def beside_straps(name: str, ry: float, watch: Device = WATCH) -> tuple[F64, F64, F64]:
    """The vertices of a part of a watch (n, 3) in mm, and their radiance (n, 3) with and without the straps
    as occluders."""
    camera, light, slab = posed(10, ry), Light(load("studio"), 1.0), watch.slab(name)
    frame = framed(watch, camera, light, COLORS)
    shape, others = mesh(slab), wall_occluders(frame, slab, fields(frame))
    # These are the same occluders, but they hide nothing.
    unseen = [replace(one, behind=-np.inf) for one in others]
    with_, without = (lit_wall(frame, slab, shape, None, None, near) for near in (others, unseen))
    return shape.points, with_.astype(np.float64), without.astype(np.float64)


def test_the_case_of_a_watch_mirrors_its_straps_in_part_of_its_lobe() -> None:
    points, with_, without = beside_straps("body", -35)
    changed = np.abs(with_ - without).max(axis=1) > 0.02
    # The case also mirrors the closure, a little farther from the straps.
    assert (np.abs(points[changed][:, 1]) > 12).mean() > 0.9
    # The lobe is so wide that strap and closure hide only some of the sky.
    assert (with_[changed].mean(axis=1) > 0.13 * without[changed].mean(axis=1)).all()


def test_the_case_of_a_watch_mirrors_a_strap_beside_it() -> None:
    points, with_, without = beside_straps("body", 60)
    strap = WATCH.slab("strap-top")
    beside = (np.abs(points[:, 0] - strap.center[0]) > strap.size[0] / 2) & (points[:, 1] > 15)
    assert (without - with_)[beside].max() > 0.1


def test_the_rounded_back_of_a_case_sees_past_the_beginning_of_its_strap() -> None:
    """A strap is curved, but its occluders are flat and cut through the edge of the back."""
    watch = catalogue()["galaxy-watch-8"]
    points, with_, without = beside_straps("body", 108, watch)
    tilt = -mesh(watch.slab("body")).normals[:, 2]
    edge = (tilt > 0.8) & (tilt < 0.95) & (points[:, 1] > 16) & (np.abs(points[:, 0]) < 10)
    edge &= without.mean(axis=1) > 0.05
    assert edge.sum() > 20
    assert (with_[edge].mean(axis=1) > 0.58 * without[edge].mean(axis=1)).all()


@pytest.mark.parametrize("surface", ["paint", "gloss", "plastic"])
def test_matt_light_includes_what_an_occluder_sends_in_every_direction(surface: Surface) -> None:
    light, axes = Light(load("studio"), 1.0), np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], np.float32)
    face = Ground(axes[2], SURFACES[surface], np.full(3, 0.8, np.float32), light)
    upright = Occluder(np.array([-15, 0, 30], np.float32), axes, (60.0, 30.0), face)
    sent = gathered(np.zeros((1, 3), np.float32), np.array([[0, 0, 1]], np.float32), light, [upright])[1][0]
    random = np.random.default_rng(1)
    high, turn = random.random(40_000), 2 * np.pi * random.random(40_000)
    flat = np.sqrt(high)
    ways = np.stack([flat * np.cos(turn), flat * np.sin(turn), np.sqrt(1 - high)], axis=1).astype(np.float32)
    along = 15 / np.maximum(-ways[:, 0], 1e-6)
    meets = (np.abs(along * ways[:, 1]) < 60) & (along * ways[:, 2] < 60)
    exact = face.radiance(ways[meets]).sum(axis=0) / len(ways)
    np.testing.assert_allclose(sent, exact, rtol=0.06)


def test_straps_are_darker_where_they_face_each_other() -> None:
    _, with_, without = beside_straps("strap-top", 150)
    lost = without.mean(axis=1) - with_.mean(axis=1)
    assert lost.min() > -0.02
    assert lost.max() > 0.02


def test_the_sensor_of_a_watch_mirrors_the_straps() -> None:
    _, with_, without = beside_straps("sensor", 150)
    assert (np.abs(with_ - without).max(axis=1) > 0.05).sum() > 10


def test_light_is_gathered_near_the_ends_of_occluders() -> None:
    alone, beside = _places(200.0, [], 9), _places(200.0, [(-20.0, 30.0), (-90.0, 90.0)], 9)
    assert len(alone) == 9
    assert (np.diff(beside) > 0.2).all()
    assert np.abs(beside[:, None] - np.array([-20.0, 30.0])).min(axis=0).max() < 2
    # The first occluder is like a stand that extends far below a back; the second is like a lid that ends at
    # the edge of a deck.
    assert len(_places(200.0, [(-300.0, 20.0)], 9)) > 9
    assert len(_places(200.0, [(95.0, 300.0)], 9)) == 9
    assert set(alone.round(6)) <= set(beside.round(6))


def test_points_under_a_stand_see_its_nearer_face() -> None:
    monitor, camera, light = MONITOR, posed(15, -35), Light(load("studio"), 1.0)
    slab = monitor.slab("foot")
    frame = framed(monitor, camera, light, COLORS)
    over = face_occluders(frame, slab, plane(slab, True), fields(frame))
    thick = monitor.slab("upright").size[2]
    for one in (one for one in over if one.behind == thick / 2):
        for deep, seen in ((0.4, True), (0.6, False)):
            point = one.middle - deep * thick * one.axes[2]
            ways = -one.axes[2][None, None]
            assert bool(one.filled(point[None], ways, 0.01)[0, 0] > 0.5) == seen


def test_a_post_is_dark_where_its_rounded_edge_meets_the_foot() -> None:
    """The edge faces down, so it would be nearly as bright as the wall if the foot did not hide the light."""
    given = PLAIN | {
        "device": "dell-ultrasharp-27",
        "canvas.width": 900,
        "canvas.height": 720,
        "deviceTransform.pose": "front",
        "deviceTransform.scale": 4,
        "deviceTransform.positionY": 2,
    }
    of = scene(given, (160, 90)).spec
    shown = picture(flat((90, 90, 90), (160, 90)), given)[..., :3].mean(axis=2)
    post, foot = of.device.slab("upright"), of.device.slab("foot")
    assert post.edge == 1.2
    # The post is a plate that lies on its back, so its front wall is half its height in front of its middle.
    front, low = post.center[2] + post.size[1] / 2, foot.center[1] + foot.size[2] / 2

    def wall(height: float) -> float:
        """The mean code value of the wall's flat part, `height` mm above the foot."""
        places = np.array([[across, low + height, front] for across in range(-10, 11)])
        columns, rows = np.floor(stage(of).cameras[0].project(places)).astype(int).T
        return float(shown[rows, columns].mean())

    assert wall(0.4) < 0.88 * wall(10)
    assert wall(3) == pytest.approx(wall(10), abs=3)


def test_an_occluder_of_one_colour_needs_no_ray_by_ray_light() -> None:
    camera, light, under = posed(20, -30), Light(load("studio"), 1.0), plane(SLABS["deck"], True)
    at = patch(plane(SLABS["lid"], True), (150.0, 100.0), (SURFACES["paint"], COLORS.tint), camera, light)
    points = deck(camera, [(x, y) for x in (-80.0, 0.0, 80.0) for y in (-60.0, 0.0, 60.0)])[0]
    ways = hemisphere(64) @ camera.view(np.stack([under.x, under.y, under.normal])).astype(np.float32)
    each = np.repeat(ways.T[..., None], len(points), axis=2)
    rays = Rays(points.astype(np.float32), each, np.full(64, 0.2, np.float32))
    found = []
    for one in (at, replace(at, sharp=True)):
        weights, sums = np.ones((1, 64, 9), np.float32), np.zeros((1, 3, 9), np.float32)
        one.hide(rays, np.arange(9, dtype=np.int32), ((2, slice(0, 32)), (4, slice(32, 64))), weights, sums)
        found.append((weights, sums))
    (weights, sums), sharp = found
    assert 0 < (weights < 1).mean() < 1
    assert sums[0] == pytest.approx((1 - weights[0]).sum(axis=0) * COLORS.tint[:, None], rel=1e-5)
    assert (weights == sharp[0]).all()
    assert (sums == sharp[1]).all()


def test_a_frame_packs_each_rectangle_once() -> None:
    frame = framed(LAPTOP, posed(20, -30), Light(load("studio"), 1.0), COLORS)
    assert rectangle(frame, SLABS["lid"], True) is rectangle(frame, SLABS["lid"], True)
    assert rectangle(frame, SLABS["lid"], True) is not rectangle(frame, SLABS["lid"], False)
