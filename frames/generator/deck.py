"""Drawings on laptops: trackpad, speaker grilles, the thumb's scoop, feet, seams and shade."""

from __future__ import annotations

import numpy as np

from frames.generator.keyboard import LOOKS
from frames.generator.outline import Outline, box, circle, ring
from frames.generator.paint import Canvas
from frames.generator.signs import power as power_sign
from service.arrays import F64
from service.devices.families.laptop import well_center
from service.devices.families.sheet import Laptop

SCOOP = 68.0  # mm across


def trackpad(size: tuple[float, float]) -> Canvas:
    """The trackpad's seam, and its glass, slightly smoother than the metal around it."""
    canvas = Canvas((size[0] + 1.5, size[1] + 1.5), 5)
    d = box(canvas.x, canvas.y, *size, 3.2)
    canvas.fill(d, "#000000", 0.05)
    canvas.fill(ring(d, 0.34), "#000000", 0.55, softness=0.25)
    canvas.fill(ring(d + 0.35, 0.25), "#ffffff", 0.10, softness=0.25)
    return canvas


def buttons(size: tuple[float, float]) -> Canvas:
    """The three keys of a pointing stick, flush above the trackpad; a red line marks the wide outer ones."""
    canvas = Canvas((size[0] + 1.0, size[1] + 1.0), 6)
    canvas.fill(box(canvas.x, canvas.y, *size, 1.6), "#000000", 0.6, softness=0.3)
    side = size[0] * 0.37
    middle = size[0] - 2 * side
    for x, width in ((-(middle + side) / 2, side), (0.0, middle), ((middle + side) / 2, side)):
        d = box(canvas.x - x, canvas.y, width - 0.5, size[1] - 0.6, 1.3)
        canvas.fill(d, "#252527")
        rise = np.clip(0.5 + canvas.y / size[1], 0, 1) * canvas.coverage(np.abs(d + 0.3) - 0.18, 0.3)
        canvas.cover(rise * 0.5, "#85868a")
        if x:
            canvas.fill(box(canvas.x - x, canvas.y - size[1] / 2 + 1.3, width - 3.4, 0.75, 0.3), "#a62a22")
    return canvas


def power(size: tuple[float, float]) -> Canvas:
    """A power key that reads fingerprints: smooth and dark in a fine metal ring, with the usual sign."""
    canvas = Canvas((size[0] + 1.0, size[1] + 1.0), 10)
    x, y = canvas.x, canvas.y
    d = box(x, y, *size, min(size) * 0.36)
    canvas.fill(d - 0.2, "#000000", 0.6, softness=0.4)
    canvas.fill(d, "#4a4b4f")
    canvas.fill(d + 0.35, "#17181a", softness=0.12)
    rise = np.clip(0.5 + y / size[1], 0, 1) * canvas.coverage(np.abs(d + 0.2) - 0.15, 0.15)
    canvas.cover(rise * 0.5, "#8b8d92")
    canvas.fill(power_sign(x, y, min(size) * 0.26), "#b4b6ba", 0.85)
    return canvas


def grille(size: tuple[float, float], *, lit: bool = False) -> Canvas:
    """Speaker holes in a staggered grid, soft enough not to shimmer when they shrink.

    On black, where holes are hard to see, `lit` brightens their lower edges.
    """
    canvas = Canvas(size, 6)
    pitch = 1.25
    rows = np.floor(canvas.y / (pitch * 0.866) + 0.5)
    shift = np.where(rows % 2 == 0, 0.0, pitch / 2)
    x = (canvas.x + shift + pitch / 2) % pitch - pitch / 2
    y = canvas.y - rows * pitch * 0.866
    # The centres of holes lie inside a smaller rectangle, so that the border cuts none.
    cx, cy = canvas.x - x, rows * pitch * 0.866
    inside = box(cx, cy, size[0] - 1.0, size[1] - 1.0, 1.2) <= 0
    if lit:
        edge = canvas.coverage(circle(x, y + 0.14, 0.42), 0.3)
        canvas.cover(edge * inside * 0.5, "#6c6d71")
    canvas.cover(canvas.coverage(circle(x, y, 0.36), 0.3) * inside * 0.78, "#050506")
    return canvas


def scoop_top() -> Canvas:
    """The hollow for the thumb, seen from above: a shallow crescent that falls away towards the edge."""
    canvas = Canvas((SCOOP + 2, 3.4), 8)
    out = np.clip(np.abs(canvas.x) / (SCOOP / 2), 0, 1)
    # The hollow is deepest in the middle, and its ends run out tangentially.
    reach = 2.6 * (1 - out**6)
    inside = np.clip((reach - (canvas.y + 1.7)) / 0.35, 0, 1)
    depth = np.clip(1 - (canvas.y + 1.7) / np.maximum(reach, 0.05), 0, 1)
    canvas.cover(inside * (0.16 + 0.62 * depth**1.5), "#000000")
    return canvas


def scoop_wall(height: float) -> Canvas:
    """The hollow for the thumb in the front wall: dark below its upper edge, with a lit lip at its bottom."""
    canvas = Canvas((SCOOP + 2, height), 8)
    out = np.clip(np.abs(canvas.x) / (SCOOP / 2), 0, 1)
    low = height / 2 - (height - 0.9) * (1 - out**6) ** 0.5
    inside = np.clip((canvas.y - low) / 0.25, 0, 1) * (out < 1)
    depth = np.clip((canvas.y - low) / np.maximum(height / 2 - low, 0.05), 0, 1)
    canvas.cover(inside * (0.30 + 0.55 * depth), "#000000")
    lip = np.exp(-(((canvas.y - low - 0.1) / 0.16) ** 2)) * (1 - out**8)
    canvas.cover(np.clip(lip, 0, 1) * 0.38, "#ffffff")
    return canvas


def occlusion(sheet: Laptop) -> tuple[Canvas, F64]:
    """Shade in the keyboard's well, if it has one: the share of light left, 0-1."""
    canvas = Canvas((sheet.width, sheet.depth), 2.5)
    if LOOKS[sheet.keys].well is None:
        return canvas, np.ones_like(canvas.y, np.float64)
    x, y = well_center(sheet)
    inside = -box(canvas.x - x, canvas.y - y, *sheet.keyboard, 2.2)
    light = np.where(inside > 0, 1 - 0.34 * np.exp(-np.maximum(inside, 0) / 1.0), 1.0)
    return canvas, np.asarray(light, np.float64)


def foot() -> Canvas:
    """One of the rubber feet."""
    canvas = Canvas((17.0, 17.0), 5)
    d = circle(canvas.x, canvas.y, 7.6)
    canvas.fill(d - 0.5, "#000000", 0.4, softness=0.8)
    canvas.fill(d, "#161618")
    canvas.fill(ring(d + 0.8, 0.3), "#26262a", 0.8, softness=0.3)
    return canvas


def head(diameter: float) -> Canvas:
    """A screw's head, flush with the bottom that it holds, in the finish's colour."""
    canvas = Canvas((diameter + 1.0, diameter + 1.0), 12)
    x, y, radius = canvas.x, canvas.y, diameter / 2
    d = circle(x, y, radius)
    canvas.fill(ring(d, 0.45), "#000000", 0.7, softness=0.2)
    canvas.fill(d + 0.3, "#ffffff", 0.10, softness=0.2)
    lit = np.clip(0.5 - y / diameter, 0, 1) * canvas.coverage(ring(d - 0.35, 0.3), 0.3)
    canvas.cover(lit * 0.45, "#ffffff")
    turn = np.cos(5 * np.arctan2(y, x))
    canvas.fill(np.hypot(x, y) - radius * (0.44 + 0.07 * turn), "#050506", 0.85, softness=0.15)
    return canvas


def bottom_seam(size: tuple[float, float]) -> Canvas:
    """The fine seam of the bottom cover."""
    seam = Canvas(size, 3)
    edge = Outline(size[0] - 8, size[1] - 8, 8.0, 2.6).distance(seam.x, seam.y)
    seam.fill(ring(edge, 0.35), "#000000", 0.35)
    return seam


def hinge_band(size: tuple[float, float]) -> Canvas:
    """The dark strip below a lid's glass."""
    band = Canvas(size, 4)
    band.fill(np.full_like(band.x, -1.0), "#0d0d0f")
    band.fill(np.abs(band.y - size[1] / 2 + 0.15) - 0.15, "#000000")
    band.light(np.exp(-(((band.y - size[1] * 0.12) / 1.3) ** 2)), "#0c0c0e")
    return band
