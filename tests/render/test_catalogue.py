"""Every device of the catalogue, in both orientations and from three sides, compared with its sheet.

The expected places follow from the sheet and the formulas of "Geometry" in docs/rendering.md alone.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from frames.generator.outline import Outline
from frames.generator.sheet import read
from service.arrays import F64, U8
from service.devices.device import Device, Screen, Slab, catalogue
from service.devices.families.panel import cutout_center
from service.devices.families.sheet import ScreenCutout, ScreenPanel
from service.render.geometry.face import plane
from service.render.geometry.mesh import mesh
from service.settings.scene import PlateSpec
from tests.render.posing import flat, picture, scene, to_linear
from tests.support.devices import few
from tests.support.looped import looped

Size = tuple[int, int]

SIDE = 200  # px
#: All buttons count as the same part, whatever they are called.
BUTTON = re.compile(r"action|alert|button|key|power|silent|side|volume")


def parts(device: str) -> set[str]:
    """The names of a device's parts, without their numbers, and without buttons."""
    names = [slab.name for slab in catalogue()[device].slabs]
    return {re.sub(r"[\d-]+", "", name) for name in names if not BUTTON.search(name)}


def panel(device: str) -> tuple[object, ...]:
    """The kinds of corners and of cut-out of a device's screen."""
    screen = read(device).screen
    cut = screen.cutout
    return screen.corners, screen.corner is None, cut and cut.kind, cut and cut.side, cut and cut.ear > 0


#: The first device of each build: devices of a category whose parts have the same names.
BUILDS = {
    (one.category, *sorted(parts(id_))): id_ for id_, one in reversed(catalogue().entries.items())
}.values()
#: A device of each category and kind of screen, one of `BUILDS` if possible.
SCREENS = {
    (catalogue().entries[id_].category, *panel(id_)): id_ for id_ in (*reversed(catalogue().entries), *BUILDS)
}.values()
#: Each build from all sides; `make test` leaves out orientations other than the first.
CASES = [
    case if whole and way == one.orientations[0] else pytest.param(*case.values, marks=pytest.mark.thorough)
    for id_, one in catalogue().entries.items()
    for way in one.orientations
    for whole in [id_ in BUILDS]
    for case in few([id_], way)
]
#: The other devices of these builds, from the front; `make test` takes one for each kind of screen.
FRONTS = [
    case if id_ in SCREENS else pytest.param(*case.values, marks=pytest.mark.thorough)
    for id_, one in catalogue().entries.items()
    if id_ not in BUILDS
    for case in few([id_], one.orientations[0])
]
BARE = {
    "canvas.width": SIDE,
    "canvas.height": SIDE,
    "shadow.enabled": False,
    "appearance.backgroundColor": "transparent",
    "deviceTransform.framing": "upright",
    "deviceTransform.fieldOfView": 0,
    "screen.fit": "stretch",
}
FRONT = BARE | {"reflection.enabled": False}
TURNED = BARE | {"deviceTransform.rotationX": 12, "deviceTransform.rotationY": -32}
BEHIND = BARE | {"deviceTransform.rotationX": 8, "deviceTransform.rotationY": 160}


@dataclass(frozen=True)
class Seen:
    """The projection of a device's millimetres to the canvas: its rotation, and px per mm (orthographic)."""

    turn: F64
    k: float

    def land(self, points: F64) -> F64:
        """Canvas px (n, 2) of points (n, 3)."""
        turned = points @ self.turn.T
        return SIDE / 2 + self.k * turned[:, :2] * [1, -1]


def seen(spec: PlateSpec) -> Seen:
    """The view of a plate spec, by the formulas of the documentation."""
    x, y, z = np.radians([spec.transform.rx, spec.transform.ry, spec.transform.rz])
    turn = np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])
    turn = turn @ np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]])
    turn = turn @ np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]])
    width, height = spec.device.body[:2]
    if spec.instances[0].orientation != spec.device.natural:
        turn, width, height = turn @ np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), height, width
    return Seen(turn, 0.78 * SIDE / max(width, height))


def axes(slab: Slab) -> F64:
    """A slab's axes as rows."""
    return np.array([slab.x, slab.y, np.cross(slab.x, slab.y)])


def points(slab: Slab) -> F64:
    """Points (n, 3) of a slab, device mm: of its outline at full width, and of its rounded edges."""
    if slab.bend is not None:
        return mesh(slab).points
    corners = {1: slab.corner, -1: slab.lower or slab.corner}
    shapes = {y: Outline(*slab.size[:2], **corner.model_dump()).corner for y, corner in corners.items()}
    found = []
    for inset in np.linspace(0, slab.edge, 7):
        lift = slab.size[2] / 2 - slab.edge + math.sqrt(slab.edge**2 - (slab.edge - inset) ** 2)
        for x, y, z in itertools.product((-1, 1), repeat=3):
            corner, normal = shapes[y]
            flat = (corner - inset * normal)[::80]
            found.append(np.column_stack([flat * [x, y], np.full(len(flat), z * lift)]))
    local = np.concatenate(found)
    if slab.base is not None:
        local[:, 2] = np.maximum(local[:, 2], slab.base)
    return np.asarray(local @ axes(slab) + np.array(slab.center), np.float64)


def silhouette(spec: PlateSpec, slab: Slab) -> U8:
    """A mask (SIDE, SIDE) of a slab, 255 inside; for a bent slab, of its hull."""
    places = seen(spec).land(points(slab)).astype(np.float32)
    hull, canvas = cv2.convexHull(places)[:, 0], np.zeros((SIDE, SIDE), np.uint8)
    cv2.fillConvexPoly(canvas, np.round((hull - 0.5) * 256).astype(np.int32), 255, cv2.LINE_8, 8)
    return canvas


def on_screen(spec: PlateSpec, screen: Screen) -> tuple[F64, F64, bool]:
    """For each pixel (SIDE, SIDE), the mm to the right of and above the middle of a screen; and whether the
    screen faces the camera."""
    view, slab = seen(spec), spec.device.slab(screen.slab)
    right, up, out = axes(slab)
    origin = np.array(slab.center) + out * slab.size[2] / 2
    if screen.half:
        half = plane(slab, True, screen.half)
        right, up, out, origin = half.x, half.y, half.normal, half.origin
    origin = origin + right * screen.center[0] + up * screen.center[1]
    corner, x, y = view.land(np.array([origin, origin + right, origin + up]))
    column, row = np.meshgrid(np.arange(SIDE) + 0.5, np.arange(SIDE) + 0.5)
    pixels = np.column_stack([column.ravel(), row.ravel()]) - corner
    places = pixels @ np.linalg.inv(np.array([x - corner, y - corner]))
    return (*places.T.reshape(2, SIDE, SIDE), bool((view.turn @ out)[2] > 0.02))


def outside(spec: PlateSpec, margin: float) -> NDArray[np.bool_]:
    """The pixels more than `margin` px away from every screen that faces the camera, as if screens were plain
    rectangles."""
    found = np.ones((SIDE, SIDE), bool)
    for screen in spec.device.screens:
        x, y, facing = on_screen(spec, screen)
        if facing:
            room = margin / seen(spec).k
            found &= (abs(x) > screen.size[0] / 2 + room) | (abs(y) > screen.size[1] / 2 + room)
    return found


def of_size(device: str, orientation: str) -> Size:
    """The size of a small screenshot in the shape of the device's screen as it is held."""
    width, height = catalogue().entries[device].px
    if (orientation == "portrait") != (height > width):
        width, height = height, width
    return round(64 * width / max(width, height)), round(64 * height / max(width, height))


def pictured(given: dict[str, Any], size: Size) -> tuple[PlateSpec, U8, F64]:
    """The plate spec, the picture of a black screenshot, and the linear light that a white one adds."""
    spec = scene(given, size).spec
    black, white = (picture(flat((value,) * 3, size), given) for value in (0, 255))
    assert np.array_equal(black[..., 3], white[..., 3])
    light = to_linear(white[..., :3]) - to_linear(black[..., :3])
    return spec, black, light.mean(axis=2)


def check_silhouette(spec: PlateSpec, alpha: U8) -> None:
    """Check that alpha is 0 outside the slabs and 255 inside, except within a pixel of edges."""
    square, free = np.ones((5, 5), np.uint8), np.ones((SIDE, SIDE), bool)
    for slab in spec.device.slabs:
        shape = silhouette(spec, slab)
        assert slab.bend or (alpha[cv2.erode(shape, square) > 0] == 255).all()
        free &= cv2.dilate(shape, square) == 0
    assert not alpha[free].any()


def covered(panel: ScreenPanel, x: F64, y: F64, k: float) -> F64:
    """The share of each pixel that the panel's plain rectangle covers, seen straight on, 0-1."""
    across, up = (
        np.clip(0.5 + (side / 2 - abs(axis)) * k, 0, 1) for axis, side in zip((x, y), panel.size, strict=True)
    )
    return np.asarray(across * up, np.float64)


def dimmed(device: Device, x: F64, y: F64) -> NDArray[np.bool_]:
    """The points, mm from the middle of the first screen, that lie below a layer over that screen."""
    screen, found = device.screens[0], np.zeros(x.shape, bool)
    for layer in device.slab(screen.slab).front.layers:
        if layer.over:
            across, up = (x + screen.center[0] - layer.center[0], y + screen.center[1] - layer.center[1])
            found |= (abs(across) < layer.size[0] / 2) & (abs(up) < layer.size[1] / 2)
    return found


def missing(panel: ScreenPanel) -> tuple[float, float]:
    """The extent of a screen's corners in px, and the share of that square that a corner leaves empty."""
    extent, n = panel.radius_px, 2.0
    if panel.corner is not None:
        extent, n = panel.corner.extent * panel.px[0] / panel.size[0], panel.corner.exponent
    return extent, 1 - math.gamma(1 + 1 / n) ** 2 / math.gamma(1 + 2 / n)


def exact(spec: PlateSpec) -> float:
    """The tolerance for a screen's edges, in screen px: one, if the screen shares no pixel with a rounded
    edge.

    Pixels that a screen shares with the rounded edge of its slab are slightly too dark.
    """
    screen, k = spec.device.screen, seen(spec).k
    slab = spec.device.slab(screen.slab)
    flat = max(slab.edge, slab.front.inset) + 0.15
    room = min((slab.size[i] - screen.size[i]) / 2 - abs(screen.center[i]) - flat for i in (0, 1))
    return max(1.0, 0.75 * screen.px[0] / screen.size[0] / k) if room * k < 1 else 1.0


def check_corners(panel: ScreenPanel, dark: F64, x: F64, y: F64, k: float, exact: float) -> None:
    """Check the screen's edges, and the extents of its corners by the area that they leave empty, to `exact`
    screen px."""
    extent, share = missing(panel)
    pitch = panel.px[0] / panel.size[0]
    reach = extent / pitch + 1.5 / k
    # This much of a pixel may be wrong where two edges cross it.
    rough = 0.2 * (pitch / k) ** 2
    near_x, near_y = panel.size[0] / 2 - abs(x) < reach, panel.size[1] / 2 - abs(y) < reach
    hole = np.zeros_like(near_x) if panel.cutout is None else beside(panel, panel.cutout, x, y, 2 / k)
    for right, top in itertools.product((False, True), repeat=2):
        at = near_x & near_y & ((x > 0) == right) & ((y > 0) == top)
        if (at & hole).any():
            continue
        lost = dark[at].sum() * (pitch / k) ** 2
        if extent and panel.corners in ("all", "top" if top else "bottom"):
            assert lost == pytest.approx(share * extent**2, abs=2 * share * extent * exact + rough)
        else:
            assert lost == pytest.approx(0, abs=rough)
    straight = (near_x ^ near_y) & ~hole
    assert abs(dark[straight]).max(initial=0) * pitch / k < exact


def beside(panel: ScreenPanel, cutout: ScreenCutout, x: F64, y: F64, margin: float) -> NDArray[np.bool_]:
    """The pixels in the box of a cut-out and its ears, or less than `margin` mm from it."""
    pitch = panel.px[0] / panel.size[0]
    across, up = cutout_center(panel, cutout)
    width, height = ((side / 2 + cutout.ear) / pitch + margin for side in cutout.size)
    return (abs(x - across) < width) & (abs(y - up) < height)


def check_cutout(panel: ScreenPanel, cutout: ScreenCutout, dark: F64, x: F64, y: F64, k: float) -> None:
    """Check the middle and the area of a cut-out, to a screen pixel."""
    pitch = panel.px[0] / panel.size[0]
    at = beside(panel, cutout, x, y, 2 / k)
    if cutout.kind == "punch":
        # The cut-out may be near a corner of the screen, which is dark as well.
        across, up = cutout_center(panel, cutout)
        at &= np.hypot(x - across, y - up) < cutout.radius / pitch + 1.5 / k
    amount, (width, height) = dark[at], cutout.size
    # A notch has two round corners, and two concave ones at the screen's edge.
    corners, ears = (2, 2) if cutout.kind == "notch" else (4, 0)
    area = width * height + (1 - math.pi / 4) * (ears * cutout.ear**2 - corners * cutout.radius**2)
    assert amount.sum() * (pitch / k) ** 2 == pytest.approx(area, abs=width + height)
    middle = [float((axis[at] * amount).sum() / amount.sum()) for axis in (x, y)]
    expected = cutout_center(panel, cutout)
    for place, found, given in zip("xy", middle, expected, strict=True):
        # The corners of a notch pull its middle towards the edge.
        slack = 10.0 if cutout.kind == "notch" and place == ("x" if cutout.side == "right" else "y") else 1.0
        assert found * pitch == pytest.approx(given * pitch, abs=slack)


@pytest.mark.parametrize(("device", "orientation"), FRONTS)
def test_a_device_from_the_front(device: str, orientation: str) -> None:
    check_front(device, orientation)


@pytest.mark.parametrize(("device", "orientation"), CASES)
def test_a_device_from_all_sides(device: str, orientation: str) -> None:
    """One test covers all three sides, because they share cached data of the device."""
    check_front(device, orientation)
    check_turned(device, orientation)
    check_behind(device, orientation)


def check_front(device: str, orientation: str) -> None:
    """Check the screen's place, corners and cut-out."""
    given = FRONT | {"device": device, "orientation": orientation}
    spec, black, light = pictured(given, of_size(device, orientation))
    check_silhouette(spec, black[..., 3])
    panel, screens = read(device).screen, spec.device.screens
    x, y, facing = on_screen(spec, screens[0])
    assert facing
    if spec.device.fitted or not np.allclose(screens[0].size, panel.size):
        return  # the screens show parts of the panel, or take the shape of the screenshot
    k = seen(spec).k
    dark = covered(panel, x, y, k) - light
    assert dark.min() > -0.01, "light outside the screen"
    dark[dimmed(spec.device, x, y)] = 0
    check_corners(panel, dark, x, y, k, exact(spec))
    if panel.cutout is not None:
        check_cutout(panel, panel.cutout, dark, x, y, k)


def check_turned(device: str, orientation: str) -> None:
    """Check that no screenshot is visible outside the screen, and that the device has its finish."""
    given = TURNED | {"device": device, "orientation": orientation}
    size, finishes = of_size(device, orientation), catalogue().entries[device].finishes
    spec, black, light = pictured(given, size)
    check_silhouette(spec, black[..., 3])
    beyond = outside(spec, 1.5)
    assert not light[beyond].any()
    assert light.max() > 0.5
    if spec.device.tinted and len(finishes) > 1 and orientation == spec.device.natural:
        other = given | {"appearance.deviceColor": finishes[-1].name}
        changed = cv2.absdiff(picture(flat((0, 0, 0), size), other), black).max(axis=2)
        assert changed[beyond].max() > 1
        inner = cv2.erode((light > 0.5 * light.max()).astype(np.uint8), np.ones((3, 3), np.uint8))
        assert changed[inner > 0].max() <= 1


def check_behind(device: str, orientation: str) -> None:
    """Check that the screen is hidden."""
    given = BEHIND | {"device": device, "orientation": orientation}
    spec, black, light = pictured(given, of_size(device, orientation))
    check_silhouette(spec, black[..., 3])
    assert not light[outside(spec, 1.5)].any()


@looped("device", list(catalogue()))
def test_every_finish_has_a_name_and_a_tint_of_its_own(device: str) -> None:
    finishes = catalogue().entries[device].finishes
    names = [finish.name for finish in finishes]
    assert len(set(names)) == len({finish.hex for finish in finishes}) == len(names)
    if catalogue()[device].tinted:
        given = {"device": device}
        tints = {
            scene(given | {"appearance.deviceColor": name}, (64, 64)).spec.instances[0].tint for name in names
        }
        assert len(tints) == len(names)
