"""The layout of a caption: its lines and their places on the canvas."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...arrays import F64
from ...fonts.collection import Collection
from ...settings.captions import CaptionSpec
from ...validation.names import index, listed, nearest
from .fallback import Fallback
from .paragraph import Line, Paragraph, sized

SMALLEST = 0.2  # share of the requested size below which `shrink` does not go
STEPS = 12  # steps of the search for the size


class CaptionError(ValueError):
    """A caption cannot be drawn as requested; `member` is the member of the caption that is at fault."""

    def __init__(self, member: str, message: str) -> None:
        super().__init__(message)
        self.member = member


@dataclass(frozen=True, slots=True)
class Layout:
    """Lines with their left ends and baselines, px from the top left of a block of `width` x `height` px.

    `matrix` (2, 3) takes px of the block to canvas px; `size` is px per em. `missing` is True if no font has
    one of the characters.
    """

    lines: tuple[tuple[Line, float, float], ...]
    width: float
    height: float
    size: float
    matrix: F64
    missing: bool

    def corners(self, grown: float = 0.0) -> F64:
        """The corners (4, 2) of the block on the canvas, with `grown` px around it."""
        left, right = -grown, self.width + grown
        top, bottom = -grown, self.height + grown
        block = np.array([(left, top, 1), (right, top, 1), (right, bottom, 1), (left, bottom, 1)])
        return np.asarray(block @ self.matrix.T)


def lay_out(caption: CaptionSpec, canvas: tuple[int, int], fonts: Collection) -> Layout:
    """Lay out a caption; raises CaptionError for an unknown family, or if the text must fit and does not."""
    if not fonts.styles(caption.family):
        close = nearest(caption.family, index(fonts.families))
        hint = f"did you mean {close}?" if close else "see GET /api/v1/fonts"
        raise CaptionError("font.family", f'unknown font family "{caption.family[:64]}"; {hint}')
    fallback = Fallback(fonts, caption)
    paragraphs = [Paragraph(text, caption, fallback) for text in caption.text.replace("\t", " ").split("\n")]
    placed = _placed(caption, paragraphs, caption.size, canvas)
    if caption.overflow == "wrap":
        return placed
    excess = _excess(caption, paragraphs, placed, canvas)
    if not excess:
        return placed
    if caption.overflow == "error":
        reasons = listed(excess, "and")
        raise CaptionError("text", f"the caption does not fit: {reasons}; overflow shrink makes it smaller")
    low, high = caption.size * SMALLEST, caption.size
    for _ in range(STEPS):
        size = (low + high) / 2
        if _excess(caption, paragraphs, _placed(caption, paragraphs, size, canvas), canvas):
            high = size
        else:
            low = size
    return _placed(caption, paragraphs, low, canvas)


def _excess(
    caption: CaptionSpec, paragraphs: list[Paragraph], placed: Layout, canvas: tuple[int, int]
) -> list[str]:
    """The reasons why a caption does not fit: too many lines, a broken word, or a part off the canvas."""
    found = []
    # The text's own line breaks set a minimum.
    if caption.max_lines is not None and len(placed.lines) > max(caption.max_lines, len(paragraphs)):
        found.append(f"it has {len(placed.lines)} lines, more than `maxLines`")
    if max(one.longest() for one in paragraphs) * placed.size > caption.width + 0.01:
        found.append("a word is wider than `width`")
    corners = placed.corners(caption.padding * placed.size if caption.fill else 0.0)
    if (corners < -0.01).any() or (corners > np.array(canvas) + 0.01).any():
        found.append("part of it leaves the canvas")
    return found


def _placed(
    caption: CaptionSpec, paragraphs: list[Paragraph], size: float, canvas: tuple[int, int]
) -> Layout:
    rows = [line for one in paragraphs for line in one.balanced(caption.width / size)]
    width = max(max(line.width for line in rows) * size, _least(caption, rows, canvas))
    step = caption.line_height * size
    own = sized(paragraphs[0].own, caption.weight, caption.italic)
    extents, unit = own.get_font_extents("ltr"), size / own.face.upem
    ascent, descent = extents.ascender * unit, -extents.descender * unit
    first = (step - ascent - descent) / 2 + ascent
    lines = tuple(
        (line, _indent(caption, line, width - line.width * size), first + number * step)
        for number, line in enumerate(rows)
    )
    height = step * len(rows)
    matrix = _matrix(caption, width, height)
    return Layout(lines, width, height, size, matrix, any(one.missing for one in paragraphs))


def _least(caption: CaptionSpec, rows: list[Line], canvas: tuple[int, int]) -> float:
    """The least width of the block, px.

    It is usually 0, since a block is no wider than its lines. But the direction of a line may align it to the
    side opposite the anchor. In that case, the block ends at the end of the caption's width, as in CSS, or at
    the canvas' edge.
    """
    anchored = next((side for side in ("left", "right") if side in caption.anchor), None)
    if caption.align not in ("start", "end") or anchored is None or caption.fill or caption.rotation:
        return 0.0
    if all(_side(caption, line) == anchored for line in rows):
        return 0.0
    room = canvas[0] - caption.x if anchored == "left" else caption.x
    return max(0.0, min(caption.width, room))


def _side(caption: CaptionSpec, line: Line) -> str:
    """The side of its block to which a line is aligned: left, center or right."""
    if caption.align not in ("start", "end"):
        return caption.align
    return "right" if line.rtl == (caption.align == "start") else "left"


def _indent(caption: CaptionSpec, line: Line, rest: float) -> float:
    return {"left": 0.0, "center": rest / 2, "right": rest}[_side(caption, line)]


def _matrix(caption: CaptionSpec, width: float, height: float) -> F64:
    """The matrix from a block to the canvas: the block's anchor goes to x, y, and the block is turned about
    its anchor."""
    anchor = caption.anchor
    x = 0.0 if "left" in anchor else width if "right" in anchor else width / 2
    y = 0.0 if "top" in anchor else height if "bottom" in anchor else height / 2
    angle = math.radians(caption.rotation)
    c, s = (1.0, 0.0) if caption.rotation == 0 else (math.cos(angle), math.sin(angle))
    # The block turns counter-clockwise, in coordinates in which y runs downwards.
    return np.array([(c, s, caption.x - c * x - s * y), (-s, c, caption.y + s * x - c * y)])
