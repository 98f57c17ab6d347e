"""Parts near the edge of a face, such as a laptop's base: light from beyond the edge reaches them."""

from __future__ import annotations

from functools import cache

import numpy as np

from service.arrays import F32, F64
from service.devices.device import Slab, catalogue
from service.render.geometry.mesh import WALL, Mesh, mesh
from service.render.light.environment import load
from service.render.light.hemisphere import hemisphere
from service.render.light.lobes import seen
from service.render.light.shading import Ground, Light, Points, irradiance, shade
from service.render.light.tint import Colors
from service.render.material import SURFACES
from service.render.paint.radiance import _slope, _under
from service.render.quality import FULL
from tests.render.posing import framed, posed

SURFACE = catalogue()["surface-laptop-13-8"]
DOWN = np.array([0, -1, 0], np.float32)  # normal of the face below a deck
WALLS = np.array([[0, 0, 1]] * 3, np.float32)


@cache
def light() -> Light:
    """An environment, decoded when a test first needs it."""
    return Light(load("forest"), 1.0)


def ground(*slopes: float) -> Ground:
    metal, color = SURFACES["aluminium"], np.full(3, 0.5, np.float32)
    return Ground(
        DOWN, metal, color, light(), hemisphere(light().cells, DOWN), slope=np.array(slopes, np.float32)
    )


def test_the_edge_of_a_face_hides_more_from_higher_points() -> None:
    deck, pan = SURFACE.slab("deck"), SURFACE.slab("pan")
    shape = mesh(pan)
    upright = (shape.material == WALL) & (np.abs(shape.normals @ np.array(pan.x)) > 0.999)
    # The face ends 5 mm beside the walls.
    high = shape.height[upright] - (pan.base or 0)
    np.testing.assert_allclose(_seen(shape, [(deck, 2)])[upright], high / 5, atol=0.01)
    assert np.ptp(high) > 2


def test_light_has_to_pass_the_edges_of_all_slabs_below() -> None:
    phone = catalogue()["iphone-16-pro"]
    lens, plate, body = (phone.slab(name) for name in ("lens-1", "camera", "body"))
    shape = mesh(lens)
    small = plate.model_copy(update={"size": (36.0, 36.0, plate.size[2])})
    both, near, far = (_seen(shape, under) for under in ([(small, 2), (body, 2)], [(small, 2)], [(body, 2)]))
    np.testing.assert_allclose(both, np.minimum(near, far), atol=1e-6)
    assert (near < far).any()
    assert (far < near).any()
    assert _slope(shape, []) is None


def _seen(shape: Mesh, under: list[tuple[Slab, int]]) -> F32:
    """For each vertex (n,), the slope of the line of sight to the edge of the slabs under its part."""
    found = _slope(shape, under)
    assert found is not None
    return found


def test_a_camera_plate_sees_light_past_the_nearer_edge() -> None:
    # Points farther from the edge see nothing below them but the face.
    phone = catalogue()["iphone-16-pro"]
    shape = mesh(phone.slab("camera"))
    slope, right = _seen(shape, [(phone.slab("body"), 2)]), shape.normals[:, 0]
    top = shape.height > 0.5
    assert slope[top & (right > 0.99)].min() > 5 * slope[top & (right < -0.99)].max()


def test_a_part_on_a_side_wall_looks_past_the_walls_rounded_edges() -> None:
    watch = catalogue()["apple-watch-ultra-3"]
    case, crown_guard = watch.slab("body"), watch.slab("guard")
    under = _under(framed(watch, posed(0, 0), light(), Colors(np.full(3, 0.5, np.float32))), crown_guard)
    assert under == [(case, 0)]
    shape = mesh(crown_guard)
    some = np.abs(shape.normals[:, 2]) > 0.999
    places = shape.points[some] - np.array(case.center)
    high = np.maximum(places[:, 0] - case.size[0] / 2, 0)
    assert np.ptp(high) > 0.5
    expected = _past(case, high, case.size[2] / 2 - np.abs(places[:, 2]))
    np.testing.assert_allclose(_seen(shape, under)[some], expected, atol=1e-3)


def _past(slab: Slab, high: F64, away: F64) -> F64:
    """The steepest slope (n,) down from places that passes all places of a slab's rounded edge.

    The places are `high` (n,) mm over a face, and `away` (n,) mm from the slab's outermost line.
    """
    turn = np.linspace(0, np.pi / 2, 2001)
    low, inset = (slab.edge * (1 - part) for part in (np.sin(turn), np.cos(turn)))
    reach = away[:, None] - inset
    slopes = np.where(reach > 0, (high[:, None] + low) / np.maximum(reach, 1e-9), np.inf)
    return np.asarray(slopes.min(axis=1), np.float64)


def test_light_from_beyond_an_edge_grows_with_the_slope() -> None:
    # The limit is not 0.5, because the ground of this environment is dark in directions more than about
    # thirty degrees below the horizon.
    below = irradiance(light(), WALLS, ground(0.0, 2.0, 1e4))
    assert (np.diff(below.mean(axis=1)) > 0).all()
    endless = Ground(
        DOWN, SURFACES["aluminium"], np.full(3, 0.5, np.float32), light(), hemisphere(light().cells, DOWN)
    )
    np.testing.assert_allclose(below[0], irradiance(light(), WALLS[:1], endless)[0], rtol=1e-4)
    along, toward = np.array([[1, 0, 0]] * 3, np.float32), np.array([[0, -0.4, 0.9165]] * 3, np.float32)
    color = np.full(3, 0.5, np.float32)
    points = Points(WALLS, along, toward)
    metal = seen((SURFACES["aluminium"], color), points, light(), ground(0.0, 2.0, 1e4), FULL.flat_rays)
    assert (np.diff(metal.mean(axis=1)) > 0).all()


def test_smooth_glass_mirrors_light_from_beyond_an_edge() -> None:
    glass, black = SURFACES["glass"], np.zeros(3, np.float32)
    toward = np.array([[0, -0.4, 0.9165]] * 3, np.float32)
    seen_past = shade(glass, black, WALLS, toward, light(), ground(0.0, 0.3, 10.0))
    free = shade(glass, black, WALLS, toward, light())
    endless = shade(glass, black, WALLS, toward, light(), ground(0.0, 0.0, 0.0))
    np.testing.assert_allclose(seen_past[2], free[2], rtol=1e-5)
    np.testing.assert_allclose(seen_past[0], endless[0], rtol=1e-5)
    assert np.abs(free - endless).max() > 0.1 * free.max()
