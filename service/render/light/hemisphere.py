"""Hemispherical irradiance: the light that surfaces standing on a face receive from the sky above the face's
horizon.

A wall that stands on a face sees the face, not the sky, in half of all directions. The environment's diffuse
map would include the sky in these directions as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from ...arrays import F32, F64
from ...concurrency.single_flight import single_flight
from ..scattered import bilinear

TURNS, RISES = 32, 16  # cells of the sky over a face: in azimuth, and from the zenith to the horizon; by cost
TILTS = 5  # tilts of a surface, from upright to lying, at which its irradiance is tabulated; by cost


@cache
def sky(cell: int = 1) -> tuple[F64, F64]:
    """Azimuths and elevations (TURNS · RISES / cell²,), radians, of cells of the sky over a face.

    Under an even sky, all cells give a matt face the same light. Blocks of `cell` × `cell` count as one.
    """
    turns, rises = TURNS // cell, RISES // cell
    turn, height = np.meshgrid(np.arange(turns) + 0.5, (np.arange(rises) + 0.5) / rises, indexing="ij")
    return turn.ravel() * 2 * np.pi / turns, np.arccos(np.sqrt(height.ravel()))


@cache
def rays(cell: int = 1) -> F64:
    """Unit directions (TURNS · RISES / cell², 3) of the sky's cells; z is the normal of the face below."""
    turn, elevation = sky(cell)
    return _directions(turn, elevation)


@dataclass(frozen=True, eq=False)
class Hemisphere:
    """The radiance of a white matt surface under the sky over a face, by the surface's normal.

    The last row of `axes` (3, 3) is the face's normal. `table` returns the radiance (TURNS + 1, TILTS, 3) by
    azimuth and tilt, which is computed on the first call; for metal, it is never called.
    """

    axes: F32
    table: Callable[[], F32]

    def diffuse(self, normals: F32) -> F32:
        """The radiance (n, 3) of a white matt surface by its unit normals (n, 3), which do not point below
        the horizon."""
        x, y, z = self.axes @ normals.T
        turn = np.arctan2(y, x) / np.float32(2 * np.pi) % 1 * TURNS
        tilt = np.arcsin(np.clip(z, 0, 1)) * np.float32((TILTS - 1) / (np.pi / 2))
        return bilinear(self.table(), tilt, turn)


def hemisphere(seen: Callable[[F32], F32], normal: F32) -> Hemisphere:
    """The light over a face with the unit `normal` (3,), view space.

    `seen` returns the sky's radiance (n, 3) from directions (n, 3).
    """
    a, b, c = (float(part) for part in normal)
    # Perpendicular to the normal and to the coordinate axis that makes the largest angle with the normal.
    x, y, z = ((0.0, -c, b), (c, 0.0, -a), (-b, a, 0.0))[int(np.argmin(np.abs(normal)))]
    length = math.hypot(x, y, z)
    x, y, z = x / length, y / length, z / length
    axes = np.array([(x, y, z), (b * z - c * y, c * x - a * z, a * y - b * x), (a, b, c)], np.float32)
    return Hemisphere(axes, single_flight(partial(_table, axes, seen)))


def _table(axes: F32, seen: Callable[[F32], F32]) -> F32:
    cells, given = _cosines()
    radiance = (given @ seen((cells @ axes).astype(np.float32))).reshape(TURNS, TILTS, 3)
    return np.ascontiguousarray(np.concatenate([radiance, radiance[:1]]))


@cache
def _cosines() -> tuple[F64, F32]:
    """The directions (TURNS · RISES, 3) of cells of equal solid angle, and the cells' weights (TURNS · TILTS,
    TURNS · RISES).

    A row of weights belongs to an azimuth and tilt of a `Hemisphere`'s table. Unlike these, the cells of
    `sky` grow towards the horizon.
    """
    height = np.tile((np.arange(RISES) + 0.5) / RISES, TURNS)
    cells = _directions(sky()[0], np.arcsin(height))
    turn, tilt = np.meshgrid(
        np.arange(TURNS) * 2 * np.pi / TURNS, np.linspace(0, np.pi / 2, TILTS), indexing="ij"
    )
    cosine = np.maximum(_directions(turn.ravel(), tilt.ravel()) @ cells.T, 0)
    return cells, np.asarray(cosine * 2 / len(cells), np.float32)


def _directions(turn: F64, elevation: F64) -> F64:
    """Unit vectors (n, 3) by their angles (n,) about z and above the plane, radians."""
    flat = np.cos(elevation)
    return np.stack([flat * np.cos(turn), flat * np.sin(turn), np.sin(elevation)], axis=1)
