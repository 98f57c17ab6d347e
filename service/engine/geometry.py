"""The geometry of a picture, in the form of responses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike

from ..arrays import F64
from ..devices.device import Device, Screen, Slab, Vector
from ..devices.geometry import Geometry, Point, ScreenPlace, Shape
from ..render.geometry.camera import Camera, margins
from ..render.geometry.mesh import faces, hull, mesh, placed
from ..render.memoize import MIB, memoize
from ..render.paint import screens
from ..render.paint.screens import ScreenPlane, View
from ..render.plates.plate import Plate, ScreenLayer
from ..settings.scene import Instance, PlateSpec

DIRECTIONS = 4000  # directions in which a body's farthest points are searched
TOLERANCE = 0.05  # mm
MERGED = "C-0.01"  # Qhull's option that merges facets if they are coplanar to within this many mm


def geometry(spec: PlateSpec, view: View, plate: Plate | None = None) -> tuple[Geometry, ...]:
    """The geometry of each device of a plate spec; without a `plate`, no screen counts as hidden."""
    layers = iter(plate.screens if plate else (None,) * len(view.screens))
    planes = iter(view.screens)
    return tuple(
        _geometry(one, camera, [(screen, next(planes), next(layers)) for screen in one.device.screens], plate)
        for one, camera in zip(spec.instances, view.stage.cameras, strict=True)
    )


def hidden(spec: PlateSpec, view: View, plate: Plate) -> Iterator[float]:
    """For each device of a plate spec, the hidden share of the most visible screen that faces the camera.

    The share, 0-1, is 0 for a device without such a screen.
    """
    layers = iter(plate.screens)
    for one, camera in zip(spec.instances, view.stage.cameras, strict=True):
        shares = [
            _hidden(one.device, screen, camera, layer)
            for screen, layer in zip(one.device.screens, layers, strict=False)
            if _faces(camera, screens.locate(one, screen).corners)
        ]
        yield min(shares, default=0.0)


def _faces(camera: Camera, corners: F64) -> bool:
    """Whether a screen with these corners, clockwise, is turned towards the camera."""
    return cv2.contourArea(camera.project(corners).astype(np.float32), oriented=True) > 0


def _geometry(
    one: Instance,
    camera: Camera,
    screens_: Sequence[tuple[Screen, ScreenPlane, ScreenLayer | None]],
    plate: Plate | None,
) -> Geometry:
    low, high = camera.bounds(hull(one.device))
    places = tuple(
        ScreenPlace(
            _points(camera.project(screens.locate(one, screen).corners)),
            _numbers(_from_fractions(plane)),
            round(_hidden(one.device, screen, camera, layer), 2) if plate else 0.0,
        )
        for screen, plane, layer in screens_
    )
    return Geometry(
        camera.width,
        camera.height,
        round(camera.k, 6),
        round(camera.distance, 3),
        _point(camera.center),
        _numbers(camera.turn),
        _points(camera.project(_corners(one.device))),
        (*_point(low), *_point(high - low)),
        places,
        _point(camera.aside),
    )


def shape(spec: PlateSpec) -> tuple[Shape, ...]:
    """The shape of each device of a plate spec."""
    return tuple(_shape(one, margins(spec)) for one in spec.instances)


def _shape(one: Instance, free: tuple[float, float, float, float]) -> Shape:
    device = one.device
    return Shape(
        device.body,
        device.natural == "portrait",
        one.quarters,
        _vectors(_extremes(device.slabs)),
        tuple(_vectors(rectangle) for rectangle in faces(device)),
        free,
        tuple(_vectors(screens.locate(one, screen).corners) for screen in device.screens),
    )


@memoize(4 * MIB)
def _extremes(slabs: tuple[Slab, ...]) -> F64:
    """A few of the slabs' points (n, 3), mm, whose hull differs from the slabs' hull by less than TOLERANCE
    mm.

    Points are added where the two hulls are farthest apart, in DIRECTIONS directions. These form two
    Fibonacci lattices (González, "Measurement of Areas on a Sphere Using Fibonacci and Latitude-Longitude
    Lattices", 2010), one stretched as the body is, so that thin edges get as many as broad faces.
    """
    # Loaded when first needed, because few renderers are ever asked for a shape.
    from scipy.spatial import ConvexHull

    points = np.concatenate([mesh(slab).hull for slab in slabs])
    points = points[ConvexHull(points, qhull_options=MERGED).vertices]
    size = points.max(axis=0) - points.min(axis=0)
    even = _directions(DIRECTIONS // 2)
    thin = even / size
    directions = np.concatenate([even, thin / np.linalg.norm(thin, axis=1, keepdims=True)])
    farthest = (points @ directions.T).argmax(axis=0)
    reach = np.einsum("ij,ij->i", points[farthest], directions)
    chosen: list[int] = []
    reached = np.full(len(directions), -np.inf)
    while (short := reach - reached).max() > TOLERANCE:
        chosen.append(int(farthest[short.argmax()]))
        np.maximum(reached, directions @ points[chosen[-1]], out=reached)
    made = np.asarray(points[chosen], np.float64)
    made.flags.writeable = False
    return made


def _directions(count: int) -> F64:
    """Unit vectors (count, 3), evenly spread."""
    number = np.arange(count) + 0.5
    up, turn = 1 - 2 * number / count, np.pi * (1 + np.sqrt(5)) * number
    flat = np.sqrt(1 - up * up)
    return np.column_stack([flat * np.cos(turn), flat * np.sin(turn), up])


def _corners(device: Device) -> F64:
    """The corners (8, 3) of the body's box, mm."""
    x, y, z = (side / 2 for side in device.body)
    around = ((-x, y), (x, y), (x, -y), (-x, -y))
    return np.array([(*corner, depth) for depth in (z, -z) for corner in around])


def _from_fractions(plane: ScreenPlane) -> F64:
    """The 3x3 matrix from fractions of a screen to px."""
    width, height = plane.size
    to_mm = np.array([[width, 0, -width / 2], [0, -height, height / 2], [0, 0, 1]])
    made = plane.matrix @ to_mm
    return np.asarray(made / made[2, 2], np.float64)


def _hidden(device: Device, screen: Screen, camera: Camera, layer: ScreenLayer | None) -> float:
    """The share of a screen that is not visible in any pixel of its layer, 0-1."""
    if layer is None:
        return 1.0
    slab = device.slab(screen.slab)
    axes, center = placed(slab, screen.half)
    height = slab.size[2] / 2

    def area(outline: F64) -> float:
        places = np.column_stack([outline + screen.center, np.full(len(outline), height)])
        return cv2.contourArea(camera.project(center + places @ axes.T).astype(np.float32))

    holes = sum(area(screens.hole(cutout, screen)[0]) for cutout in screen.cutouts)
    lit = max(area(screens.rim(screen)) - holes, 1.0)
    return min(1.0, max(0.0, 1 - cv2.countNonZero(layer.gain) / lit))


def _point(place: ArrayLike) -> Point:
    x, y = np.round(np.asarray(place, np.float64), 2).tolist()
    return x, y


def _points(places: F64) -> tuple[Point, ...]:
    return tuple(map(_point, places))


def _vectors(places: F64) -> tuple[Vector, ...]:
    return tuple((x, y, z) for x, y, z in np.round(places, 3).tolist())


def _numbers(matrix: F64) -> tuple[float, ...]:
    return tuple(float(f"{number:.6g}") for number in matrix.ravel())
