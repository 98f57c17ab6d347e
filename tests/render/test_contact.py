"""Contact shadows of raised parts."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from service.arrays import F32, F64
from service.devices.device import Slab, Surface, catalogue
from service.render.geometry.camera import Camera
from service.render.geometry.face import Plane, plane
from service.render.geometry.face import wall as side
from service.render.geometry.mesh import pose
from service.render.geometry.raster import Box
from service.render.light.brdf import parts
from service.render.light.environment import load
from service.render.light.hemisphere import TURNS, rays
from service.render.light.shading import Ground, Light
from service.render.light.tint import Colors
from service.render.material import SURFACES, Material
from service.render.paint import contact
from service.render.paint.contact import (
    LARGEST,
    ContactShadow,
    PartForm,
    contact_shadows,
    darken,
    distances,
    faced,
    glossy,
)
from tests.render.posing import flat, framed, picture, posed, to_linear

PIXEL = catalogue()["pixel-9-pro"]
PHONE = {slab.name: slab for slab in PIXEL.slabs}
BACK, BAR = plane(PHONE["body"], False), PHONE["camera"]
GREY = np.full(3, 0.7, np.float32)
SIDE = 600  # px
SHARP = 100.0  # px per mm of a canvas on which shadows have all of their detail
#: Places beside the bar, in mm from its middle along the axes of the face; the last one is far away.
PLACES = [(0.0, -13.0), (10.0, -14.5), (0.0, 12.8), (-31.0, 0.0), (32.5, 0.0), (0.0, -60.0)]


def ground(camera: Camera, light: Light, color: F32 = GREY, surface: Surface = "clay") -> Ground:
    normal = camera.view(BACK.normal[None])[0].astype(np.float32)
    return Ground(normal, SURFACES[surface], color, light)


def found(
    camera: Camera, name: str = "studio", part: Slab = BAR, color: F32 = GREY, of: F32 = GREY,
    surface: Surface = "clay",
) -> ContactShadow:  # fmt: skip
    light = Light(load(name), 1.0)
    frame, below = framed(PIXEL, camera, light, Colors(color)), ground(camera, light, of, surface)
    (made,) = contact_shadows(frame, [part], BACK, below)
    return made


def at(made: ContactShadow, places: F64) -> F64:
    """The share of light lost (n,) at places (n, 2), which are given from the middle of the part along the
    face's axes."""
    shown = made.picture(SHARP).mean(axis=2)
    width, height = made.size
    # The part's x axis is parallel to the face's.
    x = (places[:, 0] / width + 0.5) * shown.shape[1] - 0.5
    y = (0.5 - places[:, 1] / height) * shown.shape[0] - 0.5
    pixels = cv2.remap(shown, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(pixels.ravel(), np.float64)


def hidden(camera: Camera, places: F64, name: str, mirrored: int | None = None) -> F64:
    """The share of light (n,) that a black prism in place of the bar hides from places (n, 2), by sampling.

    With `mirrored`, the share of the mirrored light that comes from the walls along that axis of the prism.
    """
    random = np.random.default_rng(4)
    height, turn = random.random(6000), 2 * np.pi * random.random(6000)
    along = np.stack([np.sqrt(height) * np.cos(turn), np.sqrt(height) * np.sin(turn), np.sqrt(1 - height)], 1)
    toward = along @ camera.view(np.stack([BACK.x, BACK.y, BACK.normal]))
    light = Light(load(name), 1.0).reflected(toward.astype(np.float32), 0.24).mean(axis=1)
    thrown = light
    if mirrored is not None:
        turned = along.copy()
        turned[:, mirrored] *= -1
        toward = turned @ camera.view(np.stack([BACK.x, BACK.y, BACK.normal]))
        thrown = Light(load(name), 1.0).reflected(toward.astype(np.float32), 0.24).mean(axis=1)
    _, center = pose(BAR)
    rise = float((center - BACK.origin) @ BACK.normal) + BAR.size[2] / 2
    steps = np.linspace(0, 1, 24)[1:, None, None] * rise * along[:, :2] / along[:, 2:]
    shares = [thrown[covered(place + steps).any(axis=0)].sum() / light.sum() for place in places]
    return np.array(shares)


def covered(places: F64) -> NDArray[np.bool_]:
    """Whether the bar lies over places (..., 2); its corners are arcs."""
    assert BAR.corner.exponent == 2
    radius = BAR.corner.extent
    beyond = np.maximum(np.abs(places) - np.array(BAR.size[:2]) / 2 + radius, 0)
    return np.asarray(np.hypot(beyond[..., 0], beyond[..., 1]) <= radius)


@pytest.mark.parametrize("name", ["studio", pytest.param("sunset", marks=pytest.mark.long)])
def test_a_black_part_removes_the_light_that_it_hides(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = np.zeros((len(rays()), 3), np.float32)
    monkeypatch.setattr(contact, "_thrown", lambda *_: (nothing, nothing))
    camera, places = posed(8, 160, 4.0), np.array(PLACES)
    truth = hidden(camera, places, name)
    prism = BAR.model_copy(update={"edge": 0.05})
    assert at(found(camera, name, prism), places[:5]) == pytest.approx(truth[:5], abs=0.07)
    assert np.ptp(truth) > 0.25
    assert truth[5] < 0.01


def test_a_bright_wall_reflects_light() -> None:
    camera, places = posed(8, 160, 4.0), np.array(PLACES[:5])
    black = found(camera, color=np.zeros(3, np.float32))
    assert (at(found(camera), places) < at(black, places) - 0.005).all()


def test_a_polished_wall_brightens_the_face() -> None:
    above = at(found(posed(0, 180, 4.0)), np.array([(0.0, 12.0)]))
    assert above[0] < -0.1


def test_a_polished_wall_reflects_light_like_a_mirror() -> None:
    camera, places = posed(-8, -155, 4.0), np.array([(0.0, 11.6), (0.0, 13.0), (0.0, -11.6), (0.0, -13.0)])
    prism = BAR.model_copy(update={"edge": 0.05})
    black, white = (
        at(found(camera, "sunset", prism, color=np.full(3, c, np.float32)), places) for c in (0, 1)
    )
    truth = hidden(camera, places, "sunset", mirrored=1)
    assert black - white == pytest.approx(truth, abs=0.04)


def test_a_red_face_makes_shade_red() -> None:
    gloss = BAR.model_copy(update={"surface": "gloss"})
    red = np.array([0.7, 0.1, 0.1], np.float32)
    lost = found(posed(8, 160, 4.0), part=gloss, color=red, of=red).table[:-1, :4].mean(axis=(0, 1))
    assert lost[0] < lost[1] - 0.03
    assert lost[0] < lost[2] - 0.03


def test_shade_grows_with_height() -> None:
    camera, places = posed(0, 180, 4.0), np.array([(0.0, -15.0), (0.0, -17.0)])
    low = BAR.model_copy(update={"size": (*BAR.size[:2], BAR.size[2] - 2)})
    assert (at(found(camera), places) > at(found(camera, part=low), places) + 0.05).all()


def test_shade_turns_with_the_light() -> None:
    sides = np.array([(0.0, -13.0), (0.0, 13.0)])
    (below, above), (below_turned, above_turned) = (
        at(found(posed(*angles)), sides) for angles in ((0, 180), (180, 0))
    )
    assert below > above + 0.05
    assert above_turned > below_turned + 0.05


def test_shade_lies_where_it_is_seen() -> None:
    camera = posed(8, 160, 4.0)
    made, box = found(camera), Box(0, 0, 800, 600)
    seen = made.left(camera, box)
    place = np.array([PLACES[0]])
    x, y = camera.project(made.at.origin + place[0, 0] * made.at.x + place[0, 1] * made.at.y[None])[0]
    assert 1 - seen[int(y), int(x)].mean() == pytest.approx(at(made, place)[0], abs=0.03)
    part = Box(300, 100, 200, 150)
    assert made.left(camera, part) == pytest.approx(seen[part.slices], abs=0.02)
    rgb = np.ones((600, 800, 3), np.float32)
    darken(rgb, box, [made], camera)
    assert rgb[part.slices] == pytest.approx(seen[part.slices], abs=0.02)


def test_without_parts_no_light_is_lost() -> None:
    camera, light = posed(8, 160, 4.0), Light(load("studio"), 1.0)
    flush = BAR.model_copy(update={"center": (*BAR.center[:2], BAR.center[2] + 4)})
    assert (
        contact_shadows(framed(PIXEL, camera, light, Colors(GREY)), [flush], BACK, ground(camera, light))
        == []
    )


def test_a_large_part_has_no_larger_picture() -> None:
    corner = BAR.corner.model_copy(update={"extent": 40.0})
    large = BAR.model_copy(update={"size": (900.0, 400.0, 300.0), "corner": corner})
    made = found(posed(0, 180, 4.0), part=large)
    assert max(made.picture(SHARP).shape) <= LARGEST + 2


def test_a_shadow_is_as_large_as_its_part() -> None:
    def scaled(times: float) -> Slab:
        _, center = pose(BAR)
        corner = BAR.corner.model_copy(update={"extent": BAR.corner.extent * times})
        rise = float((center - BACK.origin) @ BACK.normal) + BAR.size[2] / 2
        deep = BAR.size[2] + 2 * (times - 1) * rise
        size = (BAR.size[0] * times, BAR.size[1] * times, deep)
        return BAR.model_copy(update={"size": size, "edge": BAR.edge * times, "corner": corner})

    camera = posed(0, 180, 4.0)
    low, high = (found(camera, part=scaled(times)) for times in (1, 10))
    assert high.form.rise == pytest.approx(10 * low.form.rise)
    places = np.array([[0.0, -BAR.size[1] / 2 - away * low.form.rise] for away in (0.2, 1.0, 3.0)])
    # The picture of a very large shadow has fewer px.
    assert np.abs(at(high, 10 * places) - at(low, places)).max() < 0.01
    assert at(low, places)[0] > 0.15


def test_the_shadow_of_a_small_part_has_less_detail(monkeypatch: pytest.MonkeyPatch) -> None:
    camera = posed(0, 160, 0.5)
    made = found(camera)
    assert made.picture(camera.k).shape[0] <= made.picture(SHARP).shape[0] / 2
    box = made.box(camera)
    few = made.left(camera, box)
    monkeypatch.setattr(contact, "SMALL", 0)
    assert np.abs(few - made.left(camera, box)).max() < 0.02


def test_the_foot_of_a_wall_sees_the_face_in_its_shade() -> None:
    made = found(posed(0, 180, 4.0))
    normals = np.tile([0.0, -1.0, 0.0], (4, 1))
    height = made.level + np.array([0.0, 1.0, 3.0, 30.0])
    toward = np.tile([0.0, -0.7, 0.7], (4, 1))
    for matt in (True, False):
        left = made.below(height, normals, toward, matt).mean(axis=1)
        assert max(left[:2]) < 0.6
        assert left[2] > max(left[:2]) + 0.1
        assert left[3] == pytest.approx(1, abs=0.05)


def test_buttons_shade_their_wall() -> None:
    phone, camera = catalogue()["iphone-16-pro"], posed(0, 25, 4.0)
    wall = Plane(
        np.array([-35.75, 0, 0]), np.array([0, 1.0, 0]), np.array([0, 0, 1.0]), np.array([-1.0, 0, 0])
    )
    button = next(slab for slab in phone.slabs if slab.name == "volume-up")
    light, metal = Light(load("studio"), 1.0), SURFACES["titanium"]
    below = Ground(camera.view(wall.normal[None])[0].astype(np.float32), metal, GREY, light)
    (made,) = contact_shadows(framed(phone, camera, light, Colors(GREY)), [button], wall, below, metal)
    # Seen from the front, the part of the wall between the glass and the button mirrors the button; the part
    # behind it does not.
    front = np.sign(float(made.at.y[2]))
    near, far, away = at(made, np.array([(0, 1.6 * front), (0, -1.6 * front), (0, 3.5 * front)]))
    assert near > far + 0.1
    assert near > away + 0.1


def test_metal_faces_lose_the_light_hidden_in_their_lobe() -> None:
    """A turned metal back loses light on one side of a part, a matt back on both."""
    watch = {slab.name: slab for slab in catalogue()["apple-watch-ultra-3"].slabs}
    face, light, camera = plane(watch["body"], False), Light(load("softbox"), 1.0), posed(0, 150, 4.0)
    on = Ground(camera.view(face.normal[None])[0].astype(np.float32), SURFACES["titanium"], GREY, light)

    frame = framed(catalogue()["apple-watch-ultra-3"], camera, light, Colors(GREY))

    def sides(metal: Material | None) -> list[float]:
        (made,) = contact_shadows(frame, [watch["sensor"]], face, on, metal)
        return sorted(at(made, np.array([(14.7, 0.0), (-14.7, 0.0)])))

    bare, blasted, matt = (sides(one) for one in (SURFACES["titanium"], SURFACES["aluminium"], None))
    assert bare[0] < 0.1 < 0.5 < bare[1]
    assert matt[1] - matt[0] < 0.5 * (bare[1] - bare[0])
    assert bare[0] + 0.02 < blasted[0] < matt[0], "a part of it is matt"


def test_gloss_and_the_paint_below_lose_different_light() -> None:
    camera, light = posed(8, 160, 4.0), Light(load("studio"), 1.0)
    red = np.array([0.7, 0.0, 0.0], np.float32)
    lobe = Material(metal=True, roughness=SURFACES["frosted"].roughness)
    (metal,) = contact_shadows(
        framed(PIXEL, camera, light, Colors(GREY)), [BAR], BACK, ground(camera, light, red, "frosted"), lobe
    )
    both = found(camera, of=red, surface="frosted").table
    matt = found(camera, of=red, surface="clay").table
    # A red back reflects no green by itself, so green light on it is gloss.
    np.testing.assert_allclose(both[..., 1], metal.table[..., 1], atol=1e-5)
    assert np.abs(matt[..., 1] - metal.table[..., 1]).max() > 0.2
    red_of = [table[..., 0] for table in (both, matt, metal.table)]
    low, high = np.minimum(*red_of[1:]), np.maximum(*red_of[1:])
    assert ((red_of[0] > low - 0.03) & (red_of[0] < high + 0.03)).all()
    assert np.abs(red_of[0] - red_of[1]).mean() < 0.3 * np.abs(red_of[0] - red_of[2]).mean()


def test_the_rounded_edges_of_a_wall_take_no_shade() -> None:
    camera, light, metal = posed(0, -30, 4.0), Light(load("studio"), 1.0), SURFACES["titanium"]
    watch = catalogue()["apple-watch-ultra-3"]
    case, guard = watch.slab("body"), watch.slab("guard")
    wall = side(case, "right")
    below = Ground(camera.view(wall.normal[None])[0].astype(np.float32), metal, GREY, light)
    flat = case.size[2] / 2 - case.edge
    frame = framed(watch, camera, light, Colors(GREY))
    (whole,) = contact_shadows(frame, [guard], wall, below, metal)
    (made,) = contact_shadows(frame, [guard], wall, below, metal, (flat, case.edge))
    lost, all_lost = made.picture(SHARP), whole.picture(SHARP)
    # The part's y axis runs across the wall.
    across = np.abs((np.arange(len(lost)) + 0.5) / len(lost) - 0.5) * made.size[1]
    assert (lost[across < flat] == all_lost[across < flat]).all()
    assert not lost[across > flat + case.edge / 2].any()
    assert all_lost[across > flat + case.edge / 2].any()


def test_rays_of_metal_lie_around_the_mirror_direction() -> None:
    toward = np.array([0.6, 0.0, 0.8])
    along, weights = glossy(parts(0.12, 0.0, 48), toward)
    mean = (along * weights).sum(axis=0)
    assert mean / np.linalg.norm(mean) == pytest.approx([-0.6, 0, 0.8], abs=0.05)
    wide, _ = glossy(parts(0.33, 0.8, 48), np.array([0, 0, 1.0]))
    # Across the grain, which runs along x, the lobe is wider.
    assert wide[:, 1].std() > 2 * wide[:, 0].std()


def test_a_part_sunk_up_to_its_edge_hides_little() -> None:
    """A sunk part shows only the upper half of its rounded edge, so the part is lower at the places where
    rays meet it."""
    upright, sunk = (contact.PartForm(1.0, edge, 0.2, (0.0, 0.0)) for edge in (1.0, 2.0))
    whole, part = (contact.hidden(form)[0].astype(int) for form in (upright, sunk))
    assert (part <= whole).all()
    near = np.flatnonzero(contact.distances(1.0) < 0.5)
    rows = np.add.outer(np.arange(TURNS) * contact.STEPS, near)
    assert part[rows].sum() < 0.8 * whole[rows].sum()
    assert contact.hidden(sunk)[1].max() == 0, "it has no upright wall"
    assert upright.tilt == 0
    assert sunk.tilt == pytest.approx(np.radians(30))


@pytest.mark.parametrize("end", [-1, 1])
def test_a_bar_across_a_back_shades_its_rounded_border_too(end: int) -> None:
    phone = catalogue()["pixel-8"]
    bar, (_, height, _) = phone.slab("camera"), phone.body
    given = {
        "device": "pixel-8",
        "canvas.width": SIDE,
        "canvas.height": SIDE,
        "appearance.deviceColor": "Rose",
        "deviceTransform.rotationY": 180,
        "deviceTransform.fieldOfView": 0,
        "deviceTransform.framing": "upright",
        "shadow.enabled": False,
    }
    light = to_linear(picture(flat((0, 0, 0)), given)).mean(axis=2)
    k, foot = 0.78 * SIDE / height, bar.center[1] - bar.size[1] / 2

    def left(across: float) -> float:
        """The light close to the bar, divided by the light farther away."""
        rows = (round(SIDE / 2 - k * (foot - away)) for away in (1.0, 12.0))
        near, far = (light[row, round(SIDE / 2 + end * k * across)] for row in rows)
        return float(near / far)

    face, border = left(31.5), left(33.7)
    assert face < 0.8
    assert border == pytest.approx(face, abs=0.08)


def test_rays_meet_a_round_part_beside_its_nearest_place() -> None:
    radius, turn = 5.0, 0.4
    form = PartForm(1.6, 0.8, 1 / radius, (0.0, 0.0))
    facing = np.arange(TURNS)[:, None] * 2 * np.pi / TURNS
    away = radius + distances(form.rise)
    # The first point of the circle on a ray: start + length · way.
    start = np.stack(np.broadcast_arrays(away * np.cos(facing), away * np.sin(facing)), axis=-1)
    way = np.array([np.cos(turn), np.sin(turn)])
    along = start @ way
    root = along**2 - (start**2).sum(axis=-1) + radius**2
    meets = (root > 0) & (along < 0)
    point = start + (-along - np.sqrt(np.maximum(root, 0)))[..., None] * way
    found = faced(form, turn)[meets] - np.arctan2(point[..., 1], point[..., 0])[meets]
    assert meets.sum() > 100
    np.testing.assert_allclose((found + np.pi) % (2 * np.pi), np.pi, atol=1e-6)
    assert np.abs(faced(form, turn) - facing)[meets].max() > np.radians(30)
