"""The light over a face: of the sky above its horizon, on whatever stands there, turned any way.

A wall has half of what it sees from below that horizon, where the face is; the environment's diffuse map
knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from service.arrays import F32, F64
from service.concurrency.single_flight import single_flight
from service.render.scattered import bilinear

TURNS, RISES = 32, 16  # cells of the sky over a face: all round, and from the zenith to the horizon; by cost
TILTS = 5  # slants of a surface between upright and lying on the face, at which its light is known; by cost


@cache
def sky(cell: int = 1) -> tuple[F64, F64]:
    """Turns and elevations (TURNS · RISES / cell²,) of cells over a face, radians.

    They have equal shares of its light; `cell` a side count as one.
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
    """Light of a sky on a white matt surface by its normal, as radiance.

    `axes` (3, 3) have the face's normal for their last row, `table` returns the light (TURNS + 1, TILTS, 3)
    by turn about it and by slant; metal may not ask for it.
    """

    axes: F32
    table: Callable[[], F32]

    def diffuse(self, normals: F32) -> F32:
        """Radiance of a white matt surface (n, 3) by its unit normals (n, 3), which do not point below."""
        x, y, z = self.axes @ normals.T
        turn = np.arctan2(y, x) / np.float32(2 * np.pi) % 1 * TURNS
        tilt = np.arcsin(np.clip(z, 0, 1)) * np.float32((TILTS - 1) / (np.pi / 2))
        return bilinear(self.table(), tilt, turn)


def hemisphere(seen: Callable[[F32], F32], normal: F32) -> Hemisphere:
    """The light over a face of unit `normal` (3,), where `seen` returns that (n, 3) from directions (n, 3).

    All are in view space.
    """
    aside = np.eye(3)[np.argmin(np.abs(normal))]
    x = np.cross(aside, normal)
    x /= np.linalg.norm(x)
    axes = np.stack([x, np.cross(normal, x), normal]).astype(np.float32)
    return Hemisphere(axes, single_flight(partial(_table, axes, seen)))


def _table(axes: F32, seen: Callable[[F32], F32]) -> F32:
    cells, given = _cosines()
    found = (given @ seen((cells @ axes).astype(np.float32))).reshape(TURNS, TILTS, 3)
    return np.ascontiguousarray(np.concatenate([found, found[:1]]))


@cache
def _cosines() -> tuple[F64, F32]:
    """Directions (TURNS · RISES, 3) of cells of one size, and what each gives (TURNS · TILTS, cells).

    Rows are the turns and slants of a table. Other than those of `sky`, cells are no larger at the horizon.
    """
    height = np.tile((np.arange(RISES) + 0.5) / RISES, TURNS)
    cells = _directions(sky()[0], np.arcsin(height))
    turn, tilt = np.meshgrid(
        np.arange(TURNS) * 2 * np.pi / TURNS, np.linspace(0, np.pi / 2, TILTS), indexing="ij"
    )
    cosine = np.maximum(_directions(turn.ravel(), tilt.ravel()) @ cells.T, 0)
    return cells, np.asarray(cosine * 2 / len(cells), np.float32)


def _directions(turn: F64, elevation: F64) -> F64:
    """Unit vectors (n, 3) by angles (n,) about z and above the plane, radians."""
    flat = np.cos(elevation)
    return np.stack([flat * np.cos(turn), flat * np.sin(turn), np.sin(elevation)], axis=1)
