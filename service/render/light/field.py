"""Surface light fields: what a flat face sends, by place and by direction over half an octahedron."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from service.arrays import F32, F64
from service.render.kernels import occluders

SIDE = 8  # cells of directions along a side of half an octahedron; by cost

#: Of a face: its slab, which side, and which straight piece of a bent slab.
Name = tuple[str, str, int]

FACES = "front", "back"


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """What a panel sends: radiance by place and direction.

    `tiles` has a tile for each direction, with a texel for each place at `columns` and `rows`, mm right of
    and above the panel's middle. Unit `axes` (3, 3), its x, y and normal, are in view space.
    """

    tiles: F32
    columns: F64
    rows: F64
    axes: F32
    texels: occluders.Field = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Prepare what the kernels look up."""
        columns, rows = (np.asarray(ends, np.float32) for ends in (self.columns, self.rows))
        object.__setattr__(self, "texels", occluders.Field(self.tiles, columns, rows, self.axes))

    def sent(self, across: F32, up: F32, leaving: F32) -> F32:
        """Radiance (n, 3) from places (n,), mm, against unit directions (n, 3) towards it."""
        place = placed(self.columns, self.rows, across, up, -(leaving @ self.axes.T))
        found = np.zeros_like(leaving)
        every = np.arange(len(leaving), dtype=np.int32)
        self.texels.received(place, np.ones(len(leaving), np.float32), every, found)
        return found


def directions(fine: int = 1) -> tuple[F32, F32]:
    """Unit directions (n, 3) around z through `fine` · `fine` parts of each cell, and their steradians (n,).

    Row by row of the whole square.
    """
    middle = (np.arange(SIDE * fine) + 0.5) / (SIDE * fine) * 2 - 1
    a, b = (part.ravel() for part in np.meshgrid(middle, middle))
    x, y = (a + b) / 2, (a - b) / 2
    ways = np.stack([x, y, 1 - np.abs(x) - np.abs(y)], axis=1)
    length = np.linalg.norm(ways, axis=1)
    whole = length**-3
    return (ways / length[:, None]).astype(np.float32), (whole / whole.sum() * 2 * np.pi).astype(np.float32)


def placed(columns: F64, rows: F64, across: F32 | F64, up: F32 | F64, out: F32 | F64) -> F32:
    """Where a field has places (n,), mm, and directions `out` (n, 3): (4, n).

    They are the column and row within a tile, then those of the tile.
    """
    x = np.interp(across, columns, np.arange(len(columns)))
    y = np.interp(up, rows, np.arange(len(rows)))
    u, v, w = out.T
    scale = (SIDE / 2) / np.maximum(np.abs(u) + np.abs(v) + np.maximum(w, 0), 1e-9)
    a, b = (np.clip(way * scale + (SIDE - 1) / 2, 0, SIDE - 1) for way in (u + v, u - v))
    return np.array([x, y, a, b], np.float32)
