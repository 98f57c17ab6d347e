"""The shadow on a floor or a wall: its place, its softness, and where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import cv2
import numpy as np
import pytest

from service.arrays import F32, F64
from service.devices.device import catalogue
from service.render.geometry.camera import Camera, Stage, aim, stage
from service.render.geometry.mesh import pose
from service.render.geometry.raster import Box
from service.render.geometry.rotation import rotation
from service.render.light.environment import directions as around
from service.render.light.environment import load, wrapped
from service.render.plates import softbox
from service.render.plates.grid import Grid
from service.render.plates.ground import GroundShade, cast
from service.render.plates.plane import GroundPlane, Solid, pieces, plane, solids
from service.settings.poses import POSES
from service.settings.scene import GroundSpec, PlateSpec
from service.settings.schema import Ground
from tests.render.posing import PLAIN, scene

WIDTH, HEIGHT = 640, 360
UP = np.array([0.0, 1.0, 0.0])
LEVEL = GroundPlane(np.zeros(3), np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], UP]))


def spec(device: str, **members: object) -> PlateSpec:
    """The plate spec of a device that stands or hangs, 640 x 360."""
    settings = {f"deviceTransform.{name}": value for name, value in members.items()}
    size = {"canvas.width": WIDTH, "canvas.height": HEIGHT, "device": device}
    return scene(PLAIN | size | settings, (90, 195)).spec


def fallen(
    of: PlateSpec, ground: GroundSpec, environment: str = "studio", *, fast: bool = False
) -> GroundShade | None:
    """The shadow of a device on a ground."""
    seen = stage(of)
    at = plane(seen, [of.device], ground, of.transform)
    return cast(list(solids(seen, [of.device])), seen.camera, at, load(environment), ground, fast=fast)


def shade(of: PlateSpec, ground: GroundSpec, environment: str = "studio") -> F32:
    """The share of its light that a ground loses, (h, w)."""
    found = fallen(of, ground, environment)
    lost = np.zeros((HEIGHT, WIDTH), np.float32)
    if found is not None:
        alpha, left, top, _ = found.part(Box(0, 0, of.width, of.height))
        lost[top : top + len(alpha), left : left + alpha.shape[1]] = alpha
    return lost


def test_rays_meet_the_ground_where_lines_do() -> None:
    turn = rotation(20, 0, 0)
    at = GroundPlane(np.array([1.0, -2.0, 3.0]), np.stack([turn[:, 0], turn[:, 2], turn[:, 1]]))
    rng = np.random.default_rng(3)
    points, toward = rng.normal(size=(20, 3)) * 50, np.array([0.3, 0.9, 0.2])
    flat = at.flat(points, toward)
    met = at.origin + flat @ at.axes[:2]
    way = met - points
    along = way @ toward / (toward @ toward)
    assert np.abs(way - along[:, None] * toward).max() < 1e-9
    assert np.abs((met - at.origin) @ at.axes[2]).max() < 1e-9


@pytest.mark.parametrize("environment", ["studio", "window", "sunset", "city", "night", "softbox"])
def test_shadows_fall_to_the_side_of_standing_devices_and_behind_them(environment: str) -> None:
    for ry in (-50, 25, 150):
        of = spec("imac-24", rotationX=8, rotationY=ry)
        seen = stage(of)
        at = plane(seen, [of.device], GroundSpec("floor"), of.transform)
        assert at.front[2] > 0
        ways = softbox.lamp(load(environment), at, softbox.FLOOR, 1.0).ways(100)
        # The environments' main lights are on the left; the ground's second axis leads away from the viewer.
        assert (ways[:, 0] < 0).mean() > 0.95
        assert (ways[:, 1] < 0).mean() > 0.6
        assert abs(ways[:, 0].mean()) > 1.5 * abs(ways[:, 1].mean())
    # If the device is seen exactly edge-on, either direction may count as its front.
    edge = spec("imac-24", rotationX=8, rotationY=90)
    assert np.linalg.norm(plane(stage(edge), [edge.device], GroundSpec("floor"), edge.transform).front) < 0.01


@pytest.mark.parametrize("ry", [-30, 30, 150, -150])
def test_shadows_on_a_wall_fall_away_from_the_main_light_in_any_turn(ry: float) -> None:
    of = spec("iphone-16-pro", rotationY=ry)
    at = plane(stage(of), [of.device], GroundSpec("wall"), of.transform)
    for environment in ("studio", "window", "sunset"):
        right, up = softbox.lamp(load(environment), at, softbox.WALL, 1.0).middle
        assert right < -0.2
        assert up > 0.2


def test_shadows_end_before_the_canvas_does() -> None:
    for device, rx, ry in (("imac-24", 8, 50), ("studio-display", 4, -30), ("macbook-pro-14", 16, -28)):
        lost = shade(spec(device, rotationX=rx, rotationY=ry), GroundSpec("floor"))
        edges = lost[0], lost[-1], lost[:, 0], lost[:, -1]
        assert max(float(edge.max()) for edge in edges) < 0.01
    # Only the shadow of a device that crosses the canvas' edge may reach it.
    assert shade(spec("imac-24", rotationX=8, positionX=1.2), GroundSpec("floor"))[:, -1].max() > 0.1


def box(low: tuple[float, float, float], high: tuple[float, float, float]) -> F64:
    """The corners (8, 3) of a box, view mm above `LEVEL`: right, up and towards the viewer."""
    return np.array(list(product(*zip(low, high, strict=True))), np.float64)


def test_the_points_that_bound_the_shadows_of_a_shape_are_kept() -> None:
    # On a sphere, each direction has an outermost point of its own.
    points = np.random.default_rng(3).normal(size=(20_000, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    kept = softbox.fewer(points)
    assert len(kept) <= 32 * 7
    for turn in np.arange(32) * (2 * np.pi / 32):
        for slope in (-1.5, -0.6, -0.2, 0.0, 0.2, 0.6, 1.5):
            way = np.array([np.cos(turn), np.sin(turn), slope])
            assert (kept @ way).max() == pytest.approx((points @ way).max(), abs=1e-12)


@pytest.mark.parametrize(("spread", "most"), [((80.0, 30.0), 1000), ((80.0, 0.0), 4000), ((0.0, 0.0), 1)])
def test_points_inside_an_outline_do_not_change_it(spread: tuple[float, float], most: int) -> None:
    rng = np.random.default_rng(5)
    points = (rng.normal(size=(4000, 2)) * spread + (310, -45)).astype(np.float32)
    kept = softbox.outermost(points)
    assert len(kept) <= most
    np.testing.assert_array_equal(cv2.convexHull(kept), cv2.convexHull(points))


def blocked(
    *shapes: F64,
    softness: float = 1.0,
    lighting: softbox.Lighting = softbox.FLOOR,
    hanging: Sequence[F64] = (),
) -> F32:
    """The share of light that shapes block on `LEVEL`, on a grid of 1 mm that reaches 400 mm to all sides.

    A stand holds the `hanging` shapes in the air.
    """
    grid = Grid(np.array([-400.0, -400.0]), np.ones(2), (800, 800))
    lamp = softbox.lamp(load("studio"), LEVEL, lighting, softness)
    solid = [Solid(points, hangs=False) for points in shapes]
    solid += [Solid(points, hangs=True) for points in hanging]
    return softbox.blocked(solid, LEVEL, lighting, lamp, grid)


def test_the_box_of_a_hard_shadow_holds_all_of_it() -> None:
    grid, ways = Grid(np.array([-100.0, -80.0]), np.ones(2), (200, 160)), np.array([[0.2, 0.1], [0.4, -0.3]])
    foot = box((-20, -10, 0), (20, 10, 30))
    part, around = grid.shadow([foot], ways, 5)
    whole, everywhere = grid.shadow([foot], ways, 1000)
    assert everywhere == (0, 0, 200, 160)
    assert 2 * around.area < everywhere.area
    assert part.max() == 1
    assert not part[[*range(5), *range(-5, 0)]].any()
    assert not part[:, [*range(5), *range(-5, 0)]].any()
    rest = whole.copy()
    rest[around.slices] -= part
    assert not rest.any()


@pytest.mark.parametrize("softness", [0.3, 1.0])
def test_a_soft_shadow_ends_within_its_box(softness: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside of the box in which it is drawn, blurred and enlarged, no light is lost."""
    foot, panel = box((-60, 0, -60), (60, 5, 60)), box((-80, 50, -10), (80, 120, 10))
    found = blocked(foot, softness=softness, hanging=[panel])
    monkeypatch.setattr(softbox, "CUBIC", 1000)
    # The last bits of a blur depend on where in a row a texel is.
    assert np.abs(found - blocked(foot, softness=softness, hanging=[panel])).max() < 1e-9


def test_a_floor_is_dark_at_contacts_and_light_below_hanging_parts() -> None:
    foot, panel = box((-60, 0, -60), (60, 5, 60)), box((-300, 150, -10), (300, 480, 10))
    lost = blocked(foot, hanging=[panel])
    assert lost[400, 461] > 0.4
    assert lost[400, 475] < lost[400, 461] - 0.25
    beside = lost[:, 500:]
    assert 0.03 < beside.max() < 0.15
    # The shadow is wide, and has no edge.
    assert np.abs(np.diff(beside, axis=0)).max() < 0.003


# By default, and as soft as in looks.
@pytest.mark.parametrize(("softness", "steepest"), [(1.0, 0.004), (1.8, 0.0015)])
def test_the_shadow_of_a_hanging_panel_shows_but_is_no_band(softness: float, steepest: float) -> None:
    feet = [box((x, 0, -130), (x + 15, 60, 130)) for x in (-280, 265)]
    panel = box((-300, 63, -14), (300, 770, 14))
    # The lamp is to the left, so the middle of the shadow is to the right of the panel's.
    profile = blocked(*feet, softness=softness, hanging=[panel])[:, 600]
    assert profile.max() > 0.12
    assert np.abs(np.diff(profile)).max() < steepest


def test_only_what_a_stand_holds_hangs() -> None:
    for name, hanging in (
        ("studio-display", 1),
        ("tv-55", 1),
        ("macbook-air-13-m3", 0),
        ("iphone-16-pro", 0),
    ):
        of = spec(name)
        assert sum(solid.hangs for solid in solids(stage(of), [of.device])) == hanging, name


def test_the_shadow_on_a_floor_changes_smoothly_with_the_distance() -> None:
    of = spec("iphone-16-pro", rotationX=12)
    sums = [shade(of, GroundSpec("floor", distance=distance)).sum() for distance in (9.8, 10.0, 10.2, 10.4)]
    assert np.abs(np.diff(sums)).max() < 0.01 * max(sums)


@pytest.mark.parametrize("softness", [1.0, 1.8])
def test_the_shadow_on_a_floor_has_no_waves(softness: float) -> None:
    base, lid = box((-150, 0, -100), (150, 15, 100)), box((-150, 10, -110), (150, 210, -100))
    lost = blocked(base, lid, softness=softness)
    for profile in (lost[511:, 400], lost[299::-1, 400], lost[400, 555:], lost[330, 247::-1]):
        assert np.diff(profile).max() < 1e-3
        # Half a level cannot be seen.
        assert np.maximum(np.diff(profile), 0).sum() < 0.002
        assert profile[0] > 0.1


def test_penumbras_on_a_floor_widen_with_the_height_of_the_caster() -> None:
    pole = box((-390, 0, -390), (-380, 200, -380))
    widths = []
    for height in (10, 30, 60, 100, 150):
        profile = blocked(box((0, height, -300), (390, height + 1, 300)), pole)[400]
        profile = profile / profile[700]
        widths.append(
            np.interp(0.75, profile[250:700], np.arange(450))
            - np.interp(0.25, profile[250:700], np.arange(450))
        )
    steps = np.diff(widths) / np.diff((10, 30, 60, 100, 150))
    assert (steps > 0.1).all()


def test_a_sharp_lamp_casts_one_shadow() -> None:
    plate, pole = box((-50, 100, -50), (50, 101, 50)), box((-390, 0, -390), (-380, 200, -380))
    sharp, soft = (blocked(plate, pole, softness=softness)[:, 100:] for softness in (0.0, 1.0))
    assert np.abs(np.diff(sharp, axis=1)).max() > 4 * np.abs(np.diff(soft, axis=1)).max()


def test_the_lamp_leans_towards_the_main_light() -> None:
    toward = around(32)
    middles = []
    for side in (-1, 0, 1):
        light = 1 + 0.25 * side * toward[..., :1].repeat(3, axis=-1)
        lit = replace(load("studio"), rough={softbox.LEVEL: wrapped(light.astype(np.float32))})
        lamp = softbox.lamp(lit, LEVEL, softbox.FLOOR, 1.0)
        middles.append(lamp.middle[0])
        assert lamp.middle[1] == pytest.approx(0, abs=0.01)
        assert lamp.ways(100).mean(axis=0) == pytest.approx(lamp.middle, abs=0.02)
    assert middles == pytest.approx([-0.59, 0, 0.59], abs=0.03)


@pytest.mark.parametrize(
    ("lighting", "lean", "front", "above", "width"),
    [(softbox.FLOOR, (5.0, 0.5), 0.38, 0.0, 0.15), (softbox.WALL, (1.3, 0.2), 0.3, 0.35, 0.32)],
)
def test_a_lamp_stands_as_its_lighting_says(
    lighting: softbox.Lighting, lean: tuple[float, float], front: float, above: float, width: float
) -> None:
    away, turn = np.meshgrid(np.sqrt((np.arange(2000) + 0.5) / 2000), np.arange(64) * (np.pi / 32))
    up = np.sqrt(1 - away**2)
    x, z = away * np.cos(turn), away * np.sin(turn)
    # Light from the right and from the front, where `LEVEL` has its viewer, cosine-weighted.
    light = 1 + 0.12 * x + 0.2 * z
    slopes = np.array([(light * side / np.maximum(up, 0.4)).sum() / light.sum() for side in (x, -z)])
    toward = around(128)
    bright = (1 + 0.12 * toward[..., :1] + 0.2 * toward[..., 2:]).repeat(3, axis=-1).astype(np.float32)
    lit = replace(load("studio"), rough={softbox.LEVEL: wrapped(bright)})
    for facing in (0.0, 1.0):
        at = replace(LEVEL, front=np.array([0, 0, facing]))
        lamp = softbox.lamp(lit, at, lighting, 1.0)
        expected = np.array(lean) * slopes + (0, above - front * facing)
        assert np.linalg.norm(expected) < 0.85
        assert lamp.middle == pytest.approx(expected, abs=0.004)
        assert lamp.width == pytest.approx(width)
        assert softbox.lamp(lit, at, lighting, 1.8).width == pytest.approx(1.8 * width)
        assert softbox.lamp(lit, at, lighting, 0.0).width == pytest.approx(0.02 * width)
    aside = wrapped((1 + toward[..., :1].repeat(3, axis=-1)).astype(np.float32))
    steep = softbox.lamp(replace(lit, rough={softbox.LEVEL: aside}), LEVEL, softbox.FLOOR, 1.0)
    assert np.linalg.norm(steep.middle) == pytest.approx(0.85)


#: The light that a block and a panel above it take from a floor and a wall, at distances in mm right of the
#: block and before it. The numbers were chosen by eye in pictures of devices, and are kept.
AWAY = (-20, 2, 6, 15, 30, 60, 100, 150, 200)
KEPT_SHADOWS = {
    "floor": (
        (0.978, 0.6725, 0.5189, 0.3413, 0.2525, 0.1163, 0.0499, 0.0327, 0.0225),
        (0.607, 0.3938, 0.2202, 0.1348, 0.0519, 0.028),
    ),
    "wall": (
        (0.64, 0.609, 0.5803, 0.5462, 0.4705, 0.2726, 0.1237, 0.0534, 0.019),
        (0.5495, 0.4638, 0.371, 0.2339, 0.1162, 0.0558),
    ),
}


@pytest.mark.parametrize("kind", softbox.LIGHTINGS)
def test_a_block_takes_as_much_light_as_ever(kind: str) -> None:
    solid = [
        Solid(box((-50, 0, -40), (50, 80, 40)), hangs=False),
        Solid(box((-90, 100, -10), (90, 180, 10)), hangs=True),
    ]
    grid = Grid(np.array([-400.0, -400.0]), np.ones(2), (800, 800))
    lamp = softbox.Lamp(np.array([-0.6, -0.3]), 0.3)
    found = softbox.blocked(solid, LEVEL, softbox.LIGHTINGS[kind], lamp, grid)
    right, before = KEPT_SHADOWS[kind]
    assert [found[410, 450 + away] for away in AWAY] == pytest.approx(right, abs=2e-4)
    assert [found[440 + away, 395] for away in AWAY[1:7]] == pytest.approx(before, abs=2e-4)


@pytest.mark.parametrize("pose", ["hero-left", "turned-right", "isometric-left", "back-right"])
def test_turned_laptops_stand(pose: str) -> None:
    device = catalogue()["macbook-pro-14"]
    view = POSES[pose].views[device.category]
    assert Ground().under(device, view, alone=False) == "floor"
    assert Ground().under(device, POSES["tilt-left"].views[device.category], alone=True) is None
    turn = rotation(view.rotation_x, view.rotation_y, view.rotation_z)
    assert view.turned(device.up) == pytest.approx(turn @ np.array(device.up))


@pytest.mark.parametrize("device", ["macbook-pro-14", "studio-display"])
def test_a_standing_device_is_cut_once_for_all_poses(device: str) -> None:
    softbox.lower.clear()
    kept, grid = [], Grid(np.array([-300.0, -300.0]), np.full(2, 0.5), (300, 300))
    for ry in (-30, 20, 170):
        of = spec(device, rotationX=12, rotationY=ry)
        seen = stage(of)
        at = plane(seen, [of.device], GroundSpec("floor"), of.transform)
        lamp, shapes = softbox.lamp(load("studio"), at, softbox.FLOOR, 1.0), list(solids(seen, [of.device]))
        posed = [shape._replace(piece=None) for shape in shapes]
        cut, plain = (softbox.blocked(some, at, softbox.FLOOR, lamp, grid) for some in (shapes, posed))
        assert plain.max() > 0.3
        np.testing.assert_allclose(cut, plain, atol=0.03)
        kept.append(softbox.lower.nbytes)
    assert kept[0] > 0
    assert kept == kept[:1] * 3


def test_a_watch_stands_only_on_its_closed_strap() -> None:
    device, view = catalogue()["apple-watch-series-9-45"], POSES["turned-left"].views["watch"]
    assert Ground().under(device, view, alone=True) == "floor"
    assert Ground().under(device, view, alone=False) is None
    opened = tuple(slab for slab in device.slabs if slab.name != "strap-closure")
    assert Ground().under(device.model_copy(update={"slabs": opened}), view, alone=True) is None


def test_a_laptop_stands_on_the_plane_of_its_deck() -> None:
    device = catalogue()["macbook-pro-14"]
    deck = device.slab("deck")
    for ry in (-30, 0, 150):
        of = spec("macbook-pro-14", rotationX=15, rotationY=ry)
        camera = aim(of)
        at = plane(stage(of), [device], GroundSpec("floor"), of.transform)
        assert at.axes[2] == pytest.approx(camera.turn @ pose(deck)[0][:, 2], abs=1e-12)
    assert catalogue()["studio-display"].up == pytest.approx(UP)


@pytest.mark.parametrize(
    ("device", "below", "gap"),
    [
        ("macbook-pro-14", "deck", 0.7),
        ("surface-laptop-13-8", "pan", 0.7),
        ("thinkpad-x1-carbon", "foot-front", 0),
    ],
)
def test_a_laptop_stands_on_its_feet(device: str, below: str, gap: float) -> None:
    of = spec(device, rotationX=15, rotationY=20)
    camera, slab = aim(of), of.device.slab(below)
    at = plane(stage(of), [of.device], GroundSpec("floor"), of.transform)
    lowest = min(((camera.view(points) - at.origin) @ at.axes[2]).min() for points in pieces(slab))
    assert lowest == pytest.approx(gap, abs=1e-6)


@pytest.mark.parametrize("device", ["macbook-pro-14", "surface-laptop-13-8"])
def test_the_gap_below_a_laptop_is_dark(device: str) -> None:
    of = spec(device, rotationX=25)
    camera, lost = aim(of), shade(of, GroundSpec("floor"))
    below = [slab for slab in of.device.slabs if slab.name == "pan"] or [of.device.slab("deck")]
    hull = camera.project(np.concatenate(pieces(below[0])))
    row, column = int(hull[:, 1].max()), int(hull[:, 0].mean())
    assert lost[row : row + 2, column].max() > 0.5


def test_a_shadow_is_dark_at_the_foot_and_fades() -> None:
    of = spec("studio-display", rotationX=12, rotationY=-20)
    camera, lost = aim(of), shade(of, GroundSpec("floor"))
    foot = camera.project(np.array([[0.0, -of.device.body[1] / 2, of.device.body[2] / 2]]))[0].astype(int)
    assert lost[foot[1] - 3 : foot[1] + 3, foot[0] - 3 : foot[0] + 3].max() > 0.5
    assert lost.max() <= 1
    assert lost[: HEIGHT // 4].max() == 0
    # The lamp is sampled in single directions, whose shadows must not show edges.
    assert np.abs(np.diff(lost[:, : WIDTH // 4], axis=1)).max() < 0.02


@pytest.mark.parametrize("device", ["macbook-pro-14", "imac-24", "apple-watch-series-9-45"])
def test_previews_take_a_third_of_the_directions(device: str) -> None:
    of = spec(device, rotationX=12, rotationY=-20)
    full, quick = (fallen(of, GroundSpec("floor"), fast=fast) for fast in (False, True))
    assert full is not None
    assert quick is not None
    assert softbox.FLOOR.thinned().cuts[0].directions == softbox.FLOOR.cuts[0].directions // 3
    difference = np.abs(full.lost - quick.lost)
    assert 0 < difference.max() < 0.012
    assert difference.mean() < 0.001


def test_shadows_soften_with_the_distance_from_the_ground() -> None:
    of = spec("iphone-16-pro", rotationX=20)
    near, far = (shade(of, GroundSpec("floor", distance)) for distance in (0.0, 60.0))
    assert near.max() > far.max() + 0.2
    assert np.abs(np.diff(near, axis=1)).max() > 2 * np.abs(np.diff(far, axis=1)).max()


def test_the_opacity_scales_a_shadow() -> None:
    of = spec("iphone-16-pro", rotationX=20)
    faint, full, strong = (shade(of, GroundSpec("floor", opacity=opacity)) for opacity in (0.2, 0.5, 0.9))
    assert (faint <= full + 1e-6).all()
    assert (full <= strong + 1e-6).all()
    assert shade(of, GroundSpec("floor", opacity=0.0)).max() == 0


def test_a_floor_is_not_seen_from_below() -> None:
    assert shade(spec("iphone-16-pro", rotationX=-60), GroundSpec("floor")).max() == 0
    assert shade(spec("iphone-16-pro", rotationX=-60), GroundSpec("wall")).max() > 0.3


def test_a_wall_is_behind_the_device() -> None:
    of = spec("iphone-16-pro", rotationY=30)
    at = plane(stage(of), [of.device], GroundSpec("wall", 10.0), of.transform)
    assert at.axes[2] == pytest.approx([0, 0, 1])
    assert at.origin[2] < -of.device.body[2] / 2 - 10


def test_the_shadow_on_a_wall_is_soft_and_lies_below() -> None:
    lost = shade(spec("iphone-16-pro", rotationX=15), GroundSpec("wall", 20.0))
    rows, columns = lost.sum(axis=1), lost.sum(axis=0)
    # The lamp is above the device, and in the middle.
    assert rows[HEIGHT // 2 :].sum() > 1.3 * rows[: HEIGHT // 2].sum()
    assert columns[: WIDTH // 2].sum() == pytest.approx(columns[WIDTH // 2 :].sum(), rel=0.6)
    # Only the contact shadow takes more than half of the light, and no lamp casts a sharp outline.
    assert lost.max() < 0.75
    for step in (np.diff(lost, axis=0), np.diff(lost, axis=1)):
        assert np.abs(step).max() < 0.05


def test_the_shadow_on_a_wall_is_hard_where_the_device_touches() -> None:
    plate = [box((-60, low, -150), (60, low + 8, 150)) for low in (0.0, 30.0)]
    near, far = (blocked(shape, lighting=softbox.WALL)[400] for shape in plate)
    assert np.abs(np.diff(near)).max() > 3 * np.abs(np.diff(far)).max()
    assert near[400] == pytest.approx(sum(cut.weight for cut in softbox.WALL.cuts), abs=0.02)


def test_ground_close_to_the_camera_is_left_out() -> None:
    of = spec("iphone-16-pro", rotationX=60, fieldOfView=90)
    lost = shade(of, GroundSpec("floor"))
    assert np.isfinite(lost).all()
    near = Camera(of_turn := aim(of).turn, 4.0, 200.0, (320.0, 180.0), WIDTH, HEIGHT)
    assert of_turn.shape == (3, 3)
    seen = Stage(near, (near,))
    at = plane(seen, [of.device], GroundSpec("floor"), replace(of.transform, rx=60))
    shapes = list(solids(seen, [of.device]))
    assert cast(shapes, near, at, load("studio"), GroundSpec("floor")) is not None
