"""Draws captions: the coverage of their letters and backgrounds, and their emoji."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import uharfbuzz as hb

from ...arrays import F32, F64, U8
from ...fonts.collection import Font
from ...settings.captions import CaptionSpec
from ..geometry.coverage import fill
from ..geometry.raster import Box
from .layout import Layout
from .paragraph import Glyph, sized

BAND = 64  # rows drawn at a time: a whole canvas of floats would take more memory than the plate
FAR = 1 << 24  # px; coordinates beyond this are clipped
AROUND = 2  # px by which a glyph's box may exceed the glyph: 1 px for its soft edge, and 1 px for rounding
CORNER = 12  # number of points of a rounded corner


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """Some rows of a caption, in a `box` of the canvas.

    `back` and `ink` (h, w) are the coverage, 0-1, of the text's background and of its letters, None if there
    are none; `pictures` (h, w, 4) premultiplied sRGB in 0-1 are glyphs that have their own colours.
    """

    box: Box
    back: F32 | None
    ink: F32 | None
    pictures: F32 | None


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """A glyph at position `x`, `y` in its block, and its `box` on the canvas."""

    glyph: Glyph
    x: float
    y: float
    box: Box


def extent(caption: CaptionSpec, layout: Layout) -> Box:
    """The box of a caption, which may reach beyond the canvas."""
    boxes = [one.box for one in _glyphs(caption, layout)]
    return _union([*boxes, _around(_outline(caption, layout))] if caption.fill else boxes)


def off(caption: CaptionSpec, layout: Layout, canvas: tuple[int, int]) -> float:
    """The share, 0-1, of a caption's letters that lie at least partly off the canvas (width, height)."""
    boxes = [one.box for one in _glyphs(caption, layout)]
    inner = Box(0, 0, *canvas).grown(AROUND)
    return sum(one.clipped(inner) != one for one in boxes) / max(len(boxes), 1)


def draw(caption: CaptionSpec, layout: Layout, part: Box) -> Iterator[Drawn]:
    """Draw the part of a caption that lies in a part of the canvas, band by band."""
    placed = [one for one in _glyphs(caption, layout) if one.box.clipped(part).area]
    plain = [one for one in placed if not _colored(one.glyph.font, one.glyph.number)]
    colored = [one for one in placed if _colored(one.glyph.font, one.glyph.number)]
    outline = _outline(caption, layout)
    for top in range(part.y, part.y + part.height, BAND):
        box = Box(part.x, top, part.width, BAND).clipped(part)
        back = fill([outline], box) if caption.fill else None
        yield Drawn(box, back, _ink(caption, layout, plain, box), _pictures(caption, layout, colored, box))


def _around(points: F32 | F64) -> Box:
    """The box of whole pixels around points (n, 2), clipped so that its numbers fit an int."""
    low, high = np.floor(points.min(0)), np.ceil(points.max(0))
    x, y, right, bottom = (int(np.clip(value, -FAR, FAR)) for value in (*low, *high))
    return Box(x, y, right - x, bottom - y)


def _box(matrix: list[list[float]], at: tuple[float, float], half: tuple[float, float]) -> Box:
    """The box, as in `_around`, of a rectangle given by its middle and half its sides, seen through a matrix
    (2, 3)."""
    low, sides = [], []
    # Use Python floats, since NumPy's calls would take longer than so few sums.
    for a, b, shift in matrix:
        middle, reach = a * at[0] + b * at[1] + shift, abs(a) * half[0] + abs(b) * half[1]
        first, last = (max(-FAR, min(FAR, end)) for end in (middle - reach, middle + reach))
        low.append(math.floor(first))
        sides.append(math.ceil(last) - math.floor(first))
    return Box(*low, *sides)


def _union(boxes: list[Box]) -> Box:
    if not boxes:
        return Box(0, 0, 0, 0)
    x, y = min(one.x for one in boxes), min(one.y for one in boxes)
    right, bottom = max(one.x + one.width for one in boxes), max(one.y + one.height for one in boxes)
    return Box(x, y, right - x, bottom - y)


def _outline(caption: CaptionSpec, layout: Layout) -> F32:
    """The outline (n, 2), canvas px, of the block with its padding and rounded corners."""
    padding, radius = caption.padding * layout.size, caption.radius * layout.size
    left, right = -padding, layout.width + padding
    top, bottom = -padding, layout.height + padding
    radius = min(radius, (right - left) / 2, (bottom - top) / 2)
    points: list[tuple[float, float, float]] = []
    centers = ((right, bottom, 0), (left, bottom, 1), (left, top, 2), (right, top, 3))
    for x, y, quarter in centers:
        cx = x - radius if x == right else x + radius
        cy = y - radius if y == bottom else y + radius
        for step in range(CORNER + 1):
            angle = (quarter + step / CORNER) * math.pi / 2
            points.append((cx + radius * math.cos(angle), cy + radius * math.sin(angle), 1.0))
    return np.asarray(np.array(points) @ layout.matrix.T, np.float32)


def _glyphs(caption: CaptionSpec, layout: Layout) -> Iterator[_Placed]:
    """Each visible glyph and its place."""
    matrix = layout.matrix.tolist()
    for line, left, baseline in layout.lines:
        for glyph in line.glyphs:
            font = sized(glyph.font, caption.weight, caption.italic)
            extents, unit = font.get_glyph_extents(glyph.number), layout.size / font.face.upem
            if extents is None or not extents.width or not extents.height:
                continue
            x, y = left + glyph.x * layout.size, baseline - glyph.y * layout.size
            wide, high = abs(extents.width) * unit, abs(extents.height) * unit
            middle = x + (extents.x_bearing + extents.width / 2) * unit
            center = y - (extents.y_bearing + extents.height / 2) * unit
            yield _Placed(glyph, x, y, _box(matrix, (middle, center), (wide / 2 + 1, high / 2 + 1)))


def _transform(layout: Layout, x: float, y: float, unit: float, box: Box) -> tuple[float, ...]:
    """HarfBuzz's transform for a glyph at a place in the block, with y upwards from the bottom of the box."""
    (a, b, _), (c, d, _) = layout.matrix
    px, py = layout.matrix @ (x, y, 1)
    return (a * unit, -c * unit, -b * unit, d * unit, px - box.x, box.y + box.height - py)


def _extents(box: Box, pixel: int) -> hb.RasterExtents:
    # The library requires rows of a multiple of four bytes.
    stride = -(-box.width * pixel // 4) * 4
    return hb.RasterExtents(x_origin=0, y_origin=0, width=box.width, height=box.height, stride=stride)


def _ink(caption: CaptionSpec, layout: Layout, glyphs: list[_Placed], box: Box) -> F32 | None:
    raster = hb.RasterDraw()
    found = False
    for one in glyphs:
        if not one.box.clipped(box).area:
            continue
        font = sized(one.glyph.font, caption.weight, caption.italic)
        raster.transform = _transform(layout, one.x, one.y, layout.size / font.face.upem, box)
        found |= bool(raster.draw_glyph_or_fail(font, one.glyph.number))
    if not found:
        return None
    raster.extents = _extents(box, 1)
    image = raster.render()
    size = image.extents
    rows = np.frombuffer(image.buffer, np.uint8).reshape(size.height, size.stride)[::-1, : box.width]
    return rows.astype(np.float32) * np.float32(1 / 255)


def _pictures(caption: CaptionSpec, layout: Layout, glyphs: list[_Placed], box: Box) -> F32 | None:
    picture: F32 | None = None
    for one in glyphs:
        part = one.box.clipped(box)
        if not part.area:
            continue
        if picture is None:
            picture = np.zeros((box.height, box.width, 4), np.float32)
        bitmap = _bitmap(one.glyph.font, one.glyph.number)
        over = _painted(one, caption, layout, part) if bitmap is None else _warped(one, layout, part)
        if over is not None:
            under = picture[part.within(box)]
            under *= 1 - over[..., 3:]
            under += over
    return picture


@lru_cache(maxsize=1024)
def _colored(font: Font, number: int) -> bool:
    if not font.colored:
        return False
    made = sized(font, 400, False)
    face = made.face
    return bool(
        (face.has_color_png and made.get_glyph_color_png(number))
        or (face.has_color_paint and face.glyph_has_color_paint(number))
        or (face.has_color_layers and face.get_glyph_color_layers(number))
    )


@lru_cache(maxsize=64)
def _bitmap(font: Font, number: int) -> U8 | None:
    """A glyph's picture (h, w, 4) RGBA, if the font has one."""
    made = sized(font, 400, False)
    if not made.face.has_color_png or not (blob := made.get_glyph_color_png(number)):
        return None
    found = cv2.imdecode(np.frombuffer(blob.data, np.uint8), cv2.IMREAD_UNCHANGED)
    if found is None or found.ndim != 3 or found.shape[2] != 4 or found.dtype != np.uint8:
        return None
    return np.asarray(cv2.cvtColor(found, cv2.COLOR_BGRA2RGBA), np.uint8)


@lru_cache(maxsize=64)
def _reduced(font: Font, number: int, size: tuple[int, int]) -> F32:
    """A glyph's picture (h, w, 4), premultiplied in 0-1, area-averaged to no less than `size`."""
    bitmap = _bitmap(font, number)
    assert bitmap is not None
    light = bitmap.astype(np.float32) * np.float32(1 / 255)
    light[..., :3] *= light[..., 3:]
    if size[0] < bitmap.shape[1] and size[1] < bitmap.shape[0]:
        light = np.asarray(cv2.resize(light, size, interpolation=cv2.INTER_AREA), np.float32)
    return light


def _warped(one: _Placed, layout: Layout, part: Box) -> F32:
    """The part of a glyph's picture in a box of the canvas, (h, w, 4) premultiplied in 0-1."""
    font = sized(one.glyph.font, 400, False)
    extents, unit = font.get_glyph_extents(one.glyph.number), layout.size / font.face.upem
    wide, high = extents.width * unit, -extents.height * unit
    light = _reduced(one.glyph.font, one.glyph.number, (max(1, round(wide)), max(1, round(high))))
    rows, columns = light.shape[:2]
    # From the centres of the bitmap's pixels to the centres of the canvas' pixels.
    sx, sy = wide / columns, high / rows
    left, top = one.x + extents.x_bearing * unit + sx / 2, one.y - extents.y_bearing * unit + sy / 2
    matrix: F64 = layout.matrix @ np.array([(sx, 0, left), (0, sy, top), (0, 0, 1)])
    matrix[:, 2] -= (part.x + 0.5, part.y + 0.5)
    return np.asarray(cv2.warpAffine(light, matrix, (part.width, part.height), flags=cv2.INTER_LINEAR))


def _painted(one: _Placed, caption: CaptionSpec, layout: Layout, part: Box) -> F32 | None:
    """The part of a glyph with coloured outlines in a box of the canvas, as `_warped` returns it."""
    font = sized(one.glyph.font, caption.weight, caption.italic)
    paint = hb.RasterPaint()
    paint.foreground = hb.Color(*caption.color)
    paint.transform = _transform(layout, one.x, one.y, layout.size / font.face.upem, part)
    paint.extents = _extents(part, 4)
    if not paint.paint_glyph_or_fail(font, one.glyph.number):
        return None
    image = paint.render()
    size = image.extents
    rows = np.frombuffer(image.buffer, np.uint8).reshape(size.height, size.stride // 4, 4)
    return rows[::-1, : part.width, (2, 1, 0, 3)].astype(np.float32) * np.float32(1 / 255)
