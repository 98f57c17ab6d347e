"""Raised parts over rounded edges: their walls reach down to the edges and mirror them."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import posed
from service.devices.device import Corner, catalogue
from service.render.geometry.coverage import fill
from service.render.geometry.footing import ROWS, below, joined, rooted, skirt
from service.render.geometry.mesh import HALVED, Halvings, mesh, pose
from service.render.geometry.raster import Box
from service.render.geometry.silhouette import silhouette
from service.render.light.environment import load
from service.render.light.shading import Ground, Light
from service.render.material import SURFACES

SIZE = (480, 270)
WATCH = catalogue()["apple-watch-ultra-3"]
# A case whose edge is so round that the guard stands over it.
CASE = WATCH.slab("body").model_copy(update={"edge": 2.2})
GUARD = WATCH.slab("guard")


def test_walls_extend_to_the_rounded_edge_below_them() -> None:
    """The case's edge is a quarter circle between wall and back. The guard's long sides stand above it, and
    are straight."""
    shape, moved = mesh(GUARD, rows=ROWS), rooted(GUARD, CASE)
    changed = np.abs(moved.points - shape.points).max(axis=1) > 0.01
    assert shape.height[changed] == pytest.approx(GUARD.base)
    assert changed.any()
    axes, center = pose(CASE)
    x, y, z = np.abs((moved.points[changed] - center) @ axes).T
    level = y < CASE.size[1] / 2 - CASE.corner.extent
    over = np.maximum(z - (CASE.size[2] / 2 - CASE.edge), 0)
    inset = CASE.edge - np.sqrt(CASE.edge**2 - over**2)
    assert level.any()
    assert x[level] == pytest.approx(CASE.size[0] / 2 - inset[level], abs=0.01)
    # Where the case's outline curves as well, the guard's walls reach deeper.
    assert (x[~level] < CASE.size[0] / 2 - inset[~level]).all()


def test_parts_on_flat_faces_stay_as_they_are() -> None:
    phone = catalogue()["pixel-9-pro"]
    body, bar = phone.slab("body"), phone.slab("camera")
    flat = bar.model_copy(update={"size": (20.0, 20.0, bar.size[2]), "corner": Corner(extent=4.0)})
    assert rooted(flat, body) is mesh(flat)
    assert below(flat, body) is None
    assert rooted(body, None) is mesh(body)
    assert rooted(WATCH.slab("strap-top"), CASE) is mesh(WATCH.slab("strap-top"))


def test_parts_far_above_their_parent_stay_as_they_are() -> None:
    console = catalogue()["switch-2"]
    cap = console.slab("stick-1")
    assert rooted(cap, console.slab("body")) is mesh(cap)


@pytest.mark.parametrize(("corners", "edges"), [(1, 1), (2, 1), (1, 2), (2, 2)])
def test_coarser_walls_go_down_as_deep(corners: int, edges: int) -> None:
    halvings = Halvings(corners, edges)
    fine, coarse = rooted(GUARD, CASE), rooted(GUARD, CASE, halvings=halvings)
    assert len(coarse.caps[0]) <= len(fine.caps[0]) * (0.6 if corners == 1 else 0.4)
    assert len(coarse.points) / len(coarse.caps[0]) < len(fine.points) / len(fine.caps[0])
    assert len(coarse.points) < len(rooted(GUARD, CASE, halvings=HALVED).points) or halvings == HALVED
    assert coarse.height.min() == pytest.approx(fine.height.min(), abs=0.05)
    assert coarse.points.max(axis=0) == pytest.approx(fine.points.max(axis=0), abs=0.05)
    bends = below(GUARD, CASE, halvings=halvings)
    assert bends is not None
    assert bends.shape == coarse.points.shape


def test_the_surface_below_a_wall_bends_away() -> None:
    found = below(GUARD, CASE)
    assert found is not None
    assert np.linalg.norm(found, axis=1) == pytest.approx(1)
    shape, (axes, _) = rooted(GUARD, CASE), pose(GUARD)
    up, out = axes[:, 2], shape.normals - np.outer(shape.normals @ axes[:, 2], axes[:, 2])
    upright = np.abs(shape.normals @ up) < 0.1
    assert np.einsum("ij,ij->i", found, out).min() > -1e-6, "it leans outwards"
    assert (found[upright] @ up).min() < 0.7
    assert found[np.abs(shape.normals @ up) > 0.99] @ up == pytest.approx(1, abs=0.05)


def test_the_rim_below_a_dome_turns_outward_with_the_distance() -> None:
    watch = catalogue()["pixel-watch-4"]
    dome, case = watch.slab("dial"), watch.slab("body")
    found, shape = below(dome, case), rooted(dome, case)
    assert found is not None
    assert dome.base is not None
    upright = np.abs(shape.normals[:, 2]) < 0.1
    leaning = np.einsum("ij,ij->i", found, shape.normals)[upright]
    slant = np.degrees(np.arcsin(np.clip(leaning, -1, 1)))
    high = (shape.height - dome.base)[upright]
    # The rim is 0.55 mm wide, and a part of an arc of 1.4 mm.
    assert slant[np.abs(high) < 1e-6] == pytest.approx(np.degrees(np.arcsin(0.85 / 1.4)), abs=1)
    assert slant[high > 0.56].min() > 70


def test_walls_over_rounded_edges_have_more_rows() -> None:
    """The extra rows are needed because light changes fast just above a foot."""
    heights = np.unique(rooted(GUARD, CASE).height.round(6))
    upright = (heights > 1e-6) & (heights < GUARD.size[2] / 2 - GUARD.edge - 1e-6)
    assert upright.sum() == 2
    assert (np.unique(mesh(GUARD).height.round(6)) > 0).sum() == (heights > 0).sum() - 2


def test_walls_over_rounded_edges_look_out_along_the_surface() -> None:
    found = below(GUARD, CASE)
    assert found is not None
    normals = found.astype(np.float32)
    walls = np.roll(normals, 1, axis=1)
    light = Light(load("studio"), 1.0)
    out = Ground(normals, SURFACES["titanium"], np.ones(3, np.float32), light).out(walls)
    assert np.linalg.norm(out, axis=1) == pytest.approx(1, abs=1e-4)
    assert np.einsum("ij,ij->i", out, normals) == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize(("angles", "shows"), [((15, -35, 5), True), ((0, -90, 0), False)])
def test_skirts_cover_the_wall_down_to_its_foot(angles: tuple[float, float, float], shows: bool) -> None:
    camera = posed.camera(posed.spec(WATCH, angles, size=SIZE))
    shape, box = rooted(GUARD, CASE), Box(0, 0, *SIZE)
    hull = fill(silhouette(GUARD, camera), box)
    whole = fill((*silhouette(GUARD, camera), *skirt(GUARD, shape, camera)), box)
    assert ((whole - hull).sum() > 1) == shows
    assert not list(skirt(GUARD, mesh(GUARD), camera))


def test_a_foot_inside_the_rounded_edge_is_a_part_of_it() -> None:
    crown = WATCH.slab("crown-1")
    shape, (axes, center) = mesh(crown), pose(crown)
    assert crown.base is not None
    start = crown.size[2] / 2 - crown.edge
    assert crown.base > start
    foot = np.abs(shape.height - crown.base) < 1e-9
    rise = (crown.base - start) / crown.edge
    assert shape.normals[foot] @ axes[:, 2] == pytest.approx(rise)
    away = np.linalg.norm(((shape.points[foot] - center) @ axes)[:, :2], axis=1)
    inset = crown.edge * (1 - np.sqrt(1 - rise**2))
    assert away == pytest.approx(crown.size[0] / 2 - inset, abs=0.01)


@pytest.mark.parametrize("halvings", [HALVED, Halvings(2, 2), Halvings(3, 1)])
def test_parts_that_are_lit_together_are_lit_at_the_vertices_that_are_painted(halvings: Halvings) -> None:
    crown = WATCH.slab("crown-1")
    parts = crown, crown.model_copy(update={"name": "second"}), GUARD
    own = [rooted(part, CASE, halvings=halvings) for part in parts]
    found = joined(parts, CASE, halvings=halvings)
    assert np.array_equal(found.points, np.concatenate([one.points for one in own]))
    assert found.triangles.max() == len(found.points) - 1
