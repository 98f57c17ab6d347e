"""The motifs of a device's textures as lines: circles, rectangles, rows of holes, a keyboard's keys."""

from __future__ import annotations

import re
from collections.abc import Hashable

import cv2
import numpy as np

from ...arrays import F64, U8
from ...devices.device import Corner
from ...devices.families.art import FIXED, MARGINS
from ..geometry.outline import outline
from ..light.frame import Textures
from ..memoize import MIB, memoize

_NAME = re.compile(r"parts/([a-z-]+?)(?:-([\d.]+)x([\d.]+)(?:x(\d+)-([\d.]+))?(?:-[a-z-]+)?)?\.png")

# Corner radii of rectangles, mm; None for half the shorter side.
RECTANGLES: dict[str, float | None] = {
    "bottom-seam": 8.0,
    "buttons": 1.0,
    "control": None,
    "earpiece": None,
    "flap": 7.0,
    "hairline": 4.0,
    "port": None,
    "seam": None,
    "slot": None,
    "trackpad": 3.2,
    "usb": 0.6,
}
# Diameters of the motifs that are circles, as shares of their texture's width; by construction.
CIRCLES = {
    "flash": 0.9,
    "foot": 0.9,
    "front-camera": 0.9,
    "home": 1.0,
    "lens-cover": 0.98,
    "lens-elements": 0.7,
    "lidar": 0.9,
    "matrix": 1.0,
    "pin": 1.0,
    "sensor": 0.9,
}
EDGE = 6  # least difference in code values between a key and its surroundings; by eye
# area of the smallest key, mm², and a share of a keyboard's height that no key exceeds; by eye
KEY, WHOLE = 12.0, 0.5
FULL = 0.7  # the least share of its bounding box that a key fills; by eye
ROUND = 1.1  # mm; the radius of a key's corners; by eye


def motif(textures: Textures, image: str, size: tuple[float, float]) -> list[F64]:
    """A motif's closed lines (n, 2), mm from the picture's middle, x right and y up; `size` is the picture's
    size, mm."""
    named = _NAME.fullmatch(image)
    if named is None:
        return []
    kind, width, _, count, pitch = named.groups()
    # The name of a part with a fixed size may be followed by a style.
    kind = next((fixed for fixed in FIXED if kind.startswith(f"{fixed}-")), kind)
    if kind == "keyboard":
        return [_rectangle(*key, ROUND) for key in _keys(textures, image, size)]
    margin = MARGINS.get(kind, (0.0, 0.0)) if kind not in FIXED else (0.0, 0.0)
    across, up = (max(side - more, 0.05) for side, more in zip(size, margin, strict=True))
    if kind == "connector":
        return [_rectangle((0.0, up * step), (across * 0.7,) * 2, None) for step in (-0.31, 0.0, 0.31)]
    if kind in CIRCLES:
        return [_rectangle((0.0, 0.0), (across * CIRCLES[kind],) * 2, None)]
    if kind in RECTANGLES:
        return [_rectangle((0.0, 0.0), (across, up), RECTANGLES[kind])]
    if kind == "holes" and count:
        steps = (np.arange(int(count)) - (int(count) - 1) / 2) * float(pitch)
        return [_rectangle((float(step), 0.0), (float(width), up), None) for step in steps]
    return []


def _rectangle(center: tuple[float, float], size: tuple[float, float], radius: float | None) -> F64:
    most = min(size) / 2
    corner = Corner(extent=most if radius is None else min(radius, most))
    return np.asarray(outline(*size, corner).points + np.array(center), np.float64)


Key = tuple[tuple[float, float], tuple[float, float]]  # middle and size, mm


def _identity(textures: Textures, name: str, size: tuple[float, float]) -> Hashable:
    return textures.identity(name), size


@memoize(MIB, key=_identity)
def _keys(textures: Textures, name: str, size: tuple[float, float]) -> tuple[Key, ...]:
    """The keys of a keyboard: the areas of even colour in its picture that fill most of their bounding
    boxes."""
    picture = textures.read(name)
    height, width = picture.shape[:2]
    sx, sy = size[0] / width, size[1] / height
    _, _, boxes, _ = cv2.connectedComponentsWithStats(_even(picture), connectivity=4)
    keys = []
    for x, y, across, up, area in boxes[1:].tolist():
        large = area * sx * sy >= KEY and up < WHOLE * height and area >= FULL * across * up
        if large:
            center = ((x + across / 2) * sx - size[0] / 2, size[1] / 2 - (y + up / 2) * sy)
            # An even area ends one pixel before the key's edge.
            keys.append((center, ((across + 2) * sx, (up + 2) * sy)))
    return tuple(keys)


def _even(picture: U8) -> U8:
    """The areas of a picture (h, w, 4) that are painted and contain no edge: (h, w) uint8, 0 or 1."""
    alpha = cv2.extractChannel(picture, 3)
    grey = cv2.cvtColor(np.ascontiguousarray(picture[..., :3]), cv2.COLOR_RGB2GRAY)
    kernel = np.ones((3, 3), np.uint8)
    edges = [cv2.morphologyEx(one, cv2.MORPH_GRADIENT, kernel) for one in (grey, alpha)]
    even = (edges[0] < EDGE) & (edges[1] < 4 * EDGE) & (alpha > 8)
    # Drop what is thinner than three pixels, such as areas inside letters and bridges between keys.
    return np.asarray(cv2.morphologyEx(even.astype(np.uint8), cv2.MORPH_OPEN, kernel), np.uint8)
