"""Environments and reflectance: wrapped maps, look-ups, and conservation of energy."""

from __future__ import annotations

import numpy as np
import pytest

from frames.generator.environments import ENVIRONMENTS as DRAWN
from frames.generator.lights import toward
from frames.generator.prefilter import LUMINANCE
from service.arrays import F32, F64
from service.render.light import brdf
from service.render.light.environment import (
    FOLDER,
    PAD,
    ROUGHNESSES,
    directions,
    load,
    lookup,
    turned,
    wrapped,
)
from service.render.material import SURFACES
from service.settings.schema import ENVIRONMENTS
from tests.render.ggx import masking, slope


def sphere(count: int) -> F32:
    vectors = np.random.default_rng(7).normal(size=(count, 3))
    unit: F32 = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


def test_a_map_of_directions_returns_each_direction() -> None:
    vectors = sphere(70_000)
    found = lookup(wrapped(directions(128)), vectors)
    assert np.abs(found - vectors).max() < 0.02


def test_look_ups_keep_the_shape_of_their_input() -> None:
    square = wrapped(directions(16))
    for shape in ((3,), (5, 3), (2, 4, 3), (0, 3), (4097, 3)):
        assert lookup(square, np.ones(shape, np.float32)).shape == shape


def test_maps_are_seamless_where_the_square_is_folded() -> None:
    # Behind the camera, samples just to both sides of the planes x = 0 and y = 0 must agree.
    square = wrapped(directions(32))
    turn = np.linspace(0.01, 3.13, 500)
    for across, along in ((0, 1), (1, 0)):
        side = np.zeros((500, 3))
        side[:, along], side[:, 2] = np.cos(turn), -np.sin(turn)
        step = np.zeros(3)
        step[across] = 1e-4
        near, far = (lookup(square, (side + sign * step).astype(np.float32)) for sign in (1, -1))
        assert np.abs(near - far).max() < 0.002


def test_every_environment_is_drawn() -> None:
    assert list(DRAWN) == list(ENVIRONMENTS)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_every_environment_loads(name: str) -> None:
    found = load(name)
    assert found is load(name)
    maps = {"sharp": found.sharp, "diffuse": found.diffuse, **{str(r): found.rough[r] for r in ROUGHNESSES}}
    sizes = {"sharp": 512, "0.12": 192, "0.24": 96, "0.3": 128, "0.45": 64, "diffuse": 32}
    for key, square in maps.items():
        assert square.shape == (sizes[key] + 2 * PAD,) * 2 + (3,)
        assert square.dtype == np.float32
        assert square.flags.c_contiguous
        assert not square.flags.writeable
        assert np.isfinite(square).all()
        assert square.min() >= 0


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_glass_mirrors_edges_as_sharp_as_they_are_drawn(name: str) -> None:
    found, vectors = load(name), sphere(40_000)
    drawn = np.sqrt(DRAWN[name](vectors.astype(np.float64)))
    light = lookup(found.sharp, vectors), found.mirrored(vectors)
    plain, mirrored = (np.square(np.sqrt(one) - drawn).mean() for one in light)
    assert mirrored < 0.25 * plain
    assert found.mirrored(vectors).dtype == np.float32


def test_detail_is_read_only_and_leaves_even_light_alone() -> None:
    found = load("softbox")
    assert found.detail.shape == (2048 + 2 * PAD,) * 2
    assert found.detail.dtype == np.uint8
    assert not found.detail.flags.writeable
    ahead = np.array([[0.02, 0.03, 1.0], [0.1, -0.04, 1.0]], np.float32)
    assert found.mirrored(ahead) == pytest.approx(lookup(found.sharp, ahead), rel=0.02)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_each_environment_has_a_main_light(name: str) -> None:
    found = load(name)
    vectors = sphere(4000)
    light = lookup(found.rough[0.45], vectors).mean(axis=1)
    brightest = vectors[light.argmax()]
    across = lookup(found.rough[0.45], -brightest[None]).mean()
    assert light.max() > 2 * across


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_rougher_maps_are_the_sharp_one_blurred(name: str) -> None:
    found = load(name)
    vectors = sphere(40_000)
    means = [lookup(square, vectors).mean() for square in (found.sharp, *found.rough.values())]
    spreads = [
        lookup(square, vectors).std() for square in (found.sharp, found.rough[0.24], found.rough[0.45])
    ]
    assert np.ptp(means) < 0.12 * np.mean(means)
    assert spreads[0] > spreads[1] > spreads[2]


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_diffuse_light_is_the_cosine_mean_of_the_sharp_map(name: str) -> None:
    found = load(name)
    vectors = sphere(200_000)
    light = lookup(found.sharp, vectors).astype(np.float64)
    for normal in np.eye(3, dtype=np.float32):
        cosine = np.maximum(vectors @ normal, 0)
        expected = (light * cosine[:, None]).mean(axis=0) * 4
        assert lookup(found.diffuse, normal) == pytest.approx(expected, rel=0.06, abs=0.02)


@pytest.mark.parametrize(("turn", "most"), [(10, 0.012), (35, 0.06)])
def test_the_studio_does_not_turn_the_screen_grey(turn: int, most: float) -> None:
    # Glass mirrors a twenty-fifth of the light. Here, the light comes from the directions that the glass
    # mirrors to the camera when it is turned by up to `turn` degrees.
    across, up = np.arange(-2 * turn, 2 * turn + 1), np.arange(-20, 13)
    azimuth, elevation = np.meshgrid(np.radians(across), np.radians(up))
    ring = np.stack(
        [np.sin(azimuth) * np.cos(elevation), np.sin(elevation), np.cos(azimuth) * np.cos(elevation)], axis=-1
    )
    assert 0.04 * lookup(load("studio").sharp, ring.astype(np.float32)).max() < most


def test_the_studio_is_exposed_for_white() -> None:
    front = lookup(load("studio").diffuse, np.array([0, 0, 1], np.float32))
    assert front == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_environments_are_exposed_alike_and_colour_edges_alone(name: str) -> None:
    places = [(0, 0), (-40, -8), (-25, 8), (25, 8), (40, -8)]
    light = lookup(load(name).diffuse, np.array([toward(*place) for place in places], np.float32))
    level = light @ LUMINANCE
    assert level[0] == pytest.approx(1.0, abs=0.2)
    assert level.min() > 0.3 * level.max(), "the side in the shade"
    tint = light / level[:, None]
    assert tint[0] == pytest.approx(1, abs=0.1)
    assert tint == pytest.approx(1, abs=0.22)


@pytest.mark.parametrize("name", ["", "nowhere", "../studio", "studio/", "Studio", ".", "st\0dio"])
def test_unknown_environments_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no environment"):
        load(name)


def test_the_files_stay_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.rglob("*") if file.is_file()) < 4 * 2**20


@pytest.mark.parametrize(
    "roughness", [0.45, *(pytest.param(one, marks=pytest.mark.long) for one in (0.12, 0.30))]
)
def test_the_split_sum_agrees_with_brute_force(roughness: float) -> None:
    # The BRDF in white light from everywhere, integrated over a fine grid of light directions.
    alpha2 = roughness**4
    count = 600  # directions per axis; a narrow lobe still spans ten
    rise = (np.arange(count) + 0.5) / count * np.pi / 2
    turn = (np.arange(count) + 0.5) / count * 2 * np.pi
    rise, turn = np.meshgrid(rise, turn)
    light = np.stack([np.sin(rise) * np.cos(turn), np.sin(rise) * np.sin(turn), np.cos(rise)], axis=-1)
    area = np.sin(rise) * (np.pi / 2 / count) * (2 * np.pi / count)
    for nv in (0.35, 0.7, 0.95):
        view = np.array([np.sqrt(1 - nv * nv), 0, nv])
        half = light + view
        half /= np.linalg.norm(half, axis=-1, keepdims=True)
        nl, nh, vh = light[..., 2], half[..., 2], half @ view
        spread = alpha2 / (np.pi * (nh * nh * (alpha2 - 1) + 1) ** 2)
        hidden = masking(slope(nl, roughness**2)) + masking(slope(nv, roughness**2))
        term = spread / (1 + hidden) / (4 * nv) * area
        away = (1 - vh) ** 5
        a, b = brdf.split_sum(np.array([nv], np.float32), roughness)
        assert a[0] == pytest.approx((term * (1 - away)).sum(), abs=0.012)
        assert b[0] == pytest.approx((term * away).sum(), abs=0.012)


def test_white_metal_loses_no_light() -> None:
    cosine = np.linspace(0.05, 1, 50, dtype=np.float32)
    for roughness in (0.12, 0.30, 0.45, 0.9):
        assert brdf.reflectance(cosine, roughness, np.ones(3, np.float32)) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("roughness", [0.30, 0.45])
def test_the_lobe_seen_at_a_slant_is_near_the_integral(roughness: float) -> None:
    found = load("studio")
    random = np.random.default_rng(5)
    narrow = max(r for r in ROUGHNESSES if r < roughness)
    for nv, limit in ((0.15, 0.14), (0.3, 0.12), (0.6, 0.08), (1.0, 0.02)):
        plain, corrected = [], []
        for normal in sphere(24).astype(np.float64):
            side = np.cross(normal, random.normal(size=3))
            view = nv * normal + np.sqrt(1 - nv * nv) * side / np.linalg.norm(side)
            mirror = 2 * nv * normal - view
            truth = integral(found.rough[0.12], normal, view, roughness)
            lean, share = brdf.lobe(np.array([nv], np.float32), roughness)
            bent = (mirror + lean[0] * normal).astype(np.float32)
            wide, tight = (lookup(found.rough[level], bent) for level in (roughness, narrow))
            plain.append(
                np.abs(lookup(found.rough[roughness], mirror.astype(np.float32)) - truth) / (1 + truth)
            )
            corrected.append(np.abs(wide + (tight - wide) * share[0] - truth) / (1 + truth))
        assert np.mean(corrected) < limit
        if nv < 0.5:
            assert np.mean(corrected) < 0.9 * np.mean(plain)


def integral(square: F32, normal: F64, view: F64, roughness: float) -> F64:
    """The lobe's radiance (3,) without Fresnel, by drawing half vectors from GGX."""
    alpha2 = roughness**4
    turn, height = (np.arange(64) + 0.5) / 64 * 2 * np.pi, (np.arange(128) + 0.5) / 128
    turn, height = np.meshgrid(turn, height)
    nh = np.sqrt((1 - height) / (1 + (alpha2 - 1) * height))[..., None]
    x = np.cross(normal, [0.3, 0.5, 0.8])
    x /= np.linalg.norm(x)
    across = np.cos(turn)[..., None] * x + np.sin(turn)[..., None] * np.cross(normal, x)
    half = np.sqrt(1 - nh * nh) * across + nh * normal
    vh = half @ view
    light = 2 * vh[..., None] * half - view
    nl, nv = np.maximum(light @ normal, 0), float(normal @ view)
    roots = [np.sqrt(alpha2 + (1 - alpha2) * c * c) for c in (nl, nv)]
    weight = np.maximum(2 * nl * vh / (nl * roots[1] + nv * roots[0] + 1e-9) / nh[..., 0], 0)
    found = lookup(square, light.astype(np.float32)).astype(np.float64)
    mean: F64 = (found * weight[..., None]).sum(axis=(0, 1)) / weight.sum()
    return mean


def test_glass_mirrors_more_at_a_slant() -> None:
    # Glass with an index of 1.5: head-on, at Brewster's angle (where it mirrors one polarisation only), at 80
    # degrees, and grazing.
    brewster = np.arctan(1.5)
    cosines = np.array([1.0, np.cos(brewster), np.cos(np.radians(80)), 0.0], np.float32)
    expected = [0.04, 0.5 * np.sin(2 * brewster - np.pi / 2) ** 2, 0.3877, 1.0]
    assert brdf.dielectric(cosines, 0.04) == pytest.approx(expected, abs=2e-4)


def test_every_surface_has_its_level_among_the_maps() -> None:
    for material in SURFACES.values():
        assert material.level in (0.0, *ROUGHNESSES)


def test_a_positive_turn_brings_the_right_to_the_front() -> None:
    whole, quarter = load("window"), turned("window", 90.0)
    ways = directions(64).reshape(-1, 3)
    # The light that came from +x before the turn comes from +z afterwards.
    before = np.stack([ways[:, 2], ways[:, 1], -ways[:, 0]], axis=1)
    for own, other in ((whole.rough[0.3], quarter.rough[0.3]), (whole.diffuse, quarter.diffuse)):
        want = lookup(own, before)
        assert np.abs(lookup(other, ways) - want).max() < 0.02 * want.max()
    assert turned("window", 360.0) is whole


def test_a_turned_environment_sends_as_much_light() -> None:
    whole, some, ways = load("studio"), turned("studio", 33.0), sphere(200_000)
    assert lookup(whole.sharp, ways).mean() == pytest.approx(lookup(some.sharp, ways).mean(), rel=0.02)
    assert whole.mirrored(ways).mean() == pytest.approx(some.mirrored(ways).mean(), rel=0.04)
