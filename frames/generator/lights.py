"""Shapes of light on the sphere around a device, from which the environments are drawn.

Every function takes unit directions (..., 3) float64 in view space (x right, y up, z towards the camera) and
returns a weight (...). Places are an azimuth (0 = towards the camera, 90 = right) and an elevation, degrees.
"""

import numpy as np
from numpy.typing import NDArray

from service.arrays import F64


def toward(azimuth: float, elevation: float) -> F64:
    """The unit vector (3,) of a place."""
    a, e = np.radians(azimuth), np.radians(elevation)
    return np.array([np.sin(a) * np.cos(e), np.sin(e), np.cos(a) * np.cos(e)])


def angles(d: F64) -> tuple[F64, F64]:
    """Azimuth -180 to 180 and elevation -90 to 90 of the directions, degrees."""
    azimuth = np.degrees(np.arctan2(d[..., 0], d[..., 2]))
    return azimuth, np.degrees(np.arcsin(np.clip(d[..., 1], -1, 1)))


def ramp(start: float, end: float, x: F64) -> F64:
    """Smoothstep from 0 at `start` to 1 at `end`, which may be the smaller."""
    t = np.clip((x - start) / (end - start), 0, 1)
    return t * t * (3 - 2 * t)


def plane(d: F64, azimuth: float, elevation: float) -> tuple[F64, F64, NDArray[np.bool_]]:
    """The points where directions meet the plane at distance 1 that faces a place, x right and y up, and
    whether they meet it."""
    center = toward(azimuth, elevation)
    up = np.array([0.0, 1.0, 0.0]) if abs(elevation) < 80 else np.array([0.0, 0.0, -1.0])
    right = np.cross(up, center)
    right /= np.linalg.norm(right)
    depth = d @ center
    safe = np.maximum(depth, 1e-3)
    return d @ right / safe, d @ np.cross(center, right) / safe, depth > 1e-3


def box(d: F64, azimuth: float, elevation: float, width: float, height: float, soft: float = 0.12) -> F64:
    """A softbox of half-angles `width` and `height` in degrees, edges soft, its middle a little brighter."""
    x, y, ahead = plane(d, azimuth, elevation)
    x = np.abs(x) / np.tan(np.radians(width))
    y = np.abs(y) / np.tan(np.radians(height))
    inside = ramp(1 + soft, 1 - soft, x) * ramp(1 + soft, 1 - soft, y)
    return ahead * inside * (0.72 + 0.28 * ramp(1.3, 0, np.hypot(x, y)))


def above(d: F64, azimuth: float, elevation: float, slant: float, soft: float) -> F64:
    """The sky above an edge through a place, `soft` degrees wide, that rises to the right by `slant`."""
    a, turn = np.radians(azimuth), np.radians(slant)
    center = toward(azimuth, elevation)
    right = np.array([np.cos(a), 0.0, -np.sin(a)])
    up = np.cross(center, right)
    normal = up * np.cos(turn) - right * np.sin(turn)
    angle = np.degrees(np.arcsin(np.clip(d @ normal, -1, 1)))
    return ramp(-soft / 2, soft / 2, angle)


def disc(d: F64, azimuth: float, elevation: float, radius: float, soft: float = 0.3) -> F64:
    """A round light of `radius` degrees; `soft` is the blurred part of the radius."""
    angle = np.degrees(np.arccos(np.clip(d @ toward(azimuth, elevation), -1, 1)))
    return ramp(radius * (1 + soft), radius * (1 - soft), angle)


def glow(d: F64, azimuth: float, elevation: float, reach: float) -> F64:
    """Light that falls off with the angle, to 1/e at `reach` degrees."""
    angle = np.degrees(np.arccos(np.clip(d @ toward(azimuth, elevation), -1, 1)))
    return np.exp(-angle / reach)


def scatter(*cells: NDArray[np.int64]) -> F64:
    """A fixed random number 0-1 for each combination of whole numbers."""
    state = np.zeros(np.broadcast_shapes(*(c.shape for c in cells)), np.uint64)
    for number in cells:
        state = (state ^ number.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        state ^= state >> np.uint64(29)
        state *= np.uint64(0xBF58476D1CE4E5B9)
        state ^= state >> np.uint64(32)
    return (state >> np.uint64(11)).astype(np.float64) / 2.0**53


def noise(d: F64, frequency: float, octaves: int = 4) -> F64:
    """Value noise 0-1 on the sphere, each octave twice as fine and half as strong."""
    total, weight = np.zeros(d.shape[:-1]), 0.0
    for octave in range(octaves):
        at = d * frequency * 2.0**octave + 37.0 * octave
        cell = np.floor(at).astype(np.int64)
        part = at - cell
        part = part * part * (3 - 2 * part)
        value = np.zeros(d.shape[:-1])
        for corner in np.ndindex(2, 2, 2):
            share = np.prod(np.where(corner, part, 1 - part), axis=-1)
            value += share * scatter(*(cell[..., axis] + corner[axis] for axis in range(3)))
        total += value * 0.5**octave
        weight += 0.5**octave
    return total / weight
