"""Brushed, blasted and polished metal, and gloss."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from service.arrays import F32, F64
from service.devices.device import Surface, catalogue
from service.render.geometry.camera import Camera
from service.render.geometry.mesh import mesh
from service.render.geometry.rotation import rotation
from service.render.light import lobes
from service.render.light.brdf import axis_roughness, gloss
from service.render.light.environment import Environment, load, lookup
from service.render.light.shading import Ground, Light, Points, shade
from service.render.material import SURFACES, Material
from service.render.quality import FULL
from tests.render.ggx import masking

BRUSHED, SILVER = SURFACES["brushed"], np.array([0.6, 0.58, 0.55], np.float32)
DRAWN = 40_000


def integral(environment: Environment, normal: F64, along: F64, toward: F64, f0: F32) -> F64:
    """The singly scattered light of brushed metal, by sampling half vectors (Walter et al., 2007)."""
    rough, smooth = (half**2 for half in axis_roughness(BRUSHED.roughness, BRUSHED.anisotropy))
    across = np.cross(normal, along)
    part = (np.arange(DRAWN) + 0.5) / DRAWN
    turn = 2 * np.pi * np.random.default_rng(1).random(DRAWN)
    radius = np.sqrt(part / (1 - part))
    half = normal + np.outer(radius * rough * np.cos(turn), across)
    half += np.outer(radius * smooth * np.sin(turn), along)
    half /= np.linalg.norm(half, axis=1)[:, None]
    vh = half @ toward
    leaving = 2 * vh[:, None] * half - toward
    nl, nv = leaving @ normal, normal @ toward

    def lost(w: F64, cosine: F64 | float) -> F64:
        return masking(np.hypot(w @ across * rough, w @ along * smooth) / np.maximum(cosine, 1e-6))

    shadowing = 1 / (1 + lost(toward, nv) + lost(leaving, nl))
    weight = np.where((nl > 0) & (vh > 0), shadowing * vh / (half @ normal * nv), 0)
    fresnel = f0 + (1 - f0) * np.clip(1 - vh, 0, 1)[:, None] ** 5
    light = lookup(environment.sharp, leaving.astype(np.float32))
    return np.asarray((weight[:, None] * fresnel * light).mean(axis=0), np.float64)


def one(
    material: Material, normal: F64, along: F64 | None, toward: F64, light: Light, rays: int = FULL.flat_rays
) -> F32:
    vectors = [np.asarray(v, np.float32)[None] for v in (normal, toward)]
    if along is None:
        return np.asarray(shade(material, SILVER, vectors[0], vectors[1], light)[0], np.float32)
    grain = np.asarray(along, np.float32)[None]
    found = lobes.seen((material, SILVER), Points(vectors[0], grain, vectors[1]), light, rays=rays)
    return np.asarray(found[0], np.float32)


def code(light: F32 | F64) -> F64:
    return np.asarray(255 * np.power(np.clip(light.astype(np.float64), 0, 1), 1 / 2.2), np.float64)


@pytest.mark.long(seconds=2)
@pytest.mark.parametrize("name", ["studio", "window", "sunset"])
def test_brushed_metal_follows_its_integral(name: str) -> None:
    environment, random = load(name), np.random.default_rng(5)
    light, toward = Light(environment, 1.0), np.array([0, 0, 1.0])
    round_lobe = replace(BRUSHED, anisotropy=0.0, level=0.30)
    errors: list[float] = []
    fewer: dict[int, list[float]] = {lobes.FEW: [], FULL.wall_rays: []}
    without: list[float] = []
    while len(errors) < 40:
        normal, side = random.normal(size=(2, 3))
        normal /= np.linalg.norm(normal)
        along = np.cross(normal, side)
        along /= np.linalg.norm(along)
        if normal[2] < 0.2:
            continue
        truth = code(integral(environment, normal, along, toward, SILVER))
        brushed, plain = (
            one(BRUSHED, normal, along, toward, light),
            one(round_lobe, normal, None, toward, light),
        )
        errors.append(float(np.abs(code(brushed) - truth).mean()))
        for rays, off in fewer.items():
            found = code(one(BRUSHED, normal, along, toward, light, rays))
            off.append(float(np.abs(found - truth).mean()))
        without.append(float(np.abs(code(plain) - truth).mean()))
    assert np.mean(errors) < 3
    assert np.mean(fewer[FULL.wall_rays]) < 4
    assert np.mean(fewer[lobes.FEW]) < 5
    assert np.mean(errors) < 0.4 * np.mean(without)


def test_only_brushed_metal_depends_on_its_grain() -> None:
    light, normal, toward = Light(load("studio"), 1.0), np.array([0.6, 0, 0.8]), np.array([0, 0, 1.0])
    grains = np.array([0, 1.0, 0]), np.array([0.8, 0, -0.6])
    for surface in ("titanium", "aluminium", "polished"):
        one_way, other = (one(SURFACES[surface], normal, grain, toward, light) for grain in grains)
        assert np.abs(code(one_way) - code(other)).max() < 4
    one_way, other = (one(BRUSHED, normal, grain, toward, light) for grain in grains)
    assert np.abs(code(one_way) - code(other)).mean() > 4


def test_blasted_metal_facing_the_camera_is_bright() -> None:
    light, ahead = Light(load("studio"), 1.0), np.array([0, 0, 1.0])
    blasted = SURFACES["aluminium"]
    mirroring = one(replace(blasted, diffuse=0.0), ahead, None, ahead, light)
    assert (code(one(blasted, ahead, None, ahead, light)) > code(mirroring) + 15).all()


def test_half_matt_metal_is_the_mean_of_both() -> None:
    light, normal, toward = Light(load("window"), 1.0), np.array([0.6, 0, 0.8]), np.array([0, 0, 1.0])
    shares = [replace(SURFACES["aluminium"], diffuse=share) for share in (0.0, 0.5, 1.0)]
    shiny, half, matt = (one(material, normal, None, toward, light) for material in shares)
    assert half == pytest.approx((shiny + matt) / 2, abs=1e-5)
    below = light.diffuse(normal.astype(np.float32)[None])[0]
    assert matt == pytest.approx(SILVER * below, abs=1e-5)


def test_a_part_mirrors_the_ground_below_it() -> None:
    light = Light(load("studio"), 1.0)
    ground = Ground(np.array([1, 0, 0], np.float32), SURFACES["polished"], SILVER, light)
    down = np.array([[-0.6, 0, 0.8], [-0.6, 0, -0.8], [-0.6, 0.8, 0]], np.float32)
    seen = ground.radiance(down)
    mirrored = down * np.array([-1, 1, 1], np.float32)
    expected = light.reflected(mirrored, 0.12) * SILVER
    assert np.abs(code(seen) - code(expected)).max() < 12
    assert np.ptp(code(seen).mean(axis=1)) > 10


@pytest.mark.parametrize(("surface", "softness"), [("plastic", 0.06), ("polished", 0.25)])
def test_the_horizon_of_a_black_ground_is_as_soft_as_the_mirror(surface: Surface, softness: float) -> None:
    light, up = Light(load("studio"), 1.0), np.array([0, 0, 1], np.float32)
    material = replace(SURFACES[surface], albedo=0.0, diffuse=0.0)
    rise = softness * np.array([-1.1, -1, -0.5, 0, 0.5, 1, 1.1])
    mirrored = np.stack([np.sqrt(1 - rise**2), 0 * rise, rise], axis=1).astype(np.float32)
    toward = np.broadcast_to(np.array([0.8, 0, 0.6], np.float32), mirrored.shape)
    normals = mirrored + toward
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    black = Ground(up, SURFACES["polished"], SILVER, light, left=np.zeros((len(rise), 3), np.float32))
    free, over = (shade(material, SILVER, normals, toward, light, one) for one in (None, black))
    expected = np.array([0, 0, 0.25, 0.5, 0.75, 1, 1])
    assert over / free == pytest.approx(np.repeat(expected[:, None], 3, axis=1), abs=1e-4)


def camera(k: float, turn: float = -60) -> Camera:
    return Camera(rotation(0, turn, 0), k, 2000.0, (400.0, 300.0), 800, 600)


def test_polished_edges_are_finer_divided() -> None:
    body = catalogue()["pixel-9-pro"].slabs[0]
    polished, blasted = (mesh(body.model_copy(update={"surface": s})) for s in ("polished", "titanium"))
    assert len(np.unique(polished.height)) > 1.6 * len(np.unique(blasted.height))


@pytest.mark.parametrize(
    ("device", "surface"),
    [
        ("iphone-15-pro-max", "brushed"),
        ("iphone-16-pro", "titanium"),
        ("ipad-pro-11-m4", "aluminium"),
        ("macbook-pro-14", "aluminium"),
        ("pixel-9-pro", "polished"),
    ],
)
def test_devices_have_the_finish_they_are_sold_with(device: str, surface: str) -> None:
    roots = [slab for slab in catalogue()[device].slabs if slab.parent is None and slab.tinted]
    assert {slab.surface for slab in roots} == {surface}


def test_rough_gloss_mirrors_its_share_of_even_light() -> None:
    even = replace(load("studio"), sharp=np.ones_like(load("studio").sharp))
    normals = np.array([[0, 0, 1.0], [0.5, 0, 0.87], [0, 0.9, 0.44]])
    for surface in ("frosted", "rubber", "plastic"):
        material = SURFACES[surface]
        for normal in normals / np.linalg.norm(normals, axis=1, keepdims=True):
            toward = np.array([0, 0, 1.0])
            share = gloss(np.array([normal[2]], np.float32), material.roughness, material.specular)
            grain = np.array([normal[2], 0, -normal[0]]) / np.hypot(normal[0], normal[2])
            found = one(material, normal, grain, toward, Light(even, 1.0))
            assert found == pytest.approx(share[0], rel=0.06)
            dim = one(material, normal, grain, toward, Light(even, 0.3))
            assert dim == pytest.approx(0.3 * found, rel=1e-4)


def test_clay_mirrors_nothing() -> None:
    ahead = np.array([0, 0, 1.0])
    grain = np.array([1.0, 0, 0])
    assert not one(SURFACES["clay"], ahead, grain, ahead, Light(load("studio"), 1.0)).any()
