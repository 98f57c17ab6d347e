"""Rotation matrices from angles."""

from __future__ import annotations

import numpy as np

from ...arrays import F64


def rotation(rx: float, ry: float, rz: float) -> F64:
    """The matrix (3, 3) Rx·Ry·Rz for angles in degrees; right-handed, for column vectors (three.js' XYZ
    order)."""
    (cx, sx), (cy, sy), (cz, sz) = ((np.cos(a), np.sin(a)) for a in np.radians([rx, ry, rz]))
    x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return np.asarray(x @ y @ z, np.float64)
