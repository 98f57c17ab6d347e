"""The directions and weights of lobes, and the light that they gather."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from service.arrays import F32
from service.render.kernels import lobes
from service.render.light.brdf import parts, table
from service.render.light.environment import load
from tests.render.kernels import plain

# More points than the kernels process at a time.
RAYS, POINTS = 24, 150


def vectors(seed: int) -> tuple[F32, F32, F32]:
    """Unit normals, perpendicular grains, and directions towards a viewer, some of them below the surface."""
    random = np.random.default_rng(seed)
    normals, other, toward = random.normal(size=(3, POINTS, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    along = np.cross(normals, other)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    toward += 2 * normals
    toward /= np.linalg.norm(toward, axis=1, keepdims=True)
    return normals.astype(np.float32), along.astype(np.float32), toward.astype(np.float32)


def weighed(
    roughness: float, anisotropy: float, specular: float | None, of: tuple[F32, F32, F32], rays: int = RAYS
) -> tuple[F32, F32]:
    lobe = parts(roughness, anisotropy, rays)
    leaving = np.full((3, rays, len(of[0])), np.nan, np.float32)
    weights = np.full((2 if specular is None else 1, *leaving.shape[1:]), np.nan, np.float32)
    lobes.weigh((lobe.half, lobe.share, *lobe.alpha), specular or 0.0, of, leaving, weights)
    return leaving, weights


@pytest.mark.parametrize("specular", [None, 0.04, 0.3])
@pytest.mark.parametrize(("roughness", "anisotropy"), [(0.12, 0.0), (0.45, 0.0), (0.3, 0.8)])
def test_directions_and_weights_are_those_of_the_lobe(
    roughness: float, anisotropy: float, specular: float | None
) -> None:
    of = vectors(1)
    leaving, weights = weighed(roughness, anisotropy, specular, of)
    ways, want = plain.weigh(parts(roughness, anisotropy, RAYS), specular, *of)
    np.testing.assert_allclose(leaving, ways, atol=2e-6)
    np.testing.assert_allclose(weights, want, rtol=2e-4, atol=1e-7)


@pytest.mark.parametrize("roughness", [0.12, 0.3, 0.45])
def test_a_white_furnace_returns_the_share_of_the_lobe(roughness: float) -> None:
    """Metal in uniform light reflects the share that the lobe's table states."""
    square = np.ones((36, 36, 3), np.float32)
    cosine = 0.6
    normal, along = np.array([[0, 0, 1]], np.float32), np.array([[0, 1, 0]], np.float32)
    toward = np.array([[np.sqrt(1 - cosine**2), 0, cosine]], np.float32)
    leaving, weights = weighed(roughness, 0.0, None, (normal, along, toward), 96)
    sums = np.zeros((2, 3, 1), np.float32)
    lobes.gather((square, 1.0, 0.8, 0.25), leaving, weights, 0, 96, sums)
    whole = table(roughness)[[18, 19]].mean(axis=0).sum()
    np.testing.assert_allclose(sums[0], whole, atol=0.01)


@pytest.mark.parametrize("strength", [0.0, 0.4, 1.0, 1.7])
@pytest.mark.parametrize("mip", [0, 2])
def test_light_is_looked_up_between_texels(strength: float, mip: int) -> None:
    square = load("studio").mips[mip]
    leaving, weights = weighed(0.45, 0.0, None, vectors(2))
    sums = np.ones((2, 3, POINTS), np.float32)
    lobes.gather((square, strength, 0.8, 0.25), leaving, weights, 3, 17, sums)
    want = plain.gather(square, strength, 0.8, 0.25, leaving, weights, 3, 17)
    np.testing.assert_allclose(sums - 1, want, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 0.0, 3e38])
def test_nan_directions_cause_no_harm(bad: float) -> None:
    leaving = np.full((3, 2, 2), bad, np.float32)
    leaving[0, 0, 0] = 1
    sums = np.zeros((1, 3, 2), np.float32)
    square = np.ones((12, 12, 3), np.float32)
    lobes.gather((square, 1.0, 0.8, 0.25), leaving, np.ones((1, 2, 2), np.float32), 0, 2, sums)


def test_empty_points_gather_no_light() -> None:
    none = np.zeros((0, 3), np.float32)
    leaving, weights = weighed(0.3, 0.0, None, (none, none, none))
    sky = np.ones((12, 12, 3), np.float32), 1.0, 0.8, 0.25
    lobes.gather(sky, leaving, weights, 0, RAYS, np.zeros((2, 3, 0), np.float32))


def test_arrays_that_do_not_fit_are_refused() -> None:
    def zeros(*shape: int) -> F32:
        return np.zeros(shape, np.float32)

    def weigh(**other: object) -> None:
        given = {
            "half": zeros(4, 3), "share": zeros(4), "across": 0.1, "grain": 0.1, "specular": 0.04,
            "normals": zeros(5, 3), "along": zeros(5, 3), "toward": zeros(5, 3), "leaving": zeros(3, 4, 5),
            "weights": zeros(1, 4, 5),
        }  # fmt: skip
        every: dict[str, Any] = given | other
        lobe = tuple(every[name] for name in ("half", "share", "across", "grain"))
        vectors = tuple(every[name] for name in ("normals", "along", "toward"))
        lobes.weigh(lobe, every["specular"], vectors, every["leaving"], every["weights"])

    def gather(**other: object) -> None:
        given = {
            "square": zeros(12, 12, 3), "strength": 1.0, "even": 0.8, "slope": 0.2, "leaving": zeros(3, 4, 5),
            "weights": zeros(2, 4, 5), "first": 0, "end": 4, "sums": zeros(2, 3, 5),
        }  # fmt: skip
        every: dict[str, Any] = given | other
        sky = tuple(every.pop(name) for name in ("square", "strength", "even", "slope"))
        lobes.gather(sky, **every)

    weigh()
    gather()
    for name, value in (
        ("half", zeros(4, 2)), ("share", zeros(3)), ("along", zeros(4, 3)), ("toward", zeros(5, 2)),
        ("normals", zeros(6, 3)), ("leaving", zeros(3, 4, 4)), ("leaving", zeros(2, 4, 5)),
        ("weights", zeros(3, 4, 5)), ("weights", zeros(1, 3, 5)), ("specular", 1.0), ("specular", -0.1),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"\w"):
            weigh(**{name: value})
    for name, value in (
        ("square", zeros(12, 11, 3)), ("square", zeros(4, 4, 3)), ("square", zeros(12, 12, 4)), ("end", 5),
        ("first", -1), ("first", 5), ("leaving", zeros(3, 4, 6)), ("weights", zeros(2, 5, 5)),
        ("sums", zeros(1, 3, 5)), ("sums", zeros(2, 3, 4)),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"\w"):
            gather(**{name: value})


def panes(count: int = POINTS) -> tuple[F32, F32]:
    """Directions towards a viewer in front of a pane, some of them at grazing angles, and the pane's
    normal."""
    random = np.random.default_rng(6)
    normal = np.array([0.3, -0.2, 0.9])
    normal /= np.linalg.norm(normal)
    toward = random.normal(size=(count, 3)) + 1.5 * normal
    toward /= np.linalg.norm(toward, axis=1, keepdims=True)
    return toward.astype(np.float32), normal.astype(np.float32)


@pytest.mark.parametrize("columns", [1, 2])
def test_tables_are_interpolated_between_the_middles_of_steps(columns: int) -> None:
    entries = np.random.default_rng(6).random((32, 2), np.float32)[:, :columns]
    cosines = np.array([-0.5, 0, 0.01, 0.5, 0.517, 0.97, 0.99, 1, 7, np.nan], np.float32)
    found = lobes.tabled(entries, cosines)
    middles = (np.arange(32) + 0.5) / 32
    want = [np.interp(cosines[:-1], middles, column) for column in entries.T]
    # The last step is a thousandth short.
    np.testing.assert_allclose(found[:, :-1], want, atol=2e-3)
    np.testing.assert_allclose(found[:, 2:6], np.array(want)[:, 2:6], atol=1e-6)
    assert np.isfinite(found).all()
    assert lobes.tabled(entries, cosines[:0]).shape == (columns, 0)
    with pytest.raises(ValueError, match="two entries"):
        lobes.tabled(entries[:1], cosines)


@pytest.mark.parametrize("count", [2, 1 << 16, 1 << 18])
def test_no_table_is_read_beyond_its_end(count: int) -> None:
    entries = np.zeros((count + 1, 1), np.float32)
    entries[count] = np.inf
    assert lobes.tabled(entries[:count], np.array([1, 2], np.float32)).tolist() == [[0, 0]]


@pytest.mark.parametrize("even", [False, True])
def test_directions_are_mirrored_by_each_normal(even: bool) -> None:
    normals, _, toward = vectors(5)
    normals = normals[:1] if even else normals
    cosine, mirrored = lobes.mirror(normals, toward)
    want = np.maximum((normals * toward).sum(axis=1), np.float32(1e-3))
    assert (want == np.float32(1e-3)).any()
    np.testing.assert_allclose(cosine, want, atol=1e-6)
    np.testing.assert_allclose(mirrored, 2 * cosine[:, None] * normals - toward, atol=1e-6)
    # Columns of a larger array, and no points.
    np.testing.assert_array_equal(lobes.mirror(normals[::-1], toward[::-1])[0][::-1], cosine)
    assert not len(lobes.mirror(normals[:1], toward[:0])[0])
    for wrong in ((normals[:, :2], toward), (normals, toward[:, :2]), (np.repeat(normals, 2, 0), toward)):
        with pytest.raises(ValueError, match="3 coordinates"):
            lobes.mirror(*wrong)


@pytest.mark.parametrize("specular", [0.0, 0.04, 0.3])
def test_glass_mirrors_the_map_and_its_detail_in_fresnels_share(specular: float) -> None:
    (toward, normal), studio = panes(), load("studio")
    found, mirrored = np.empty((len(toward), 4), np.float32), np.empty_like(toward)
    lobes.glass(toward, normal, studio.sharp, studio.detail, specular, found, mirrored)
    want, ways = plain.glass(toward, normal, studio.sharp, studio.detail, specular)
    np.testing.assert_allclose(mirrored, ways, atol=1e-6)
    np.testing.assert_allclose(found, want, rtol=4e-3, atol=2e-5)


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("edged", [False, True])
@pytest.mark.parametrize("bent", [False, True])
def test_grounds_fill_the_part_of_cones_below_them(count: int, edged: bool, bent: bool) -> None:
    random, n = np.random.default_rng(8), 9
    leaving, weights = random.normal(size=(3, RAYS, n)), random.random((count, RAYS, n), np.float32)
    leaving = (leaving / np.linalg.norm(leaving, axis=0)).astype(np.float32)
    cone = random.uniform(0.05, 0.6, RAYS).astype(np.float32)
    normals = random.normal(size=(n if bent else 1, 3))
    normals = (normals / np.linalg.norm(normals, axis=1, keepdims=True)).astype(np.float32)
    out, slope = random.normal(size=(n, 3)).astype(np.float32), random.random(n, np.float32)
    up = np.einsum("cki,ic->ki", leaving, np.broadcast_to(normals, (n, 3)))
    if edged:
        up = up + slope * np.maximum(np.einsum("cki,ic->ki", leaving, out), 0)
    share = np.clip(0.5 - up / (2 * cone[:, None]), 0, 1)
    left, taken = weights * (1 - share), share * weights[0]
    middle, filled = np.empty((n, 4), np.float32), np.empty((count, n), np.float32)
    edge = (out, slope) if edged else (np.zeros((0, 0), np.float32), np.zeros(0, np.float32))
    want = (weights * share).sum(axis=1)
    lobes.bounce(leaving, cone, (normals, *edge), weights, middle, filled)
    np.testing.assert_allclose(weights, left, atol=2e-6)
    np.testing.assert_allclose(filled, want, rtol=2e-5)
    np.testing.assert_allclose(middle[:, 3], taken.sum(axis=0), rtol=2e-5)
    np.testing.assert_allclose(middle[:, :3].T, (leaving * taken).sum(axis=1), atol=2e-5)


def test_grounds_that_do_not_fit_are_refused() -> None:
    def zeros(*shape: int) -> F32:
        return np.zeros(shape, np.float32)

    good: list[Any] = [
        zeros(3, 4, 5), zeros(4), (zeros(1, 3), zeros(5, 3), zeros(5)), zeros(2, 4, 5), zeros(5, 4),
        zeros(2, 5),
    ]  # fmt: skip
    faults: dict[int, list[Any]] = {
        0: [zeros(2, 4, 5), zeros(3, 4, 6)],
        1: [zeros(5)],
        2: [(zeros(2, 3), *good[2][1:]), (zeros(1, 2), *good[2][1:]), (zeros(5, 3), zeros(4, 3), zeros(5)),
            (zeros(5, 3), zeros(5, 3), zeros(4))],
        4: [zeros(4, 4), zeros(5, 3)],
        5: [zeros(1, 5), zeros(2, 4)],
    }  # fmt: skip
    for place, values in faults.items():
        for value in values:
            with pytest.raises(ValueError, match=r"parts|ground|point|sums"):
                lobes.bounce(*(value if at == place else one for at, one in enumerate(good)))


def test_maps_are_looked_up_in_directions_of_any_length() -> None:
    (toward, _), studio = panes(), load("studio")
    ways = toward * np.linspace(0.1, 9, len(toward), dtype=np.float32)[:, None]
    light, grey = np.empty((len(ways), 3), np.float32), np.empty(len(ways), np.float32)
    x, y, z = ways.T
    lobes.look(studio.sharp, x, y, z, light)
    lobes.look_grey(studio.detail, x, y, z, grey)
    want = [plain.octahedral(studio.sharp, way) for way in ways]
    np.testing.assert_allclose(light, want, rtol=2e-3, atol=2e-5)
    fine = np.array([plain.octahedral(studio.detail[..., None], way)[0] for way in ways])
    np.testing.assert_allclose(grey, fine, atol=0.05)
    for bad in (0, np.nan, np.inf):
        none = np.full(2, bad, np.float32)
        lobes.look(studio.sharp, none, none, none, light[:2])
        assert np.isfinite(light[:2]).all()
    for square, across, out in (
        (studio.sharp[1:], x, light), (studio.sharp, x[1:], light), (studio.sharp, x, light[:, :2].copy())
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"map|directions"):
            lobes.look(square, across, y, z, out)
    for texels, across in ((studio.detail[1:], ways[:, 0]), (studio.detail, ways[1:, 0])):
        with pytest.raises(ValueError, match=r"map|directions"):
            lobes.look_grey(texels, across, y, z, grey)


def test_panes_that_do_not_fit_are_refused() -> None:
    (toward, normal), studio = panes(), load("studio")

    def glass(**other: object) -> None:
        given = {
            "toward": toward, "normal": normal, "square": studio.sharp, "detail": studio.detail,
            "specular": 0.04, "reflected": np.empty((len(toward), 4), np.float32),
            "mirrored": np.empty_like(toward),
        }  # fmt: skip
        lobes.glass(**(given | other))

    glass()
    for wrong in (
        {"toward": toward[:, :2].copy()},
        {"normal": normal[:2]},
        {"square": studio.sharp[1:]},
        {"detail": studio.detail[1:]},
        {"specular": 1.0},
        {"reflected": np.empty((len(toward), 3), np.float32)},
        {"mirrored": np.empty((1, 3), np.float32)},
    ):
        with pytest.raises(ValueError, match=r"map|directions|light"):
            glass(**wrong)
