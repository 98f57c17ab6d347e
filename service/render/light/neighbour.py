"""Slabs that stand over a face of another and hide a part of its light.

Over a laptop's deck stands its lid, over the foot of a monitor its stand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from service.arrays import F32
from service.models.devices import Device, Slab
from service.render.geometry.bend import pieces
from service.render.geometry.camera import Camera
from service.render.geometry.face import Plane, plane
from service.render.geometry.mesh import frame
from service.render.geometry.straps import strap
from service.render.light.shading import Ground, Light
from service.render.light.tint import Colors
from service.render.material import SURFACES

GAP = 5.0  # mm below a standing slab that a hinge may close
DEPTH = 0.65  # share of light lost in a gap; the rest bounces into it
RISE = 1.0  # mm from the depth of a gap over which that falls off
NEAR = 0.3  # mm; what is behind the slab counts as this far before it


@dataclass(frozen=True, slots=True, eq=False)
class Neighbour:
    """The front rectangle of another slab, in view space.

    `middle` (3,) in mm, unit `axes` (3, 3) with rows x, y and normal, `half` its sizes in mm, and its `face`,
    for the radiance it sends. As far as `foot` mm to either side of its middle it reaches `drop` mm lower.
    What is behind it sees nothing of it, unless the gap below it is `closed`. Others may stand `over` it.
    """

    middle: F32
    axes: F32
    half: tuple[float, float]
    face: Ground
    foot: float = 0.0
    drop: float = 0.0
    closed: bool = True
    over: tuple[Neighbour, ...] = ()

    def filled(self, points: F32, leaving: F32, cone: F32 | float) -> F32:
        """The shares (n, k) that it fills of cones `leaving` (n, k, 3) points (n, 3), view mm.

        Of `cone` (k,) radians from the middle, their light falls off linearly.
        """
        into = -(leaving @ self.axes[2])
        if not self.closed:
            into = np.where(((points - self.middle) @ self.axes[2])[:, None] > 0, into, 0)
        across, up, way = self.met(points, leaving)
        across, (wide, high) = np.abs(across), self.half
        low = np.where(across < self.foot, np.float32(self.drop), np.float32(0))
        inside = np.minimum(np.minimum(wide - across, high - up), high + low + up)
        share = np.clip(
            np.float32(0.5) + inside / (way * np.maximum(np.float32(2) * cone, np.float32(0.01))), 0, 1
        )
        return np.asarray(np.where(into > 1e-3, share, 0), np.float32)

    def span(self, origin: F32, axis: F32) -> tuple[float, float]:
        """From where to where it reaches along an axis (3,) through a point (3,), mm."""
        middle, reach = (self.middle - origin) @ axis, np.abs(self.axes[:2] @ axis) @ np.array(self.half)
        return float(middle - reach), float(middle + reach)

    def above(self, points: F32, normals: F32) -> NDArray[np.intp]:
        """Which points (n, 3) of unit normals (n, 3) may see it: before it, it over their horizon."""
        before = (points - self.middle) @ self.axes[2] > 0
        reach = np.abs(normals @ self.axes[0]) * self.half[0] + np.abs(normals @ self.axes[1]) * self.half[1]
        rise = np.einsum("ij,ij->i", self.middle - points, normals) + reach
        return np.flatnonzero(before & (rise > NEAR))

    def met(self, points: F32, leaving: F32) -> tuple[F32, F32, F32]:
        """Where rays `leaving` (n, k, 3) points (n, 3) meet its plane: right, up and far away (n, k), mm."""
        x, y, normal = self.axes
        apart = points - self.middle
        into = np.maximum(-(leaving @ normal), np.float32(1e-3))
        way = np.maximum(apart @ normal, np.float32(NEAR))[:, None] / into
        return (apart @ x)[:, None] + way * (leaving @ x), (apart @ y)[:, None] + way * (leaving @ y), way

    def beside(self, radiance: F32, points: F32, mirrored: F32, kept: F32, alpha: float) -> F32:
        """Radiance (n, 3) of points (n, 3) that mirror it in lobes of `alpha` around `mirrored` (n, 3).

        They reflect the share `kept` (n, 1 or 3). What comes from close by has lost light in a closed gap.
        """
        if not self.closed:
            share = self.filled(points, mirrored[:, None], alpha)
            return radiance + (self.face.radiance(mirrored) * kept - radiance) * share
        high = (points - self.middle) @ self.axes[2]
        at = np.flatnonzero((high > -GAP) & (high < GAP))
        if not len(at):
            return radiance
        high, mirrored = np.maximum(high[at], 0), mirrored[at]
        share = self.filled(points[at], mirrored[:, None], 2 * alpha) * (1 - high / np.float32(GAP))[:, None]
        # Its light is that of a place so far out of the gap.
        falls = np.minimum(mirrored @ self.axes[2], np.float32(-0.1))
        reach = high * np.sqrt(np.maximum(1 - falls * falls, 0)) / -falls
        left = 1 - np.float32(DEPTH) * np.exp(-reach / np.float32(RISE))
        sent = self.face.radiance(mirrored) * kept[at] * left[:, None]
        found = radiance.copy()
        found[at] += (sent - found[at]) * share
        return found


def neighbours(
    device: Device, slab: Slab, at: Plane, camera: Camera, light: Light, colors: Colors, *, deep: bool = True
) -> tuple[Neighbour, ...]:
    """What stands over a face of a slab, nearest first; if `deep`, with what stands over that."""
    straps = [piece for other in device.slabs if strap(other) for piece in pieces(other)]
    if not straps and not any(_stands(one) for one in device.slabs):
        one = neighbour(device, slab, at, camera, light, colors)
        return () if one is None else (one,)
    if slab.base is not None:
        return ()
    others = straps or [other for other in device.slabs if other is not slab and other.base is None]
    others.sort(key=lambda other: float(np.linalg.norm(frame(other)[1] - at.origin)))
    found = []
    for other in others:
        for front in (True, False):
            there = plane(other, front)
            if _meet(there, other, at, slab):
                own = neighbours(device, other, there, camera, light, colors, deep=False) if deep else ()
                found.append(replace(_rectangle(other, front, camera, light, colors), over=own))
    return tuple(found)


def _stands(slab: Slab) -> bool:
    """Whether a slab is the upright of a stand: it hangs on another, and is no raised part of it."""
    return slab.parent is not None and slab.base is None


def _meet(one: Plane, slab: Slab, other: Plane, under: Slab) -> bool:
    """Whether a part of each face is before the other."""

    def before(at: Plane, of: Slab, face: Plane) -> bool:
        reach = abs(at.x @ face.normal) * of.size[0] / 2 + abs(at.y @ face.normal) * of.size[1] / 2
        return bool((at.origin - face.origin) @ face.normal + reach > NEAR)

    return before(one, slab, other) and before(other, under, one)


def neighbour(
    device: Device, slab: Slab, at: Plane, camera: Camera, light: Light, colors: Colors
) -> Neighbour | None:
    """The screen's slab standing over a face of another slab; None without one, and for raised parts."""
    if slab.parent is not None:
        return None
    for screen in device.screens:
        other = device.slab(screen.slab)
        if other is not slab and _facing(plane(other, True), at):
            found = _front(other, camera, light, colors)
            foot, drop = _closed(device, slab, other, at)
            return replace(found, foot=foot, drop=drop)
    return None


def around(device: Device, slab: Slab, camera: Camera, light: Light, colors: Colors) -> list[Neighbour]:
    """What the walls of a slab have close by: a lid its deck, a hinge both, the case of a watch straps."""
    if slab.parent is not None and SURFACES[slab.surface].metal:
        return []
    found = []
    for other in device.slabs:
        if strap(other):
            found += [
                _rectangle(piece, front, camera, light, colors)
                for piece in pieces(other)
                for front in (True, False)
            ]
            continue
        if other is slab or other.parent is not None or slab.parent is not None:
            continue
        if strap(slab):
            found += [_rectangle(other, front, camera, light, colors) for front in (True, False)]
            continue
        at, center = plane(other, True), frame(slab)[1]
        near = 0 < (center - at.origin) @ at.normal < slab.size[1]
        if near:
            found.append(_front(other, camera, light, colors))
    return found


def _facing(one: Plane, other: Plane) -> bool:
    apart = one.origin - other.origin
    return bool(apart @ other.normal > 0 > apart @ one.normal)


def _front(slab: Slab, camera: Camera, light: Light, colors: Colors) -> Neighbour:
    return _rectangle(slab, True, camera, light, colors, closed=True)


def _rectangle(
    slab: Slab, front: bool, camera: Camera, light: Light, colors: Colors, *, closed: bool = False
) -> Neighbour:
    at, face = plane(slab, front), (None if front else slab.back) or slab.front
    axes = camera.view(np.stack([at.x, at.y, at.normal])).astype(np.float32)
    middle = camera.view(at.origin[None])[0].astype(np.float32)
    sends = Ground(axes[2], SURFACES[face.surface], colors.face(face), light)
    return Neighbour(middle, axes, (slab.size[0] / 2, slab.size[1] / 2), sends, closed=closed)


def _closed(device: Device, slab: Slab, other: Slab, at: Plane) -> tuple[float, float]:
    """How far a hinge closes the gap below a slab that stands over a face: `foot` and `drop`."""
    there = plane(other, True)
    edge = there.origin - other.size[1] / 2 * there.y
    drop = float((edge - at.origin) @ at.normal)
    if not 0 < drop < GAP:
        return 0.0, 0.0
    hinges = (one for one in device.slabs if one not in (slab, other) and one.parent is None)
    near = [one.size[0] / 2 for one in hinges if np.linalg.norm(frame(one)[1] - edge) < GAP]
    return (max(near) if near else 0.0), drop / max(float(at.normal @ there.y), 0.1)
