"""The floor under a device: its contact shadow, as seen by the lower edges of walls.

An environment is as bright below a device as if the device hung in the air. But a lower edge faces the floor
within a few millimetres of the contact, where the device itself hides the floor's light. So a ray that meets
the floor receives the part of the environment's light that the contact shadow leaves there: none below the
device, and more the farther it is from the device's edge.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import F32, F64

WALL = 8.0  # mm from the contact at which the shadow leaves 1/sqrt(2) of the light; by eye
REACH = 9.0  # mm over the floor within which the contact shadow's effect falls by a factor of e; by eye
FARTHEST = 5 * REACH  # mm over the floor from which the effect is invisible; by eye
# Tilts of rays around a lobe's axis, in units of its width to either side, and their weights, which fall off
# linearly from the axis, as those of an occluder's cones do; by cost.
TILTS: F32 = np.array([-1.0, -0.5, 0.0, 0.5, 1.0], np.float32)
WEIGHTS: F32 = np.array([1, 2, 3, 2, 1], np.float32) / np.float32(9)


@dataclass(frozen=True, slots=True, eq=False)
class Floor:
    """A floor in a device's view space: a point `origin` (3,), mm, and its unit normal `up` (3,).

    `strength`, 0-1, scales its contact shadow; 1 is physical.
    """

    origin: F64
    up: F64
    strength: float = 1.0

    def turned(self, turn: F64) -> Floor:
        """The floor, turned together with the device by a matrix (3, 3)."""
        return Floor(turn @ self.origin, turn @ self.up, self.strength)

    def heights(self, points: F64) -> F64:
        """The heights (n,), mm, of points (n, 3), view mm, over the floor; 0 or more."""
        return np.asarray(np.maximum((points - self.origin) @ self.up, 0), np.float64)

    def left(self, points: F64, normals: F32, ways: F32, width: float, edge: float) -> F32:
        """The share (n,), 0-1, of light that points receive in lobes around unit directions `ways` (n, 3).

        The points (n, 3), view mm, are on walls with unit `normals` (n, 3) and edges rounded by `edge` mm.
        Lobes reach `width` radians to either side. Rays are projected to the plane across the wall, as if the
        wall had no ends.
        """
        up = self.up.astype(np.float32)
        level = normals - (normals @ up)[:, None] * up
        length = np.linalg.norm(level, axis=1)
        level /= np.maximum(length, np.float32(1e-6))[:, None]
        height = self.heights(points).astype(np.float32)
        turn = np.arctan2(ways @ up, np.einsum("ij,ij->i", ways, level)) + width * TILTS[:, None]
        # The device's outline on the floor is that of its upright walls. Where a rounded edge turns away from
        # them, by an angle whose cosine is `length`, it lies edge · (1 - length) inside that outline.
        inset = np.float32(edge) * (1 - np.minimum(length, 1))
        # A ray that rises does not meet the floor; a level ray is treated as meeting it far away.
        down, out = np.maximum(-np.sin(turn), np.float32(1e-6)), np.cos(turn)
        beside = np.maximum(height * out / down - inset, 0)
        lost = np.where(np.sin(turn) < 0, 1 - beside / np.hypot(beside, np.float32(WALL)), 0)
        faded = np.float32(self.strength) * np.exp(-height / np.float32(REACH))
        return np.asarray(1 - faded * (WEIGHTS @ lost), np.float32)
