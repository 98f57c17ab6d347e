"""A plate composed with a screenshot equals the scene composited layer by layer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from service.arrays import F64, U8
from service.clock import Clock
from service.render import body
from service.render.geometry.camera import aim, stage
from service.render.geometry.raster import Box
from service.render.geometry.silhouette import outlines
from service.render.light.falloff import falloff
from service.render.light.frame import Frame
from service.render.light.shading import Light
from service.render.light.spill import surroundings
from service.render.paint.canvas import Canvas
from service.render.paint.textures import TextureFiles
from service.render.plates import shade
from service.render.plates.spill import spill
from service.render.tone import linear
from service.settings.scene import PlateSpec, Scene
from tests.render.posing import built, picture, scene, to_code, to_linear, warped

CANVAS = {"canvas.width": 480, "canvas.height": 360}
Painted = tuple[Any, Any, Any, Box]

SCENES: dict[str, dict[str, Any]] = {
    "plain": {"shadow.enabled": False, "reflection.enabled": False},
    "default": {"deviceTransform.rotationY": -25},
    "gradient": {"appearance.gradientEnabled": True, "shadow.color": "#20104080", "shadow.opacity": 1},
    "glare": {"reflection.environment": "window", "reflection.intensity": 3, "deviceTransform.rotationY": 60},
    "natural glare": {
        "reflection.environment": "window",
        "reflection.glare": "natural",
        "deviceTransform.rotationY": -50,
    },
    "transparent": {"appearance.backgroundColor": "transparent", "deviceTransform.rotationX": 35},
    "tinted glass": {"appearance.backgroundColor": "#3060A040", "deviceTransform.rotationZ": 20},
    "laptop": {
        "device": "macbook-pro-14",
        "deviceTransform.rotationY": 30,
        "deviceTransform.rotationX": 8,
        "ground.kind": "none",
    },
    "window": {"device": "browser-chrome-light", "deviceTransform.rotationX": -40},
    "tablet on its side": {"device": "ipad-pro-11-m4", "orientation": "landscape"},
    "punch hole": {
        "device": "pixel-9-pro",
        "deviceTransform.rotationY": 75,
        "reflection.environment": "night",
    },
}


@pytest.fixture(autouse=True)
def _own_plates() -> Iterator[None]:
    """Plates of other tests are complete, and plates of these tests are not, so none are shared."""
    built.cache_clear()
    yield
    built.cache_clear()


@pytest.mark.parametrize("name", SCENES)
def test_the_plate_equals_its_layers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Pixels that several slabs share come from a finer picture, which `test_seams` tests; and edges are
    # softened in the finished canvas, which `test_softening` tests.
    monkeypatch.setattr(body, "tiles", lambda *_: ())
    monkeypatch.setattr(body, "softened", lambda _: None)
    pixels = screenshot()
    given = CANVAS | SCENES[name]
    of = scene(given, (pixels.shape[1], pixels.shape[0]))
    want = layered(of, pixels, monkeypatch)
    got = picture(pixels, given).astype(np.float64)
    difference = np.abs(got - want)
    if want.shape[2] == 4:
        # At low alpha, straight colour is inaccurate.
        difference[..., :3] *= want[..., 3:] / 255
    worst = np.unravel_index(difference.argmax(), difference.shape)
    assert difference.max() <= 1.5, f"{difference.max():.2f} levels at {worst}"
    assert difference.mean() < 0.5


def screenshot() -> U8:
    """A screenshot of soft colours with hard edges."""
    random = np.random.default_rng(3)
    coarse = random.integers(0, 256, (26, 12, 3), np.uint8)
    return np.ascontiguousarray(coarse.repeat(20, axis=0).repeat(20, axis=1))


def layered(of: Scene, pixels: U8, monkeypatch: pytest.MonkeyPatch) -> F64:
    """Background, shadow, slabs and the screen's light, composited in float64: (h, w, 3 or 4) code values.

    Slabs are composited in linear light, and the result over the background in code values. The screen's
    light, as far as slabs in front let it pass, is added in linear light.
    """
    spec = of.spec
    color, alpha = ground(spec)
    if spec.shadow is not None:
        canvas, fallen = Box(0, 0, spec.width, spec.height), np.zeros((spec.height, spec.width))
        cast = shade.cast(spec, stage(spec), outlines(of.device, aim(spec)))
        dark, left, top, _ = cast.part(canvas)
        fallen[top : top + dark.shape[0], left : left + dark.shape[1]] = dark
        color, alpha = over(color, alpha, np.array(spec.shadow.color[:3], float), fallen)
    made = built(spec)
    seen = warped(made, pixels, of)
    screen = np.zeros_like(color)
    for hole, shown in zip(made.screens, seen, strict=True):
        if hole is not None and shown is not None:
            screen[hole.box.slices] = to_linear(shown)
    rgb, light, cover = np.zeros_like(color), np.zeros_like(color), np.zeros_like(alpha)
    for part, opacity, gain, box in slabs(of, monkeypatch):
        at = box.slices
        mine = opacity.astype(np.float64)
        rest = 1 - mine
        rgb[at] = part.astype(np.float64) * mine[..., None] + rgb[at] * rest[..., None]
        light[at] *= rest[..., None]
        if gain is not None:
            light[at] += (gain * mine)[..., None] * screen[at]
        cover[at] = mine + cover[at] * rest
    safe = np.maximum(cover, 1e-9)[..., None]
    lit = of.device.id != "browser-chrome-light"
    light_of = Light(surroundings(spec.environment, spec.turn, spill(spec)), spec.light)
    tint = linear(spec.instances[0].tint)
    frame = Frame.of(of.device, TextureFiles(of.device), aim(spec), light_of, tint)
    fall = falloff(frame, Box(0, 0, spec.width, spec.height)) if lit else None
    if fall is not None:
        rgb *= (fall[0][:, None] * fall[1])[..., None]
    color, alpha = over(color, alpha, to_code(shouldered(rgb / safe) if lit else rgb / safe), cover)
    # Colours of transparent pictures are straight, so the screen's light is divided by the coverage.
    color = to_code(to_linear(color) + light / np.maximum(alpha, 1e-9)[..., None])
    return color if (alpha > 1 - 1e-9).all() else np.dstack([color, alpha * 255])


def shouldered(light: F64) -> F64:
    """The light with its highlights compressed: a mix of colours that turn paler and of channels compressed
    separately."""
    peak = light.max(axis=-1, keepdims=True)
    white = curve(peak)
    paler = white + (light * white / np.maximum(peak, 1e-9) - white) / (1 + 0.5 * (peak - white))
    return np.where(peak > 0.65, 0.4 * curve(light) + 0.6 * paler, light)


def curve(light: F64) -> F64:
    return np.where(light > 0.65, 1 - 0.35**2 / (np.maximum(light, 0.65) - 0.3), light)


def ground(spec: PlateSpec) -> tuple[F64, F64]:
    """The background's code values (h, w, 3) and alpha (h, w)."""
    size = (spec.height, spec.width)
    start = np.array(spec.background.stops[0].color, float)
    whole = np.broadcast_to(start, (*size, 4)).copy()
    if not spec.background.flat:
        y, x = np.mgrid[: spec.height, : spec.width] + 0.5
        angle = np.radians(spec.background.angle)
        dx, dy = np.sin(angle), -np.cos(angle)
        length = abs(spec.width * dx) + abs(spec.height * dy)
        t = ((x - spec.width / 2) * dx + (y - spec.height / 2) * dy) / length + 0.5
        whole = start + t[..., None] * (np.array(spec.background.stops[1].color, float) - start)
    return whole[..., :3], whole[..., 3] / 255


def over(color: F64, alpha: F64, top: F64, cover: F64) -> tuple[F64, F64]:
    """Straight code values over others, as browsers blend."""
    total = cover + alpha * (1 - cover)
    share = (cover / np.maximum(total, 1e-12))[..., None]
    return top * share + color * (1 - share), total


def slabs(of: Scene, monkeypatch: pytest.MonkeyPatch) -> list[Painted]:
    """The linear colour, coverage and gain of each slab, from back to front."""
    painted: list[Painted] = []
    original = Canvas.over

    def record(self: Canvas, rgb: Any, alpha: Any, gains: Any, box: Box) -> None:
        painted.append((rgb.copy(), alpha.copy(), gains[0].copy() if gains else None, box))
        original(self, rgb, alpha, gains, box)

    spec = of.spec
    light = Light(surroundings(spec.environment, spec.turn, spill(spec)), spec.light, spec.glare)
    with monkeypatch.context() as patch:
        patch.setattr(Canvas, "over", record)
        camera = aim(spec)
        frame = Frame.of(
            of.device, TextureFiles(of.device, camera.k), camera, light, linear(spec.instances[0].tint)
        )
        made = body.Body(frame)
        made.paint(made.box, Clock())
    return painted
