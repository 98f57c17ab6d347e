"""Folded devices: two halves of a screen show one picture and meet without a seam."""

from __future__ import annotations

from itertools import product
from typing import Any

import cv2
import numpy as np
import pytest

from benchmarks.solid import frame as posed
from benchmarks.solid import solid
from service.arrays import F32, F64, U8
from service.clock import Clock
from service.devices.device import Device, catalogue
from service.render.compose import exposure, shot
from service.render.geometry.bend import turn
from service.render.geometry.camera import Camera
from service.render.geometry.face import plane
from service.render.geometry.mesh import mesh
from service.render.geometry.raster import Box, Samples
from service.render.geometry.rotation import rotation
from service.render.light.environment import load
from service.render.light.shading import Light
from service.render.light.tint import Colors
from service.render.paint import screens
from service.render.paint.cover import behind
from service.render.passes import faces, reflections
from service.render.passes.target import Target
from service.render.plates import plate
from service.settings.scene import Scene
from tests.render import posing
from tests.render.posing import PLAIN, framed, scene

FOLDED = [device.id for device in catalogue().values() if device.slabs[0].halves != (0,)]
POSES = [(0, 0, 0), (20, -35, 8), (35, 40, 0), (-15, 30, -5)]


def posed_scene(
    identifier: str, angles: tuple[int, ...], size: tuple[int, int], *, fast: bool = False, **more: Any
) -> Scene:
    axes = ("X", "Y", "Z")
    given = {
        "device": identifier,
        "canvas.width": 480,
        "canvas.height": 480,
        "reflection.enabled": False,
        **{f"deviceTransform.rotation{axis}": angle for axis, angle in zip(axes, angles, strict=True)},
    }
    return scene(given | more, size, fast=fast)


def shown(wanted: Scene, picture: U8, *, fast: bool = False) -> U8:
    seen = screens.view(wanted.spec)
    made = plate.build(wanted.spec, Clock(), seen)
    size = (picture.shape[1], picture.shape[0])
    shots = [
        shot.expose(picture, shot.place(size, at.size, wanted.fit), wanted.fit, one, Clock(), fast=fast)
        if one
        else None
        for one, at in zip(made.screens, seen.screens, strict=True)
    ]
    return np.concatenate(list(exposure.bands(made, shots, wanted.effects, Clock())))


def fold(device: Device, samples: int = 60) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Points along the middle of the fold in the screen, (n, 3) device mm."""
    body, screen = device.slabs[0], device.screen
    assert body.bend is not None
    at = plane(body, True, 1)
    along = 0 if body.bend.axis == "x" else 1
    reach = screen.size[along] * 0.4
    shares = np.linspace(-reach, reach, samples)
    up = np.full(samples, body.bend.reach)
    x, y = (shares, up) if along == 0 else (up, shares)
    return at.origin + x[:, None] * at.x + y[:, None] * at.y


def test_there_are_three_foldables() -> None:
    assert sorted(FOLDED) == [
        "galaxy-z-flip-7-half-open",
        "galaxy-z-fold-7-half-open",
        "pixel-10-pro-fold-half-open",
    ]


def across_the_fold(code: int, given: dict[str, Any], *, fast: bool = False) -> F64:
    """Code values (60,) of a screen of one `code` across the fold, less their median."""
    size = {"canvas.width": 600, "canvas.height": 400}
    pixels = np.full((200, 200, 3), code, np.uint8)
    picture = posing.picture(pixels, {**PLAIN, **size, **given}, fast=fast)
    seen = picture[150:250, 270:330].astype(np.float64).mean(axis=(0, 2))
    return np.asarray(seen - np.median(seen), np.float64)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("identifier", ["galaxy-z-fold-7", "pixel-10-pro-fold"])
def test_a_crease_shows_on_white_and_on_black(identifier: str, fast: bool) -> None:
    """A light screen is darker along the fold, a dark one lighter."""
    light, dark = (across_the_fold(code, {"device": identifier}, fast=fast) for code in (250, 0))
    assert -25 < light.min() < -8
    assert 4 < dark.max() < 40


@pytest.mark.parametrize("identifier", FOLDED)
def test_halves_are_those_of_the_flat_screen(identifier: str) -> None:
    device, flat = catalogue()[identifier], catalogue()[identifier.removesuffix("-half-open")]
    assert [screen.half for screen in device.screens] == [1, -1]
    areas = [screen.part[2] * screen.part[3] for screen in device.screens]
    assert sum(areas) == pytest.approx(1)
    assert all(screen.px == flat.screen.px for screen in device.screens)
    whole = flat.screen.size[0] * flat.screen.size[1]
    assert sum(s.size[0] * s.size[1] for s in device.screens) == pytest.approx(whole, rel=1e-4)
    assert sum(len(screen.cutouts) for screen in device.screens) == 1
    # The cut-out is as far from the corner of the screen as on the unfolded device.
    (one,) = [screen for screen in device.screens if screen.cutouts]
    cutout, original = one.cutouts[0], flat.screen.cutouts[0]
    for axis in (0, 1):
        ends = [s.size[axis] / 2 - c.center[axis] for s, c in ((one, cutout), (flat.screen, original))]
        same_way = one.size[axis] == pytest.approx(flat.screen.size[axis], abs=1e-3)
        assert ends[0] == pytest.approx(ends[1], abs=1e-3) or not (same_way or one.half > 0)


@pytest.mark.parametrize("identifier", FOLDED)
@pytest.mark.parametrize("orientation", ["portrait", "landscape", "landscape-right"])
def test_both_halves_place_the_picture_alike_along_the_fold(identifier: str, orientation: str) -> None:
    device = catalogue()[identifier]
    if orientation not in device.standings:
        return
    size = device.screen.px if orientation == "portrait" else device.screen.px[::-1]
    wanted = posed_scene(identifier, (20, -35, 8), size, orientation=orientation)
    seen = screens.view(wanted.spec)
    places = seen.stage.cameras[0].project(fold(device))
    found = []
    for at in seen.screens:
        back = np.linalg.inv(at.matrix) @ np.column_stack([places, np.ones(len(places))]).T
        found.append((back[:2] / back[2]).T)
    assert found[0] == pytest.approx(found[1], abs=1e-3)
    # The halves' parts of the screenshot make up the whole, whether the device is upright or turned.
    parts = np.array([at.part for at in seen.screens])
    assert (parts[:, 2] * parts[:, 3]).sum() == pytest.approx(1)


# `make test` shows each device in each pose, by turns as a preview.
SEAMS = [
    pytest.param(identifier, angles, fast, marks=[] if (one + pose) % 2 == fast else [pytest.mark.thorough])
    for one, identifier in enumerate(FOLDED)
    for pose, angles in enumerate(POSES)
    for fast in (False, True)
]


@pytest.mark.long
@pytest.mark.parametrize(("identifier", "angles", "fast"), SEAMS)
def test_no_seam_shows_along_the_fold(identifier: str, angles: tuple[int, ...], fast: bool) -> None:
    device = catalogue()[identifier]
    white = np.full((device.screen.px[1] // 4, device.screen.px[0] // 4, 3), 255, np.uint8)
    wanted = posed_scene(identifier, angles, (white.shape[1], white.shape[0]), fast=fast)
    picture = shown(wanted, white, fast=fast)
    places = screens.view(wanted.spec).stage.cameras[0].project(fold(device, 200)).astype(np.float32)
    seen = cv2.remap(picture, places[None, :, 0] - 0.5, places[None, :, 1] - 0.5, cv2.INTER_NEAREST)
    assert seen.min() >= (225 if fast else 250)


@pytest.mark.parametrize("identifier", FOLDED)
def test_a_line_drawing_shows_both_halves(identifier: str) -> None:
    device = catalogue()[identifier]
    black = np.zeros((device.screen.px[1] // 4, device.screen.px[0] // 4, 3), np.uint8)
    style: dict[str, Any] = {"appearance.style": "outline"}
    wanted = posed_scene(identifier, (10, -30, 4), (black.shape[1], black.shape[0]), **style)
    picture = shown(wanted, black)
    for at in screens.view(wanted.spec).screens:
        left, top, wide, high = at.part
        # These points of each half avoid cut-outs and edges.
        for x, y in product((0.2, 0.5, 0.8), (0.3, 0.5, 0.8)):
            place = (left + x * wide - 0.5) * at.size[0], (0.5 - top - y * high) * at.size[1]
            u, v, w = at.matrix @ [*place, 1.0]
            assert picture[int(v / w), int(u / w)].max() < 12


@pytest.mark.parametrize("identifier", FOLDED)
def test_halves_of_a_folded_slab_meet_in_its_fold(identifier: str) -> None:
    body = catalogue()[identifier].slabs[0]
    bend = body.bend
    assert bend is not None
    along = turn(bend) @ [0, 1, 0]
    for front in (True, False):
        lower, upper = (plane(body, front, side) for side in (-1, 1))
        angle = np.degrees(np.arccos(np.clip(lower.normal @ upper.normal, -1, 1)))
        assert angle == pytest.approx(abs(bend.angle), abs=1e-6)
    points = [
        at.origin + at.x * side * bend.reach * along[0] + at.y * side * bend.reach * along[1]
        for side in (-1, 1)
        for at in [plane(body, True, side)]
    ]
    assert points[0] == pytest.approx(points[1], abs=1e-5)
    # The triangles and faces of both halves together make up the whole.
    shape = mesh(body)
    assert len(shape.half(-1).triangles) + len(shape.half(1).triangles) == len(shape.triangles)
    assert len(shape.caps) == 4


@pytest.mark.parametrize("identifier", FOLDED)
def test_parts_of_a_half_stand_on_it(identifier: str) -> None:
    device, flat = catalogue()[identifier], catalogue()[identifier.removesuffix("-half-open")]
    body = device.slabs[0]
    for slab in device.slabs[1:]:
        original = flat.slab(slab.name)
        axis = 1 if body.bend is not None and body.bend.axis == "x" else 0
        side = 1 if original.center[axis] > 0 else -1
        here, there = plane(body, True, side), plane(flat.slabs[0], True)
        heights = [
            (np.array(one.center) - at.origin) @ at.normal for one, at in ((slab, here), (original, there))
        ]
        assert heights[0] == pytest.approx(heights[1], abs=1e-4)
        assert np.cross(slab.x, slab.y) @ here.normal == pytest.approx(
            np.cross(original.x, original.y) @ there.normal, abs=1e-5
        )


@pytest.mark.long
@pytest.mark.parametrize("identifier", FOLDED)
def test_the_path_tracers_solid_is_folded_alike(identifier: str) -> None:
    body = catalogue()[identifier].slabs[0]
    traced, place, shape = solid(body), posed(body), mesh(body)
    points = traced.points @ place[:3, :3].T + place[:3, 3]
    for axis in range(3):
        assert points[:, axis].min() == pytest.approx(shape.points[:, axis].min(), abs=0.05)
        assert points[:, axis].max() == pytest.approx(shape.points[:, axis].max(), abs=0.05)


@pytest.mark.parametrize("inwards", [True, False])
def test_halves_that_face_each_other_mirror_each_other(inwards: bool) -> None:
    """Next to the fold, each half mirrors the glass of the other half instead of the sky."""
    camera = Camera(rotation(10, -30 if inwards else 45, 0), 4.0, 1500.0, (480.0, 480.0), 960, 960)
    device = catalogue()["galaxy-z-fold-7-half-open"]
    slab, light = device.slabs[0], Light(load("city"), 1.0, "natural")
    assert slab.bend is not None
    if not inwards:
        slab = slab.model_copy(update={"bend": slab.bend.model_copy(update={"angle": 50.0})})
    frame = framed(device, camera, light, Colors(np.full(3, 0.5, np.float32)))
    whole, at = Box(0, 0, camera.width, camera.height), plane(slab, True, 1)
    target = Target(mesh(slab), 1, whole, np.full((960, 960), 255, np.uint8), Clock())
    faces.paint(frame, slab, target)
    surface = next(one for one in target.surfaces if one.front)
    before = surface.mirrored.copy()
    reflections.paint(frame, slab, target)
    near, far = (
        np.floor(camera.project(at.origin + away * at.x + np.linspace(-60, 60, 25)[:, None] * at.y)).astype(
            int
        )
        - (surface.box.x, surface.box.y)
        for away in (6.0, 60.0)
    )
    darker = surface.mirrored[near[:, 1], near[:, 0]] < 0.5 * before[near[:, 1], near[:, 0]]
    assert (darker == inwards).all()
    assert (surface.mirrored[far[:, 1], far[:, 0]] == before[far[:, 1], far[:, 0]]).all()


@pytest.mark.parametrize("exact", [True, False])
def test_a_gain_behind_the_nearer_half_is_cut_where_that_half_ends(exact: bool) -> None:
    box = Box(0, 0, 12, 3)
    near, far = Samples.none(box), Samples.none(box)
    near.hit[:, :6], far.hit[:] = 1, 1
    far.rgb[:] = 0.5
    gains: dict[int, F32] = {}
    behind(near, gains, far, {2: np.full((3, 12), 0.75, np.float32)}, exact=exact)
    assert (near.hit == 1).all()
    assert near.rgb[1, :, 0].tolist() == [0] * 6 + [0.5] * 6
    # Gains that are not exact reach one pixel farther.
    hidden = 6 if exact else 5
    assert gains[2][1].tolist() == [0] * hidden + [0.75] * (12 - hidden)


def test_a_crease_of_clay_adds_no_light_to_a_black_screen() -> None:
    assert np.ptp(across_the_fold(0, {"device": "galaxy-z-fold-7", "appearance.style": "clay"})) < 1


@pytest.mark.parametrize("pose", ["hero-left", "hero-right"])
def test_the_outside_of_a_fold_is_painted_up_to_its_outline(pose: str) -> None:
    given = {"device": "galaxy-z-flip-7-half-open", "deviceTransform.pose": pose, "shadow.enabled": False}
    made = plate.build(
        scene({**given, "canvas.width": 1600, "canvas.height": 1200}, (1080, 2640)).spec, Clock()
    )
    unlit = made.base[..., :3].max(axis=2) == 0
    for layer in made.screens:
        if layer is not None:
            unlit[layer.box.slices] &= layer.gain == 0
    assert not unlit.any()
