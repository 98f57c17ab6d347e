"""Reflection of a slab in the flat face it stands over: a laptop's deck mirrors its lid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from service.arrays import F32
from service.models.devices import Device, Slab
from service.render.geometry.camera import Camera
from service.render.geometry.face import Plane, plane
from service.render.light.shading import Ground, Hidden, Light
from service.render.light.tint import Colors
from service.render.material import SURFACES


@dataclass(frozen=True, slots=True, eq=False)
class Neighbour:
    """The front rectangle of another slab, in view space.

    `middle` (3,) in mm, unit `axes` (3, 3) with rows x, y and normal, `half` its sizes in mm, and its `face`,
    for the radiance it sends.
    """

    middle: F32
    axes: F32
    half: tuple[float, float]
    face: Ground

    def hidden(self, points: F32, normals: F32, mirrored: F32, cosine: F32, alpha: float) -> Hidden:
        """The part of the environment that it hides from points (n, 3), view mm, on a surface.

        `normals` and `mirrored` (n, 3) are unit vectors, `cosine` (n,) that of the view; `alpha` is of the
        GGX lobes around `mirrored`. Each edge cuts a lobe as it cuts the marginal of its slopes, see `_side`.
        """
        x, y, out = ((points - self.middle) @ axis for axis in self.axes)
        right, up, into = (mirrored @ axis * sign for axis, sign in zip(self.axes, (1, 1, -1), strict=True))
        out = np.maximum(out, np.float32(1e-3))
        (wide, high), rise = self.half, np.arctan2(up, into)
        bottom, top = np.arctan2(-high - y, out), np.arctan2(high - y, out)
        above = 1 - _side(top - rise, alpha)
        share = np.maximum(_side(rise - bottom, alpha) - above, 0)
        away = out / np.maximum(np.cos(np.clip(rise, bottom, top)), np.float32(1e-3))
        turn = np.arctan2(right, np.hypot(up, into))
        left, end = np.arctan2(-wide - x, away), np.arctan2(wide - x, away)
        # A lobe seen at a slant is narrower sideways.
        narrow: F32 = np.maximum(cosine, np.float32(0.05)) * np.float32(alpha)
        beside = np.maximum(_side(end - turn, narrow) + _side(turn - left, narrow) - 1, 0)
        # The mean slope beyond the edge, from the same distribution.
        edge = np.tan(np.clip(top - rise, -3.0, 3.0) / 2) / alpha
        slope = alpha / 2 / np.sqrt(1 + edge * edge) / np.maximum(above, np.float32(0.02))
        lifted = np.minimum(rise + 2 * np.arctan(slope) * beside, np.maximum(rise, np.float32(2.0)))
        flat = np.hypot(up, into)
        parts = (right, flat * np.sin(lifted), -flat * np.cos(lifted))
        free = np.stack(parts, axis=1).astype(np.float32) @ self.axes
        matt = self._matt(bottom, top, left, end, normals)
        return Hidden(share * beside, self.face.radiance(mirrored), free, matt)

    def _matt(self, bottom: F32, top: F32, left: F32, end: F32, normals: F32) -> F32:
        """The view factor (n,) of a strip between two angles: half the difference of sines, cut to width."""
        along = np.cross(self.axes[0], normals)
        into, up = along @ -self.axes[2], along @ self.axes[1]
        low, high = (np.cos(angle) * into + np.sin(angle) * up for angle in (bottom, top))
        found: F32 = np.abs(low - high) * (np.sin(end) - np.sin(left)) * np.float32(0.25)
        return found


def _side(angle: F32, alpha: F32 | float) -> F32:
    """The share (n,) of a GGX lobe on one side of an edge at an angle (n,) from its middle, radians."""
    slope = np.tan(np.clip(angle, -3.0, 3.0) / 2) / alpha
    return np.asarray((1 + slope / np.sqrt(1 + slope * slope)) / 2, np.float32)


def neighbour(
    device: Device, slab: Slab, at: Plane, camera: Camera, light: Light, colors: Colors
) -> Neighbour | None:
    """The screen's slab standing over a face of another slab; None without one, and for raised parts."""
    if slab.parent is not None:
        return None
    for screen in device.screens:
        other = device.slab(screen.slab)
        there = plane(other, True)
        over = (there.origin - at.origin) @ at.normal > 0
        if other is not slab and over and (at.origin - there.origin) @ there.normal > 0:
            return _facing(other, there, camera, light, colors)
    return None


def _facing(other: Slab, there: Plane, camera: Camera, light: Light, colors: Colors) -> Neighbour:
    axes = camera.view(np.stack([there.x, there.y, there.normal])).astype(np.float32)
    middle = camera.view(there.origin[None])[0].astype(np.float32)
    face = Ground(axes[2], SURFACES[other.front.surface], colors.face(other.front), light)
    return Neighbour(middle, axes, (other.size[0] / 2, other.size[1] / 2), face)
