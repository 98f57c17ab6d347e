"""Plain, slow reference implementations of the kernels."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from service.arrays import F32, F64, I16, U8, U16
from service.render.light.brdf import Parts, dielectric
from service.render.light.environment import PAD

Polygon = list[tuple[float, float]]


def clipped(polygon: Polygon, axis: int, place: float, side: int) -> Polygon:
    """The part of a polygon on one side of a line across an axis, by Sutherland and Hodgman; `side` is 1 or
    -1."""
    found: Polygon = []
    for start, end in zip(polygon[-1:] + polygon[:-1], polygon, strict=True):
        before, after = (side * (point[axis] - place) for point in (start, end))
        if before * after < 0:
            part = before / (before - after)
            x, y = (a + part * (b - a) for a, b in zip(start, end, strict=True))
            found.append((x, y))
        if after >= 0:
            found.append(end)
    return found


def measured(polygon: Polygon) -> tuple[float, float, float]:
    """The area and the centroid of a polygon."""
    area = x = y = 0.0
    for (ax, ay), (bx, by) in zip(polygon[-1:] + polygon[:-1], polygon, strict=True):
        twice = ax * by - ay * bx
        area, x, y = area + twice / 2, x + twice * (ax + bx) / 6, y + twice * (ay + by) / 6
    return (abs(area), x / area, y / area) if abs(area) > 1e-12 else (0.0, 0.0, 0.0)


def colored(corners: F64, nearness: F64, colors: F32, x: float, y: float) -> F64:
    """The colour (3,) of a triangle at a place, with perspective correction."""
    weights = np.linalg.solve(np.vstack([corners.T, np.ones(3)]), [x, y, 1.0]) * nearness
    return np.asarray(weights @ colors / weights.sum(), np.float64)


def areas(
    points: F64, nearness: F64, colors: F32, triangles: NDArray[np.int32], width: int, height: int
) -> tuple[F64, F64]:
    """As `raster.areas`: each triangle is clipped to each pixel."""
    rgb, hit = np.zeros((height, width, 3)), np.zeros((height, width))
    for own in triangles:
        corners = points[own]
        for y, x in np.ndindex(height, width):
            polygon: Polygon = [(a, b) for a, b in corners.tolist()]
            for axis, place, side in ((0, x, 1), (0, x + 1, -1), (1, y, 1), (1, y + 1, -1)):
                polygon = clipped(polygon, axis, place, side) if polygon else []
            area, *middle = measured(polygon) if polygon else (0.0,)
            if area:
                rgb[y, x] += area * colored(corners, nearness[own], colors[own], *middle)
                hit[y, x] += area
    return rgb, hit


def nearest(
    points: F64,
    nearness: F64,
    colors: F32,
    triangles: NDArray[np.int32],
    samples: int,
    width: int,
    height: int,
) -> tuple[F64, F64]:
    """As `raster.nearest`, by testing every sample against every triangle. A triangle's colour is that at the
    mean of its samples."""
    rgb, hit = np.zeros((height, width, colors.shape[1])), np.zeros((height, width))
    places: dict[tuple[int, int, int], list[tuple[float, float]]] = {}
    for row, column in np.ndindex(height * samples, width * samples):
        x, y = (column + 0.5) / samples, (row + 0.5) / samples
        found, best = None, 0.0
        for number, own in enumerate(triangles):
            matrix = np.vstack([points[own].T, np.ones(3)])
            if abs(np.linalg.det(matrix)) < 1e-9:
                continue
            weights = np.linalg.solve(matrix, [x, y, 1.0])
            near = float(weights @ nearness[own])
            if weights.min() >= 0 and near > best:
                found, best = number, near
        if found is not None:
            places.setdefault((math.floor(y), math.floor(x), found), []).append((x, y))
    for (row, column, number), own in places.items():
        corners, share = triangles[number], len(own) / samples**2
        middle = np.mean(own, axis=0)
        rgb[row, column] += share * colored(points[corners], nearness[corners], colors[corners], *middle)
        hit[row, column] += share
    return rgb, hit


def weigh(lobe: Parts, specular: float | None, normals: F32, along: F32, toward: F32) -> tuple[F64, F64]:
    """As `lobes.weigh`: directions (3, k, n) and weights (1 or 2, k, n); for metal if `specular` is None."""
    leaving = np.zeros((3, len(lobe.half), len(normals)))
    weights = np.zeros((2 if specular is None else 1, *leaving.shape[1:]))
    for ray, point in np.ndindex(leaving.shape[1:]):
        axes = np.array([np.cross(normals[point], along[point]), along[point], normals[point]], np.float64)
        half, view = lobe.half[ray].astype(np.float64), axes @ toward[point]
        met = float(half @ view)
        light = 2 * met * half - view
        leaving[:, ray, point] = light @ axes
        cosine = max(view[2], 1e-3)

        def root(x: float, y: float, z: float) -> float:
            return math.sqrt(z**2 + (lobe.alpha[0] * x) ** 2 + (lobe.alpha[1] * y) ** 2)

        masking = light[2] * root(view[0], view[1], cosine) + cosine * root(*light)
        weight = 2 * max(light[2], 0) * max(met, 0) / (max(masking, 1e-6) * half[2]) * lobe.share[ray]
        if specular is None:
            weights[:, ray, point] = weight, weight * max(1 - met, 0) ** 5
        else:
            weights[0, ray, point] = weight * dielectric(np.array([met], np.float32), specular)[0]
    return leaving, weights


def octahedral(square: NDArray[Any], way: F64 | F32) -> F64:
    """The bilinear sample of a padded octahedral map (n, n, c) in a direction."""
    side, (x, y, z) = len(square) - 2 * PAD, way.astype(np.float64)
    fold = max(-z, 0)
    places = [math.copysign(abs(a) + fold, a) / (abs(x) + abs(y) + abs(z)) for a in (x, y)]
    column, row = (place * side / 2 + side / 2 - 0.5 + PAD for place in places)
    left, top = min(math.floor(column), len(square) - 2), min(math.floor(row), len(square) - 2)
    u, v = column - left, row - top
    near = square[top : top + 2, left : left + 2].astype(np.float64)
    rows = [(1 - u) * near[at, 0] + u * near[at, 1] for at in (0, 1)]
    return np.asarray((1 - v) * rows[0] + v * rows[1], np.float64)


def gather(
    square: F32, strength: float, even: float, slope: float, leaving: F32, weights: F32, first: int, end: int
) -> F64:
    """The sums (w, 3, n) that `lobes.gather` returns."""
    found = np.zeros((len(weights), 3, leaving.shape[2]))
    for ray in range(first, end):
        for point in range(leaving.shape[2]):
            light = octahedral(square, leaving[:, ray, point])
            y = float(leaving[1, ray, point])
            plain = even + slope * y
            light = np.maximum(plain + strength * (light - plain), 0)
            found[:, :, point] += weights[:, ray, point, None] * light
    return found


def hidden(of: F32, points: F32, ways: F32, radii: F32) -> F64:
    """As `occluders.Rectangle.hidden`, but returns only the shares (k, n), and takes no rise."""
    middle, axes, (wide, high, floor, behind) = of[:3], of[3:12].reshape(3, 3), of[12:]
    found = np.zeros((len(radii), len(points)))
    for ray, i in np.ndindex(found.shape):
        way, (x, y, height) = ways[:, ray, i], axes @ (points[i] - middle)
        into = -float(way @ axes[2])
        if into <= 1e-3 or height <= -behind:
            continue
        away = max(height, floor) / into
        met = np.array([x, y]) + away * (axes[:2] @ way)
        inside = min(wide - abs(met[0]), high - abs(met[1]))
        found[ray, i] = np.clip(0.5 + inside / (away * max(2 * radii[ray], 0.01)), 0, 1)
    return found


def interpolated(places: F32, some: F32, values: F32, soft: float) -> F64:
    """As `occluders.interpolate`."""
    apart = ((places[:, None].astype(np.float64) - some) ** 2).sum(axis=2)
    weights = np.exp((apart.min(axis=1, keepdims=True) - apart) / (2 * soft**2))
    return np.asarray(weights @ values / weights.sum(axis=1, keepdims=True), np.float64)


def hull(points: F32) -> F32:
    """The corners of the convex hull of points (n, 2), in order around it, by Andrew's monotone chain."""
    ordered = [(x, y) for x, y in sorted(set(map(tuple, points.tolist())))]
    sides: list[list[tuple[float, float]]] = []
    for way in (ordered, ordered[::-1]):
        side: list[tuple[float, float]] = []
        for x, y in way:
            while len(side) > 1:
                (ax, ay), (bx, by) = side[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                side.pop()
            side.append((x, y))
        sides.append(side[:-1] or side)
    return np.array([*sides[0], *sides[1]], np.float32)


def density(matrix: F64, wide: float, high: float, tolerance: float) -> list[float]:
    """As `draping.density`."""
    found = []
    for turned, length in ((False, wide), (True, high)):
        steps = []
        for line in (0, 0.5, 1):
            lines = [(line, step) if turned else (step, line) for step in np.linspace(0, 1, 5).tolist()]
            px = np.array([(x * wide, y * high, 1) for x, y in lines]) @ matrix.T
            steps += np.hypot(*np.diff(px[:, :2] / px[:, 2:], axis=0).T).tolist()
        stretch = min(max(steps) / max(min(steps), 1e-9), 50) / tolerance
        found.append(4 * max(steps) / length / max(stretch, 1) ** 0.5)
    return found


def field(tiles: F32, place: F64, wide: int, high: int) -> F64:
    """The value (3,) of a field, interpolated at `place`: column and row within a tile, and the tile's column
    and row, all of them fractional."""
    corners = [(math.floor(at), at - math.floor(at)) for at in place]
    found = np.zeros(3)
    for steps in np.ndindex(2, 2, 2, 2):
        share, at = 1.0, []
        for (first, part), step, most in zip(corners, steps, (wide, high, 8, 8), strict=True):
            share *= part if step else 1 - part
            at.append(min(first + step, most - 1))
        x, y, left, top = at
        found += share * tiles[top * high + y, left * wide + x]
    return found


def covered(polygon: F64, height: int, width: int) -> F64:
    """The area of each pixel (h, w) that lies inside a simple polygon (n, 2), by clipping the polygon to each
    pixel."""
    found = np.zeros((height, width))
    for y, x in np.ndindex(height, width):
        part: Polygon = [(a, b) for a, b in polygon.tolist()]
        for axis, place, side in ((0, x, 1), (0, x + 1, -1), (1, y, 1), (1, y + 1, -1)):
            part = clipped(part, axis, place, side) if part else []
        found[y, x] = measured(part)[0] if part else 0
    return found


def before(points: F64, ahead: F64, behind: F64, slack: float) -> NDArray[np.bool_]:
    """As `hiding.before`, by the distance of every point from every plane."""
    near, far = ((points @ planes[:, :3].T - planes[:, 3]).max(axis=1) for planes in (ahead, behind))
    return np.asarray((near > 0) | ((near > far) & (near > -slack)), np.bool_)


def borrowed(rgb: F32, hit: F32, lost: NDArray[np.bool_]) -> tuple[F32, F32]:
    """Colours and shares in which each `lost` pixel takes the mean of the pixels around it, in three
    rounds."""
    rgb, hit, lost = rgb.copy(), hit.copy(), lost.copy()
    for _ in range(3):
        light, hits = np.pad(rgb, ((1, 1), (1, 1), (0, 0))), np.pad(hit, 1)
        for y, x in np.argwhere(lost):
            weight = hits[y : y + 3, x : x + 3].sum()
            if weight > 0:
                rgb[y, x] = light[y : y + 3, x : x + 3].sum(axis=(0, 1)) / weight
                hit[y, x], lost[y, x] = 1, False
    return rgb, hit


def evened(rgb: F32, hit: F32, gasket: U8, radiance: float) -> F64:
    """As `samples.even`, with shifted arrays."""
    light, share = rgb.astype(np.float64), gasket / 255
    line = np.outer([1, 6, 1], [1, 6, 1]) / 64
    high, wide = hit.shape
    around, edged = np.pad(share, 1), np.pad(hit - share, 1, mode="edge")
    apart = np.pad(light - radiance * share[..., None], ((1, 1), (1, 1), (0, 0)), mode="edge")
    shifted = [(y, x) for y in range(3) for x in range(3)]
    spread: F64 = sum(
        (line[y, x] * around[y : y + high, x : x + wide] for y, x in shifted), start=np.zeros(hit.shape)
    )
    cross = [(y, x) for y, x in shifted if (y == 1) != (x == 1)]
    weight = share / np.maximum(np.maximum(hit, share), 1e-9) / 4
    lent = np.stack([apart[y : y + high, x : x + wide] for y, x in cross]).sum(axis=0)
    left = np.stack([np.maximum(edged[y : y + high, x : x + wide], 0) for y, x in cross]).sum(axis=0)
    rest = np.maximum(hit - share, 0) + weight * left
    color = light - radiance * share[..., None] + weight[..., None] * lent
    color /= np.maximum(rest, 1e-6)[..., None]
    dark = np.minimum(spread, hit)[..., None]
    out = color * (hit[..., None] - dark) + radiance * dark
    return np.asarray(np.where((spread > 0)[..., None], out, light), np.float64)


def within(points: F64, outline: F64, margin: float) -> NDArray[np.bool_]:
    """As `hiding.within`, by the distance of every point from every side; the outline may run in either
    direction."""
    step = np.roll(outline, -1, axis=0) - outline
    out = np.stack([step[:, 1], -step[:, 0]], axis=1) / np.hypot(*step.T)[:, None]
    out *= np.sign(np.einsum("ij,ij", outline - outline.mean(axis=0), out))
    away = points @ out.T - np.einsum("ij,ij->i", outline, out)
    return np.asarray(away.max(axis=1) < margin, np.bool_)


def pictured(picture: NDArray[np.uint16], column: float, row: float) -> F64:
    """The bilinear sample (4,) of a picture at a column and a row."""
    high, wide = picture.shape[:2]
    column, row = min(max(column, 0), wide - 1), min(max(row, 0), high - 1)
    left, top = int(column), int(row)
    found = np.zeros(4)
    for y, x in np.ndindex(2, 2):
        share = (column - left if x else 1 - column + left) * (row - top if y else 1 - row + top)
        found += share * picture[min(top + y, high - 1), min(left + x, wide - 1)].astype(float)
    return found


def glass(
    toward: F32, normal: F32, square: F32, detail: NDArray[np.uint8], specular: float
) -> tuple[F64, F64]:
    """As `lobes.glass`: returns the results (n, 4) and the mirrored directions (n, 3)."""
    cosine = np.maximum(toward @ normal, 1e-3)
    mirrored = 2 * cosine[:, None] * normal - toward
    light = np.array([octahedral(square, way) for way in mirrored])
    factor = np.array([octahedral(detail[..., None], way) for way in mirrored]) / 128
    share = dielectric(cosine.astype(np.float32), specular)
    return np.column_stack([light * factor**2 * share[:, None], share]), mirrored


def enlarged(grid: F32 | F64, step: int, size: tuple[int, int]) -> F64:
    """As `pictures.enlarge`, of a grid (n, m, c) to pixels (h, w, c)."""
    pixels = np.empty((*size, grid.shape[2]))
    for y, x in np.ndindex(*size):
        corner, down, across = grid[y // step :, x // step :], y % step / step, x % step / step
        upper = corner[0, 0] * (1 - across) + corner[0, 1] * across
        pixels[y, x] = upper * (1 - down) + (corner[1, 0] * (1 - across) + corner[1, 1] * across) * down
    return pixels


def met(points: F32, ways: F32, slab: F32, columns: int) -> tuple[NDArray[np.intp], F64]:
    """As `pictures.meet`: returns the indices (m,) of the points, and the results (m, 4)."""
    middle, axes, half = slab[:3], slab[3:12].reshape(3, 3).astype(np.float64), slab[12:14]
    (x, y, high), (right, up, falls) = axes @ (points - middle).T, axes @ ways.T
    away = -high / np.minimum(falls, -1e-4)
    places = np.array([x + away * right, y + away * up])
    inside = (half[:, None] - np.abs(places)).min(axis=0)

    def slope(values: F64) -> F64:
        grid = values.reshape(-1, columns)
        square = np.zeros(grid.shape)
        for axis in (0, 1):
            if grid.shape[axis] > 1:
                square += np.asarray(np.gradient(grid, axis=axis)) ** 2
        return np.asarray(np.sqrt(square).ravel(), np.float64)

    share = inside / np.maximum(slab[14] * slope(inside), 1e-3) + 0.5
    at = np.flatnonzero((falls < 0) & (away > 0) & (share > 0) & (inside >= -8 * half.sum()))
    return at, np.column_stack([*places, np.minimum(share, 1), slope(places[1])])[at]


def shoulder(light: F32, knee: float) -> F32:
    """As `compositing.Curve.shoulder`, for arrays of any shape."""
    room = 1 - knee
    high = 1 - room * room / np.maximum(light + (1 - 2 * knee), np.float32(1e-3))
    return np.asarray(np.where(light > knee, high, light), np.float32)


def highlights(light: F32, knee: float, pale: float, hue: float) -> F32:
    """As `compositing.Curve.highlights`, for arrays (..., 3)."""
    before = light.max(axis=-1, keepdims=True)
    after = shoulder(before, knee)
    kept = 1 / (1 + np.float32(pale) * (before - after))
    paler = after + (light * (after / np.maximum(before, np.float32(1e-6))) - after) * kept
    apart = shoulder(light, knee)
    return np.asarray(np.where(before > knee, apart + (paler - apart) * np.float32(hue), light), np.float32)


def laid(
    rgb: F32,
    alpha: F32,
    below: NDArray[np.uint8],
    offsets: F32,
    tone: tuple[float, float, float] | None,
    codes: F32,
) -> tuple[F32, F32, NDArray[np.uint8], F32]:
    """As `compositing.Curve.lay`, over the part of a backdrop (h, w, 4) that begins where `offsets` (h, w, 3)
    do.

    Returns unrounded code values and the dither to add before rounding down, both (h, w, 3), the alpha (h, w)
    0-255, and the factors (h, w) for gains. Without a `tone`, highlights are not compressed.
    """
    bare, whole = alpha <= 0, alpha >= 1
    full = np.where(whole, np.float32(1), np.maximum(alpha, np.float32(1e-4)))
    straight = np.asarray(rgb / full[..., None], np.float32)
    light = straight if tone is None else highlights(straight, *tone)
    code = codes[(np.clip(light, 0, 1) * np.float32(65535) + np.float32(0.5)).astype(np.uint16)]
    under = below.astype(np.float32)
    opacity = alpha + under[..., 3] * np.float32(1 / 255) * (1 - alpha)
    share = alpha / np.maximum(opacity, np.float32(1e-6))
    mixed = under[..., :3] + (code - under[..., :3]) * share[..., None]
    code = np.where(bare[..., None], under[..., :3], np.where(whole[..., None], code, mixed))
    added = np.where((bare | whole)[..., None], offsets, np.float32(0.5))
    level = np.where(bare, below[..., 3], np.where(whole, 255, np.round(opacity * 255)))
    return code, added, level.astype(np.uint8), np.where(bare | whole, np.float32(1), share / full)


def gradient(place: F32, ramp: tuple[F32, F32, F32], noise: F32, shade: F32, color: F32) -> F64:
    """As `backdrop.gradient` without spans, unrounded, with a shade (h, w) and noise (h, w, 4)."""
    marks, colors, widths = ramp
    part = np.clip(np.searchsorted(marks, place, side="right") - 1, 0, len(widths) - 1)
    code = colors[part, 0] + (place - marks[part])[..., None] * colors[part, 1].astype(np.float64)
    return _under(code, noise, widths[part][..., None], shade, color)


def mesh(across: F32, down: F32, colors: F32, noise: F32, shade: F32, color: F32) -> F64:
    """As `backdrop.mesh`, unrounded, with noise (h, w, 4) of 1.4 code values."""
    weights = down[:, None].astype(np.float64) * across[None]
    seen = weights * (colors[:, 3] > 0)
    code = np.empty((*weights.shape[:2], 4))
    code[..., :3] = seen @ colors[:, :3] / seen.sum(axis=2, keepdims=True)
    code[..., 3] = weights @ colors[:, 3] / weights.sum(axis=2)
    return _under(code, noise, 1.4, shade, color)


def _under(code: F64, noise: F32, width: Any, shade: F32, color: F32) -> F64:
    code[..., :3] = code[..., :3] * (1 - shade[..., None]) + shade[..., None] * color
    return np.asarray(code + (noise - 0.5) * width + 0.00001, np.float64)


def mixed(below: NDArray[np.uint8], shade: F32, color: F32, offsets: F32) -> F64:
    """As `backdrop.mix`, before rounding down, for pixels (h, w, 4) that all lie in the shade."""
    alpha = below[..., 3] / 255
    total = shade + (1 - shade) * alpha
    rest = ((1 - shade) * alpha / total)[..., None]
    code = below[..., :3] * rest + (shade / total)[..., None] * color.astype(np.float64)
    return np.dstack([code + offsets, total * 255 + offsets[..., 0]])


def over(rgb: F32, alpha: F32, light: F32, cover: F32) -> tuple[F32, F32]:
    """As `compositing.over`, for arrays of the same size."""
    rest = 1 - cover
    return light * cover[..., None] + rgb * rest[..., None], alpha * rest + cover


def joined(rgb: F32, hit: F32, light: F32, share: F32) -> tuple[F32, F32]:
    """As `compositing.join`, for arrays of the same size."""
    return rgb + light * share[..., None], hit + share


def cover(
    bare: F32, picture: NDArray[np.uint16], colors: F32, lost: F32, thin: F32, shade: NDArray[np.uint8],
    opacity: float,
) -> F32:  # fmt: skip
    """As `compositing.cover`, with all shares given: returns the resulting light (h, w, 3)."""
    white, metal, gain, hue = colors
    paint, amount, wide = picture[..., :3] / 65535, picture[..., 3:] / 65535, thin[..., None]
    apart = wide * metal - paint * np.clip(wide / np.maximum(amount, 1e-3), 0, 1)
    under = bare * (1 - amount - apart * gain) + (paint + apart) * white * (1 - lost[..., None] * hue)
    left, free = shade[..., None] / 255, np.clip(1 - amount / opacity, 0, 1)
    return np.asarray(under * left + bare * free * (1 - left), np.float32)


def stained(
    under: F32, hit: F32, paint: U16, square: U16 | None, white: F32, color: F32 | None, opacity: float
) -> F64:
    """As `compositing.stain`, for light (h, w, 3) under a picture of the same size."""
    amount, own = paint[..., 3:] / 65535, paint[..., :3] / 65535
    lit = white * hit[..., None]
    if color is None:
        return np.asarray(under * (1 - amount) + own * lit, np.float64)
    both = amount * np.maximum(amount, opacity) if square is None else square[..., None] / 65535
    matt = np.minimum(both / np.maximum(amount, 1e-3), 1)
    mirrored = under * (1 - 2 * amount + both) + own * (under / color) * (1 - matt)
    plain = color * np.maximum(amount - both, 0) + own * matt
    return np.asarray(mirrored + plain * lit, np.float64)


def projected(picture: F32, matrix: F64, size: tuple[int, int]) -> F64:
    """As `pictures.project` without adding, all covered: samples of a picture for each pixel, (h, w, 4)."""
    seen = np.empty((*size, 4))
    high, wide = picture.shape[:2]
    for y, x in np.ndindex(*size):
        u, v, w = matrix @ [x + 0.5, y + 0.5, 1]
        u, v = np.clip(u / w - 0.5, 0, wide - 1), np.clip(v / w - 0.5, 0, high - 1)
        left, top = min(int(u), max(wide - 2, 0)), min(int(v), max(high - 2, 0))
        cell = picture[top : top + 2, left : left + 2].astype(np.float64)
        row = cell[:, 0] + (cell[:, -1] - cell[:, 0]) * (u - left)
        seen[y, x] = row[0] + (row[-1] - row[0]) * (v - top)
    return seen


def planes(pixels: U8, weights: NDArray[np.int32], *, full: bool) -> tuple[U8, U8, U8]:
    """As `video.planes`, for a whole frame, (h, w, 3)."""
    height, width, _ = pixels.shape
    fine = pixels.astype(np.int64) @ weights.T

    def rounded(values: NDArray[np.int64], bits: int) -> NDArray[np.int64]:
        return (values + (1 << (bits - 1))) >> bits

    luma = (16 + rounded(fine[..., 0], 15)).astype(np.uint8)
    if full:
        whole = (128 + rounded(fine, 15)).astype(np.uint8)
        return luma, whole[..., 1], whole[..., 2]
    halved = np.zeros((height // 2, width // 2, 3), np.uint8)
    for y, x in np.ndindex(height // 2, width // 2):
        rows = fine[2 * y] + fine[2 * y + 1]
        sums = rows[max(2 * x - 1, 0)] + 2 * rows[2 * x] + rows[2 * x + 1]
        halved[y, x] = 128 + rounded(sums, 18)
    return luma, halved[..., 1], halved[..., 2]


def residuals(pixels: U8) -> bytes:
    """As `residuals.pack`."""
    rows, width = pixels.shape
    padded = np.zeros((rows + 1, -(-width // 128) * 128), np.int64)
    padded[1:, :width] = pixels
    steps = (np.diff(padded, axis=0) + 128) % 256 - 128
    packed = bytearray()
    for group in np.where(steps < 0, -2 * steps - 1, 2 * steps).reshape(-1, 4, 32):
        sizes = [next(size for size in (0, 2, 4, 8) if block.max() < 1 << size) for block in group]
        packed.append(sum((0, 2, 4, 8).index(size) << (2 * place) for place, size in enumerate(sizes)))
        for block, size in zip(group, sizes, strict=True):
            parts = block.reshape(-1, 4 * size) if size else block[:0].reshape(0, 1)
            packed += bytes(
                sum(int(part[i]) << (size * k) for k, part in enumerate(parts)) for i in range(4 * size)
            )
    return bytes(packed)


def tiled(tile: I16, across: float, down: float) -> float:
    """The bilinear sample of a repeating tile at a fractional column and row."""
    column, row = math.floor(across), math.floor(down)
    x, y, side = across - column, down - row, len(tile)
    corners = [[float(tile[(row + i) % side, (column + j) % side]) for j in (0, 1)] for i in (0, 1)]
    upper, lower = (left * (1 - x) + right * x for left, right in corners)
    return upper * (1 - y) + lower * y


def outline(points: F64, way: F64) -> list[list[int]]:
    """As `shadows.outlines`, for one shape and one direction of light, by gift wrapping: the next corner of
    the outline is the one that leaves all others on one side."""
    places = sorted(
        {(int(x), int(y)) for x, y in np.rint(points[:, :2] - points[:, 2:] * way)}, key=lambda at: at[::-1]
    )
    found = [places[0]]
    while len(found) == 1 or found[-1] != found[0]:
        x, y = found[-1]
        found.append(
            next(
                (a, b)
                for a, b in places
                if (a, b) != (x, y) and all((a - x) * (d - y) >= (b - y) * (c - x) for c, d in places)
            )
        )
    return [list(place) for place in found[:-1]]


def doubled(picture: NDArray[Any]) -> NDArray[Any]:
    """A picture enlarged to twice its size with OpenCV's interpolation, as in `enlarging.lay` and
    `through`."""
    size = 2 * picture.shape[1], 2 * picture.shape[0]
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR))


def blended(code: U8, alpha: F32, under: U8) -> U8:
    """Colours (h, w, 4) with an alpha (h, w), laid over pixels (h, w, 4), as in `enlarging.lay`."""
    below = (1 - alpha) * (under[..., 3] * np.float32(1 / 255))
    mixed = np.asarray(cv2.blendLinear(code, under, alpha, below), np.uint8)
    mixed[..., 3] = (alpha + below) * np.float32(255) + np.float32(0.5)
    return mixed


def softened(light: F32, cover: F32, near: U8, low: float, high: float) -> F32:
    """Light (h, w, 3) filtered by a cubic B-spline: its roots at hard steps, less towards where `cover`
    (h, w) is a half, and light itself elsewhere where `near` (h, w) is not 0."""
    solid = np.pad(np.clip(2 * cover - 1, 0, 1), 2)
    some = np.maximum(cover, np.float32(0.5))[..., None]
    straight = light / some
    roots = np.sqrt(np.clip(np.pad(straight, ((2, 2), (2, 2), (0, 0))), 0, 1))

    def moved(values: NDArray[Any], y: int, x: int) -> NDArray[Any]:
        return values[2 + y : values.shape[0] - 2 + y, 2 + x : values.shape[1] - 2 + x]

    def step(y: int, x: int) -> F32:
        near, far = (
            moved(roots, many * y, many * x)[..., 1] - moved(roots, -many * y, -many * x)[..., 1]
            for many in (1, 2)
        )
        inside = np.min([moved(solid, many * y, many * x) for many in range(-2, 3)], axis=0)
        size = np.where(near * far > 0, np.minimum(np.abs(near), np.abs(far)), np.float32(0))
        return np.asarray(inside * np.clip((size - low) / (high - low), 0, 1), np.float32)

    share = np.maximum(step(1, 0), step(0, 1))[..., None]
    edge = ((near > 0) & (cover > 0))[..., None]
    covers = np.pad(np.maximum(cover, 0), 2)[..., None]
    # Light brighter than white does not flood the pixels beside it.
    lights = np.clip(np.pad(light, ((2, 2), (2, 2), (0, 0))), 0, covers)
    own, total, mean, whole = np.sqrt(np.maximum(straight, 0)), *(np.zeros_like(light) for _ in range(3))
    for y, row in zip((-1, 0, 1), (1, 4, 1), strict=True):
        for x, column in zip((-1, 0, 1), (1, 4, 1), strict=True):
            inside = moved(solid, y, x)[..., None] if y or x else np.float32(0)
            total += row * column / 36 * (own + inside * (moved(roots, y, x) - own))
            mean += row * column * (moved(lights, y, x) if y or x else np.maximum(light, 0))
            whole += row * column * moved(covers, y, x)
    flat = np.where(edge, mean / np.maximum(whole, 1e-6) * cover[..., None], light)
    root = np.sqrt(np.maximum(flat / some, 0))
    return np.where(share > 0, (root + (total - root) * share) ** 2 * some, flat)


def wall_met(rays: F32, wall: F32) -> tuple[F32, F32]:
    """As `wrapping.meet`, for the six values (6, h, w) of each ray."""
    u, z, n, du, dz, dn = rays
    straight, edge, reach = wall
    slope = np.float32(1e-4)
    seen = dn < -slope
    ahead = n / np.maximum(-dn, slope)
    up = z + ahead * dz
    side = np.where(seen, np.sign(up), -np.sign(dz))
    out, high = n + edge, z - side * straight
    long, half = dn * dn + dz * dz, out * dn + high * dz
    root = np.sqrt(np.maximum(half * half - long * (out * out + high * high - edge * edge), 0))
    way = -(half + root) / np.maximum(long, slope * slope)
    rise, deep = (high + way * dz) * side, out + way * dn
    beyond = (n + reach) * np.abs(dz) < (edge - side * high) * dn
    behind = np.where(deep < 0, beyond, ~seen & (rise < 0))
    rise = np.where(deep < 0, edge, np.clip(rise * (edge / np.maximum(np.hypot(rise, deep), edge)), 0, edge))
    upright = seen & (np.abs(up) <= straight)
    along = np.where(upright, u + ahead * du, np.where(behind, np.float32(1e5), u + way * du))
    return along, np.where(upright, up, side * (straight + rise))


def wrapped(picture: U16, placing: F64, along: F32, above: F32, samples: int) -> F64:
    """As `wrapping.wrap`, not rounded."""
    left, wide, top, high, first, last = placing
    columns, rows = (along - left) * wide - 0.5, np.clip((top - above) * high - 0.5, first, last)
    shown = np.zeros((along.shape[0] - 1, along.shape[1] - 1, picture.shape[2]))
    steps = (np.arange(samples) + 0.5) / samples
    padded = np.pad(picture.astype(np.float64), ((1, 1), (1, 1), (0, 0)))
    for y, x in np.ndindex(*shown.shape[:2]):
        for up, across in np.ndindex(samples, samples):
            b, a = steps[up], steps[across]
            weights = np.array([[(1 - b) * (1 - a), (1 - b) * a], [b * (1 - a), b * a]])
            column, row = ((of[y : y + 2, x : x + 2] * weights).sum() + 1 for of in (columns, rows))
            j, i = math.floor(column), math.floor(row)
            if 0 <= i < padded.shape[0] - 1 and 0 <= j < padded.shape[1] - 1:
                upper = padded[i, j] + (padded[i, j + 1] - padded[i, j]) * (column - j)
                lower = padded[i + 1, j] + (padded[i + 1, j + 1] - padded[i + 1, j]) * (column - j)
                shown[y, x] += upper + (lower - upper) * (row - i)
    return shown / samples**2


def shone(above: F32, wall: F32, leans: F32, light: F32) -> F64:
    """As `wrapping.shine`."""
    out = np.clip((np.abs(above) - wall[0]) / wall[1], 0, 1) * np.sign(above)
    lean = (out[1:, 1:] + out[1:, :-1] + out[:-1, 1:] + out[:-1, :-1]) / 4
    return np.stack([np.interp(lean, leans, channel) for channel in light.T], axis=-1)
