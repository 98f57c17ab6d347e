"""The finished picture: a plate composed with its screenshots, band by band, with the effects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol

import cv2
import numpy as np

from ...arrays import U8, U16
from ...clock import Clock
from ...concurrency.ordered_map import ordered_map
from ...settings.effects import Depth, Effect
from ...srgb import LINEAR16, SRGB8
from .. import effects
from ..effects.band import BLOCK, Picture, Step, finished
from ..geometry.raster import Box
from ..kernels import backdrop
from ..plates.plate import Plate, ScreenLayer

# Without effects, a band takes little work, and each step releases the interpreter's lock and must acquire it
# again, so large bands are faster. With effects, a band takes six times the memory, most of which should stay
# in the cache.
BAND_BYTES, EFFECTS_BAND_BYTES = 1 << 22, 1 << 19
# Bytes of a part of a frame that are composed at a time. Processes that make films return larger blocks of
# memory to the system. Composing a whole part at once would allocate such blocks for every frame, which takes
# longer than the composing itself. Smaller bands take more calls.
PART_BYTES = 1 << 17


class Over(Protocol):
    """A layer over the devices, such as `service.render.compose.captions.Captions`."""

    def lay(self, band: U8, rows: slice) -> U8:
        """The `band` of `rows`, (h, w, 3 or 4) uint8 sRGB, straight alpha, with this layer over it."""
        ...


def bands(
    plate: Plate,
    shots: Sequence[U8 | None],
    wanted: Sequence[Effect],
    clock: Clock,
    behind: U8 | None = None,
    before: Over | None = None,
) -> Iterator[U8]:
    """The picture from top to bottom, (rows, w, 3 or 4) uint8 sRGB; a band may be a view of the plate.

    `shots` are the screenshots warped into the boxes of the plate's layers, (h, w, 3) uint8 (see
    `shot.expose`): one for each layer, None if the layer is not visible. The background `behind`, (h, w, 3 or
    4) uint8 sRGB, shows through the plate, and the picture has as many channels. The layer `before` lies over
    both. Effects come last, except that depth of field blurs only the devices.
    """
    height, width, channels = plate.base.shape
    compose = partial(_compose_rows, plate.base, _lit(plate, shots))
    size, parts = (width, height), band_rows(height, width * channels, EFFECTS_BAND_BYTES)
    focused = [effect for effect in wanted if isinstance(effect, Depth)]
    if focused:
        wanted = [effect for effect in wanted if effect not in focused]
        lens = effects.prepare(focused, Picture(size, plate.screens, parts, compose, clock, plate.depth))
        compose = partial(_through, compose, size, lens)
    if behind is not None:
        compose = partial(_backed, compose, behind)
    if before is not None:
        compose = partial(_fronted, compose, before)
    if not wanted:
        for rows in band_rows(height, width * channels, BAND_BYTES):
            clock.check()
            yield compose(rows)
        return
    steps = effects.prepare(wanted, Picture(size, plate.screens, parts, compose, clock))
    yield from ordered_map(lambda rows: finished(compose(rows), rows, size, steps), parts, clock)


def part(plate: Plate, shots: Sequence[U8 | None], box: Box) -> U8:
    """The picture in a box, without effects and with nothing behind it or in front of it, as `bands` gives
    it."""
    lit, channels = _lit(plate, shots), plate.base.shape[2]
    made = np.empty((box.height, box.width, channels), np.uint8)
    for rows in band_rows(box.height, max(box.width, 1) * channels, PART_BYTES):
        made[rows] = _compose(
            plate.base, lit, Box(box.x, box.y + rows.start, box.width, rows.stop - rows.start)
        )
    return made


def band_rows(height: int, row_bytes: int, band_bytes: int) -> list[slice]:
    """Bands of a multiple of 8 rows, except for the last."""
    count = max(band_bytes // row_bytes, BLOCK) // BLOCK * BLOCK
    return [slice(y, min(y + count, height)) for y in range(0, height, count)]


def _lit(plate: Plate, shots: Sequence[U8 | None]) -> list[tuple[ScreenLayer, U8]]:
    return [
        (screen, shot)
        for screen, shot in zip(plate.layers, shots, strict=True)
        if screen and shot is not None
    ]


def _compose_rows(base: U8, lit: Sequence[tuple[ScreenLayer, U8]], rows: slice) -> U8:
    """Some rows of the picture; a view of the base if no screen is in them."""
    return _compose(base, lit, Box(0, rows.start, base.shape[1], rows.stop - rows.start))


def _compose(base: U8, lit: Sequence[tuple[ScreenLayer, U8]], box: Box) -> U8:
    """The picture in a box; a view of the base if no screen is in the box."""
    band = base[box.slices]
    seen = [(screen, shot, overlap) for screen, shot in lit if (overlap := screen.box.clipped(box)).area]
    if seen:
        band = band.copy()
    for number, (screen, shot, part) in enumerate(seen):
        light = passed(screen, shot, part)
        for other, shown, there in seen[:number]:
            shared = there.clipped(part)
            if shared.area:
                # Two screens show in these pixels, as along a fold; both layers have the same base.
                both = light[shared.within(part)]
                both[...] = cv2.add(both, passed(other, shown, shared))
        at = Box(part.x - box.x, part.y - box.y, part.width, part.height).slices
        band[at][..., :3] = cv2.LUT(cv2.add(light, screen.base[part.within(screen.box)]), SRGB8)
    return band


def _through(compose: Callable[[slice], U8], size: tuple[int, int], lens: Sequence[Step], rows: slice) -> U8:
    """Some rows of the picture, with the effects of the lens."""
    return finished(compose(rows), rows, size, lens)


def _backed(compose: Callable[[slice], U8], behind: U8, rows: slice) -> U8:
    """Some rows of the picture in front of the background."""
    band, under = compose(rows), behind[rows]
    if band.shape[2] == 3:
        return band if under.shape[2] == 3 else np.asarray(cv2.cvtColor(band, cv2.COLOR_RGB2RGBA), np.uint8)
    return over(band, under)


def _fronted(compose: Callable[[slice], U8], before: Over, rows: slice) -> U8:
    """Some rows of the picture, with the layers in front of the devices laid over them."""
    return before.lay(compose(rows), rows)


def over(front: U8, under: U8) -> U8:
    """A picture (h, w, 4) over another, (h, w, 3 or 4), as a new one with as many channels.

    All uint8 sRGB, straight alpha, mixed in code values, as browsers do.
    """
    if under.shape[2] == 3:
        made = np.empty(under.shape, np.uint8)
        backdrop.before(made, np.ascontiguousarray(front), np.ascontiguousarray(under))
        return made
    # Weights are scaled by 255, because OpenCV adds a small constant to their sum before dividing by it.
    share = cv2.extractChannel(front, 3).astype(np.float32)
    rest = (255 - share) * cv2.extractChannel(under, 3) * np.float32(1 / 255)
    color = cv2.cvtColor(front, cv2.COLOR_RGBA2RGB)
    mixed = cv2.blendLinear(color, cv2.cvtColor(under, cv2.COLOR_RGBA2RGB), share, rest)
    total = (share + rest + np.float32(0.5)).astype(np.uint8)
    return np.dstack([mixed, total])


def passed(screen: ScreenLayer, shot: U8, part: Box) -> U16:
    """The screenshot's light in a part of the screen layer's box: gain · shot, (h, w, 3) 16-bit linear.

    `shot` (h, w, 3) uint8 sRGB covers the whole box.
    """
    at = part.within(screen.box)
    gain = cv2.cvtColor(screen.gain[at], cv2.COLOR_GRAY2RGB)
    return np.asarray(cv2.multiply(cv2.LUT(shot[at], LINEAR16), gain, scale=1 / 65535), np.uint16)
