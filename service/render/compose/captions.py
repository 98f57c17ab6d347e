"""Captions composited over a finished picture, in code values, as browsers do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from cachetools import LRUCache

from ...arrays import F32, I32, U8
from ...clock import Clock
from ...concurrency.single_flight import SingleFlight
from ...fonts.collection import collection
from ...settings import warnings
from ...settings.captions import CaptionSpec, UnusableCaptionError
from ...settings.warnings import Warning
from ...srgb import LINEAR
from ..geometry.raster import Box
from ..memoize import ENTRY, MIB
from ..text.drawing import Drawn, draw, extent, off
from ..text.layout import CaptionError, Layout, lay_out
from .exposure import over

CONTRAST = 3.0  # WCAG 2.2's least for large text
LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)
KEPT = 8 * MIB  # bytes of drawn captions that are cached
LARGEST = 1 << 20  # px; larger captions are drawn strip by strip when they are composited, to bound memory
SAMPLES = 512  # number of places in a strip's letters at which contrast is measured


@dataclass(frozen=True, slots=True, eq=False)
class Strip:
    """Some rows of a caption in a `box` of the canvas: its picture (h, w, 4) uint8 sRGB, straight alpha.

    `rows` and `columns` (n,) are the positions of some pixels of letters in the box. The caption's own
    background covers the share `backed` (n,), 0-1, of each.
    """

    box: Box
    picture: U8
    rows: I32
    columns: I32
    backed: F32

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return self.picture.nbytes + self.rows.nbytes + self.columns.nbytes + self.backed.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class _Caption:
    """A caption in a `box` of the canvas, drawn, or only laid out if it is large.

    `missing` is True if no font has one of its characters. `off` is the share, 0-1, of its letters that lie
    at least partly off the canvas.
    """

    spec: CaptionSpec
    box: Box
    missing: bool
    off: float
    strips: tuple[Strip, ...] = ()
    layout: Layout | None = None

    @property
    def nbytes(self) -> int:
        """The bytes that the caption counts in the cache. A caption that is only laid out counts as more than
        the cache holds, so it is not cached."""
        return ENTRY + sum(strip.nbytes for strip in self.strips) + (KEPT if self.layout else 0)

    def within(self, part: Box, clock: Clock) -> Iterable[Strip]:
        """The strips that lie in a part of the canvas, wholly or partly."""
        if self.layout is None:
            return [strip for strip in self.strips if strip.box.clipped(part).area]
        return _strips(self.spec, self.layout, self.box.clipped(part), clock)


class Captions:
    """The captions of one picture."""

    def __init__(
        self, wanted: Sequence[CaptionSpec], size: tuple[int, int], folder: str, owner: str, clock: Clock
    ) -> None:
        """Lay the captions out on a canvas of `size` (width, height), with the fonts of a `folder` and the
        system's.

        Drawn captions are cached for their `owner` alone. Raises UnusableCaptionError.
        """
        self._clock = clock
        self._captions: list[_Caption] = []
        self._laid_out: list[Warning] = []
        for at, one in enumerate(wanted):
            clock.check()
            try:
                made = _calls.get((one, size, folder, owner), partial(_drawn, one, size, folder, clock))
            except CaptionError as error:
                raise UnusableCaptionError(f"settings.captions[{at}].{error.member}", str(error)) from error
            if made.missing:
                self._laid_out.append(warnings.missing_glyphs(f"captions[{at}].text", drawn=True))
            if cut := warnings.text_cut(f"captions[{at}]", made.off, shrunk=one.overflow == "shrink"):
                self._laid_out.append(cut)
            self._captions.append(made)
        # Contrasts by caption and first row, because a band may be composed more than once, and by several
        # threads.
        self._measured: dict[tuple[int, int], F32] = {}

    def lay(self, band: U8, rows: slice) -> U8:
        """A copy of some rows (h, w, 3 or 4) uint8 sRGB, straight alpha, with the captions over them."""
        part = Box(0, rows.start, band.shape[1], rows.stop - rows.start)
        laid = band
        for number, one in enumerate(self._captions):
            if not one.box.clipped(part).area:
                continue
            if laid is band:
                laid = band.copy()
            self._measured[number, rows.start] = np.concatenate(
                [np.zeros(0, np.float32), *self._lay(laid, part, one)]
            )
        return laid

    def _lay(self, band: U8, part: Box, one: _Caption) -> Iterator[F32]:
        for strip in one.within(part, self._clock):
            seen = strip.box.clipped(part)
            here, there = seen.within(part), seen.within(strip.box)
            inside = (strip.rows >= there[0].start) & (strip.rows < there[0].stop)
            lines = strip.rows[inside] - there[0].start + here[0].start
            below = band[lines, strip.columns[inside] - there[1].start + here[1].start]
            yield _ratios(one.spec, below, strip.backed[inside])
            band[here] = over(strip.picture[there], band[here])

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """Warnings about characters without a font and letters off the canvas; once a picture is composed,
        also about too little contrast."""
        said = list(self._laid_out)
        for at in range(len(self._captions)):
            found = [ratio for (number, _), ratio in sorted(self._measured.items()) if number == at]
            ratio = np.concatenate([np.zeros(0, np.float32), *found])
            poor = ratio[ratio < CONTRAST]
            if poor.size:
                one = warnings.low_contrast(f"captions[{at}]", poor.size / ratio.size, float(poor.mean()))
                said += [one] if one else []
        return tuple(said)


# By caption, canvas, fonts and owner.
_Key = tuple[CaptionSpec, tuple[int, int], str, str]
kept: LRUCache[_Key, _Caption] = LRUCache(KEPT, getsizeof=lambda one: one.nbytes)
_calls = SingleFlight(kept)


def _drawn(caption: CaptionSpec, size: tuple[int, int], folder: str, clock: Clock) -> _Caption:
    layout = lay_out(caption, size, collection(folder))
    box = extent(caption, layout).clipped(Box(0, 0, *size))
    beyond = off(caption, layout, size)
    if box.area > LARGEST:
        return _Caption(caption, box, layout.missing, beyond, layout=layout)
    return _Caption(caption, box, layout.missing, beyond, tuple(_strips(caption, layout, box, clock)))


def _strips(caption: CaptionSpec, layout: Layout, part: Box, clock: Clock) -> Iterator[Strip]:
    """The strips of a part of a caption, some rows at a time."""
    for drawn in draw(caption, layout, part):
        clock.check()
        rows, columns = _letters(drawn)
        backed = np.zeros(len(rows), np.float32) if drawn.back is None else drawn.back[rows, columns]
        yield Strip(drawn.box, _picture(caption, drawn), rows, columns, backed)


def _letters(drawn: Drawn) -> tuple[I32, I32]:
    """Rows and columns of evenly chosen pixels of letters."""
    if drawn.ink is None:
        return np.zeros(0, np.int32), np.zeros(0, np.int32)
    found = np.flatnonzero(drawn.ink >= 0.5)
    found = found[:: max(1, -(-len(found) // SAMPLES))].astype(np.int32)
    rows, columns = np.divmod(found, np.int32(drawn.box.width))
    return rows, columns


def _picture(caption: CaptionSpec, drawn: Drawn) -> U8:
    """Background, letters and emoji of a caption in one picture, (h, w, 4) uint8 sRGB, straight alpha."""
    made: U8 | None = None
    if drawn.back is not None and caption.fill is not None:
        made = _flat(drawn.back, caption.fill)
    if drawn.ink is not None:
        letters = _flat(drawn.ink, caption.color)
        made = letters if made is None else over(letters, made)
    if drawn.pictures is not None:
        alpha = drawn.pictures[..., 3:]
        straight = drawn.pictures[..., :3] / np.maximum(alpha, np.float32(1e-6))
        emoji = (np.concatenate([straight, alpha], axis=2) * 255 + np.float32(0.5)).astype(np.uint8)
        made = emoji if made is None else over(emoji, made)
    return np.zeros((drawn.box.height, drawn.box.width, 4), np.uint8) if made is None else made


def _flat(cover: F32, color: tuple[int, ...]) -> U8:
    """A coverage (h, w) in one colour, (h, w, 4) uint8."""
    made = np.empty((*cover.shape, 4), np.uint8)
    made[...] = (*color[:3], 0)
    made[..., 3] = (cover * np.float32(color[3]) + np.float32(0.5)).astype(np.uint8)
    return made


def _ratios(caption: CaptionSpec, below: U8, backed: F32) -> F32:
    """The contrast (m,) of letters with the colours `below` them (n, 3 or 4) uint8 sRGB, at the m pixels that
    are at least half opaque."""
    share = backed * np.float32(caption.fill.alpha / 255 if caption.fill else 0)
    if below.shape[1] == 4:
        alpha = below[:, 3] / np.float32(255)
        covered = share + alpha * (1 - share)
        # Below this coverage, mainly what lies behind the picture shows through, and its colour is unknown.
        known = covered >= 0.5
        below, share = below[known], share[known] / covered[known]
    ground = below[:, :3].astype(np.float32)
    if caption.fill is not None:
        ground += (np.array(caption.fill[:3], np.float32) - ground) * share[:, None]
    share_ink = caption.color.alpha / 255
    own = np.array(caption.color[:3], np.float32) * share_ink + ground * (1 - share_ink)
    lights = _luminance(own), _luminance(ground)
    return np.asarray((np.maximum(*lights) + 0.05) / (np.minimum(*lights) + 0.05), np.float32)


def _luminance(code: F32) -> F32:
    return np.asarray(LINEAR[(code + np.float32(0.5)).astype(np.uint8)] @ LUMINANCE, np.float32)
