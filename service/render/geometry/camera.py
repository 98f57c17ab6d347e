"""The camera: projects points of the device to the canvas. Arrays are float64, directions float32."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from ...arrays import F32, F64
from ...devices.device import Device
from ...settings.poses import MARGIN, NEAREST, ON_FLOOR, SIGMAS, SPAN, Framing
from ...settings.scene import PlateSpec
from ..kernels import outlines as kernel
from .arrangement import arranged
from .mesh import faces, hull
from .rotation import rotation

FAR = 1e6  # mm; stands for the infinite distance of an orthographic camera
SAME = np.eye(3)  # the rotation for points that are in view space already; by construction
EVEN = 0.01  # weight of the box's own middle, which matters only if all faces are seen edge-on; a guard


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """Looks down -Z from `seat`; `turn` takes device mm to view mm, `k` is px per mm at z = 0.

    View points are relative to the device's pivot, which is `aside` (right, up), mm, from the camera's axis.
    A view point (x, y, z) is projected to center + k·D/(D - z) · (x + right, -y - up), in pixels from the
    canvas' top left corner, where D is `distance`. Pixel (i, j) covers [i, i+1) x [j, j+1).
    """

    turn: F64
    k: float
    distance: float
    center: tuple[float, float]
    width: int
    height: int
    aside: tuple[float, float] = (0.0, 0.0)
    seat: F64 = field(init=False)
    eye: F64 = field(init=False)
    lens: F64 = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Find the camera's position (3,), mm: `seat` in view space, `eye` in the device's; and its `lens`
        (6,), as kernels take it."""
        right, up = self.aside
        object.__setattr__(self, "lens", np.array([self.k, self.distance, *self.center, right, up]))
        object.__setattr__(self, "seat", np.array([0.0 - right, 0.0 - up, self.distance]))
        object.__setattr__(self, "eye", self.turn.T @ self.seat)

    def finer(self, times: int) -> Camera:
        """The camera over a canvas with `times` the pixels along each axis."""
        x, y = (times * at for at in self.center)
        width, height = times * self.width, times * self.height
        return replace(self, k=times * self.k, center=(x, y), width=width, height=height)

    def view(self, points: F64) -> F64:
        """Transform points from device mm (n, 3) to view mm (n, 3)."""
        return points @ self.turn.T

    def depth(self, points: F64) -> F64:
        """Depth along the camera's axis, (n,), in units of the camera's distance from the pivot."""
        return 1.0 - self.view(points)[:, 2] / self.distance

    def project(self, points: F64) -> F64:
        """Project points from device mm (n, 3) to canvas px (n, 2)."""
        return np.asarray(kernel.project(points, self.turn, self.lens), np.float64)

    def bounds(self, points: F64) -> tuple[F64, F64]:
        """The smallest and the largest coordinates (2,) of the projections of points (n, 3), device mm, in
        canvas px."""
        # NumPy reduces one column at a time several times faster.
        columns = self.project(points).T
        return np.array([column.min() for column in columns]), np.array([column.max() for column in columns])

    def toward(self, x: F64, y: F64) -> F32:
        """Unit directions (n, 3), float32, view space, to the camera from points at canvas px x, y (n,)."""
        directions = np.empty((*x.shape, 3), np.float32)
        directions[..., 0] = (self.center[0] - x) * (1 / self.k)
        directions[..., 1] = (y - self.center[1]) * (1 / self.k)
        directions[..., 2] = self.distance
        directions /= np.sqrt(np.einsum("...i,...i", directions, directions))[..., None]
        return directions

    def grid(self, start: tuple[int, int], step: int, columns: int, rows: int) -> F32:
        """As `toward`, for the middles of every `step`-th px, row by row, beginning with the px `start`."""
        x, y = start
        return np.asarray(kernel.toward(self.lens, (x + 0.5, y + 0.5), step, columns, rows), np.float32)

    def homography(self, origin: F64, x: F64, y: F64) -> F64:
        """The 3x3 matrix from plane mm (u, v, 1) to canvas px, for the plane origin + u·x + v·y in mm."""
        return np.asarray(kernel.homography(np.array((x, y, origin)), self.turn, self.lens), np.float64)

    def flattened(self, axes: F64) -> F64:
        """As `homography`, for a plane in view space: x, y and origin are columns of `axes` (3, 3)."""
        return np.asarray(kernel.homography(axes.T, SAME, self.lens), np.float64)


class Stage(NamedTuple):
    """A scene's camera, and the same camera relative to each of the scene's devices.

    View points of `camera` are relative to the middle of the scene; those of each of the `cameras`, to its
    device's pivot.
    """

    camera: Camera
    cameras: tuple[Camera, ...]

    def shift(self, number: int) -> F64:
        """The pivot (3,) of the device with this number, view mm from the middle of the scene."""
        return self.camera.seat - self.cameras[number].seat

    def moved(self, turn: F64, shift: F64, *, flipped: bool = False) -> Stage:
        """The stage of the scene turned about its middle, then moved by `shift` (3,), view mm; optionally on
        a flipped canvas."""
        camera = replace(self.camera, turn=turn @ self.camera.turn)
        if flipped:
            camera = replace(camera, center=(camera.width - camera.center[0], camera.center[1]))
        places = [(one.turn, self.shift(number)) for number, one in enumerate(self.cameras)]
        return Stage(camera, tuple(_beside(camera, turn @ own, turn @ at + shift) for own, at in places))


def stage(spec: PlateSpec) -> Stage:
    """The cameras of a plate spec, as described under "Geometry" in docs/rendering.md."""
    t = spec.transform
    placements, unit = arranged(spec)
    whole = rotation(t.rx, t.ry, t.rz)
    # `_times` skips identity matrices, because multiplying by one would change the last digits.
    turns = [_times(whole, place.turn) for place in placements]
    shifts = [whole @ place.offset for place in placements]
    distance = max(_wanted_distance(spec, unit), _least_distance(spec, shifts))
    upright = Camera(whole, unit, distance, (0.0, 0.0), spec.width, spec.height)
    seen = [_beside(upright, turn, shift) for turn, shift in zip(turns, shifts, strict=True)]
    devices = [one.device for one in spec.instances]
    share, (x, y) = _framed(list(zip(devices, seen, strict=True)), t.framing, margins(spec))
    k = t.scale * unit * share
    center = (spec.width / 2 * (1 + t.x) - t.scale * x, spec.height / 2 * (1 - t.y) - t.scale * y)
    camera = replace(upright, k=k, center=center)
    return Stage(camera, tuple(_beside(camera, *each) for each in zip(turns, shifts, strict=True)))


def aim(spec: PlateSpec) -> Camera:
    """The camera as seen from the first device of a plate spec."""
    return stage(spec).cameras[0]


def _times(whole: F64, own: F64) -> F64:
    return whole if np.array_equal(own, np.eye(3)) else np.asarray(whole @ own, np.float64)


def _beside(camera: Camera, turn: F64, shift: F64) -> Camera:
    """A scene's camera as seen from a device that is turned and shifted (3,), view mm."""
    distance = camera.distance - float(shift[2])
    k = camera.k * (camera.distance / distance)
    return replace(camera, turn=turn, k=k, distance=distance, aside=(float(shift[0]), float(shift[1])))


def margins(spec: PlateSpec) -> tuple[float, float, float, float]:
    """The margins for `auto` and `balanced` framing: left, top, right, bottom, as shares of the canvas.

    They are at least MARGIN, and leave room for the visible part of the shadow.
    """
    canvas, shadow = np.array([spec.width, spec.height], np.float64), spec.shadow
    low = high = MARGIN * canvas
    if spec.ground is not None and spec.ground.kind == "floor":
        below, beside = (share * canvas.min() for share in ON_FLOOR)
        low, high = np.maximum(low, [beside, 0]), np.maximum(high, [beside, below])
    elif shadow is not None:
        moved, reach = np.array([shadow.x, -shadow.y]), SIGMAS * shadow.sigma
        low, high = np.maximum(low, reach - moved), np.maximum(high, reach + moved)
    (left, top), (right, bottom) = low / canvas, high / canvas
    return float(left), float(top), float(right), float(bottom)


def _framed(
    seen: Sequence[tuple[Device, Camera]], framing: Framing, free: tuple[float, float, float, float]
) -> tuple[float, tuple[float, float]]:
    """The factor by which framing scales k, and how far it moves the middle left and up at scale 1, px.

    The cameras `seen` have the k of upright devices and see the middle at (0, 0); `free` is what `margins`
    returns.
    """
    if framing == "upright":
        return 1.0, (0.0, 0.0)
    lows, highs = zip(*(camera.bounds(hull(device)) for device, camera in seen), strict=True)
    low, high = np.min(lows, axis=0), np.max(highs, axis=0)
    upright = seen[0][1]
    canvas = np.array([upright.width, upright.height])
    first, last = (np.array(free[:2]) - 0.5) * canvas, (0.5 - np.array(free[2:])) * canvas
    if framing in ("posed", "balanced"):
        share = float((SPAN * canvas / (high - low)).min())
        x, y = (low + high) / 2 * share
        if framing == "balanced":
            # The shift takes up to half of the room beside the devices, so that they stay clear of the edge.
            least, most = min(share * high[0] - last[0], x), max(share * low[0] - first[0], x)
            x = np.clip(share * _weight(seen, low, high), (least + x) / 2, (most + x) / 2)
        return share, (float(x), float(y))
    share = min(1.0, float((np.maximum(last - first, 1) / (high - low)).min()))
    # Move the middle no farther than necessary.
    x, y = np.clip(0, share * high - last, share * low - first)
    return share, (float(x), float(y))


def _weight(seen: Sequence[tuple[Device, Camera]], low: F64, high: F64) -> float:
    """The column, in canvas px, of the visual weight of devices whose box reaches from `low` to `high` (2,).

    It is the middle of the area of their faces in the picture.
    """
    box = np.prod(high - low)
    total, moment = EVEN * box, EVEN * box * (low[0] + high[0]) / 2
    for device, camera in seen:
        corners = faces(device)
        quads = camera.project(corners.reshape(-1, 3)).reshape(-1, 4, 2)
        after = np.roll(quads, -1, axis=1)
        cross = quads[..., 0] * after[..., 1] - after[..., 0] * quads[..., 1]
        area = cross.sum(axis=1) / 2
        total += np.abs(area).sum()
        moment += (np.sign(area) * ((quads + after)[..., 0] * cross).sum(axis=1)).sum() / 6
    return float(moment / total)


def field_of_view(spec: PlateSpec) -> float:
    """The camera's vertical field of view, degrees: reduced if the camera would be inside a device."""
    placements, unit = arranged(spec)
    t = spec.transform
    whole = rotation(t.rx, t.ry, t.rz)
    least = _least_distance(spec, [whole @ place.offset for place in placements])
    if _wanted_distance(spec, unit) >= least:
        return t.fov
    return math.degrees(2 * math.atan(spec.height / unit / (2 * least)))


def _wanted_distance(spec: PlateSpec, unit: float) -> float:
    """The distance, mm, at which the canvas fills the field of view at scale 1, so that scaling keeps the
    perspective."""
    fov = spec.transform.fov
    return FAR if fov <= 0 else float((spec.height / unit) / (2 * np.tan(np.radians(fov) / 2)))


def _least_distance(spec: PlateSpec, shifts: Sequence[F64]) -> float:
    """The least distance of the camera from the middle, mm, at which it is outside all devices, however they
    are turned; `shifts` (3,) are view mm."""
    return max(
        float(shift[2]) + NEAREST * math.hypot(*one.device.body) / 2
        for one, shift in zip(spec.instances, shifts, strict=True)
    )
