"""Screen masks compared with their sheets."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from frames.generator.sheet import masked, read
from service.arrays import F64
from service.devices.families.sheet import ScreenCutout, Sheet
from service.shipped import FRAMES
from tests.support.looped import looped


def mask(identifier: str) -> tuple[Sheet, F64, float, float]:
    """The sheet, the coverage 0-1, and the screen px per mask px, horizontally and vertically."""
    sheet = read(identifier)
    grey = np.asarray(Image.open(FRAMES / identifier / "screen.png"), np.float64) / 255
    return sheet, grey, sheet.screen.px[0] / grey.shape[1], sheet.screen.px[1] / grey.shape[0]


@looped("identifier", masked())
def test_masks_have_the_edges_corners_and_cut_outs_of_their_sheets(identifier: str) -> None:
    sheet, grey, across, down = mask(identifier)
    reaches_the_edges(sheet, grey)
    has_corners(sheet, grey, across)
    if sheet.screen.cutout is not None:
        has_cutout(sheet.screen.cutout, sheet.screen.px[0], grey, across, down)


def reaches_the_edges(sheet: Sheet, grey: F64) -> None:
    """The mask is lit to its very edges."""
    rows, columns = grey.shape
    assert grey[rows // 2, 0] == grey[-1, columns // 2] == 1
    if 2 * sheet.screen.radius_px < sheet.screen.px[0]:
        assert grey[round(0.3 * rows), -1] == 1
        # A notch hangs from the middle of the top edge, and the edge is lit on both sides of it.
        notch = sheet.screen.cutout is not None and sheet.screen.cutout.kind == "notch"
        assert grey[0, round(columns * (0.2 if notch else 0.3))] == 1
    assert grey[rows // 2, columns // 2] == 1


def has_corners(sheet: Sheet, grey: F64, across: float) -> None:
    """The corners pass the given point on the diagonal."""
    panel = sheet.screen
    if panel.corner is not None:
        pitch = panel.size[0] / panel.px[0]
        depth = panel.corner.extent / pitch * (1 - 2 ** (-1 / panel.corner.exponent))
    else:
        depth = panel.radius_px * (1 - 2**-0.5)
    corners = {
        "top": (grey, grey[:, ::-1]),
        "bottom": (grey[::-1], grey[::-1, ::-1]),
    }
    for side, pair in corners.items():
        for corner in pair:
            diagonal = np.diagonal(corner)[: round(1.4 * depth / across) + 4]
            dark = (1 - diagonal).sum() * across
            expected = depth if panel.corners in ("all", side) else 0.0
            assert dark == pytest.approx(expected, abs=0.75 * across)


def has_cutout(cutout: ScreenCutout, width: float, grey: F64, across: float, down: float) -> None:
    """The cut-out has its place and size on a screen `width` px wide."""
    (x, y), (wide, tall) = cutout.center, cutout.size
    if cutout.side == "right":
        # Turn the mask so that the notch is at the top.
        grey, across, down = np.rot90(grey), down, across
        (x, y), (wide, tall) = (y, width - x), (tall, wide)
    row, column = int(y / down), int(x / across)
    dark = 1 - grey[row]
    # Without the corners, only the cut-out is dark in this row.
    middle = slice(column - round(0.7 * wide / across), column + round(0.7 * wide / across))
    # The round corners of a notch may begin above its middle row; then the notch is narrower in that row.
    bend = max(cutout.radius - tall / 2, 0) if cutout.kind == "notch" else 0
    narrower = 2 * (cutout.radius - np.sqrt(cutout.radius**2 - bend**2))
    assert dark[middle].sum() * across == pytest.approx(wide - narrower, abs=1.5 * across)
    place = (np.arange(len(dark))[middle] * dark[middle]).sum() / dark[middle].sum() + 0.5
    assert place * across == pytest.approx(x, abs=across)
    top = max(row - round(0.7 * tall / down), 0)
    upright = 1 - grey[top : row * 4, column]
    assert upright.sum() * down == pytest.approx(tall, abs=1.5 * down)
    height = top + (np.arange(len(upright)) * upright).sum() / upright.sum() + 0.5
    assert height * down == pytest.approx(y, abs=down)
    half = round(tall / 2 / down)
    if cutout.kind != "notch":
        # The ends of the cut-out are semicircles, so it has the area of a stadium.
        box = 1 - grey[row - half - 3 : row + half + 3, middle]
        area = (wide - tall) * tall + np.pi * tall**2 / 4
        assert box.sum() * across * down == pytest.approx(area, rel=0.01)
