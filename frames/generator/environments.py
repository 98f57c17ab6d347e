"""The seven environments, drawn: radiance (linear sRGB) by direction.

The viewer looks into -z; what the glass mirrors to them lies around +z, behind the camera. There most
environments are dim, so that a reflection shapes the device without veiling the screenshot.
"""

from collections.abc import Callable

import numpy as np

from frames.generator.lights import above, angles, box, disc, glow, noise, plane, ramp, scatter
from service.arrays import F64

Color = tuple[float, float, float]


def paint(weight: F64, color: Color, strength: float = 1.0) -> F64:
    """Light of a colour: (..., 3) for weights (...)."""
    return weight[..., None] * (np.array(color) * strength)


def blend(under: F64, over: F64, weight: F64) -> F64:
    """`over` laid on `under` where the weight is 1."""
    return under + (over - under) * weight[..., None]


def ladder(x: F64, *steps: tuple[float, Color]) -> F64:
    """Colours (..., 3) by interpolation between (place, colour) steps in rising order."""
    places = [place for place, _ in steps]
    return np.stack([np.interp(x, places, [color[i] for _, color in steps]) for i in range(3)], axis=-1)


def studio(d: F64) -> F64:
    """A product set: a key softbox, banks of light with gradients, rim strips, black flags, a pale sweep."""
    azimuth, elevation = angles(d)
    aside = np.abs(azimuth)
    # The sweep: a table, dark before the device, that rises into a backdrop, brightest overhead.
    behind = ramp(100, 165, aside) * (0.22 + 0.50 * ramp(-10, 70, elevation))
    table = 0.30 * ramp(-22, -50, elevation) + 1.5 * np.maximum(
        ramp(-46, -80, elevation), ramp(84, 118, aside) * ramp(-14, -46, elevation)
    )
    light = paint(0.06 + table + behind, (1.0, 1.0, 1.01))
    # Banks left and right of the camera, cut off slantwise below, paling towards the camera and the table.
    tall = (0.12 + 0.88 * ramp(-32, 40, elevation)) * ramp(80, 60, elevation)
    left = above(d, -44, 0, 40, 1.5) * ramp(-22, -62, azimuth) * ramp(-90, -76, azimuth)
    right = above(d, 44, 0, -40, 1.5) * ramp(22, 62, azimuth) * ramp(90, 76, azimuth)
    light += paint(left * tall, (1.0, 0.985, 0.965), 1.7)
    light += paint(right * tall, (0.965, 0.985, 1.0), 1.2)
    # Key, fill and the light overhead.
    light += paint(box(d, -44, 50, 25, 15, 0.12), (1.0, 0.98, 0.95), 9.4)
    light += paint(box(d, 58, 50, 15, 14, 0.14), (0.96, 0.985, 1.0), 4.2)
    light += paint(box(d, 180, 72, 50, 20, 0.5), (1.0, 1.0, 1.0), 0.95)
    # A scrim behind the camera, also cut slantwise: the sheen of glass seen from ahead.
    sheen = above(d, 3, 0, 62, 1.5) * ramp(40, 8, azimuth) * ramp(-40, -10, elevation)
    light += paint(sheen * ramp(44, 16, aside), (1.0, 1.0, 1.0), 0.22)
    # Strips behind the device draw its edges, and black flags beside them break them.
    fall = 0.4 + 0.6 * ramp(-45, 40, elevation)
    light += paint(fall * box(d, -116, 8, 19, 50, 0.4), (0.98, 0.99, 1.0), 2.9)
    light += paint(fall * box(d, 116, 8, 18, 50, 0.4), (0.97, 0.985, 1.0), 2.5)
    flags = ramp(9.5, 7, np.abs(aside - 152)) + ramp(5.5, 3.5, np.abs(aside - 87))
    return light * (1 - 0.9 * np.minimum(flags, 1) * ramp(62, 48, np.abs(elevation)))[..., None]


def window(d: F64) -> F64:
    """A plain room by day: two tall windows with glazing bars on the left, wooden floor, white ceiling."""
    azimuth, elevation = angles(d)
    near = glow(d, -78, 15, 70)
    walls = paint(0.16 + 0.34 * near, (1.0, 0.955, 0.89))
    ceiling = paint(0.36 + 0.75 * near, (1.0, 0.97, 0.93))
    boards = 0.85 + 0.3 * scatter(np.floor(plane(d, 0, -89)[0] * 6).astype(np.int64))
    floor = paint((0.10 + 0.16 * near) * boards, (1.0, 0.66, 0.40))
    light = blend(walls, ceiling, ramp(50, 54, elevation + 6 * np.cos(np.radians(2 * azimuth))))
    light = blend(light, floor, ramp(-30, -33, elevation + 5 * np.cos(np.radians(2 * azimuth))))
    for place in (-58, -108):
        x, y, ahead = plane(d, place, 25)
        frame = ramp(0.40, 0.39, np.abs(x)) * ramp(0.60, 0.59, np.abs(y)) * ahead
        pane = ramp(0.345, 0.330, np.abs(x)) * ramp(0.545, 0.530, np.abs(y)) * ahead
        bars = ramp(0.004, 0.026, np.abs(np.abs(x) - 0.112)) * ramp(
            0.010, 0.020, np.abs((y + 0.818) % 0.182 - 0.091)
        )
        garden = (2.6, 3.0, 2.3), (4.8, 5.2, 5.0), (9.4, 9.8, 10.0), (8.4, 9.6, 11.2)
        view = ladder(y, *zip((-0.55, -0.30, -0.26, 0.54), garden, strict=True))
        light = blend(light, paint(0.45 + 0.1 * y, (1.0, 0.98, 0.95)), frame)
        light = blend(light, view, pane * bars)
    x, y, ahead = plane(d, 35, -52)
    spill = ahead * ramp(0.34, 0.28, np.abs(x + 0.35 * y)) * ramp(0.4, 0.34, np.abs(y))
    return light + paint(spill * ramp(0.02, 0.05, np.abs(x + 0.35 * y)), (1.0, 0.72, 0.45), 1.3)


def sunset(d: F64) -> F64:
    """A low sun on the left over the sea: orange to violet sky, its glitter on dark water."""
    azimuth, elevation = angles(d)
    west = (1 + d @ np.array([np.sin(np.radians(-78)), 0.0, np.cos(np.radians(-78))])) / 2
    dusk = ladder(
        elevation,
        (0, (0.42, 0.26, 0.34)),
        (14, (0.30, 0.24, 0.42)),
        (50, (0.16, 0.20, 0.48)),
        (90, (0.10, 0.16, 0.40)),
    )
    fire = ladder(
        elevation,
        (0, (3.6, 1.15, 0.25)),
        (7, (3.3, 1.35, 0.42)),
        (20, (1.9, 0.95, 0.75)),
        (50, (0.75, 0.55, 0.85)),
        (90, (0.24, 0.28, 0.58)),
    )
    light = blend(dusk, fire, west**1.7)
    streak = noise(d * np.array([1.0, 7.0, 1.0]), 2.2, 4)
    clouds = ramp(0.52, 0.66, streak) * ramp(3, 14, elevation) * ramp(75, 40, elevation)
    light = blend(light, light * 0.55 + paint(west**3, (2.6, 0.85, 0.55)), clouds * 0.8)
    light += paint(glow(d, -78, 8, 11), (1.0, 0.50, 0.16), 6.0)
    light = blend(
        light, np.broadcast_to(np.array([34.0, 21.0, 9.0]), light.shape), disc(d, -78, 8, 4.0, 0.15)
    )
    sea = paint(0.5 + 0.5 * ramp(-60, 0, elevation), (0.10, 0.085, 0.13)) + paint(west**3, (0.26, 0.11, 0.05))
    ripple = noise(d * np.array([1.0, 16.0, 1.0]), 3.0, 3)
    path = ramp(16, 3, np.abs(azimuth + 78)) * ramp(-46, -2, elevation) * ramp(0.38, 0.62, ripple)
    sea += paint(path, (1.0, 0.46, 0.15), 7.0)
    return blend(light, sea, ramp(0.4, -0.4, elevation))


def city(d: F64) -> F64:
    """A street between towers by a clear day: bright sky overhead, rows of windows that mirror it."""
    azimuth, elevation = angles(d)
    sky = ladder(elevation, (0, (0.95, 1.02, 1.1)), (30, (0.66, 0.90, 1.25)), (90, (0.36, 0.66, 1.25)))
    sky += paint(glow(d, -52, 56, 12), (1.0, 0.96, 0.88), 3.0)
    sky += paint(disc(d, -52, 56, 7, 0.5), (1.0, 0.95, 0.86), 22.0)
    light = sky
    for row, (wide, low, high, shade) in enumerate(((9.0, 6.0, 30.0, 0.40), (17.0, 14.0, 62.0, 0.26))):
        shifted = azimuth + 180 + 4.0 * row
        tower = np.floor(shifted / wide).astype(np.int64)
        chance = scatter(tower, np.array(row))
        height = low + (high - low) * chance**1.3
        height = np.where(scatter(tower, np.array(row + 7)) < (0.10, 0.34)[row], -5.0, height)
        story = np.tan(np.radians(np.clip(elevation, -60, 80))) * (20.0, 13.0)[row]
        column = shifted / wide * (6, 7)[row]
        pane = ramp(0.16, 0.24, story % 1) * ramp(0.10, 0.18, column % 1) * ramp(0.98, 0.9, column % 1)
        lit = scatter(np.floor(story).astype(np.int64), np.floor(column).astype(np.int64), np.array(row))
        facing = 0.6 + 0.4 * np.cos(np.radians(azimuth + 55))
        hue = np.stack([0.62 + 0.2 * chance, 0.62 + 0.1 * chance, np.full(chance.shape, 0.66)], axis=-1)
        wall = hue * (shade * facing)[..., None]
        glass = paint(0.25 + 0.75 * lit**3, (0.62, 0.80, 1.0), shade * 2.3)
        light = blend(light, blend(wall, glass, pane * 0.85), ramp(0.25, -0.25, elevation - height))
    street = paint(0.16 + 0.10 * ramp(-60, -5, elevation), (0.95, 0.97, 1.0))
    light = blend(light, street, ramp(0.5, -0.5, elevation + 4))
    quiet = np.exp(-((azimuth / 62) ** 2 + (elevation / 30) ** 2))
    return light * (1.35 - 0.97 * quiet)[..., None]


def night(d: F64) -> F64:
    """A dark street: magenta and cyan neon at the sides, warm lamps in a row, wet ground."""
    _, elevation = angles(d)
    upper = np.stack([d[..., 0], np.abs(d[..., 1]), d[..., 2]], axis=-1)

    def lamps(d: F64) -> F64:
        light = paint(ramp(0, 70, elevation), (0.012, 0.018, 0.05)) + paint(
            glow(d, 0, 0, 60), (0.02, 0.018, 0.045)
        )
        light += paint(box(d, -82, 26, 4, 38, 0.15), (1.0, 0.05, 0.62), 12.0)
        light += paint(glow(d, -82, 24, 16), (1.0, 0.08, 0.62), 0.7)
        light += paint(box(d, 84, 30, 3.5, 42, 0.15), (0.05, 0.72, 1.0), 11.0)
        light += paint(glow(d, 84, 28, 16), (0.06, 0.70, 1.0), 0.6)
        light += paint(box(d, -150, 24, 22, 3, 0.2), (0.35, 0.22, 1.0), 9.0)
        light += paint(box(d, 146, 10, 3, 30, 0.2), (1.0, 0.42, 0.10), 7.0)
        for azimuth, height, size in (
            (-48, 60, 6.0),
            (-15, 66, 5.0),
            (28, 62, 5.0),
            (58, 50, 4.0),
            (-112, 44, 4.0),
            (112, 40, 4.0),
        ):
            light += paint(disc(d, azimuth, height, size, 0.4), (1.0, 0.70, 0.36), 16.0)
            light += paint(glow(d, azimuth, height, 7), (1.0, 0.62, 0.28), 0.8)
        return light

    wet = lamps(upper) * (0.05 + 0.16 * noise(d, 9.0, 3))[..., None] + np.array([0.008, 0.008, 0.012])
    return blend(lamps(d), wet, ramp(1, -3, elevation)) * 1.3


def forest(d: F64) -> F64:
    """A clearing among trees: sky through the leaves above, dark trunks all round, mossy ground."""
    azimuth, elevation = angles(d)
    leaves = noise(d, 5.0, 5)
    depth = noise(d, 2.1, 3)
    green = ladder(leaves, (0.2, (0.015, 0.035, 0.012)), (0.5, (0.10, 0.21, 0.05)), (0.8, (0.42, 0.62, 0.16)))
    sun = glow(d, -52, 56, 30)
    green = green * (0.55 + 2.6 * sun + 0.5 * ramp(0, 70, elevation))[..., None]
    hole = 0.69 - 0.17 * ramp(15, 75, elevation) - 0.20 * disc(d, -48, 55, 22, 0.9)
    sky = paint(0.7 + 2.4 * sun + 0.2 * ramp(20, 80, elevation), (0.92, 1.0, 0.93), 1.3)
    open_ = ramp(-0.015, 0.03, 0.55 * leaves + 0.45 * depth - hole + 0.07) * ramp(2, 25, elevation)
    light = blend(green, sky, open_)
    light += paint(disc(d, -52, 54, 5, 0.5) * (0.4 + 0.6 * open_), (1.0, 0.93, 0.72), 14.0)
    for count, wide, shade in ((26, 0.10, 0.7), (13, 0.17, 0.35)):
        place = (azimuth + 180) / 360 * count + 0.35 * (depth - 0.5)
        trunk = np.floor(place).astype(np.int64) % count
        middle = 0.3 + 0.4 * scatter(trunk, np.array(count))
        across = (place % 1 - middle) / wide / (0.7 + 0.6 * scatter(trunk, np.array(count + 1)))
        bark = paint(0.05 + 0.16 * ramp(0.2, -1, across) + 0.05 * leaves, (1.0, 0.78, 0.55), 0.6 + shade)
        light = blend(
            light, bark, ramp(1.1, 0.95, np.abs(across)) * ramp(58, 30, elevation) * ramp(-9, -5, elevation)
        )
    moss = ladder(
        noise(d, 8.0, 4), (0.25, (0.03, 0.035, 0.012)), (0.55, (0.11, 0.14, 0.03)), (0.8, (0.34, 0.34, 0.11))
    )
    light = blend(light, moss * (0.8 + 1.6 * sun)[..., None], ramp(-3, -8, elevation + 6 * (depth - 0.5)))
    quiet = np.exp(-((azimuth / 55) ** 2 + (elevation / 26) ** 2))
    return light * (1.35 - 0.8 * quiet)[..., None]


def softbox(d: F64) -> F64:
    """A white light tent, brighter above, with the dark opening that the camera looks through."""
    azimuth, elevation = angles(d)
    tent = 0.80 + 1.0 * ramp(-40, 85, elevation) + 1.3 * glow(d, -50, 50, 36)
    seam = ramp(0.4, 1.6, np.abs(elevation - 62 + 6 * np.cos(np.radians(4 * azimuth))))
    light = paint(tent * (0.8 + 0.2 * seam), (1.0, 1.0, 1.0))
    x, y, ahead = plane(d, 0, 0)
    opening = ahead * ramp(1.15, 0.95, (np.abs(x / 1.9) ** 3 + np.abs(y / 0.62) ** 3) ** (1 / 3))
    light = blend(light, paint(np.full(x.shape, 0.07), (1.0, 1.0, 1.05)), opening)
    flags = ramp(6.5, 5, np.abs(np.abs(azimuth) - 104)) * ramp(70, 62, np.abs(elevation))
    return light * (1 - 0.93 * flags)[..., None]


ENVIRONMENTS: dict[str, Callable[[F64], F64]] = {
    "studio": studio,
    "window": window,
    "sunset": sunset,
    "city": city,
    "night": night,
    "forest": forest,
    "softbox": softbox,
}
