"""Masks from the path tracer's geometry: glass, inner edges, surroundings of raised parts.

Regions are whole numbers (FINE · h, FINE · w): the `code` of slab, slot and layer; 0 is the background.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.cases import FINE, HEIGHT, SPAN, WIDTH
from benchmarks.solid import BACK, FRONT, GASKET, SCREEN, frame
from service.arrays import F32, F64, U8
from service.devices.device import Device, Slab
from service.render.material import SURFACES

Regions = NDArray[np.int32]
Mask = NDArray[np.bool_]

BAND = 2.0  # px to either side of an edge
CLEAR = 1.0  # px; edges nearer to the silhouette are not inner edges
REACH = 2.0  # width of the surroundings of a raised part, as a multiple of the part's height
NEAREST, FARTHEST = 3.0, 24.0  # px; bounds of the width of these surroundings


def code(slab: Regions, slot: Regions, layer: Regions) -> Regions:
    """The numbers of regions; slabs and layers count from 1."""
    return slab << 12 | slot << 8 | layer


def slabs(regions: Regions) -> Regions:
    """The number of the slab."""
    return regions >> 12


def slots(regions: Regions) -> Regions:
    """The slot of each fine pixel, with SCREEN added where the screen is."""
    return regions >> 8 & 15


def share(fine: Mask) -> F32:
    """The share 0-1 (h, w) of each pixel that a fine mask covers."""
    size = fine.shape[1] // FINE, fine.shape[0] // FINE
    return np.asarray(cv2.resize(fine.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)


def smooth(regions: Regions, device: Device) -> Mask:
    """A fine mask of visible smooth glass or gloss without a screenshot behind it."""
    found = np.zeros(regions.shape, bool)
    for number, slab in enumerate(device.slabs, 1):
        for slot, face in ((FRONT, slab.front), (BACK, slab.back)):
            if face is not None and _mirrors(face.surface):
                found |= (slabs(regions) == number) & (slots(regions) == slot)
        if _mirrors(slab.surface):
            found |= (slabs(regions) == number) & (slots(regions) == 0)
    return found


def _mirrors(surface: str) -> bool:
    material = SURFACES[surface]  # type: ignore[index]
    return material.lit and not material.metal and material.roughness == 0


def screen(regions: Regions) -> Mask:
    """A fine mask of the visible screenshot."""
    return slots(regions) >= SCREEN


def bezel(regions: Regions, device: Device) -> Mask:
    """A fine mask of smooth black glass around a screen, without the pictures on it."""
    found = np.zeros(regions.shape, bool)
    screened = {screen.slab for screen in device.screens}
    for number, slab in enumerate(device.slabs, 1):
        if slab.name in screened and slab.front.surface == "glass":
            found |= regions == number << 12 | FRONT << 8
    return found


def whole(fine: Mask) -> Mask:
    """The pixels (h, w) that a fine mask fills completely."""
    return share(fine) > 0.999


def crossed(regions: Regions) -> U8:
    """1 in the pixels (h, w) that a slab's edge, or that of a slab's face, or the gap around it crosses."""
    slot = slots(regions)
    parts = slabs(regions) << 4 | np.where(slot >= SCREEN, slot - SCREEN, slot)
    height, width = regions.shape
    blocks = parts.reshape(height // FINE, FINE, width // FINE, FINE)
    several = blocks.min(axis=(1, 3)) != blocks.max(axis=(1, 3))
    return np.asarray(several | (share(slot == GASKET) > 0), np.uint8)


def from_outside(regions: Regions) -> F32:
    """The distance of each fine pixel from the background, px."""
    padded = np.pad((regions > 0).astype(np.uint8), 1)
    return cv2.distanceTransform(padded, cv2.DIST_L2, 5)[1:-1, 1:-1] / np.float32(FINE)


def edges(regions: Regions) -> Mask:
    """A fine mask of pixels next to another region of the device."""
    found = np.zeros(regions.shape, bool)
    # Transposed views find horizontal differences.
    for region, mark in ((regions, found), (regions.T, found.T)):
        differs = (region[1:] != region[:-1]) & (region[1:] > 0) & (region[:-1] > 0)
        mark[1:] |= differs
        mark[:-1] |= differs
    return found


def band(regions: Regions) -> Mask:
    """Pixels (h, w) whose middle lies within BAND px of an inner edge and not near the silhouette."""
    marks = edges(regions)
    if not marks.any():
        return np.zeros((regions.shape[0] // FINE, regions.shape[1] // FINE), bool)
    away = cv2.distanceTransform((~marks).astype(np.uint8), cv2.DIST_L2, 5) / np.float32(FINE)
    near = (away <= BAND) & (from_outside(regions) > CLEAR)
    middle = slice(FINE // 2, None, FINE)
    return np.asarray(near[middle, middle], bool)


def ground(regions: Regions, device: Device) -> Mask:
    """The pixels (h, w) of surfaces around raised parts, up to twice their height away."""
    width, height, _ = device.body
    scale = min(SPAN * HEIGHT / height, SPAN * WIDTH / width)
    owner = slabs(regions)
    inner = ~(cv2.dilate(edges(regions).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)
    found = np.zeros((regions.shape[0] // FINE, regions.shape[1] // FINE), bool)
    numbers = {slab.name: number for number, slab in enumerate(device.slabs, 1)}
    for number, slab in enumerate(device.slabs, 1):
        part = owner == number
        if slab.parent is None or not part.any():
            continue
        parent = device.slabs[numbers[slab.parent] - 1]
        reach = float(np.clip(REACH * rise(slab, parent) * scale, NEAREST, FARTHEST))
        away = cv2.distanceTransform((~part).astype(np.uint8), cv2.DIST_L2, 5) / np.float32(FINE)
        found |= whole((owner == numbers[slab.parent]) & (away <= reach) & inner)
    return found


def rise(slab: Slab, parent: Slab) -> float:
    """The height of a part above its parent's face or wall, mm."""
    own, below = frame(slab), frame(parent)
    normal = below[:3, :3].T @ own[:3, 2]
    middle = below[:3, :3].T @ (own[:3, 3] - below[:3, 3])
    half = float(np.abs(normal) @ np.array(parent.size)) / 2
    return float(middle @ normal) + slab.size[2] / 2 - half


def contours(regions: Regions, least: float = 8.0) -> Iterator[F64]:
    """The closed outline of each region, as points (n, 2), px, that are a pixel apart; only outlines of at
    least `least` px."""
    for number in np.unique(regions[regions > 0]):
        x, y, wide, high = cv2.boundingRect((regions == number).astype(np.uint8))
        mask = np.pad((regions[y : y + high, x : x + wide] == number).astype(np.uint8), 1)
        for ring in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]:
            points = ring[:, 0] + np.array([x - 1.0, y - 1.0])
            if len(points) >= least * FINE:
                yield _spaced((_softened(points) + 0.5) / FINE)


def _softened(points: F64) -> F64:
    """A closed line of fine pixels, smoothed by a circular Gaussian of one px."""
    reach = np.arange(-3 * FINE, 3 * FINE + 1)
    weights = np.exp(-0.5 * (reach / FINE) ** 2)
    around = np.take(points, reach[None] + np.arange(len(points))[:, None], axis=0, mode="wrap")
    return np.asarray(np.einsum("nkc,k->nc", around, weights / weights.sum()), np.float64)


def _spaced(points: F64) -> F64:
    """A closed line with its points moved to be a pixel apart."""
    closed = np.concatenate([points, points[:1]])
    length = np.r_[0, np.cumsum(np.hypot(*np.diff(closed, axis=0).T))]
    places = np.linspace(0, length[-1], max(int(length[-1]), 4), endpoint=False)
    return np.stack([np.interp(places, length, closed[:, axis]) for axis in (0, 1)], axis=1)
