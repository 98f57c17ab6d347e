"""The contract's camera: where a point of the device lands on the canvas."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from service.devices import Device
from service.scene import Stage

F64 = NDArray[np.float64]

SPAN = 0.78  # the upright device's share of the canvas at scale 1
FAR = 1e6  # mm; stands for the infinite distance of an orthographic camera
NEAR = 0.02  # of the camera's distance: what is closer is clipped


def rotation(rx: float, ry: float, rz: float) -> F64:
    """R = Rx·Ry·Rz for angles in degrees, right-handed, column vectors (three.js' XYZ order)."""
    (cx, sx), (cy, sy), (cz, sz) = ((np.cos(a), np.sin(a)) for a in np.radians([rx, ry, rz]))
    x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return np.asarray(x @ y @ z, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """Looks down -Z from (0, 0, distance); `turn` takes device mm to view mm, `k` is px per mm at z = 0.

    A view point (x, y, z) lands at center + k·D/(D - z) · (x, -y), in pixels from the canvas' top left
    corner, pixel (i, j) covering [i, i+1) x [j, j+1).
    """

    turn: F64
    k: float
    distance: float
    center: tuple[float, float]
    width: int
    height: int

    @property
    def eye(self) -> F64:
        """The camera's place in the device's frame, mm."""
        return np.asarray(self.turn.T @ np.array([0.0, 0.0, self.distance]), np.float64)

    def view(self, points: F64) -> F64:
        """Device mm (n, 3) to view mm (n, 3)."""
        return points @ self.turn.T

    def depth(self, points: F64) -> F64:
        """Distance from the camera along its axis over the camera's distance (1 at the pivot), (n,)."""
        return 1.0 - self.view(points)[:, 2] / self.distance

    def project(self, points: F64) -> F64:
        """Device mm (n, 3) to canvas px (n, 2)."""
        view = self.view(points)
        scale = self.k / np.maximum(1.0 - view[:, 2] / self.distance, 1e-9)
        return np.stack([self.center[0] + view[:, 0] * scale, self.center[1] - view[:, 1] * scale], axis=1)

    def clip(self, polygon: F64) -> F64:
        """The part of a device-mm polygon (n, 3) that lies before the near plane (Sutherland-Hodgman)."""
        depth = self.depth(polygon)
        if (depth >= NEAR).all():
            return polygon
        kept: list[F64] = []
        for i in range(len(polygon)):
            j = (i + 1) % len(polygon)
            if depth[i] >= NEAR:
                kept.append(polygon[i])
            if (depth[i] >= NEAR) != (depth[j] >= NEAR):
                t = (NEAR - depth[i]) / (depth[j] - depth[i])
                kept.append(polygon[i] + t * (polygon[j] - polygon[i]))
        return np.array(kept).reshape(-1, 3)

    def homography(self, origin: F64, x: F64, y: F64) -> F64:
        """The 3x3 matrix from plane mm (u, v, 1) to canvas px, for the plane origin + u·x + v·y in mm."""
        axes = self.turn @ np.column_stack([x, y, origin])
        depth = np.array([0.0, 0.0, 1.0]) - axes[2] / self.distance
        return np.stack(
            [
                self.k * axes[0] + self.center[0] * depth,
                -self.k * axes[1] + self.center[1] * depth,
                depth,
            ]
        )


def aim(device: Device, stage: Stage) -> Camera:
    """The camera of a stage, after "Geometry" in docs/rendering.md."""
    t = stage.transform
    width, height, _ = device.body
    turn = rotation(t.rx, t.ry, t.rz)
    if stage.orientation != device.natural:
        width, height = height, width
        turn = turn @ rotation(0, 0, 90)
    unit = min(SPAN * stage.height / height, SPAN * stage.width / width)
    distance = FAR if t.fov <= 0 else (stage.height / unit) / (2 * np.tan(np.radians(t.fov) / 2))
    center = (stage.width / 2 * (1 + t.x), stage.height / 2 * (1 - t.y))
    return Camera(turn, t.scale * unit, float(distance), center, stage.width, stage.height)
