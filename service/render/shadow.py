"""The soft shadow of the posed device on the background."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from service.devices import Device
from service.render.camera import Camera
from service.render.raster import Box
from service.render.silhouette import fill, silhouette
from service.scene import Shadow

F32 = NDArray[np.float32]

TIGHT, TIGHT_SIGMA, TIGHT_OFFSET = 0.3, 0.35, 0.5  # share, sigma and offset of the tight lobe


def strength(device: Device, camera: Camera, shadow: Shadow, fast: bool) -> F32:
    """The shadow's alpha over the canvas, (height, width) float32 in 0-1.

    The silhouette, moved by the offset and blurred by a Gaussian of sigma px; a tighter, nearer lobe of it
    grounds the device. Worked out at a fraction of the size where the blur leaves no detail, on a margin
    that holds what comes from outside the canvas.
    """
    w, h = camera.width, camera.height
    tight = max(shadow.sigma * TIGHT_SIGMA, 1e-3)
    step = int(np.clip(tight / (2.0 if not fast else 1.2), 1, 16))
    margin = int(np.ceil(3 * shadow.sigma / step)) + 2
    size = (-(-w // step) + 2 * margin, -(-h // step) + 2 * margin)
    whole = Box(0, 0, *size)
    outlines = [silhouette(slab, camera) for slab in device.slabs]
    mask = fill([o / np.float32(step) + np.float32(margin) for o in outlines if o is not None], whole)
    total = np.zeros_like(mask)
    for share, spread, reach in ((1 - TIGHT, 1.0, 1.0), (TIGHT, TIGHT_SIGMA, TIGHT_OFFSET)):
        move = np.array([[1, 0, shadow.x * reach / step], [0, 1, -shadow.y * reach / step]], np.float32)
        moved = cv2.warpAffine(mask, move, size, flags=cv2.INTER_LINEAR)
        sigma = shadow.sigma * spread / step
        # A reduced mask is already softened by its own pixels; what is missing to the full sigma is added.
        sigma = float(np.sqrt(max(sigma * sigma - 1 / 12, 0)))
        if sigma > 0.05:
            moved = cv2.GaussianBlur(moved, (0, 0), sigma, borderType=cv2.BORDER_CONSTANT)
        total += np.float32(share * shadow.opacity) * moved
    # Back to canvas px: canvas pixel centre (x + .5) lies at (x + .5) / step + margin - .5 of the small one.
    back = np.array(
        [[1 / step, 0, 0.5 / step + margin - 0.5], [0, 1 / step, 0.5 / step + margin - 0.5]], np.float32
    )
    flags = (cv2.INTER_CUBIC if not fast else cv2.INTER_LINEAR) | cv2.WARP_INVERSE_MAP
    if step == 1:
        full = np.ascontiguousarray(total[margin : margin + h, margin : margin + w])
    else:
        full = np.asarray(cv2.warpAffine(total, back, (w, h), flags=flags), np.float32)
    return np.clip(full, 0, 1, out=full)


def darken(canvas: NDArray[np.uint8], shade: F32, color: tuple[int, ...]) -> NDArray[np.uint8]:
    """An opaque canvas (h, w, 4) under the shadow, in whole code values, without dither; in place."""
    part = cv2.boundingRect((shade > 1 / 512).astype(np.uint8))
    at = Box(*part).slices
    if not Box(*part).area:
        return canvas
    opacity = cv2.convertScaleAbs(shade[at], alpha=255)
    rest = cv2.merge([255 - opacity] * 3 + [np.full_like(opacity, 255)])
    below = cv2.multiply(canvas[at], rest, scale=1 / 255)
    if any(color):
        own = cv2.multiply(cv2.merge([opacity] * 4), np.array([*color, 0], np.float64), scale=1 / 255)
        below = cv2.add(below, own)
    canvas[at] = below
    return canvas
