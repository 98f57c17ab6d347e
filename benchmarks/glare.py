"""Makes references with `reduced` glare from the traced ones, whose glare is `natural`.

Reduced glare limits only the light that a screen and the bezel around it mirror. That light is the
reference's light minus the light of the screenshot behind the glass. The latter is computed here without the
renderer's geometry; a bezel emits no light.
"""

from __future__ import annotations

import json
import math
from functools import lru_cache

import cv2
import numpy as np

from benchmarks.cases import FINE, FOV, HEIGHT, WIDTH, Case, Figure, View, gradient
from benchmarks.masks import mask
from benchmarks.solid import frame, half
from service.arrays import F32, F64
from service.devices.device import Screen
from service.shipped import FRAMES
from service.srgb import LINEAR

INDEX = 1.5  # index of refraction
ROOM = 0.02  # margin around a screen, as a share of its width and height


def reduced(light: F32, case: Case, pane: F32) -> F32:
    """Premultiplied linear light (h, w, 3) of the whole canvas, in which the light that glass mirrors is
    limited.

    `pane` (h, w) is the share of each pixel that shows glass around a screen.
    """
    shine, share = screenshot(case)
    share = np.minimum(share + pane, 1)
    mirrored = np.maximum(light - shine, 0)
    facts = json.loads((FRAMES / "environments" / case.environment / "environment.json").read_text())
    return np.asarray(light - share[..., None] * (mirrored - limited(mirrored, facts["glare"])), np.float32)


def limited(mirrored: F32, limit: float) -> F32:
    """Radiance (..., 3) whose strongest channel x has become limit · ln(1 + x / limit)."""
    peak = np.maximum(mirrored.max(axis=-1, keepdims=True), np.float32(1e-9))
    soft = limit * np.log(1 + peak.astype(np.float64) / limit)
    return np.asarray(mirrored * (soft / peak), np.float32)


def transmitted(cosine: F64) -> F64:
    """The share of light that passes smooth glass, by Fresnel's equations for unpolarised light."""
    inside = np.sqrt(1 - (1 - cosine * cosine) / INDEX**2)
    upright = (cosine - INDEX * inside) / (cosine + INDEX * inside)
    level = (INDEX * cosine - inside) / (INDEX * cosine + inside)
    return 1 - (upright * upright + level * level) / 2


@lru_cache(maxsize=1)
def screenshot(case: Case) -> tuple[F32, F32]:
    """The light (h, w, 3) of a case's screenshot behind the glass, and the share (h, w) of each pixel that it
    fills."""
    return shining(case.figures[0], case.view)


def shining(figure: Figure, view: View) -> tuple[F32, F32]:
    """The light and the share, as `screenshot` returns them, of all screens of a device that nothing
    hides."""
    shine, share = np.zeros((HEIGHT, WIDTH, 3), np.float32), np.zeros((HEIGHT, WIDTH), np.float32)
    for screen in figure.device.screens:
        _behind(shine, share, figure, view, screen)
    return shine, share


def _behind(shine: F32, share: F32, figure: Figure, view: View, screen: Screen) -> None:
    """Add the light of one screen."""
    device = figure.device
    slab = device.slab(screen.slab)
    own = frame(slab) @ half(slab, screen.half)
    place = figure.turn @ own[:3, :3], figure.turn @ own[:3, 3] + figure.middle
    (x, y, out), middle = place[0].T, place[1] + place[0] @ [*screen.center, slab.size[2] / 2]
    unit = 2 * math.tan(math.radians(FOV) / 2) / HEIGHT
    eye = np.array([0.0, 0.0, view.distance])
    if (eye - middle) @ out <= 0:
        return
    shape = mask(device, screen).astype(np.float32) / np.float32(255)
    shown = LINEAR[gradient(*(max(side // 4, 1) for side in screen.px))]
    left, top, wide, high = screen.part
    columns = (np.arange(WIDTH * FINE) + 0.5) / FINE - WIDTH / 2
    for row in range(HEIGHT):
        lines = HEIGHT / 2 - (row + (np.arange(FINE) + 0.5) / FINE)
        rays = np.stack(np.broadcast_arrays(columns * unit, lines[:, None] * unit, -1.0), axis=-1)
        far = ((middle - eye) @ out) / np.minimum(rays @ out, -1e-9)
        points = eye + rays * far[..., None] - middle
        u = (points @ x) / screen.size[0] + 0.5
        v = 0.5 - (points @ y) / screen.size[1]
        if not ((u > 0) & (u < 1) & (v > 0) & (v < 1)).any():
            continue
        # The range includes a margin, because the mask fades out within a pixel of its edge.
        there = ((u > -ROOM) & (u < 1 + ROOM)).any(axis=0).reshape(WIDTH, FINE).any(axis=1).nonzero()[0]
        first, last = int(there[0]), int(there[-1]) + 1
        rays, u, v = (each[:, first * FINE : last * FINE] for each in (rays, u, v))
        cosine = np.clip(-(rays @ out) / np.linalg.norm(rays, axis=-1), 0, 1)
        inside = _at(shape, u, v, cv2.BORDER_CONSTANT)
        light = _at(shown, left + u * wide, top + v * high, cv2.BORDER_REPLICATE)
        light *= (inside * transmitted(cosine))[..., None]
        shine[row, first:last] += light.reshape(FINE, -1, FINE, 3).mean(axis=(0, 2))
        share[row, first:last] += inside.reshape(FINE, -1, FINE).mean(axis=(0, 2))


def _at(picture: F32, u: F64, v: F64, border: int) -> F32:
    """A picture at fractions of its width and height, bilinear."""
    x, y = u * picture.shape[1] - 0.5, v * picture.shape[0] - 0.5
    found = cv2.remap(
        picture, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR, borderMode=border
    )
    return np.asarray(found, np.float32)
