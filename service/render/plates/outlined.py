"""A line drawing of a device over its backdrop; inside it, the background shows without the shadow."""

from __future__ import annotations

import numpy as np

from ...arrays import F32, U8
from ...clock import Clock
from ...settings.scene import PlateSpec
from ...srgb import LINEAR
from ..geometry.silhouette import outlines
from ..light.frame import Textures
from ..paint.linework import Drawing, Linework
from ..paint.screens import View
from ..tone import linear
from . import backdrop, shade, shadow
from .composite import Opening, blank, parts, trimmed

WIDTH, LEAST = 0.0018, 1.2  # the width of a line, in short sides of the canvas, and its least width, px


def build(
    spec: PlateSpec, textures: Textures, seen: View, clock: Clock
) -> tuple[U8, tuple[Opening | None, ...]]:
    """The canvas (h, w, 4) uint8 sRGB, straight alpha, and each screen's opening, or None if it is not
    visible."""
    camera = seen.stage.cameras[0]
    fallen = shade.cast(spec, seen.stage, outlines(spec.device, camera))
    base = backdrop.paint(lambda: fallen, spec, clock)
    inside = base if fallen is shadow.NONE else backdrop.paint(lambda: shadow.NONE, spec, clock)
    work = Linework(spec.device, textures, camera, max(WIDTH * min(spec.width, spec.height), LEAST))
    openings = [blank(screen.box(spec.width, spec.height)) for screen in seen.screens]
    for part, _ in parts(work.box):
        drawing = work.draw(part, clock)
        _lay(drawing, base[part.slices], inside[part.slices], spec.instances[0].tint[:3], openings)
    return base, tuple(trimmed(opening) for opening in openings)


def _lay(drawing: Drawing, under: U8, inside: U8, color: tuple[int, ...], openings: list[Opening]) -> None:
    """Composite a drawing over the backdrop `under`, in place, and its screens into their openings.

    `inside` is the backdrop without the shadow; both are (h, w, 4) uint8 sRGB, straight alpha. Lines are
    mixed in code values, like the edges of other bodies, but screens in linear light.
    """
    ink, paper = drawing.ink, drawing.paper
    code, alpha = _mixed(under, inside, paper)
    opacity = ink + (1 - ink) * alpha
    share = ink / np.maximum(opacity, np.float32(1e-6))
    own = np.array(color, np.float32)
    shown = np.asarray(sum(drawing.screens), np.float32)
    for opening, lit in zip(openings, drawing.screens, strict=True):
        part = drawing.box.clipped(opening.box)
        if part.area:
            at, there = part.within(drawing.box), part.within(opening.box)
            light, whole = _around(code[at], alpha[at], ink[at], shown[at], color)
            opening.base[there] = np.clip(light * 65535 + np.float32(0.5), 0, 65535)
            opening.gain[there] = np.clip(lit[at] / whole * 65535 + np.float32(0.5), 0, 65535)
    total = np.maximum(opacity, np.minimum(ink + shown + (1 - ink - shown) * alpha, 1))
    mixed = code + (own - code) * share[..., None]
    under[..., :3] = np.clip(mixed + np.float32(0.5), 0, 255)
    under[..., 3] = np.clip(total * 255 + np.float32(0.5), 0, 255)


def _mixed(under: U8, inside: U8, paper: F32) -> tuple[F32, F32]:
    """The backdrop, replaced by `inside` within the outline: its colours (h, w, 3), 0-255, and its alpha (h,
    w), 0-1."""
    weights = [(1 - paper) * (under[..., 3] / np.float32(255)), paper * (inside[..., 3] / np.float32(255))]
    alpha = weights[0] + weights[1]
    whole = np.maximum(alpha, np.float32(1e-6))[..., None]
    colors = (
        picture[..., :3] * weight[..., None] for picture, weight in zip((under, inside), weights, strict=True)
    )
    return np.asarray(sum(colors) / whole, np.float32), np.asarray(alpha, np.float32)


def _around(code: F32, alpha: F32, ink: F32, shown: F32, color: tuple[int, ...]) -> tuple[F32, F32]:
    """The light (h, w, 3) around a screen, and the opacity (h, w) of background, lines and screens together.

    `shown` is the share of all screens together: where openings overlap, the light around them is the same.
    """
    total = np.maximum(np.minimum(ink + shown + (1 - ink - shown) * alpha, 1), np.float32(1e-6))
    ground = LINEAR[np.clip(code + np.float32(0.5), 0, 255).astype(np.uint8)]
    rest = np.maximum(1 - ink - shown, 0) * alpha
    light = (
        ground * rest[..., None] + linear(tuple(int(value) for value in color)) * ink[..., None]
    ) / total[..., None]
    return np.asarray(light, np.float32), np.asarray(total, np.float32)
