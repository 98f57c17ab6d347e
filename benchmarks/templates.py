"""The templates with sample screens, in rows under their names, for the documentation."""

from __future__ import annotations

from contextlib import closing

import cv2
import numpy as np

from service.arrays import U8
from service.clock import Clock
from service.engine.request import GivenScreenshot, prepare
from service.engine.studio import Studio
from service.render.drawing.lettering import lettering
from service.settings.templates import Template, scene_of
from service.settings.templates import templates as known
from service.sources import samples

ACROSS, HIGH, GAP = 940, 132, 10  # px: width of the sheet, height of a row's pictures, and gap
LINE, INK = 20, (70, 74, 84)  # size of names, px, and their colour


def templates() -> U8:
    """All templates, (h, w, 3) uint8 sRGB."""
    with closing(Studio()) as studio:
        cells = [_named(_drawn(one, studio), one.id) for one in known().values()]
    rows: list[list[U8]] = [[]]
    for cell in cells:
        if sum(one.shape[1] + GAP for one in rows[-1]) + cell.shape[1] > ACROSS:
            rows.append([])
        rows[-1].append(cell)
    return np.concatenate([_row(row) for row in rows])


def _drawn(one: Template, studio: Studio) -> U8:
    """A template's picture, or its slices side by side."""
    scene = scene_of(one)
    shots = [samples.sample(member.device.over(scene.settings)) for member in scene.members]
    made = studio.render(prepare([GivenScreenshot(data) for data in shots], scene), Clock())
    found = []
    for data in made.pictures:
        picture = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB), np.uint8)
        wide = round(HIGH * picture.shape[1] / picture.shape[0])
        found += [
            _paper(3),
            np.asarray(cv2.resize(picture, (wide, HIGH), interpolation=cv2.INTER_AREA), np.uint8),
        ]
    return np.concatenate(found[1:], axis=1)


def _paper(wide: int, high: int = HIGH) -> U8:
    return np.full((high, wide, 3), 255, np.uint8)


def _named(picture: U8, name: str) -> U8:
    """A picture over its name, which may be wider."""
    letters, _ = lettering(name, (0, 0), 11.0, "Regular")
    high, wide = letters.shape
    cell = _paper(max(wide, picture.shape[1]), HIGH + LINE)
    cell[:HIGH, : picture.shape[1]] = picture
    ink, line = letters[:LINE, :, None], cell[HIGH : HIGH + high, :wide]
    line[...] = np.rint(line * (1 - ink) + np.array(INK) * ink)
    return cell


def _row(cells: list[U8]) -> U8:
    """A row of cells, as wide as the sheet."""
    parts = [piece for cell in cells for piece in (_paper(GAP, HIGH + LINE), cell)][1:]
    rest = ACROSS - sum(part.shape[1] for part in parts)
    return np.concatenate([*parts, _paper(rest, HIGH + LINE)], axis=1)
