"""The light of a face that another slab stands over, gathered from many directions at some of its points.

Prefiltered lobes know nothing of what stands near: a laptop's deck has its light from beside, above and below
the lid, and from the lid itself, which mirrors lamps. Rays drawn from the lobe of a metal tell them apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from service.arrays import F32, F64
from service.models.devices import Face, Slab
from service.render.geometry.camera import Camera
from service.render.geometry.distinct import distinct
from service.render.geometry.face import Plane
from service.render.geometry.raster import Box
from service.render.light.between import LEVEL, SKY
from service.render.light.brdf import hemisphere, parts, reflectance, steep, visible
from service.render.light.metal import runs
from service.render.light.neighbour import Neighbour
from service.render.light.shading import Light, fresnel
from service.render.light.tint import Colors
from service.render.material import SURFACES, Material
from service.render.paint.plane import lay

POINTS, FEW = 9, 2  # across a face and up, denser near its edges; the same where it is narrow
NARROW = 20.0  # mm
COARSE_POINTS = 6  # across a face of a coarse body and up
RAYS = 96  # a point
RETURNED = 0.5  # of the light that others hide from a neighbour: they are in shade themselves
SHADES = 7  # points across and up a neighbour at which its own shade is found
NEARBY = (-64, -32, -16, -6, 6, 16, 32, 64)  # mm from the ends of what stands over a part of a face
APART = 5.0  # mm; the least between points
WITHIN = 0.375  # of a face's side; ends nearer to its middle lie well within it
CLOSE = (-8, -4, -1, 1, 4, 8)  # mm from those
SPACING = 3.0  # mm between the points that the gathered are spread to


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """The light of a whole face, seen straight on: radiance, and the share of matt light lost.

    `picture` (h, w, 4) float32 of a face of `size` mm.
    """

    picture: F32
    size: tuple[float, float]

    def seen(self, at: Plane, camera: Camera, box: Box) -> tuple[F32, F32]:
        """Radiance (h, w, 3) and share (h, w) in a box of the canvas; `at` is the face."""
        found = lay((self.picture,), at.homography(camera), (0, 0), self.size, box)
        return np.asarray(cv2.cvtColor(found, cv2.COLOR_RGBA2RGB)), np.asarray(cv2.extractChannel(found, 3))

    def at(self, across: F32, up: F32) -> F32:
        """What there is (n, 4) at places of the face, mm right of and above its middle."""
        (high, wide), (width, height) = self.picture.shape[:2], self.size
        x, y = (across / width + 0.5) * wide - 0.5, (0.5 - up / height) * high - 0.5
        return _looked_up(self.picture, x.astype(np.float32), y.astype(np.float32))


def gathered(
    slab: Slab,
    face: Face,
    at: Plane,
    over: Sequence[Neighbour],
    eye: F32,
    camera: Camera,
    light: Light,
    colors: Colors,
    *,
    coarse: bool = False,
) -> Gathered:
    """The light that a slab's face sends to an `eye` (3,) in view mm, with neighbours over it.

    Of a `coarse` body it is gathered at fewer points.
    """
    width, height, _ = slab.size
    axes = camera.view(np.stack([at.x, at.y, at.normal])).astype(np.float32)
    middle = camera.view(at.origin[None])[0].astype(np.float32)
    spans = [[one.span(middle, axis) for one in over] for axis in axes[:2]]
    count = COARSE_POINTS if coarse else POINTS
    columns, rows = (_places(side, span, count) for side, span in zip((width, height), spans, strict=True))
    grid = sent(face, at, over, eye, camera, light, colors, columns, rows)
    # Rows run from top to bottom.
    places = between(columns, width), between(-rows[::-1], height)
    # A cubic overshoots where points that are close to each other meet those far apart.
    uneven = any(map(_inside, (width, height), spans))
    picture = spread(grid, *places, cv2.INTER_LINEAR if uneven else cv2.INTER_CUBIC)
    return Gathered(picture, (width, height))


def sent(
    face: Face, at: Plane, over: Sequence[Neighbour], eye: F32, camera: Camera, light: Light, colors: Colors,
    columns: F64, rows: F64,
) -> F32:  # fmt: skip
    """Radiance, and the share of matt light lost (rows, columns, 4), of places on a face.

    They are at `columns` and `rows`, mm right of and above its middle; the uppermost row is the first.
    """
    x, y = np.meshgrid(columns, rows[::-1])
    flat = at.origin + x.reshape(-1, 1) * at.x + y.reshape(-1, 1) * at.y
    points = camera.view(flat).astype(np.float32)
    away = eye - points
    toward = (away / np.linalg.norm(away, axis=1, keepdims=True)).astype(np.float32)
    axes = camera.view(np.stack([at.x, at.y, at.normal])).astype(np.float32)
    material, color = SURFACES[face.surface], colors.face(face)
    cosine = np.maximum(toward @ axes[2], np.float32(1e-3))
    found = _lobes(points, toward, axes, over, light, material)
    white, lost, thrown = _matt(points, axes, over, light)
    matt = (white * (1 - lost[:, None]) + thrown) * color
    if material.metal:
        kept, below = reflectance(cosine, material.roughness, color), np.float32(material.diffuse)
        found = found * kept * (1 - below) + matt * below
    else:
        share = fresnel(material, cosine)[:, None]
        found = found * share + matt * np.float32(material.albedo) * (1 - share)
    return np.concatenate([found, lost[:, None]], axis=1).reshape(len(rows), len(columns), 4)


def _places(side: float, spans: Sequence[tuple[float, float]], most: int = POINTS) -> F64:
    """Places (n,) along a face's side, mm from its middle: denser near its ends and those of `spans`.

    Where what stands over less than half of a side ends, light changes within a few mm, or fewer well inside
    the face.
    """
    count = most if side > NARROW else FEW
    found = -np.cos(np.pi * np.arange(count) / (count - 1)) * side / 2
    ends = [end for low, high in spans if high - low < side / 2 for end in (low, high)]
    for place in (end + step for end in ends for step in NEARBY):
        if abs(place) < side / 2 and np.abs(found - place).min() > APART:
            found = np.sort(np.append(found, place))
    close = [end + step for end in _inside(side, spans) for step in CLOSE]
    return distinct(np.append(found, [place for place in close if abs(place) < side / 2]))


def _inside(side: float, spans: Sequence[tuple[float, float]]) -> list[float]:
    """The ends of `spans` that lie well inside a face that is not narrow."""
    return [end for span in spans for end in span if abs(end) < WITHIN * side and side > NARROW]


def _lobes(
    points: F32, toward: F32, axes: F32, over: Sequence[Neighbour], light: Light, material: Material
) -> F32:
    """The light (n, 3) in the lobes that a material mirrors `toward` the eye (n, 3)."""
    lobe = parts(material.roughness, 0.0, RAYS)
    half = lobe.half @ axes
    met, cosine = toward @ half.T, np.maximum(toward @ axes[2], np.float32(1e-3))[:, None]
    leaving = 2 * met[:, :, None] * half - toward[:, None]
    nl, alpha = leaving @ axes[2], lobe.alpha[0]
    weight = visible(nl, cosine, met, lobe.half[:, 2], steep(nl, alpha), steep(cosine, alpha)) * lobe.share
    weight /= np.maximum(weight.sum(axis=1, keepdims=True), np.float32(1e-6))
    found = np.zeros(points.shape, np.float32)
    # Each neighbour takes from what the ones before it leave.
    taken = []
    for one in over:
        filled = one.filled(points, leaving, lobe.cone) * weight
        weight = weight - filled
        taken.append((one, filled, _left(one, points, leaving, light)))
    for halvings, run in runs(lobe, light):
        rays = (np.ascontiguousarray(leaving[:, run, axis]) for axis in range(3))
        light_in = light.narrow(halvings, *rays) * weight[:, run, None]
        found += light_in.sum(axis=1)
    flat = leaving.reshape(-1, 3)
    for one, filled, left in taken:
        hit = np.flatnonzero(filled)
        sent = np.zeros(flat.shape, np.float32)
        sent[hit] = one.face.radiance(flat[hit]) * filled.reshape(-1, 1)[hit]
        if left is not None:
            sent[hit] *= left.reshape(-1, 3)[hit]
        found += sent.reshape(leaving.shape).sum(axis=1)
    return found


def _matt(points: F32, axes: F32, over: Sequence[Neighbour], light: Light) -> tuple[F32, F32, F32]:
    """The light on a white matt surface (3,) with nothing over it, and the share (n,) of it that is lost.

    The last (n, 3) is the light that rough neighbours throw back.
    """
    rays = hemisphere(SKY) @ axes
    seen = light.reflected(rays, LEVEL).mean(axis=1)
    ways = np.broadcast_to(rays, (len(points), *rays.shape))
    filled = np.zeros(ways.shape[:2], np.float32)
    thrown = np.zeros(points.shape, np.float32)
    for one in over:
        share = one.filled(points, ways, 2 * SKY**-0.5) * (1 - filled)
        filled = filled + share
        if one.face.material.roughness:
            sent = one.face.radiance(rays) / np.float32(SKY)
            left = _left(one, points, ways, light)
            thrown += share @ sent if left is None else np.einsum("nk,nkc,kc->nc", share, left, sent)
    lost = np.asarray(filled @ seen / max(seen.sum(), 1e-6), np.float32)
    return light.diffuse(axes[2:])[0], lost, thrown


def _left(one: Neighbour, points: F32, leaving: F32, light: Light) -> F32 | None:
    """The share (n, k, 3) of a neighbour's light that others leave it or send it where rays meet it.

    Rays `leaving` (n, k, 3) points (n, 3) in view mm. What others hide, they send in their own colour. None
    without others.
    """
    if not one.over:
        return None
    places, (wide, high) = np.linspace(-1, 1, SHADES, dtype=np.float32), one.half
    x, y = (
        side.reshape(-1, 1) for side in np.meshgrid(places * np.float32(wide), -places * np.float32(high))
    )
    there = one.middle + x * one.axes[0] + y * one.axes[1]
    lost = _matt(there, one.axes, one.over, light)[1].reshape(SHADES, SHADES)
    across, up, _ = one.met(points, leaving)
    column, row = (
        np.clip(at / np.float32(half) + 1, 0, 2) * np.float32((SHADES - 1) / 2)
        for at, half in ((across, wide), (-up, high))
    )
    lost = np.asarray(cv2.remap(lost, column, row, cv2.INTER_LINEAR), np.float32)
    color = np.mean([other.face.color for other in one.over], axis=0, dtype=np.float32)
    return np.asarray(1 - lost[..., None] * (1 - np.float32(RETURNED) * color), np.float32)


def spread(grid: F32, x: F32, y: F32, mode: int) -> F32:
    """What was gathered at the points of a face, at columns x and rows y of them, as fractions."""
    found = cv2.remap(grid, *np.meshgrid(x, y), mode, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(found, np.float32)


def between(places: F64, side: float, spacing: float = SPACING) -> F32:
    """Which of `places` along a side, as a fraction, others lie at that are evenly `spacing` mm apart."""
    many = math.ceil(side / spacing)
    middle = ((np.arange(many) + 0.5) / many * 2 - 1) * side / 2
    return np.interp(middle, places, np.arange(len(places))).astype(np.float32)


def _looked_up(picture: F32, x: F32, y: F32) -> F32:
    parts = [
        cv2.remap(picture, a[:, None], b[:, None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[:, 0]
        for a, b in zip(*(np.array_split(v, -(-len(v) // 16384)) for v in (x, y)), strict=True)
    ]
    return np.asarray(np.concatenate(parts), np.float32)
