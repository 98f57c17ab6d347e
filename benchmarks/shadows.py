"""The product's shadow, compared with its definition in float64 at full size."""

from __future__ import annotations

import cv2
import numpy as np

from benchmarks import posed
from benchmarks.cases import HEIGHT, WIDTH, Case
from service.arrays import F32
from service.render.geometry.raster import Box
from service.render.geometry.silhouette import outlines
from service.render.plates import shadow
from service.settings.scene import ShadowSpec
from service.validation.color import parse

BLUR, OPACITY, RISE = 5.0, 0.5, -0.03  # the settings' defaults


def shadow_error(case: Case, silhouette: F32) -> float:
    """The mean absolute difference, over the canvas, between the shadow's alpha and two blurred copies of the
    traced silhouette.

    One copy has the full offset and sigma; the other, the tighter lobe, is close to the device.
    """
    short = min(WIDTH, HEIGHT)
    sigma = BLUR * 0.006 * short
    wanted = ShadowSpec(OPACITY, sigma, parse("#000000"), 0.0, RISE * short)
    of = posed.spec(case.model, case.angles, case.environment, shadow=wanted)
    shapes = outlines(case.model, posed.camera(of))
    canvas, ours = Box(0, 0, WIDTH, HEIGHT), np.zeros((HEIGHT, WIDTH), np.float32)
    alpha, left, top, _ = shadow.cast(shapes, canvas, wanted, False, shadow.DEVICE).part(canvas)
    ours[top : top + alpha.shape[0], left : left + alpha.shape[1]] = alpha
    mask = silhouette.astype(np.float64)
    margin = int(4 * sigma)
    mask = np.pad(mask, margin)
    truth = np.zeros_like(mask)
    for share, spread, reach in shadow.DEVICE:
        move = np.array([[1, 0, wanted.x * reach], [0, 1, -wanted.y * reach]])
        moved = cv2.warpAffine(mask, move, mask.shape[::-1], flags=cv2.INTER_LINEAR)
        truth += share * OPACITY * cv2.GaussianBlur(moved, (0, 0), sigma * spread)
    inner = truth[margin:-margin, margin:-margin]
    return float(np.abs(ours - inner).mean())
