"""Surface light fields: the outgoing radiance of a flat face, by place and by direction."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...arrays import F32, F64
from ..kernels import occluders

SIDE = 8  # cells of directions along each side of an unfolded half octahedron; by cost

#: The name of a face: its slab, its side, and the straight piece of a bent slab that it belongs to.
Name = tuple[str, str, int]

FACES = "front", "back"


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The outgoing radiance of a panel, by place and direction.

    `tiles` has a tile for each direction. In a tile, texels are places, at `columns` and `rows` mm right of
    and above the panel's middle. The rows of `axes` (3, 3) are its unit x, y and normal in view space.
    """

    tiles: F32
    columns: F64
    rows: F64
    axes: F32
    texels: occluders.Field = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Pack the tiles for the kernels."""
        columns, rows = (np.asarray(ends, np.float32) for ends in (self.columns, self.rows))
        object.__setattr__(self, "texels", occluders.Field(self.tiles, columns, rows, self.axes))

    def sent(self, across: F32, up: F32, leaving: F32) -> F32:
        """The radiance (n, 3) of places `across` and `up` (n,), mm, seen along unit rays `leaving` (n, 3) the
        viewer."""
        place = placed(self.columns, self.rows, across, up, -(leaving @ self.axes.T))
        radiance = np.zeros_like(leaving)
        every = np.arange(len(leaving), dtype=np.int32)
        self.texels.received(place, np.ones(len(leaving), np.float32), every, radiance)
        return radiance


def directions(fine: int = 1) -> tuple[F32, F32]:
    """Unit directions (n, 3) around z and the steradians (n,) of each, row by row of the unfolded octahedron.

    Each cell is divided into `fine` × `fine` directions.
    """
    middle = (np.arange(SIDE * fine) + 0.5) / (SIDE * fine) * 2 - 1
    a, b = (part.ravel() for part in np.meshgrid(middle, middle))
    x, y = (a + b) / 2, (a - b) / 2
    ways = np.stack([x, y, 1 - np.abs(x) - np.abs(y)], axis=1)
    length = np.linalg.norm(ways, axis=1)
    whole = length**-3
    return (ways / length[:, None]).astype(np.float32), (whole / whole.sum() * 2 * np.pi).astype(np.float32)


def placed(columns: F64, rows: F64, across: F32 | F64, up: F32 | F64, out: F32 | F64) -> F32:
    """The texture coordinates (4, n), in a field's tiles, of places `across` and `up` (n,), mm, and
    directions `out` (n, 3).

    They are the column and row within a tile, then the column and row of the tile; all are fractional.
    """
    x = np.interp(across, columns, np.arange(len(columns)))
    y = np.interp(up, rows, np.arange(len(rows)))
    u, v, w = out.T
    scale = (SIDE / 2) / np.maximum(np.abs(u) + np.abs(v) + np.maximum(w, 0), 1e-9)
    a, b = (np.clip(way * scale + (SIDE - 1) / 2, 0, SIDE - 1) for way in (u + v, u - v))
    return np.array([x, y, a, b], np.float32)
