"""Skia on the CPU, through skia-python."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import numpy as np

from benchmarks.speed.contender import Basis
from benchmarks.speed.sketch import BODY, GLARE, Plane, Sketch


class Skia(Basis):
    """A raster surface: perspective matrices, a blur mask filter, gradient shaders, its own encoders."""

    name = "Skia, CPU"
    note = "raster surface, perspective matrices, blur filter, its own decoder and encoders"

    def absent(self) -> str | None:
        return None if importlib.util.find_spec("skia") else "skia-python is not installed"

    def open(self, screenshot: bytes) -> None:
        super().open(screenshot)
        self._skia: Any = importlib.import_module("skia")
        self._noise = np.random.default_rng(1).normal(128, 1, (256, 256))

    def draw(self, sketch: Sketch) -> bytes:
        skia = self._skia
        width, height = sketch.size
        surface = skia.Surface(width, height)
        canvas = surface.getCanvas()
        start, end = sketch.gradient
        colors = [skia.Color(*color[:3]) for color in sketch.colors]
        shader = skia.GradientShader.MakeLinear([skia.Point(*start), skia.Point(*end)], colors)
        canvas.drawPaint(skia.Paint(Shader=shader, Dither=True))
        # The filter blurs the posed silhouette in output pixels, as a shadow on the wall is.
        blur = skia.ImageFilters.Blur(sketch.shadow_sigma, sketch.shadow_sigma)
        canvas.saveLayer(None, skia.Paint(ImageFilter=blur, Alphaf=sketch.shadow_opacity))
        canvas.translate(*sketch.shadow_offset)
        self._plane(canvas, sketch.body, skia.Paint(Color=skia.ColorBLACK, AntiAlias=True))
        canvas.restore()
        self._plane(canvas, sketch.body, skia.Paint(Color=skia.Color(*BODY), AntiAlias=True))
        image = skia.Image.MakeFromEncoded(skia.Data.MakeWithoutCopy(self.screenshot))
        self._screen(canvas, sketch, image)
        if sketch.case.effects:
            self._effects(surface, sketch)
        kind = {"png": skia.kPNG, "jpeg": skia.kJPEG, "webp": skia.kWEBP}[sketch.case.format]
        return bytes(surface.makeImageSnapshot().encodeToData(kind, 85))

    def _plane(self, canvas: Any, plane: Plane, paint: Any) -> None:
        skia = self._skia
        canvas.save()
        canvas.concat(skia.Matrix(list(map(float, plane.matrix.ravel()))))
        canvas.drawRoundRect(skia.Rect.MakeWH(*plane.size), plane.radius, plane.radius, paint)
        canvas.restore()

    def _screen(self, canvas: Any, sketch: Sketch, image: Any) -> None:
        skia = self._skia
        plane = sketch.screen
        area = skia.Rect.MakeWH(*plane.size)
        canvas.save()
        canvas.concat(skia.Matrix(list(map(float, plane.matrix.ravel()))))
        canvas.clipRRect(skia.RRect.MakeRectXY(area, plane.radius, plane.radius), True)
        sampling = skia.SamplingOptions(skia.FilterMode.kLinear, skia.MipmapMode.kLinear)
        canvas.drawImageRect(image, area, sampling)
        points = [skia.Point(0, 0), skia.Point(plane.size[0] / 2, plane.size[1] / 2)]
        glare = skia.GradientShader.MakeLinear(points, [skia.Color4f(1, 1, 1, GLARE).toColor(), 0x00FFFFFF])
        canvas.drawRect(area, skia.Paint(Shader=glare, BlendMode=skia.BlendMode.kScreen))
        canvas.restore()

    def _effects(self, surface: Any, sketch: Sketch) -> None:
        skia = self._skia
        width, height = sketch.size
        canvas = surface.getCanvas()
        glow = sketch.glow
        # Subtract the threshold, scale the rest to the full range, blur it, and screen it over the picture.
        gain = 1 / (1 - glow.threshold)
        lift = -glow.threshold * gain
        rows = [[gain * (i == j) for j in range(4)] + [lift] for i in range(3)]
        matrix = [value for row in rows for value in row] + [0, 0, 0, 1, 0]
        bright = skia.ImageFilters.ColorFilter(skia.ColorFilters.Matrix(matrix))
        blurred = skia.ImageFilters.Blur(glow.sigma, glow.sigma, skia.TileMode.kClamp, bright)
        canvas.drawImage(
            surface.makeImageSnapshot(), 0, 0, skia.SamplingOptions(),
            skia.Paint(ImageFilter=blurred, BlendMode=skia.BlendMode.kScreen, Alphaf=glow.strength),
        )  # fmt: skip
        radius = float(np.hypot(width, height) / 2)
        dark = skia.Color4f(0, 0, 0, sketch.vignette).toColor()
        shade = skia.GradientShader.MakeRadial(
            skia.Point(width / 2, height / 2), radius, [0x00000000, 0x00000000, dark], [0, 0.45, 1]
        )
        canvas.drawPaint(skia.Paint(Shader=shade))
        noise = np.clip(128 + (self._noise - 128) * sketch.grain, 0, 255).astype(np.uint8)
        tile = np.dstack([noise] * 3 + [np.full_like(noise, 255)])
        grain = skia.Image.fromarray(np.ascontiguousarray(tile)).makeShader(
            skia.TileMode.kRepeat, skia.TileMode.kRepeat, skia.SamplingOptions()
        )
        canvas.drawPaint(skia.Paint(Shader=grain, BlendMode=skia.BlendMode.kOverlay))
