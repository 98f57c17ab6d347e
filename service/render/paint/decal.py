"""Pictures on straight side walls: antenna bands, trays, ports."""

from __future__ import annotations

import cv2
import numpy as np

from ...arrays import F64
from ...devices.device import Decal, Slab
from ..geometry.face import Plane, wall
from ..geometry.raster import Box, Samples, bounds
from ..kernels.compositing import stain
from ..light.frame import Frame
from ..memoize import MIB, memoize
from .plane import lay
from .textures import layer, opacity, squared
from .wrapped import ALMOST, Turn, bulge, ends, turned, wrap, wraps

# Empty arrays, which stand for absent ones in calls of kernels; by construction.
NO_COLOR, NO_SQUARE = np.zeros(0, np.float32), np.zeros((0, 0), np.uint16)
# px between a wall and the plane that touches it from which pictures follow the wall; by eye
SHOWS = 0.1


def apply_decal(frame: Frame, slab: Slab, decal: Decal, walls: Samples, box: Box, side: int = 0) -> None:
    """Lay a picture on a side wall, over the rasterised wall, in place.

    `walls` is the linear light of a `box`, premultiplied by the share of each pixel that the wall covers.
    Where the picture covers a share of a pixel, that share is matt and the rest is metal, both in the mixed
    colour. So a plastic line looks darker than metal that mirrors a lamp, and lighter than metal that mirrors
    dark surroundings. `side` is the half of a folded slab.
    """
    camera, textures, exact = frame.camera, frame.textures, frame.quality.exact_pictures
    over = exact and wraps(slab, decal)
    at, points = _placed(slab, decal, side, over)
    follows = exact and not over and slab.bend is None and bulge(slab, decal) * camera.k > SHOWS
    if not over and not at.seen(camera):
        return
    part = bounds(camera.project(points), camera.width, camera.height).clipped(box)
    if part.area == 0:
        return
    pyramids, metal = [layer(textures, decal.image)], frame.wall(slab)[0].metal
    if metal and exact:
        pyramids.append(squared(textures, decal.image))
    if over:
        laid, white = wrap(frame, pyramids, slab, decal, at, part)
    elif follows:
        laid = turned(frame, pyramids, slab, decal, wall(slab, decal.side, side), part)
        white = frame.light.diffuse(camera.view(at.normal[None]).astype(np.float32))[None]
    else:
        flat, middle, samples = at.homography(camera), (decal.at, decal.across), frame.quality.samples[0]
        laid = [lay(one, flat, middle, decal.size, part, cv2.BORDER_CONSTANT, samples) for one in pyramids]
        white = frame.light.diffuse(camera.view(at.normal[None]).astype(np.float32))[None]
    color = np.maximum(frame.colors.wall(slab), np.float32(1e-3)) if metal else NO_COLOR
    picture, square = laid if len(laid) > 1 else (*laid, NO_SQUARE)
    stain(
        *walls,
        part.x - box.x,
        part.y - box.y,
        (picture, square, white),
        color,
        opacity(textures, decal.image),
    )


@memoize(MIB)
def _placed(slab: Slab, decal: Decal, side: int, over: bool) -> tuple[Plane, F64]:
    """The plane of a picture on a side wall, and its corners (8, 3), device mm; see `wrapped.ends`.

    A picture that does not continue `over` the wall's rounded edges follows the wall's corners instead.
    """
    at = wall(slab, decal.side, side)
    if not over:
        at = leaning(slab, decal, at)
    return at, ends(decal, at, slab.edge if over else bulge(slab, decal))


def half_of(slab: Slab, decal: Decal, side: int) -> bool:
    """Whether a decal is on a half of a folded slab; `side` 0 is the whole slab."""
    if not side:
        return True
    across = slab.bend is not None and slab.bend.axis == "x"
    ends = {"bottom": -1, "top": 1} if across else {"left": -1, "right": 1}
    return ends.get(decal.side, 1 if decal.at > 0 else -1) == side


def surrounds(decal: Decal, place: tuple[float, float]) -> bool:
    """Whether a place on a side wall, mm along and across it, is inside a picture."""
    (x, y), (width, height) = place, decal.size
    return abs(x - decal.at) < width / 2 and abs(y - decal.across) < height / 2


def leaning(slab: Slab, decal: Decal, at: Plane) -> Plane:
    """The plane tangent to a side wall at a picture's middle; it is turned if the picture is in a corner,
    where the wall bends.

    The x axis of a turned plane is longer than 1, so that distances along the wall do not change.
    """
    turn = Turn.of(slab, decal)
    if not 0 < turn.part(decal.at) < ALMOST or turn.corner.offset or slab.bend is not None:
        return at
    inset, slope = turn.at(decal.at)
    normal = at.normal + slope * at.x
    origin = at.origin - (inset - slope * decal.at) * at.normal
    return Plane(origin, at.x - slope * at.normal, at.y, normal / np.linalg.norm(normal))
