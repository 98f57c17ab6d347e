"""Light that flat faces close to each other send to and fro: a display, its stand and foot, or straps.

Each face is taken for a panel with a surface light field: its radiance at a few places, in directions over
half an octahedron. A panel receives the environment where no other hides it, and what the others send; a
few rounds of that are light that has been reflected as often. What hides what depends on the device alone,
and is kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from service.arrays import F32, F64
from service.devices.device import Device, Face, Role, Side, Slab
from service.render.geometry.bend import straightened
from service.render.geometry.face import Plane, plane, wall
from service.render.light import lobes
from service.render.light.brdf import reflectance, steep
from service.render.light.field import FACES, SIDE, Field, Name, directions, placed
from service.render.light.frame import Frame, per_frame
from service.render.light.shading import SKY_MIP, Light, Points, specular_share
from service.render.light.tint import Colors
from service.render.material import SURFACES, Material
from service.render.memoize import MIB, memoize

CONE = 0.18  # radians from the middle of a cell to its edge; by construction
FINE = 2  # parts along a side of a cell in which the environment is looked up; by cost
EVEN = 7  # places along a panel, whatever stands over it; by cost
STEPS = (-1.0, 1.0, -10.0, 10.0)  # mm from the ends of what stands over it, of more; by cost
APART = 2.0  # mm; the least between places; by cost
LEAST = 0.02  # mm; what is nearer counts as that far away; a guard
SOFT = 0.15  # alpha of the smoothest lobe that cells tell apart; by construction

SIDES: tuple[Side, ...] = ("left", "right")

#: The side walls that send light to other slabs, by role.
ENDS: dict[Role, tuple[Side, ...]] = {
    "body": ("bottom",),
    "case": ("top", "bottom"),
    "stand": ("left", "right", "top"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """A flat face, `half` its sizes in mm, of a surface, in the colour of its `paint`; `deep` as its slab."""

    name: Name
    at: Plane
    half: tuple[float, float]
    deep: float
    material: Material
    paint: Slab | Face

    @property
    def axes(self) -> F64:
        """Its unit x, y and normal (3, 3), device space."""
        return np.stack([self.at.x, self.at.y, self.at.normal])


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Where rays of a panel meet another: their numbers, the shares (n,) that do, and places in its tiles."""

    panel: int
    ray: NDArray[np.int32]
    share: F32
    place: F32


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What a panel sees: the share (cells, places) of each cell's light that comes from the sky, and others.

    Its places are at `columns` and `rows`, mm, row by row.
    """

    columns: F64
    rows: F64
    left: F32
    hits: tuple[Hits, ...]


@per_frame
def fields(frame: Frame) -> Mapping[Name, Field]:
    """What flat faces of a device with a stand or straps send, with what they have of each other."""
    panels = tuple(_panels(frame.device))
    if not panels:
        return {}
    sights = _sights(frame.device.slabs, panels)
    camera, light = frame.camera, frame.light
    seen = [
        _Lit(one, sight, camera.view(one.axes).astype(np.float32), _color(one, frame.colors), light)
        for one, sight in zip(panels, sights, strict=True)
    ]
    first = [one.first() for one in seen]
    found = [one.tiled(sent) for one, sent in zip(seen, first, strict=True)]
    for _ in range(frame.quality.bounces):
        found = [one.tiled(sent + one.returned(found)) for one, sent in zip(seen, first, strict=True)]
    return {one.panel.name: sent for one, sent in zip(seen, found, strict=True)}


def _color(one: Panel, colors: Colors) -> F32:
    return colors.wall(one.paint) if isinstance(one.paint, Slab) else colors.face(one.paint)


@dataclass(frozen=True, slots=True, eq=False)
class _Lit:
    """A panel under a light: what it sees, its unit `axes` (3, 3) in view space and linear `color` (3,)."""

    panel: Panel
    sight: Sight
    axes: F32
    color: F32
    light: Light

    def first(self) -> F32:
        """What it sends of the sky alone (cells, places, 3)."""
        sky = self._sky()
        sent, whole = self._sent(sky * self.sight.left[..., None]), self._sent(sky)
        # What cells miss of the lobe is what they miss of one that nothing hides.
        return np.asarray(sent * (self._open() / np.maximum(whole, np.float32(1e-6))), np.float32)

    def returned(self, others: Sequence[Field]) -> F32:
        """What it sends of what others send (cells, places, 3)."""
        received = np.zeros((*self.sight.left.shape, 3), np.float32)
        for hits in self.sight.hits:
            others[hits.panel].texels.received(hits.place, hits.share, hits.ray, received.reshape(-1, 3))
        return self._sent(received) if self.sight.hits else received

    def tiled(self, sent: F32) -> Field:
        """Radiance (cells, places, 3) as a field."""
        wide, high = len(self.sight.columns), len(self.sight.rows)
        tiles = sent.reshape(SIDE, SIDE, high, wide, 3).transpose(0, 2, 1, 3, 4)
        tiles = np.ascontiguousarray(tiles.reshape(SIDE * high, SIDE * wide, 3))
        return Field(tiles, self.sight.columns, self.sight.rows, self.axes)

    def _sky(self) -> F32:
        """The environment's mean radiance (cells, 1, 3) in the cells over it."""
        ways, whole = _fine()
        found = self.light.narrow(SKY_MIP, *(ways @ self.axes).T[:, None])[0] * whole[:, None]
        found, whole = (part.reshape(SIDE, FINE, SIDE, FINE, -1).sum(axis=(1, 3)) for part in (found, whole))
        return np.asarray((found / whole).reshape(-1, 1, 3), np.float32)

    def _open(self) -> F32:
        """The radiance (cells, 1, 3) that it would send with nothing around it."""
        material, light, cells = self.panel.material, self.light, _cells()[0]
        if not material.roughness:
            return self._sent(self._sky())
        toward = cells @ self.axes
        along, normals = (np.broadcast_to(axis, toward.shape) for axis in (self.axes[0], self.axes[2]))
        found = lobes.seen((material, self.color), Points(normals, along, toward), light)
        if not material.metal:
            left = 1 - specular_share(material, cells[:, 2], light)[:, None]
            found = found + light.diffuse(self.axes[2:]) * self.color * np.float32(material.albedo) * left
        return np.asarray(found[:, None], np.float32)

    def _sent(self, received: F32) -> F32:
        """What it sends to each cell of the light from each (cells, places, 3)."""
        cells, whole = _cells()
        cosine, material = cells[:, 2], self.panel.material
        flat = received.reshape(len(cells), -1)
        mirrored = (_lobes(material.roughness) @ flat).reshape(received.shape)
        matt = ((whole * cosine / np.float32(np.pi)) @ flat).reshape(-1, 3) * self.color
        if material.metal:
            share, below = (
                reflectance(cosine, material.roughness, self.color),
                np.float32(material.diffuse),
            )
            return np.asarray(mirrored * (share * (1 - below))[:, None] + matt * below, np.float32)
        share = specular_share(material, cosine, self.light)[:, None, None]
        return np.asarray(mirrored * share + matt * np.float32(material.albedo) * (1 - share), np.float32)


def _panels(device: Device) -> Iterator[Panel]:
    """The flat faces that send each other light; none without stand or straps."""
    roles = {slab.role for slab in device.slabs}
    if not roles & {"strap", "stand"}:
        return
    for slab in device.slabs:
        if slab.role == "part":
            continue
        # Nothing is under a foot.
        faces = FACES[:1] if slab.role == "foot" else FACES
        for number, piece in enumerate(straightened(slab)):
            half = piece.size[0] / 2, piece.size[1] / 2
            for side in faces:
                face = (slab.back if side == "back" else None) or slab.front
                at, surface = plane(piece, side == "front"), SURFACES[face.surface]
                yield Panel((slab.name, side, number), at, half, piece.size[2], surface, face)
        width, height, deep = slab.size
        for end in ENDS.get(slab.role, ()):
            across, along = (height, width) if end in SIDES else (width, height)
            half, surface = (across / 2, deep / 2), SURFACES[slab.surface]
            yield Panel((slab.name, end, 0), wall(slab, end), half, along, surface, slab)


@memoize(8 * MIB, key=lambda slabs, panels: slabs)
def _sights(slabs: tuple[Slab, ...], panels: Sequence[Panel]) -> tuple[Sight, ...]:
    """What the panels of a device's slabs see."""
    places = [_places(one, panels) for one in panels]
    found = []
    for number, (one, (columns, rows)) in enumerate(zip(panels, places, strict=True)):
        x, y = (way.reshape(-1, 1) for way in np.meshgrid(columns, rows))
        points = one.at.origin + x * one.at.x + y * one.at.y
        ways = _cells()[0].astype(np.float64) @ one.axes
        others = [at for at in range(len(panels)) if at != number]
        parts = [_met(panels[at], points, ways) for at in others]
        share, away = (np.stack([part[at] for part in parts]) for at in (0, 1))
        order, left = np.argsort(np.where(share > 0, away, np.inf), axis=0), np.ones(share.shape[1:])
        # Each takes from what nearer ones leave.
        for nearest in order:
            taken = np.take_along_axis(share, nearest[None], 0) * left
            np.put_along_axis(share, nearest[None], taken, 0)
            left = left - taken[0]
        hits = []
        for at, taken, (_, _, across, up) in zip(others, share, parts, strict=True):
            ray = np.flatnonzero(taken)
            if len(ray):
                out = -(ways @ panels[at].axes.T)[ray // len(points)]
                place = placed(*places[at], across.ravel()[ray], up.ravel()[ray], out)
                hits.append(Hits(at, ray.astype(np.int32), taken.ravel()[ray].astype(np.float32), place))
        found.append(Sight(columns, rows, left.astype(np.float32), tuple(hits)))
    return tuple(found)


def _met(one: Panel, points: F64, ways: F64) -> tuple[F64, F64, F64, F64]:
    """The shares (k, n) of cells `ways` (k, 3) from points (n, 3) that a panel fills, how far off and where.

    A point within its slab counts as just before it.
    """
    apart, into = points - one.at.origin, -(ways @ one.at.normal)[:, None]
    height, x, y = (apart @ way for way in (one.at.normal, one.at.x, one.at.y))
    inside = (np.abs(x) < one.half[0]) & (np.abs(y) < one.half[1]) & (height > -one.deep / 2)
    away = np.maximum(height, LEAST) / np.maximum(into, 1e-3)
    across, up = x + away * (ways @ one.at.x)[:, None], y + away * (ways @ one.at.y)[:, None]
    within = np.minimum(one.half[0] - np.abs(across), one.half[1] - np.abs(up))
    share = np.clip(0.5 + within / (2 * CONE * away), 0, 1)
    return np.where((into > 1e-3) & ((height > LEAST) | inside), share, 0), away, across, up


def _places(one: Panel, panels: Sequence[Panel]) -> tuple[F64, F64]:
    """Places across and up a panel, mm from its middle: even ones, and more where another ends over it."""
    found = []
    for axis, half in ((one.at.x, one.half[0]), (one.at.y, one.half[1])):
        ends = [half * part for part in (-1, 1)]
        for other in panels:
            reach = sum(
                abs(float(way @ axis)) * size
                for way, size in ((other.at.x, other.half[0]), (other.at.y, other.half[1]))
            )
            middle = float((other.at.origin - one.at.origin) @ axis)
            if other.name[0] != one.name[0]:
                ends += [middle - reach, middle + reach]
        some = [*(-half * np.cos(np.pi * np.arange(EVEN) / (EVEN - 1)))]
        for place in (end + step for step in sorted(STEPS, key=abs) for end in ends):
            if abs(place) < half and min(abs(place - other) for other in some) > APART:
                some.append(place)
        found.append(np.unique(np.array(some)))
    return found[0], found[1]


@cache
def _cells() -> tuple[F32, F32]:
    """Unit directions (n, 3) through cells around z, and their steradians (n,)."""
    return directions()


@cache
def _fine() -> tuple[F32, F32]:
    return directions(FINE)


@cache
def _lobes(roughness: float) -> F32:
    """The weights (n, n) of light from cells (columns) in what a GGX surface mirrors to cells (rows)."""
    ways, whole = _cells()
    alpha2 = roughness**4 + SOFT**2
    half = ways[:, None] + ways
    half /= np.linalg.norm(half, axis=2, keepdims=True)
    spread = half[..., 2] ** 2 * (alpha2 - 1) + 1
    cosine = ways[:, 2]
    root = steep(cosine, math.sqrt(alpha2))
    masking = cosine * root[:, None] + cosine[:, None] * root
    found = whole * cosine / (spread**2 * masking)
    return np.asarray(found / found.sum(axis=1, keepdims=True), np.float32)
