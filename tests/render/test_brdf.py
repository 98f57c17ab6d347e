"""Reflectance compared with textbooks: GGX masking and shadowing, Fresnel's equations, lobes."""

from __future__ import annotations

import numpy as np
import pytest

from service.render.light import brdf
from tests.render.ggx import masking, slope

ROUGH = [0.12, 0.3, 0.45, 0.9]


@pytest.mark.parametrize("roughness", ROUGH)
def test_visible_half_vectors_are_weighed_by_height_correlated_masking(roughness: float) -> None:
    random = np.random.default_rng(2)
    nl, nv, vh = random.uniform(0.05, 1, (3, 200))
    nh, alpha = 0.8, roughness**2
    shown = 1 / (1 + masking(slope(nl, alpha)) + masking(slope(nv, alpha)))
    narrow = [part.astype(np.float32) for part in (nl, nv, vh)]
    roots = (brdf.smith_root(part, alpha) for part in narrow[:2])
    found = brdf.masking_weight(narrow[0], narrow[1], narrow[2], nh, *roots)
    assert found == pytest.approx(shown * vh / (nh * nv), rel=1e-4)


def test_light_from_below_is_not_seen() -> None:
    below, above = np.array([-0.3], np.float32), np.array([0.5], np.float32)
    low, high = (brdf.smith_root(part, 0.09) for part in (below, above))
    assert brdf.masking_weight(below, above, above, 0.9, low, high) == 0
    assert brdf.masking_weight(above, above, below, 0.9, high, high) == 0


@pytest.mark.parametrize("index", [1.3, 1.5, 2.0])
def test_glass_reflects_after_fresnel(index: float) -> None:
    cosine = np.linspace(0.01, 1, 100)
    refracted = np.sqrt(1 - (1 - cosine**2) / index**2)
    s = ((cosine - index * refracted) / (cosine + index * refracted)) ** 2
    p = ((index * cosine - refracted) / (index * cosine + refracted)) ** 2
    found = brdf.dielectric(cosine.astype(np.float32), ((index - 1) / (index + 1)) ** 2)
    assert found == pytest.approx((s + p) / 2, abs=1e-5)
    assert brdf.dielectric(np.array([-0.2, 0.0], np.float32), 0.04) == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("roughness", [0.3, 0.45])
@pytest.mark.parametrize("f0", [0.03, 0.04])
def test_rough_gloss_reflects_after_fresnel(roughness: float, f0: float) -> None:
    """The result must equal the Cook-Torrance term integrated over the directions of the light."""
    light = brdf.hemisphere(1 << 17).astype(np.float64)
    alpha = roughness**2
    for nv in (0.3, 0.6, 0.95):
        view = np.array([np.sqrt(1 - nv * nv), 0, nv])
        half = light + view
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        nl, nh, vh = light[:, 2], half[:, 2], half @ view
        spread = alpha**2 / (np.pi * (nh * nh * (alpha**2 - 1) + 1) ** 2)
        shown = 1 / (1 + masking(slope(nl, alpha)) + masking(slope(nv, alpha)))
        fresnel = brdf.dielectric(vh.astype(np.float32), f0)
        # Directions are drawn in proportion to their cosines, so the cosine cancels and only pi remains.
        truth = (np.pi * fresnel * spread * shown / (4 * nl * nv)).mean()
        assert brdf.gloss(np.array([nv], np.float32), roughness, f0) == pytest.approx(truth, rel=0.03)


def test_multiple_scattering_restores_the_lost_light_of_metal() -> None:
    cosine = np.linspace(0.1, 1, 30).astype(np.float32)
    for roughness in (0.12, 0.3, 0.45):
        white = brdf.reflectance(cosine, roughness, np.ones(3, np.float32))
        assert white == pytest.approx(1, abs=1e-4)
        dull = brdf.reflectance(cosine, roughness, np.full(3, 0.5, np.float32))
        assert (dull < 0.95).all()
        assert (dull > 0.3).all()


@pytest.mark.parametrize("anisotropy", [0.0, 0.4, 0.8])
def test_the_halves_of_an_anisotropic_lobe(anisotropy: float) -> None:
    """The two roughnesses have the given mean and Burley's ratio."""
    across, along = brdf.axis_roughness(0.4, anisotropy)
    assert across * along == pytest.approx(0.4**2)
    assert along / across == pytest.approx(np.sqrt(1 - 0.9 * anisotropy))


@pytest.mark.parametrize("alpha", [(0.2, 0.05), (0.09, 0.09)])
def test_masking_along_a_grain(alpha: tuple[float, float]) -> None:
    """For a stretched lobe, Smith's lambda uses the tangents scaled by both alphas (Heitz, 2014)."""
    ways = np.random.default_rng(4).normal(size=(3, 50))
    ways[2] = np.abs(ways[2]) + 0.1
    x, y, z = ways / np.linalg.norm(ways, axis=0)
    slant = ((alpha[0] * x) ** 2 + (alpha[1] * y) ** 2) / z**2
    narrow = [way.astype(np.float32) for way in (x, y, z)]
    found = brdf.smith_root_stretched(narrow[0], narrow[1], narrow[2], alpha)
    assert found == pytest.approx(z * np.sqrt(1 + slant), rel=1e-5)
    if alpha[0] == alpha[1]:
        assert found == pytest.approx(brdf.smith_root(z.astype(np.float32), alpha[0]), rel=1e-5)


@pytest.mark.parametrize("anisotropy", [0.0, 0.8])
def test_the_parts_of_a_lobe_make_up_the_whole(anisotropy: float) -> None:
    lobe = brdf.parts(0.33, anisotropy, 400)
    assert lobe.share.sum() == pytest.approx(1, abs=1e-5)
    assert np.linalg.norm(lobe.half, axis=1) == pytest.approx(1, abs=1e-5)
    # By this distribution, the share of slopes below x across the grain is (1 + x / sqrt(alpha² + x²)) / 2.
    for axis, alpha in enumerate(lobe.alpha):
        slope = lobe.half[:, axis] / lobe.half[:, 2]
        for x in (-0.1, 0.0, 0.05, 0.2):
            below = (1 + x / np.hypot(alpha, x)) / 2
            assert lobe.share[slope < x].sum() == pytest.approx(below, abs=0.02)


def test_cones_of_a_lobe_are_as_wide_as_its_density_allows() -> None:
    lobe = brdf.parts(0.3, 0.0, 200)
    alpha2 = lobe.alpha[0] ** 2
    nh = lobe.half[:, 2].astype(np.float64)
    density = alpha2 / (np.pi * (nh * nh * (alpha2 - 1) + 1) ** 2) / 4
    assert np.pi * lobe.cone.astype(np.float64) ** 2 == pytest.approx(lobe.share / density, rel=1e-3)
    assert (np.diff(lobe.cone[:150]) > 0).all()


def test_lobes_seen_straight_on_are_as_they_were_filtered() -> None:
    ahead = np.ones(1, np.float32)
    for roughness in (0.12, 0.24, 0.30, 0.45):
        lean, narrower = brdf.lobe(ahead, roughness)
        assert lean == narrower == 0
    lean, narrower = brdf.lobe(np.array([0.9, 0.5, 0.1], np.float32), 0.45)
    assert (np.diff(lean) > 0).all(), "the more it leans the flatter it is seen"
    assert ((narrower >= 0) & (narrower < 0.5)).all()
    assert (brdf.lobe(np.array([0.3], np.float32), 0.12)[0] == 0).all(), "not fitted, so left alone"


def test_the_narrower_share_has_a_plateau_between_even_slopes() -> None:
    cosine = np.array([0, 0.05, 0.1, 0.7, 0.775, 0.85, 0.925, 1], np.float32)
    _, narrower = brdf.lobe(cosine, 0.45)
    assert narrower == pytest.approx([0, 0, 0, 0.25, 0.25, 0.25, 0.125, 0], abs=1e-3)
