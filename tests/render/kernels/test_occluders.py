"""Rectangles as occluders: the light that they hide from points, the light that they send instead, and
invalid arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from service.arrays import F32, I32
from service.render.kernels import occluders
from service.render.light.field import placed
from service.render.light.occluder import ANYWHERE, NONE
from tests.render.kernels import plain
from tests.support.looped import looped

POINTS, RAYS = 30, 17
COLUMNS, ROWS = np.array([-4.0, -1.0, 0.0, 5.0]), np.array([-2.0, 1.0, 3.0])


def rectangle(seed: int = 0, floor: float = 0.02, behind: float = 0.0, rise: F32 | None = None) -> F32:
    random = np.random.default_rng(seed)
    axes = np.linalg.qr(random.normal(size=(3, 3)))[0]
    return np.concatenate([random.normal(size=3), axes.ravel(), [4.0, 2.5, floor, behind]]).astype(np.float32)


def made(of: F32, rise: F32 | None = None, start: float = 0.0) -> occluders.Rectangle:
    return occluders.Rectangle(of, NONE.ravel() if rise is None else rise, start)


def around(seed: int) -> tuple[F32, F32, F32]:
    """Points, some of them behind the rectangle; their rays, a few of which run along it; and the rays'
    cones."""
    random = np.random.default_rng(seed)
    points = 4 * random.normal(size=(POINTS, 3))
    ways = random.normal(size=(3, RAYS, POINTS))
    ways[:, 0] = rectangle()[3:6, None]
    ways /= np.linalg.norm(ways, axis=0)
    return points.astype(np.float32), ways.astype(np.float32), random.uniform(0, 0.4, RAYS).astype(np.float32)


def vectors(seed: int) -> F32:
    return np.random.default_rng(seed).normal(size=(POINTS, 3)).astype(np.float32)


def unit(ways: F32) -> F32:
    return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True), np.float32)


def every(count: int = POINTS) -> I32:
    return np.arange(count, dtype=np.int32)


def tiles(seed: int = 3) -> F32:
    return np.random.default_rng(seed).random((8 * len(ROWS), 8 * len(COLUMNS), 4), np.float32)


def field(texels: F32 | None = None) -> occluders.Field:
    columns, rows = COLUMNS.astype(np.float32), ROWS.astype(np.float32)
    axes = rectangle()[3:12].reshape(3, 3)
    return occluders.Field(tiles() if texels is None else texels, columns, rows, axes)


@pytest.mark.parametrize("behind", [0.0, 3.0, np.inf])
@pytest.mark.parametrize("floor", [0.02, 0.3])
def test_the_shares_of_cones_are_those_of_the_plain_form(floor: float, behind: float) -> None:
    of, parts = rectangle(floor=floor, behind=behind), around(1)
    shares, middle = made(of).hidden(occluders.Rays(*parts), every())
    want = plain.hidden(of, *parts)
    np.testing.assert_allclose(shares, want, atol=2e-4)
    assert 0 < (want > 0).sum() < want.size
    mean = np.einsum("kn,ckn->nc", want, parts[1])
    some = np.linalg.norm(mean, axis=1) > 1e-2
    mean /= np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-6)
    np.testing.assert_allclose(middle[some], mean[some], atol=2e-3)


def test_an_infinite_wall_hides_half_of_a_hemisphere() -> None:
    """A point at the foot of an infinite wall sees half of the hemisphere."""
    random = np.random.default_rng(4)
    ways = random.normal(size=(3, 4000, 1))
    ways /= np.linalg.norm(ways, axis=0)
    ways[2] = np.abs(ways[2])
    # The wall stands at the right angle to x and rises along z from below the point.
    of = [-1.0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1e6, 1e6, 0.02, 0.0]
    rays = occluders.Rays(np.zeros((1, 3), np.float32), ways.astype(np.float32), np.zeros(4000, np.float32))
    shares, _ = made(np.array(of, np.float32)).hidden(rays, every(1))
    assert shares.mean() == pytest.approx(0.5, abs=0.02)
    assert (shares[:, 0] * ways[2, :, 0]).sum() / ways[2].sum() == pytest.approx(0.5, abs=0.02)


def test_an_edge_that_rises_lets_light_pass_below() -> None:
    of = np.array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 4, 2, 0.02, 0], np.float32)
    below = np.array([[3.9, -1.0, 1.0], [0.0, -1.0, 1.0]], np.float32)
    ways = np.zeros((3, 1, 2), np.float32)
    ways[2] = -1
    rays = occluders.Rays(below, ways, np.zeros(1, np.float32))
    rise = np.linspace(0, 2, 9).astype(np.float32)
    shares, _ = made(of, rise, 2.0).hidden(rays, every(2))
    np.testing.assert_array_equal(shares, [[0, 1]])


def test_points_in_front_see_the_rectangle_in_their_cones() -> None:
    points, ways, radii = around(5)
    of, normals = rectangle(), (np.sign(rectangle()[:3] - points) / np.sqrt(np.float32(3))).astype(np.float32)
    rays = occluders.Rays(points, ways, radii)
    apart = of[:3] - points
    height = -apart @ of[9:12]
    reach = np.abs(normals @ of[3:9].reshape(2, 3).T) @ of[12:14]
    seen = (height > 0) & (np.einsum("ij,ij->i", apart, normals) + reach > 0.3)
    np.testing.assert_array_equal(made(of).before(rays, normals, 0.3, *ANYWHERE), np.flatnonzero(seen))
    away, size = np.linalg.norm(apart, axis=1), np.hypot(*of[12:14])
    turn = np.arccos(np.clip(np.einsum("ij,ji->i", apart, ways[:, 0]) / away, -1, 1))
    cone = (away < size) | (turn < 0.3 + np.arcsin(np.minimum(size / away, 1)))
    found = made(of).before(rays, normals, 0.3, np.sin(0.3), np.cos(0.3))
    np.testing.assert_array_equal(found, np.flatnonzero(seen & cone))
    assert 0 < len(found) < seen.sum()


def test_points_that_see_the_rectangle_are_marked() -> None:
    points, normals, of = 4 * vectors(6), unit(vectors(7)), rectangle(behind=1.0)
    found = np.zeros(POINTS, np.uint8)
    found[3] = 1
    made(of).above(points, normals, 0.3, found)
    apart = of[:3] - points
    reach = np.abs(normals @ of[3:9].reshape(2, 3).T) @ of[12:14]
    seen = (-apart @ of[9:12] > -1) & (np.einsum("ij,ij->i", apart, normals) + reach > 0.3)
    assert 0 < seen.sum() < POINTS
    seen[3] = True
    np.testing.assert_array_equal(found, seen)


@pytest.mark.parametrize("channels", [1, 6, 8])
def test_values_are_interpolated_by_gaussians(channels: int) -> None:
    random = np.random.default_rng(channels)
    places, some = (random.normal(size=(count, 6)).astype(np.float32) for count in (50, 9))
    values = random.random((9, channels), np.float32)
    found = occluders.interpolate(places, some, values, 0.7)
    np.testing.assert_allclose(found, plain.interpolated(places, some, values, 0.7), atol=2e-6)
    np.testing.assert_allclose(occluders.interpolate(some, some, values, 0.05), values, atol=1e-6)
    assert occluders.interpolate(places[:0], some, values, 0.7).shape == (0, channels)


def test_a_field_is_looked_up_by_place_and_direction() -> None:
    of, (points, ways, radii) = rectangle(behind=np.inf), around(6)
    axes, middle = of[3:12].reshape(3, 3), np.ascontiguousarray(ways[:, 3].T)
    found = made(of).sent(field(), occluders.Rays(points, ways, radii), every(), middle)
    apart = (points - of[:3]) @ axes.T
    into = np.maximum(-(middle @ axes[2]), 1e-3)
    met = apart + (np.maximum(apart[:, 2], 0.02) / into)[:, None] * (middle @ axes.T)
    place = placed(COLUMNS, ROWS, met[:, 0], met[:, 1], -(middle @ axes.T))
    light = tiles()[..., :3]
    want = [plain.field(light, at, len(COLUMNS), len(ROWS)) for at in place.T.astype(float)]
    np.testing.assert_allclose(found, want, atol=2e-3)
    sums = np.ones((POINTS, 3), np.float32)
    field().received(place, np.full(POINTS, 0.5, np.float32), every()[::-1].copy(), sums)
    np.testing.assert_allclose(sums[::-1], 1 + 0.5 * np.array(want), atol=2e-3)


def test_an_even_field_leaves_even_light_unchanged() -> None:
    """A furnace test: the rectangle sends as much light along each ray as it hides."""
    points, ways, radii = around(7)
    rays, ones = occluders.Rays(points, ways, radii), np.ones((2, RAYS, POINTS), np.float32)
    one = made(rectangle())
    shares, _ = one.hidden(rays, every())
    for emitted in (True, False):
        weights, sums = ones.copy(), np.zeros((2, 3, POINTS), np.float32)
        if emitted:
            one.emitted(field(np.ones_like(tiles())), rays, every(), shares, weights, sums)
        else:
            even = np.ones((POINTS, 3), np.float32)
            occluders.lose(rays, every(), shares, even, weights, sums, NONE)
        np.testing.assert_allclose(weights, np.broadcast_to(1 - shares, weights.shape), atol=1e-6)
        np.testing.assert_allclose(weights.sum(axis=1)[:, None] + sums, RAYS, rtol=1e-5)


@pytest.mark.parametrize("count", [1, 2])
def test_occluders_hide_light_one_after_the_other(count: int) -> None:
    points, ways, radii = around(11)
    rays, normals = occluders.Rays(points, ways, radii), unit(-points)
    weights = np.random.default_rng(2).random((count, RAYS, POINTS), np.float32)
    sums = np.zeros((count, 3, POINTS), np.float32)
    others = [(made(rectangle(seed)), field(tiles(seed)), sharp) for seed, sharp in enumerate((0, 1, 0, 1))]
    left, sent, hidden = weights.copy(), sums.copy(), 0
    for one, texels, sharp in others:
        at = one.before(rays, normals, 0.3, np.sin(0.8), np.cos(0.8))
        shares, middle = one.hidden(rays, at)
        hidden += bool(shares.any())
        if sharp:
            one.emitted(texels, rays, at, shares, left, sent)
        else:
            occluders.lose(rays, at, shares, one.sent(texels, rays, at, middle), left, sent, NONE)
    assert hidden > 2
    occluders.hide(
        tuple((one, texels, bool(sharp)) for one, texels, sharp in others),
        rays, normals, (0.3, np.sin(0.8), np.cos(0.8)), weights, sums,
    )  # fmt: skip
    np.testing.assert_array_equal(weights, left)
    np.testing.assert_array_equal(sums, sent)


def test_radiance_becomes_the_tiles_of_a_field() -> None:
    high, wide = 3, 4
    sent = np.random.default_rng(4).random((3, 64, high * wide), np.float32)
    want = sent.reshape(3, 8, 8, high, wide).transpose(1, 3, 2, 4, 0).reshape(8 * high, 8 * wide, 3)
    made = occluders.tile(sent, wide)
    np.testing.assert_array_equal(made[..., :3], want)
    assert not made[..., 3].any()


def test_light_is_dimmed_ray_by_ray() -> None:
    points, ways, radii = around(7)
    rays, weights = occluders.Rays(points, ways, radii), np.ones((1, RAYS, POINTS), np.float32)
    at = every()[3:9]
    shares, _ = made(rectangle()).hidden(rays, at)
    dim = np.random.default_rng(8).random(shares.shape, np.float32)
    sums = np.zeros((1, 3, POINTS), np.float32)
    occluders.lose(rays, at, shares, np.full((6, 3), 2, np.float32), weights, sums, dim)
    np.testing.assert_allclose(sums[0, 1, 3:9], 2 * (shares * dim).sum(axis=0), rtol=1e-5, atol=1e-6)
    assert not sums[..., :3].any()
    assert not sums[..., 9:].any()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 3e38])
def test_nan_causes_no_harm(bad: float) -> None:
    points, ways, radii = around(9)
    points[3], ways[:, 4], radii[2] = bad, bad, bad
    rays, one = occluders.Rays(points, ways, radii), made(rectangle(), np.ones(3, np.float32), 2.0)
    shares, middle = one.hidden(rays, every())
    one.before(rays, np.ones_like(points), 0.3, *ANYWHERE)
    one.sent(field(), rays, every(), middle)
    occluders.hide(
        ((one, field(), True), (one, field(), False)), rays, np.ones_like(points), (0.3, *ANYWHERE),
        np.ones((1, RAYS, POINTS), np.float32), np.zeros((1, 3, POINTS), np.float32),
    )  # fmt: skip
    one.emitted(
        field(), rays, every(), shares, np.ones((1, RAYS, POINTS), np.float32),
        np.zeros((1, 3, POINTS), np.float32),
    )  # fmt: skip
    place = np.full((4, POINTS), bad, np.float32)
    field().received(place, np.ones(POINTS, np.float32), every(), np.zeros((POINTS, 3), np.float32))


def refused() -> list[Callable[[], object]]:
    def zeros(*shape: int) -> F32:
        return np.zeros(shape, np.float32)

    rays = occluders.Rays(zeros(5, 3), zeros(3, 4, 5), zeros(4))
    one, at, wrong = made(rectangle()), every(5), np.array([0, 5], np.int32)
    return [
        lambda: occluders.Rays(zeros(5, 2), zeros(3, 4, 5), zeros(4)),
        lambda: occluders.Rays(zeros(5, 3), zeros(3, 4, 6), zeros(4)),
        lambda: occluders.Rays(zeros(5, 3), zeros(3, 4, 5), zeros(5)),
        lambda: occluders.Rectangle(zeros(15), zeros(0), 0.0),
        lambda: occluders.Rectangle(zeros(16), zeros(1), 0.0),
        lambda: occluders.Field(zeros(16, 8, 4), zeros(1), zeros(2), zeros(3, 3)),
        lambda: occluders.Field(zeros(16, 15, 4), zeros(2), zeros(2), zeros(3, 3)),
        lambda: occluders.Field(zeros(15, 16, 4), zeros(2), zeros(2), zeros(3, 3)),
        lambda: occluders.Field(zeros(16, 16, 4), zeros(2), zeros(2), zeros(2, 3)),
        lambda: occluders.Field(zeros(16, 16, 3), zeros(2), zeros(2), zeros(3, 3)),
        lambda: one.before(rays, zeros(4, 3), 0.3, 0.0, 1.0),
        lambda: one.above(zeros(5, 2), zeros(5, 3), 0.3, np.zeros(5, np.uint8)),
        lambda: one.above(zeros(5, 3), zeros(4, 3), 0.3, np.zeros(5, np.uint8)),
        lambda: one.above(zeros(5, 3), zeros(5, 3), 0.3, np.zeros(4, np.uint8)),
        lambda: occluders.interpolate(zeros(5, 2), zeros(4, 3), zeros(4, 1), 1.0),
        lambda: occluders.interpolate(zeros(5, 3), zeros(4, 3), zeros(5, 1), 1.0),
        lambda: occluders.interpolate(zeros(5, 3), zeros(4, 3), zeros(4, 9), 1.0),
        lambda: occluders.interpolate(zeros(5, 3), zeros(0, 3), zeros(0, 1), 1.0),
        lambda: occluders.interpolate(zeros(5, 3), zeros(4, 3), zeros(4, 1), 0.0),
        lambda: one.hidden(rays, wrong),
        lambda: one.hidden(rays, -at),
        lambda: one.sent(field(), rays, at, zeros(4, 3)),
        lambda: one.sent(field(), rays, wrong, zeros(2, 3)),
        lambda: one.emitted(field(), rays, at, zeros(3, 5), zeros(1, 4, 5), zeros(1, 3, 5)),
        lambda: one.emitted(field(), rays, at, zeros(4, 5), zeros(3, 4, 5), zeros(3, 3, 5)),
        lambda: one.emitted(field(), rays, wrong, zeros(4, 2), zeros(1, 4, 5), zeros(1, 3, 5)),
        lambda: occluders.lose(rays, at, zeros(4, 5), zeros(4, 3), zeros(1, 4, 5), zeros(1, 3, 5), NONE),
        lambda: occluders.lose(rays, at, zeros(4, 5), zeros(5, 3), zeros(1, 4, 5), zeros(2, 3, 5), NONE),
        lambda: occluders.lose(
            rays, at, zeros(4, 5), zeros(5, 3), zeros(1, 4, 5), zeros(1, 3, 5), zeros(3, 5)
        ),
        lambda: occluders.hide((), rays, zeros(4, 3), (0.3, 0.0, 1.0), zeros(1, 4, 5), zeros(1, 3, 5)),
        lambda: occluders.hide((), rays, zeros(5, 3), (0.3, 0.0, 1.0), zeros(1, 3, 5), zeros(1, 3, 5)),
        lambda: occluders.hide((), rays, zeros(5, 3), (0.3, 0.0, 1.0), zeros(3, 4, 5), zeros(3, 3, 5)),
        lambda: occluders.hide((), rays, zeros(5, 3), (0.3, 0.0, 1.0), zeros(1, 4, 5), zeros(1, 3, 4)),
        lambda: occluders.tile(zeros(2, 64, 6), 3),
        lambda: occluders.tile(zeros(3, 63, 6), 3),
        lambda: occluders.tile(zeros(3, 64, 6), 4),
        lambda: occluders.tile(zeros(3, 64, 6), 0),
        lambda: field().received(zeros(3, 5), zeros(5), at, zeros(5, 3)),
        lambda: field().received(zeros(4, 5), zeros(4), at, zeros(5, 3)),
        lambda: field().received(zeros(4, 5), zeros(5), at, zeros(4, 3)),
    ]


@looped("number", range(len(refused())))
def test_arrays_that_do_not_fit_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match=r"\(|point|number|rectangle|field|each|what|channels|sigma"):
        refused()[number]()


def test_empty_points_are_accepted() -> None:
    rays = occluders.Rays(
        np.zeros((0, 3), np.float32), np.zeros((3, RAYS, 0), np.float32), np.zeros(RAYS, np.float32)
    )
    one = made(rectangle())
    assert one.hidden(rays, every(0))[0].shape == (RAYS, 0)
    assert one.sent(field(), rays, every(0), np.zeros((0, 3), np.float32)).shape == (0, 3)
    none = np.zeros((0, 3), np.float32)
    assert not len(one.before(rays, none, 0.3, *ANYWHERE))
    weights, sums = np.zeros((1, RAYS, 0), np.float32), np.zeros((1, 3, 0), np.float32)
    occluders.hide(((one, field(), False),), rays, none, (0.3, *ANYWHERE), weights, sums)


@pytest.mark.parametrize("count", [1, 2])
def test_single_rays_lose_the_hidden_share(count: int) -> None:
    random, (rays, points, hits) = np.random.default_rng(5), (7, 9, 20)
    weights = random.random((count, rays, points), np.float32)
    places = random.permutation(rays * points)[:hits]
    ray, at = (part.astype(np.int32) for part in np.divmod(places, points))
    share, radiance = random.random(hits, np.float32), random.random((hits, 3), np.float32)
    lost, sums = weights[:, ray, at] * share, np.ones((count, 3, points), np.float32)
    left, sent = weights.copy(), sums.copy()
    left[:, ray, at] -= lost
    for number in range(hits):
        sent[:, :, at[number]] += lost[:, number, None] * radiance[number]
    occluders.throw((ray, at, share), radiance, weights, sums)
    np.testing.assert_allclose(weights, left, rtol=1e-6)
    np.testing.assert_allclose(sums, sent, rtol=1e-6)
    for wrong in (
        ((ray[1:], at, share), radiance, weights, sums),
        ((ray, at, share), radiance[1:], weights, sums),
        ((ray, at, share), radiance, weights, sums[:, :2].copy()),
        ((ray + np.int32(rays), at, share), radiance, weights, sums),
        ((ray, at - np.int32(points), share), radiance, weights, sums),
    ):
        with pytest.raises(ValueError, match=r"hit|sums|point"):
            occluders.throw(*wrong)
