"""A device's place in a picture, and its shape, with which callers can draw over it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .device import Vector

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ScreenPlace:
    """A screen's corners in px, from the top left one as the screenshot stands, clockwise.

    `homography` (9 numbers, row by row) takes fractions of the whole screen (right, down, 1) to px. `hidden`
    is the share of the screen that is not seen, 0-1.
    """

    corners: tuple[Point, ...]
    homography: tuple[float, ...]
    hidden: float


@dataclass(frozen=True, slots=True)
class Geometry:
    """A device in a picture of `width` x `height` px; all px are measured from the picture's top left corner.

    With `turn` (9 numbers, row by row) taking device mm to view mm (x, y, z), a point lands at `center` +
    k·D/(D - z) · (x + right, -y - up), where D is `distance`, mm, and `aside` is right and up, mm: in a scene
    of several devices, the camera's axis need not go through their pivots. `body` is the corners of the
    body's box: of the front from the top left one, clockwise, then of the back in the same order. `box` is
    that of the silhouette: left, top, width, height.
    """

    width: int
    height: int
    k: float
    distance: float
    center: Point
    turn: tuple[float, ...]
    body: tuple[Point, ...]
    box: tuple[float, float, float, float]
    screens: tuple[ScreenPlace, ...]
    aside: Point


@dataclass(frozen=True, slots=True)
class Shape:
    """A device's body: width, height and depth in mm, and `points` whose convex hull is the body's.

    `portrait` says how it naturally stands, and `turned` is the number of quarter turns to the left that it
    has in the picture: 1, 0 or -1. `screens` has the corners of each screen in the order of `ScreenPlace`, in
    device mm, and `faces` those of the faces that `balanced` framing weighs. The `margins` are the shares of
    the canvas that `auto` and `balanced` framing keep free at the left, top, right and bottom.
    """

    body: Vector
    portrait: bool
    turned: Literal[-1, 0, 1]
    points: tuple[Vector, ...]
    faces: tuple[tuple[Vector, ...], ...]
    margins: tuple[float, float, float, float]
    screens: tuple[tuple[Vector, ...], ...]
