"""Pillow and NumPy, written the ordinary way: whole layers, float arithmetic, alpha compositing."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, __version__

from benchmarks.speed.contender import Basis
from benchmarks.speed.sketch import BODY, GLARE, Plane, Sketch
from service.arrays import U8

SCALE = 10  # px per millimetre of the flat layers


class PillowNumpy(Basis):
    """The code that a programmer who knows Pillow and NumPy writes in an afternoon."""

    name = "Pillow + NumPy"
    note = f"Pillow {__version__}, whole layers composited one after the other"

    def draw(self, sketch: Sketch) -> bytes:
        picture = Image.fromarray(_gradient(sketch)).convert("RGBA")
        body = _rounded(sketch.body, BODY)
        shadow = _posed(_rounded(sketch.body, (0, 0, 0)), sketch.body, sketch.size, sketch.shadow_offset)
        shadow = shadow.filter(ImageFilter.GaussianBlur(sketch.shadow_sigma))
        alpha = shadow.getchannel("A").point(lambda value: value * sketch.shadow_opacity)
        shadow.putalpha(alpha)
        picture.alpha_composite(shadow)
        picture.alpha_composite(_posed(body, sketch.body, sketch.size))
        picture.alpha_composite(_posed(self._screen(sketch.screen), sketch.screen, sketch.size))
        picture = picture.convert("RGB")
        if sketch.case.effects:
            picture = _effects(picture, sketch)
        file = io.BytesIO()
        picture.save(file, sketch.case.format, quality=85)
        return file.getvalue()

    def _screen(self, plane: Plane) -> Image.Image:
        with Image.open(io.BytesIO(self.screenshot)) as opened:
            shot = opened.convert("RGB")
        size = (round(plane.size[0] * SCALE), round(plane.size[1] * SCALE))
        shot = shot.resize(size, Image.Resampling.LANCZOS)
        x, y = np.linspace(0, 1, size[0])[None], np.linspace(0, 1, size[1])[:, None]
        glare = GLARE * np.clip(1 - (x + y), 0, 1)
        lit = 255 - (255 - np.asarray(shot, np.float64)) * (1 - glare[..., None])
        layer = Image.fromarray(lit.astype(np.uint8)).convert("RGBA")
        layer.putalpha(_rounded(plane, (0, 0, 0)).getchannel("A"))
        return layer


def _gradient(sketch: Sketch) -> U8:
    width, height = sketch.size
    (x0, y0), (x1, y1) = sketch.gradient
    y, x = np.mgrid[0:height, 0:width]
    t = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / ((x1 - x0) ** 2 + (y1 - y0) ** 2)
    start, end = (np.array(color[:3]) for color in sketch.colors)
    return np.asarray(start + (end - start) * np.clip(t, 0, 1)[..., None], np.uint8)


def _rounded(plane: Plane, color: tuple[int, ...]) -> Image.Image:
    size = (round(plane.size[0] * SCALE), round(plane.size[1] * SCALE))
    layer = Image.new("RGBA", size, (*color, 0))
    box = (0, 0, size[0] - 1, size[1] - 1)
    ImageDraw.Draw(layer).rounded_rectangle(box, plane.radius * SCALE, fill=(*color, 255))
    return layer


def _posed(
    layer: Image.Image, plane: Plane, size: tuple[int, int], offset: tuple[float, float] = (0, 0)
) -> Image.Image:
    move = np.array([[1, 0, offset[0]], [0, 1, offset[1]], [0, 0, 1]])
    back = np.linalg.inv(move @ plane.matrix @ np.diag([1 / SCALE, 1 / SCALE, 1]))
    data = tuple((back / back[2, 2]).ravel()[:8])
    return layer.transform(size, Image.Transform.PERSPECTIVE, data, Image.Resampling.BICUBIC)


def _effects(picture: Image.Image, sketch: Sketch) -> Image.Image:
    width, height = sketch.size
    pixels = np.asarray(picture, np.float64)
    glow = sketch.glow
    bright = np.clip((pixels - 255 * glow.threshold) / (1 - glow.threshold), 0, 255).astype(np.uint8)
    blurred = np.asarray(Image.fromarray(bright).filter(ImageFilter.GaussianBlur(glow.sigma)), np.float64)
    pixels = 255 - (255 - pixels) * (1 - glow.strength * blurred / 255)
    y, x = np.mgrid[0:height, 0:width]
    distance = np.hypot(x / width * 2 - 1, y / height * 2 - 1) / np.sqrt(2)
    t = np.clip((distance - 0.45) / 0.6, 0, 1)
    pixels *= (1 - sketch.vignette * t * t * (3 - 2 * t))[..., None]
    pixels += np.random.default_rng(1).normal(0, sketch.grain, (height, width, 1))
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
