"""The mirror image in a floor: its place, its fading and blur, and where there is none."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from service.arrays import F32, F64, U8
from service.clock import Clock
from service.render.compose import exposure, shot
from service.render.geometry.camera import stage
from service.render.geometry.coverage import fill
from service.render.geometry.raster import Box
from service.render.paint.screens import locate
from service.render.plates import mirror, plate
from service.render.plates.depth import DepthMap
from service.render.plates.haze import hazed, levels, shares
from service.render.plates.mirror import _heights
from service.render.plates.shade import silhouettes
from service.settings.scene import Scene
from tests.render.posing import built, flat, picture, scene
from tests.render.posing import settings as read
from tests.render.test_arrangement import TABLET
from tests.render.test_arrangement import spec as arranged

SIZE = (603, 1311)
PHONE = {
    "device": "iphone-16-pro",
    "canvas.width": 480,
    "canvas.height": 400,
    "ground.kind": "floor",
    "deviceTransform.rotationX": 8,
    "deviceTransform.rotationY": -20,
    "deviceTransform.scale": 0.6,
    "deviceTransform.positionY": 0.35,
}
SHARP = {"ground.reflectivity": 0.9, "ground.roughness": 0}
ROUGH = {"ground.reflectivity": 0.9, "ground.roughness": 0.35}


def shown(pixels: U8, given: dict[str, Any], *, fast: bool = False) -> U8:
    """The picture, including the reflection of the screens in the floor."""
    of = scene(given, (pixels.shape[1], pixels.shape[0]), fast=fast)
    return composed(pixels, of)


def composed(pixels: U8, of: Scene) -> U8:
    """The picture of a scene in which all screens show the same screenshot."""
    made, size = built(of.spec), (pixels.shape[1], pixels.shape[0])
    shots = [
        shot.expose(pixels, shot.place(size, one.size, of.fit), of.fit, one, Clock(), fast=of.spec.fast)
        if one
        else None
        for one in made.layers
    ]
    return np.concatenate(list(exposure.bands(made, shots, of.effects, Clock())))


def marked(x: float, y: float) -> U8:
    """A black screenshot with a white square around `at`, which is in fractions of the screenshot's size."""
    pixels = flat((0, 0, 0), SIZE)
    left, top = round(x * SIZE[0]), round(y * SIZE[1])
    pixels[top - 30 : top + 30, left - 30 : left + 30] = 255
    return pixels


def reflected(given: dict[str, Any], x: float, y: float) -> F64:
    """The place on the canvas of the mirror image of a point of the screen, computed in three dimensions."""
    spec = scene(given, SIZE).spec
    seen, one = stage(spec), spec.instances[0]
    floor = mirror.glass(spec, seen)
    assert floor is not None
    at, camera = locate(one, one.device.screens[0]), seen.cameras[0]
    point = at.origin + (x - 0.5) * at.size[0] * at.x + (0.5 - y) * at.size[1] * at.y
    view = camera.view(point[None])[0] + seen.shift(0)
    up = floor.at.axes[2]
    below = view - 2 * ((view - floor.at.origin) @ up) * up
    k = seen.camera.k / (1 - below[2] / seen.camera.distance)
    return np.array([seen.camera.center[0] + k * below[0], seen.camera.center[1] - k * below[1]])


def device(given: dict[str, Any]) -> F32:
    """The coverage (h, w) of the device itself."""
    spec = scene(given, SIZE).spec
    return fill(list(silhouettes(spec, stage(spec))), Box(0, 0, spec.width, spec.height))


@pytest.mark.parametrize(("x", "y"), [(0.15, 0.95), (0.85, 0.9), (0.3, 0.6)])
def test_a_screen_is_mirrored_where_its_points_are(x: float, y: float) -> None:
    apart = shown(marked(x, y), PHONE | SHARP).astype(int) - shown(flat((0, 0, 0), SIZE), PHONE | SHARP)
    wanted = reflected(PHONE | SHARP, x, y)
    light = apart.sum(axis=2).astype(float)
    light[device(PHONE | SHARP) > 0] = 0
    rows, columns = np.indices(light.shape)
    found = np.array([(light * columns).sum(), (light * rows).sum()]) / light.sum() + 0.5
    assert np.abs(found - wanted).max() < 1


def test_text_is_upside_down_and_not_reversed() -> None:
    low, high = (reflected(PHONE | SHARP, 0.5, y) for y in (0.95, 0.5))
    left, right = (reflected(PHONE | SHARP, x, 0.95) for x in (0.1, 0.9))
    assert high[1] > low[1] + 20
    assert right[0] > left[0] + 20


def test_pictures_without_reflection_do_not_change() -> None:
    pixels = flat((40, 90, 220), SIZE)
    assert scene(PHONE, SIZE).spec == scene(PHONE | {"ground.roughness": 1}, SIZE).spec
    for kind in ("none", "wall", "auto"):
        plain = PHONE | {"ground.kind": kind}
        assert np.array_equal(picture(pixels, plain), shown(pixels, plain | SHARP))
    below = PHONE | {"deviceTransform.rotationX": -20}
    assert np.array_equal(picture(pixels, below), shown(pixels, below | SHARP))
    lines = PHONE | {"appearance.style": "outline"}
    assert np.array_equal(picture(pixels, lines), shown(pixels, lines | SHARP))


def test_the_image_grows_with_the_reflectivity_and_spares_the_device() -> None:
    pixels = flat((0, 0, 0), SIZE)
    plain = picture(pixels, PHONE)
    changes = [
        np.abs(shown(pixels, PHONE | SHARP | {"ground.reflectivity": part}).astype(int) - plain)
        for part in (0.1, 0.4, 1.0)
    ]
    assert 0 < changes[0].mean() < changes[1].mean() < changes[2].mean()
    assert not changes[2][device(PHONE) >= 1].any()


def test_the_image_fades_to_nothing() -> None:
    height = np.linspace(0, 1.2, 200, dtype=np.float32)
    fade = mirror.faded(height)
    assert fade[0] == 1
    assert (np.diff(fade) <= 0).all()
    assert np.abs(np.diff(fade)).max() < 0.02
    assert (fade[height >= 1] == 0).all()


def test_the_image_is_sharper_at_the_contact() -> None:
    """Stripes keep their contrast near the contact and lose it higher up; a sharp floor keeps both."""
    pixels = flat((0, 0, 0), SIZE)
    pixels[:, (np.arange(SIZE[0]) // 40) % 2 == 0] = 255
    dark = flat((0, 0, 0), SIZE)

    def contrast(given: dict[str, Any], y: float) -> float:
        lit = shown(pixels, given).astype(int) - shown(dark, given)
        white = shown(flat((255, 255, 255), SIZE), given).astype(int) - shown(dark, given)
        _, row = reflected(given, 0.5, y)
        ends = [int(reflected(given, x, y)[0]) for x in (0.2, 0.8)]
        part = lit[int(row), ends[0] : ends[1], 1] / np.maximum(white[int(row), ends[0] : ends[1], 1], 1)
        return float(part.std())

    near, far = (contrast(PHONE | ROUGH, y) for y in (0.97, 0.6))
    assert near > 2 * far
    assert contrast(PHONE | SHARP, 0.6) > 3 * far


def test_a_blurred_screen_keeps_its_light() -> None:
    """A white screenshot's reflection is as bright with haze as without, however wide the blur."""
    made = built(scene(PHONE | ROUGH, SIZE).spec)
    layer = made.mirrors[0]
    assert layer is not None
    assert layer.haze is not None
    size, of = SIZE, scene(PHONE | ROUGH, SIZE)
    white = shot.expose(
        flat((255, 255, 255), SIZE), shot.place(size, layer.size, of.fit), of.fit, layer, Clock(), fast=False
    )
    assert white[layer.gain > 2000].min() >= 252


def test_haze_conserves_light() -> None:
    light = np.zeros((160, 150), np.float32)
    light[60:100, 50:90] = 1
    sigma = np.tile(np.linspace(0, 6, 150, dtype=np.float32), (160, 1))
    parts = shares(levels(sigma), np.ones_like(light), light)
    seen = hazed(light, parts)
    assert seen.sum() == pytest.approx(light.sum(), rel=0.01)
    one = np.zeros((81, 81), np.float32)
    one[40, 40] = 1
    for width in (1.0, 4.0, 8.0):
        parts = shares(levels(np.full_like(one, width)), np.ones_like(one), np.ones_like(one))
        spot = hazed(one, parts)
        rows = (np.arange(81) - 40) ** 2
        assert np.sqrt((spot.sum(axis=1) * rows).sum() / spot.sum()) == pytest.approx(width, rel=0.12)


def test_transparent_pictures_have_the_image_in_their_alpha() -> None:
    clear = PHONE | SHARP | {"appearance.backgroundColor": "transparent", "shadow.enabled": False}
    pixels = flat((255, 255, 255), SIZE)
    seen = shown(pixels, clear)
    plain = picture(pixels, clear | {"ground.reflectivity": 0})
    x, y = (int(v) for v in reflected(clear, 0.5, 0.9))
    assert plain[y, x, 3] == 0
    assert 80 < seen[y, x, 3] < 255
    # Over a white background, both pictures are about equal.
    white = shown(pixels, clear | {"appearance.backgroundColor": "#FFFFFF"})
    alpha = seen[..., 3:] / 255
    laid = seen[..., :3] * alpha + 255 * (1 - alpha)
    apart = np.abs(laid - white)
    assert np.percentile(apart, 99.5) < 4


MONITOR = {"device": "imac-24", "deviceTransform.positionY": 0.4, "deviceTransform.scale": 0.5}


@pytest.mark.parametrize(
    "given",
    [SHARP, ROUGH, SHARP | MONITOR, ROUGH | MONITOR],
    ids=["sharp", "rough", "monitor", "hazy monitor"],
)
def test_previews_show_nearly_the_same(given: dict[str, Any]) -> None:
    pixels = marked(0.5, 0.9)
    full, fast = (shown(pixels, PHONE | given, fast=fast).astype(float) for fast in (False, True))
    beside = device(PHONE | given) == 0
    full, fast = (cv2.GaussianBlur(one * beside[..., None], (0, 0), 2)[beside] for one in (full, fast))
    assert np.abs(full - fast).mean() < 1
    assert np.percentile(np.abs(full - fast), 99.5) < 10


def test_large_pictures_are_mirrored_on_a_smaller_canvas(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = marked(0.5, 0.9)
    spec = scene(PHONE | ROUGH, SIZE)
    whole = composed(pixels, spec).astype(float)
    monkeypatch.setattr(mirror, "LARGEST", 60_000)
    built.cache_clear()
    small = composed(pixels, spec).astype(float)
    built.cache_clear()
    assert 0 < np.abs(whole - small).mean() < 0.5


def test_each_device_of_a_scene_is_mirrored_and_hides_those_behind() -> None:
    devices: list[dict[str, Any]] = [
        {"device": TABLET, "deviceTransform": {"rotationY": 20, "positionX": 0.2}},
        {"device": "iphone-16-pro", "deviceTransform": {"positionX": -0.2}, "depth": 120},
    ]
    given = {"canvas__width": 400, "canvas__height": 300, "ground__kind": "floor", "ground__reflectivity": 1}
    given |= {"ground__roughness": 0, "deviceTransform__rotationX": 14, "deviceTransform__scale": 0.6}
    given |= {"deviceTransform__positionY": 0.3}
    of = arranged(devices, **given)
    made = plate.build(of, Clock())
    gains = []
    for layer in made.mirrors:
        assert layer is not None
        whole = np.zeros((of.height, of.width), np.float32)
        whole[layer.box.slices] = layer.gain
        gains.append(whole)
    tablet, phone = gains
    # Where the reflections of both devices overlap, that of the nearer device hides the other.
    assert (phone > 3000).sum() > 100
    assert (tablet > 3000).sum() > 100
    assert not ((phone > 3000) & (tablet > 3000)).any()
    # The devices themselves hide the reflection.
    inside = fill(list(silhouettes(of, stage(of))), Box(0, 0, of.width, of.height)) >= 1
    assert max(tablet[inside].max(), phone[inside].max()) == 0


def test_heights_are_those_of_the_nearest_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pixels up to two px beyond a covered one take its distance, because edges have light, too."""
    up: F64 = np.array([0.1, 0.8, 0.3]) / np.sqrt(0.74)
    origin: F64 = np.array([1.0, -20.0, 3.0])
    camera = SimpleNamespace(distance=500.0, k=2.0, center=(9.0, 11.0))
    stage_, floor_ = SimpleNamespace(camera=camera), SimpleNamespace(height=17.0)
    floor_.at = SimpleNamespace(axes=np.stack([np.eye(3)[0], np.eye(3)[1], up]), origin=origin)
    away = np.full((15, 15), np.inf, np.float16)
    away[7, 6] = 100
    monkeypatch.setattr(mirror, "depth_map", lambda *_: DepthMap(Box(5, 4, 15, 15), away, 0.0, 2.0))
    given: Any = ((), stage_, floor_, Box(3, 5, 14, 12), Clock())
    found, want = _heights(*given), np.zeros((12, 14))
    for row in range(9, 14):
        for column in range(9, 14):
            x, y = ((column + 0.5 - 9) * 0.6, (11 - row - 0.5) * 0.6)
            below = origin - np.array([-x, y, -100.0])
            want[row - 5, column - 3] = min(below @ up, 17)
    np.testing.assert_allclose(found, want, atol=1e-4)
    assert (want == 17).any()
    assert ((want > 0) & (want < 17)).any()


@pytest.mark.parametrize(("name", "value"), [("reflectivity", 1.1), ("roughness", -0.1), ("roughness", "x")])
def test_mistakes_name_the_member(name: str, value: object) -> None:
    with pytest.raises(Exception, match=name):
        read({f"ground.{name}": value})
