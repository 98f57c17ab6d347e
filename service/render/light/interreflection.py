"""Interreflection: light bouncing between flat faces that are close, such as a display, its stand and foot.

Each face becomes a panel with a surface light field: its outgoing radiance at a few places, in directions
over half an octahedron. A panel receives the environment's light where no other panel hides it, and elsewhere
the light of the panels that hide it. Each iteration adds one bounce; with one bounce fewer, the error around
the Studio Display's raised parts rises from 2.3 to 3.0 code values. Visibility between panels depends on the
device alone, so it is computed once and cached.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from ...arrays import F32, F64
from ...devices.device import Device, Face, Role, Side, Slab
from ..geometry.bend import straightened
from ..geometry.face import Plane, plane, wall
from ..kernels.occluders import tile
from ..material import SURFACES, Material
from ..memoize import MIB, memoize
from . import lobes
from .brdf import reflectance, smith_root
from .field import FACES, SIDE, Field, Name, directions, placed
from .frame import Frame, per_frame
from .shading import SKY_MIP, Light, Points, fresnel, specular_share
from .tint import Colors

CONE = 0.18  # radians from the middle of a cell of directions to its edge; by construction
FINE = 2  # lookups of the environment along each side of a cell; by cost
EVEN = 7  # places along a panel, in addition to places near other panels' ends; by cost
# distances from the end of another panel, mm, at which places are added; by cost
STEPS = (-1.0, 1.0, -10.0, 10.0)
APART = 2.0  # mm; the least distance between places; by cost
LEAST = 0.02  # mm; closer occluders count as this far away; a guard
PAINTS = 64  # paints whose responses are cached, about 50 kB each: more than a few devices have; by cost
SOFT = 0.15  # alpha of the smoothest lobe that cells can resolve; by construction

SIDES: tuple[Side, ...] = ("left", "right")

#: The side walls that send light to other slabs, by role.
ENDS: dict[Role, tuple[Side, ...]] = {
    "body": ("bottom",),
    "case": ("top", "bottom"),
    "stand": ("left", "right", "top"),
}


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """A flat face of a slab: `half` is half its width and height, `deep` the thickness of its slab, mm.

    Its colour is that of `paint`, a slab or a face.
    """

    name: Name
    at: Plane
    half: tuple[float, float]
    deep: float
    material: Material
    paint: Slab | Face

    @property
    def axes(self) -> F64:
        """The panel's unit x, y and normal (3, 3), device space."""
        return self.at.axes


@dataclass(frozen=True, slots=True, eq=False)
class Transfer:
    """The light that a panel receives from another: the form factors of its rays, and where they meet the
    other panel.

    `ray` (n,) are the rays that meet the other panel, `share` (n,) the shares of their cones that it fills,
    and `place` (4, n) texture coordinates in its tiles.
    """

    panel: int
    ray: NDArray[np.int32]
    share: F32
    place: F32


@dataclass(frozen=True, slots=True, eq=False)
class Visibility:
    """The sky and the other panels as seen from a panel.

    The share `left` (cells, places) of each cell of directions shows the sky; `transfers` cover the rest.
    Places are at `columns` and `rows`, mm, row by row.
    """

    columns: F64
    rows: F64
    left: F32
    transfers: tuple[Transfer, ...]


@per_frame
def fields(frame: Frame) -> Mapping[Name, Field]:
    """The surface light fields of a device's panels, by name; none without a stand or straps."""
    panels = tuple(_panels(frame.device))
    if not panels:
        return {}
    visibilities = _visibilities(frame.device.slabs, panels)
    camera, light = frame.camera, frame.light
    seen = [
        _LitPanel(one, visibility, camera.view(one.axes).astype(np.float32), _color(one, frame.colors), light)
        for one, visibility in zip(panels, visibilities, strict=True)
    ]
    lit = zip(seen, _skies(seen), _unoccluded(seen), strict=True)
    first = [one.from_sky(sky, unoccluded) for one, sky, unoccluded in lit]
    outgoing = [one.tiled(sent) for one, sent in zip(seen, first, strict=True)]
    for _ in range(frame.quality.bounces):
        outgoing = [
            one.tiled(sent + one.from_panels(outgoing)) for one, sent in zip(seen, first, strict=True)
        ]
    return {one.panel.name: sent for one, sent in zip(seen, outgoing, strict=True)}


def _color(one: Panel, colors: Colors) -> F32:
    return colors.wall(one.paint) if isinstance(one.paint, Slab) else colors.face(one.paint)


@dataclass(frozen=True, eq=False)
class _LitPanel:
    """A panel in a light: its visibility, its unit `axes` (3, 3) in view space, and its linear `color` (3,).

    Arrays have channels first, because NumPy is slow where the last axis is short.
    """

    panel: Panel
    visibility: Visibility
    axes: F32
    color: F32
    light: Light

    def from_sky(self, sky: F32, unoccluded: F32 | None) -> F32:
        """The outgoing radiance (3, cells, places) that the `sky` (3, cells, 1) alone causes.

        `unoccluded` (3, cells, 1) is the radiance, from a finely sampled lobe, that would result if no other
        panel hid the sky; None for panels of roughness 0.
        """
        sent = self._responses @ (sky * self.visibility.left)
        if unoccluded is None:
            return np.asarray(sent, np.float32)
        # Cells are too coarse for the lobe, so scale the result by the factor that makes it exact where
        # nothing hides the sky.
        whole = np.maximum(self._responses @ sky, np.float32(1e-6))
        return np.asarray(sent * (unoccluded / whole), np.float32)

    def from_panels(self, others: Sequence[Field]) -> F32:
        """The outgoing radiance (3, cells, places) that light from other panels causes."""
        received = np.zeros((*self.visibility.left.shape, 3), np.float32)
        for hits in self.visibility.transfers:
            others[hits.panel].texels.received(hits.place, hits.share, hits.ray, received.reshape(-1, 3))
        light = received.transpose(2, 0, 1)
        return np.asarray(self._responses @ light if self.visibility.transfers else light, np.float32)

    def tiled(self, sent: F32) -> Field:
        """Radiance (3, cells, places) as a field."""
        columns, rows = self.visibility.columns, self.visibility.rows
        return Field(tile(np.ascontiguousarray(sent), len(columns)), columns, rows, self.axes)

    @cached_property
    def _responses(self) -> F32:
        """The result of the function `_responses` for the panel's paint."""
        return _responses(self.panel.material, tuple(self.color.tolist()), min(self.light.strength, 1.0))


def _skies(panels: Sequence[_LitPanel]) -> F32:
    """The environment's mean radiance in each panel's cells of directions, (panels, 3, cells, 1)."""
    ways, whole = _fine()
    x, y, z = np.moveaxis(ways @ np.stack([one.axes for one in panels]), 2, 0)
    radiance = panels[0].light.narrow(SKY_MIP, x, y, z) * whole[:, None]
    sums, shares = (
        part.reshape(-1, SIDE, FINE, SIDE, FINE, last).sum(axis=(2, 4))
        for part, last in ((radiance, 3), (whole, 1))
    )
    means = (sums / shares).reshape(len(panels), SIDE * SIDE, 3)
    return np.ascontiguousarray(means.swapaxes(1, 2)[..., None], np.float32)


@lru_cache(PAINTS)
def _responses(material: Material, color: tuple[float, ...], strength: float) -> F32:
    """The outgoing radiance of cells per incoming radiance of cells, for each channel, (3, cells, cells).

    With a light's `strength` below 1, a dielectric mirrors less.
    """
    cells, whole = _cells()
    cosine, rgb = cells[:, 2], np.array(color, np.float32)
    mirrored, matt = _lobes(material.roughness), whole * cosine / np.float32(np.pi)
    if material.metal:
        below = np.float32(material.diffuse)
        share = reflectance(cosine, material.roughness, rgb).T[..., None] * (1 - below)
        return np.asarray(mirrored * share + matt * below * rgb[:, None, None], np.float32)
    own = (fresnel(material, cosine) * np.float32(strength))[:, None]
    return np.asarray(mirrored * own + matt * (1 - own) * material.albedo * rgb[:, None, None], np.float32)


def _unoccluded(panels: Sequence[_LitPanel]) -> list[F32 | None]:
    """The radiance (3, cells, 1) that each panel would have if no other hid the sky, from finely sampled
    lobes.

    The result is None for panels of roughness 0. Panels of the same paint are lit together.
    """
    cells, alike = _cells()[0], dict[Hashable, list[int]]()
    for number, one in enumerate(panels):
        if one.panel.material.roughness:
            alike.setdefault((one.panel.material, one.color.tobytes()), []).append(number)
    found: list[F32 | None] = [None] * len(panels)
    for numbers in alike.values():
        axes = np.stack([panels[number].axes for number in numbers])
        material, color, light = panels[numbers[0]].panel.material, panels[numbers[0]].color, panels[0].light
        along, normals = (np.repeat(axes[:, axis], len(cells), axis=0) for axis in (0, 2))
        toward = (cells @ axes).reshape(-1, 3)
        radiance = lobes.seen((material, color), Points(normals, along, toward), light)
        radiance = radiance.reshape(len(numbers), len(cells), 3)
        if not material.metal:
            left = 1 - specular_share(material, cells[:, 2], light)[:, None]
            matt = light.diffuse(axes[:, 2]) * color * np.float32(material.albedo)
            radiance = radiance + matt[:, None] * left
        for number, sent in zip(numbers, radiance, strict=True):
            found[number] = np.ascontiguousarray(sent.T[..., None], np.float32)
    return found


def _panels(device: Device) -> Iterator[Panel]:
    """A device's flat faces that light each other; none without a stand or straps."""
    roles = {slab.role for slab in device.slabs}
    if not roles & {"strap", "stand"}:
        return
    for slab in device.slabs:
        if slab.role == "part":
            continue
        # No other face sees the underside of a foot.
        faces = FACES[:1] if slab.role == "foot" else FACES
        for number, piece in enumerate(straightened(slab)):
            half = piece.size[0] / 2, piece.size[1] / 2
            for side in faces:
                face = (slab.back if side == "back" else None) or slab.front
                at, surface = plane(piece, side == "front"), SURFACES[face.surface]
                yield Panel((slab.name, side, number), at, half, piece.size[2], surface, face)
        width, height, deep = slab.size
        for end in _ends(slab):
            across, along = (height, width) if end in SIDES else (width, height)
            half, surface = (across / 2, deep / 2), SURFACES[slab.surface]
            yield Panel((slab.name, end, 0), wall(slab, end), half, along, surface, slab)


def _ends(slab: Slab) -> tuple[Side, ...]:
    """The side walls of a slab that send light to other slabs: all four of a post."""
    if slab.role == "stand" and slab.size[2] > max(slab.size[:2]):
        return get_args(Side)
    return ENDS.get(slab.role, ())


@memoize(8 * MIB, key=lambda slabs, panels: slabs)
def _visibilities(slabs: tuple[Slab, ...], panels: Sequence[Panel]) -> tuple[Visibility, ...]:
    """The visibility of each panel, among the panels of a device's slabs."""
    places = [_places(one, panels) for one in panels]
    visibilities = []
    for number, (one, (columns, rows)) in enumerate(zip(panels, places, strict=True)):
        x, y = (way.reshape(-1, 1) for way in np.meshgrid(columns, rows))
        points = one.at.origin + x * one.at.x + y * one.at.y
        ways = _cells()[0].astype(np.float64) @ one.axes
        others = [at for at in range(len(panels)) if at != number]
        parts = [_form_factors(panels[at], points, ways) for at in others]
        share, away = (np.stack([part[at] for part in parts]) for at in (0, 1))
        order, left = np.argsort(np.where(share > 0, away, np.inf), axis=0), np.ones(share.shape[1:])
        # From near to far, each panel hides its share of the directions that nearer ones leave open.
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
                hits.append(Transfer(at, ray.astype(np.int32), taken.ravel()[ray].astype(np.float32), place))
        visibilities.append(Visibility(columns, rows, left.astype(np.float32), tuple(hits)))
    return tuple(visibilities)


def _form_factors(one: Panel, points: F64, ways: F64) -> tuple[F64, F64, F64, F64]:
    """The form factors of a panel as points (n, 3) see it through cells around the directions `ways` (k, 3).

    Returns the shares of the cells that the panel fills, the distances at which the cells' middle rays meet
    it, mm, and where they meet it, mm across and up; each is (k, n). A point inside the panel's slab counts
    as just in front of the panel.
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
    """Places across and up a panel, mm from its middle: spread evenly, with additional ones where another
    panel ends."""
    places = []
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
        places.append(np.unique(np.array(some)))
    return places[0], places[1]


@cache
def _cells() -> tuple[F32, F32]:
    """Unit directions (n, 3) through cells around z, and their steradians (n,)."""
    return directions()


@cache
def _fine() -> tuple[F32, F32]:
    return directions(FINE)


@cache
def _lobes(roughness: float) -> F32:
    """The weights (n, n) of incoming cells (columns) in the light that a GGX surface mirrors into outgoing
    cells (rows)."""
    ways, whole = _cells()
    alpha2 = roughness**4 + SOFT**2
    half = ways[:, None] + ways
    half /= np.linalg.norm(half, axis=2, keepdims=True)
    spread = half[..., 2] ** 2 * (alpha2 - 1) + 1
    cosine = ways[:, 2]
    root = smith_root(cosine, math.sqrt(alpha2))
    masking = cosine * root[:, None] + cosine[:, None] * root
    weights = whole * cosine / (spread**2 * masking)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)
