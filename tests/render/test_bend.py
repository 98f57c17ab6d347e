"""Bent and grooved slabs: their shape, their outline on the canvas, and the solids made of them for the path
tracer."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from benchmarks.solid import frame as posed
from benchmarks.solid import solid
from service.devices.device import Bend, Slab, catalogue
from service.render.geometry.bend import bent, pieces
from service.render.geometry.camera import Camera
from service.render.geometry.coverage import fill
from service.render.geometry.mesh import mesh
from service.render.geometry.raster import Box, projected
from service.render.geometry.rotation import rotation
from service.render.geometry.silhouette import silhouette
from tests.render import strips

SIDE = 240


def strip(**bend: object) -> Slab:
    """A strip of rubber with the given bend, or with a typical one."""
    return strips.strip(Bend.model_validate({"angle": 80.0, "radius": 28.0} | bend))


STRIPS = [
    strip(),
    strip(angle=-60.0, radius=40.0, taper=0.1),
    strip(angle=0.0, taper=-0.2),
    strip(mouth=((0.0, 0.0), (5.0, 0.6), (10.0, 2.4)), taper=0.1),
    strip(mouth=((0.0, 0.0), (5.0, 0.6), (10.0, 2.4)), mitre=-0.3).model_copy(update={"base": -18.0}),
]


def test_the_middle_layer_keeps_its_length_and_runs_along_the_arc() -> None:
    y = np.linspace(-20, 20, 401)
    line = np.column_stack([0 * y, y, 0 * y])
    ahead = np.tile([0.0, 1.0, 0.0], (len(y), 1))
    for angle in (80.0, -80.0, 30.0):
        moved, normals, along = bent(
            Bend(angle=angle, radius=28.0), 40.0, line, np.tile([0.0, 0.0, 1.0], (len(y), 1)), ahead
        )
        steps = np.diff(moved, axis=0)
        assert np.linalg.norm(steps, axis=1).sum() == pytest.approx(40.0, abs=1e-3)
        # The ends bend backwards if the angle is positive, and normals stay perpendicular to the middle line.
        assert np.sign(moved[0, 2]) == np.sign(moved[-1, 2]) == -np.sign(angle)
        assert np.abs(np.einsum("ij,ij->i", steps, normals[:-1])).max() < 2e-3
        assert np.degrees(np.arccos(along[0] @ along[-1])) == pytest.approx(min(abs(angle), 81.85), abs=0.1)
        middle = np.array([0, 0, -np.sign(angle) * 28.0])
        arc = np.abs(y) < np.radians(abs(angle)) / 2 * 28
        assert np.linalg.norm(moved[arc] - middle, axis=1) == pytest.approx(28.0)


@pytest.mark.parametrize("slab", STRIPS[:-1])
def test_bent_meshes_are_closed_and_face_outward(slab: Slab) -> None:
    shape = mesh(slab)
    corners = shape.points[shape.triangles]
    # The bent surface encloses about the same volume as the flat plate.
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    assert volume == pytest.approx(20 * 40 * 3, rel=0.12)
    assert np.linalg.norm(shape.normals, axis=1) == pytest.approx(1)


@pytest.mark.parametrize("slab", STRIPS)
@pytest.mark.parametrize(
    "angles", [(0, 0, 0), (20, -35, 8), (0, 80, 0), (60, 10, 0), (10, 170, 5), (-80, 20, 0)]
)
def test_the_outline_covers_the_same_pixels_as_the_mesh(slab: Slab, angles: tuple[float, ...]) -> None:
    camera = Camera(rotation(*angles), 4.0, 200.0, (SIDE / 2, SIDE / 2), SIDE, SIDE)
    box, shape = Box(0, 0, SIDE, SIDE), mesh(slab)
    hit = projected(shape, np.ones(shape.points.shape, np.float32), camera).paint(box, 4).samples.hit
    outline = fill(silhouette(slab, camera), box)
    wrong = np.abs(outline - hit)
    # Only samples at the edge differ, and each by less than a whole pixel.
    assert wrong.max() < 0.75
    assert wrong.sum() / (hit > 0).sum() < 0.02


# The mouth's mitre has every part of the shape; the bends have fewer.
@pytest.mark.long
@pytest.mark.parametrize(
    "slab", [STRIPS[0], STRIPS[-1], *(pytest.param(one, marks=pytest.mark.thorough) for one in STRIPS[1:-1])]
)
def test_the_path_tracers_solid_has_the_same_shape(slab: Slab) -> None:
    traced, shape = solid(slab), mesh(slab)
    place = posed(slab)
    points = traced.points @ place[:3, :3].T + place[:3, 3]
    # A solid that comes out of another slab continues inside it, so leave that part out.
    free = shape.height > -20 if slab.base is None else shape.height > slab.base + 1
    # This import takes a while, and no other test needs it.
    from scipy.spatial import cKDTree

    away, nearest = cKDTree(points).query(shape.points[free])
    assert away.max() < 0.35
    alike = np.einsum("ij,ij->i", (traced.normals @ place[:3, :3].T)[nearest], shape.normals[free])
    assert np.quantile(alike, 0.02) > 0.97


def test_straps_are_approximated_by_straight_pieces() -> None:
    strap = catalogue()["apple-watch-ultra-3"].slab("strap-top")
    assert strap.base is not None
    found = pieces(strap)
    ends = [(np.array(one.center), np.array(one.y), one.size[1]) for one in found]
    for (middle, ahead, length), (other, onward, more) in pairwise(ends):
        joint = middle + ahead / np.linalg.norm(ahead) * length / 2
        assert joint == pytest.approx(other - onward / np.linalg.norm(onward) * more / 2)
    # The pieces are about as long as the strap, which reaches down as far as its sides.
    assert strap.bend is not None
    whole = strap.size[1] / 2 - strap.base + strap.bend.mouth[-1][1]
    assert sum(length for *_, length in ends) == pytest.approx(whole, rel=0.02)
    # Between others of its length, a piece lies as much before the arc as behind it.
    axis = np.array(strap.center) - strap.bend.radius * np.cross(strap.x, strap.y)
    middle, ahead, length = ends[2]
    places = middle + np.linspace(-0.5, 0.5, 101)[:, None] * length * ahead / np.linalg.norm(ahead) - axis
    away = np.hypot(places[:, 1], places[:, 2]) - strap.bend.radius
    assert away.mean() == pytest.approx(0, abs=0.1)
    assert away.max() > 0.5
    # Each piece leans farther back than the one before.
    leaning = np.unwrap([math.atan2(ahead[2], ahead[1]) for _, ahead, _ in ends])
    assert (np.diff(leaning) < 0).all()


def test_flutes_turn_normals_and_leave_the_shape() -> None:
    crown = catalogue()["apple-watch-series-10-46"].slab("crown-1")
    assert crown.flutes
    smooth, grooved = mesh(crown.model_copy(update={"flutes": 0})), mesh(crown)
    axis = np.cross(crown.x, crown.y)
    for shape in (smooth, grooved):
        around = shape.points - np.array(crown.center)
        away = np.linalg.norm(around - np.outer(around @ axis, axis), axis=1)
        assert away.max() == pytest.approx(crown.size[0] / 2, abs=1e-3)
    radial = grooved.points - np.array(crown.center)
    radial -= np.outer(radial @ axis, axis)
    radial /= np.linalg.norm(radial, axis=1, keepdims=True)
    upright = np.abs(grooved.normals @ axis) < 1e-6
    turned = np.degrees(np.arccos(np.clip(np.einsum("ij,ij->i", radial, grooved.normals)[upright], -1, 1)))
    assert turned.max() == pytest.approx(50, abs=1)
    assert turned.min() < 1
    # Sides bend evenly, in steps small enough to interpolate the light between them.
    assert np.unique((turned / 12.5).round()).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("angles", [(10, -38, 0), (20, 0, 0), (8, 160, 0), (-25, 60, 0), (70, 10, 0)])
@pytest.mark.parametrize("name", [name for name, one in catalogue().items() if one.category == "watch"])
def test_no_strap_shows_its_cut(name: str, angles: tuple[float, ...]) -> None:
    camera = Camera(rotation(*angles), 4.0, 400.0, (SIDE / 2, SIDE / 2), SIDE, SIDE)
    box = Box(0, 0, SIDE, SIDE)
    for slab in (catalogue()[name].slab(f"strap-{end}") for end in ("top", "bottom")):
        shape = mesh(slab)
        hit = projected(shape, np.ones(shape.points.shape, np.float32), camera).paint(box, 4).samples.hit
        outline = fill(silhouette(slab, camera), box)
        # Pixels where they differ are covered by the slab that the strap comes out of.
        assert ((outline == 1) & (hit == 0)).sum() == 0
        assert ((outline == 0) & (hit == 1)).sum() == 0
