"""Captions laid over a plate: its colours in code values, as browsers do, its openings in linear light."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from service.arrays import F32, U8
from service.clock import Clock
from service.fonts.collection import collection
from service.render.geometry.raster import Box, extent
from service.render.plates.composite import FAINT, Opening
from service.render.text.drawing import draw
from service.render.text.layout import CaptionError, lay_out
from service.settings import warnings
from service.settings.captions import CaptionSpec, UnusableCaptionError
from service.settings.warnings import Warning
from service.srgb import LINEAR, decode
from service.validation.color import Color

CONTRAST = 3.0  # WCAG 2.2's least for large text
LUMINANCE = np.array([0.2126, 0.7152, 0.0722], np.float32)
_LIGHT = (decode(np.arange(255 * 16 + 1) / (255.0 * 16)) * 65535).astype(np.float32)


def lay(
    base: U8,
    openings: Sequence[Opening | None],
    captions: Sequence[CaptionSpec],
    folder: str,
    clock: Clock,
) -> tuple[Warning, ...]:
    """Lay captions over the canvas `base` (h, w, 4) uint8 sRGB, straight alpha, and its openings, in place.

    `folder` has fonts besides those of the system. Returns warnings; raises UnusableCaptionError.
    """
    height, width = base.shape[:2]
    fonts = collection(folder)
    said: list[Warning] = []
    for at, caption in enumerate(captions):
        clock.check()
        try:
            layout = lay_out(caption, (width, height), fonts)
        except CaptionError as error:
            raise UnusableCaptionError(f"settings.captions[{at}].{error.member}", str(error)) from error
        if layout.missing:
            said.append(warnings.missing_glyphs(f"captions[{at}].text", drawn=True))
        measured = Contrast(caption.color)
        for drawn in draw(caption, layout, Box(0, 0, width, height)):
            clock.check()
            if drawn.back is not None and caption.fill is not None:
                _over(base, openings, drawn.box, *_flat(drawn.back, caption.fill))
            if drawn.ink is not None:
                measured.add(base, openings, drawn.box, drawn.ink)
                _over(base, openings, drawn.box, *_flat(drawn.ink, caption.color))
            if drawn.pictures is not None:
                alpha = drawn.pictures[..., 3]
                full = np.maximum(alpha, np.float32(1e-6))[..., None]
                _over(
                    base,
                    openings,
                    drawn.box,
                    alpha,
                    np.asarray(drawn.pictures[..., :3] / full * 255, np.float32),
                )
        poor = warnings.low_contrast(f"captions[{at}]", *measured.poor)
        said += [poor] if poor else []
    return tuple(said)


def _flat(cover: F32, color: tuple[int, ...]) -> tuple[F32, F32]:
    """The alpha and colour of a coverage in one colour."""
    return cover * np.float32(color[3] / 255), np.array(color[:3], np.float32)


def _over(base: U8, openings: Sequence[Opening | None], box: Box, alpha: F32, color: F32) -> None:
    """Lay a colour, sRGB 0-255, of an opacity (h, w) over a box of the canvas and what shines there."""
    touched = extent(alpha > 0)
    if not touched.area:
        return
    alpha = alpha[touched.slices]
    color = color if color.ndim == 1 else color[touched.slices]
    box = Box(box.x + touched.x, box.y + touched.y, touched.width, touched.height)
    under, own = base[box.slices], alpha[..., None]
    below = under.astype(np.float32)
    rest = below[..., 3:] * np.float32(1 / 255) * (1 - own)
    total = own + rest
    code = np.asarray((color * own + below[..., :3] * rest) / np.maximum(total, np.float32(1e-6)), np.float32)
    # Where there is nothing of the caption, all stays as it is.
    inked = own > 0
    laid = np.concatenate([code, total * 255], axis=2) + np.float32(0.5)
    np.copyto(under, laid.astype(np.uint8), where=inked)
    for opening in openings:
        part = None if opening is None else box.clipped(opening.box)
        if opening is None or part is None or not part.area:
            continue
        here, there = part.within(box), part.within(opening.box)
        seen, left = inked[here], 1 - own[here]
        held, gain = opening.base[there], opening.gain[there]
        # Blended in light, since the screenshot behind it is only known in light: the picture stays
        # base + gain · screenshot, and edges have no fringe whatever it shows. Where nothing shines, the
        # opening has the light of the canvas.
        above, light = _light16(color if color.ndim == 1 else color[here]), _light16(code[here])
        mixed = held * left + above * own[here]
        shining = np.where((gain > FAINT)[..., None], mixed, light) + np.float32(0.5)
        np.copyto(held, shining.astype(np.uint16), where=seen)
        np.copyto(gain, (gain * left[..., 0] + np.float32(0.5)).astype(np.uint16), where=seen[..., 0])


class Contrast:
    """How a caption's letters stand out from what lies behind them, where that is known."""

    def __init__(self, color: Color) -> None:
        self._color = color
        self._letters = self._poor = 0
        self._ratios = 0.0

    def add(self, base: U8, openings: Sequence[Opening | None], box: Box, ink: F32) -> None:
        """Look at a box of the canvas before its letters are laid over it."""
        known = (ink >= 0.5) & (base[box.slices][..., 3] >= 128)
        for opening in openings:
            part = None if opening is None else box.clipped(opening.box)
            if opening is not None and part is not None and part.area:
                known[part.within(box)] &= opening.gain[part.within(opening.box)] <= FAINT
        below = base[box.slices][known][:, :3].astype(np.float32)
        share = self._color.alpha / 255
        own = np.array(self._color[:3], np.float32) * share + below * (1 - share)
        lights = _luminance(own), _luminance(below)
        ratio = (np.maximum(*lights) + 0.05) / (np.minimum(*lights) + 0.05)
        poor = ratio[ratio < CONTRAST]
        self._letters += ratio.size
        self._poor += poor.size
        self._ratios += float(poor.sum(dtype=np.float64))

    @property
    def poor(self) -> tuple[float, float]:
        """The share of letters with too little contrast, and the mean contrast of those."""
        return self._poor / max(self._letters, 1), self._ratios / max(self._poor, 1)


def _light16(code: F32) -> F32:
    """Linear light 0-65535 of code values 0-255, exact to a 16th of one; float32, same shape."""
    steps = np.asarray(code * np.float32(16) + np.float32(0.5)).astype(np.uint16)
    return _LIGHT[np.minimum(steps, len(_LIGHT) - 1)]


def _luminance(code: F32) -> F32:
    return np.asarray(LINEAR[(code + np.float32(0.5)).astype(np.uint8)] @ LUMINANCE, np.float32)
