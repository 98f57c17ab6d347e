"""The environments, drawn: radiance (linear sRGB) by direction.

The viewer looks into -z; the glass mirrors the directions around +z, behind the camera. Most environments are
dim there, so that reflections show the device's shape without veiling the screenshot.
"""

from collections.abc import Callable

import numpy as np

from frames.generator.lights import above, angles, box, disc, glow, noise, plane, ramp, scatter, toward
from service.arrays import F64

Color = tuple[float, float, float]
Draw = Callable[[F64], F64]

#: The function that draws each environment: radiance (..., 3) for unit directions (..., 3).
ENVIRONMENTS: dict[str, Draw] = {}
#: Places of near, bright things such as a lamp or a window: azimuth, elevation, and the falloff of the light,
#: as a logarithm per radius of the body.
LAMPS: dict[str, tuple[float, float, float]] = {}
#: The `Environment.glare` of each environment. Studio lights must not turn the screen grey, but a room or a
#: street may be seen in the glass.
GLARES: dict[str, float] = {}
FLATTERING, SEEN = 0.0034, 0.005


def environment(
    azimuth: float, elevation: float, slope: float, glare: float = SEEN
) -> Callable[[Draw], Draw]:
    """Register a function that draws an environment, with the place of its lamp and its limit of glare."""

    def enter(draw: Draw) -> Draw:
        name = draw.__name__
        ENVIRONMENTS[name], LAMPS[name], GLARES[name] = draw, (azimuth, elevation, slope), glare
        return draw

    return enter


def paint(weight: F64, color: Color, strength: float = 1.0) -> F64:
    """Light of a colour: (..., 3) for weights (...)."""
    return weight[..., None] * (np.array(color) * strength)


def blend(under: F64, over: F64, weight: F64) -> F64:
    """A mix of `under` and `over`, which is `over` alone where the weight is 1."""
    return under + (over - under) * weight[..., None]


def ladder(x: F64, *steps: tuple[float, Color]) -> F64:
    """Colours (..., 3) by interpolation between (place, colour) steps in rising order."""
    places = [place for place, _ in steps]
    return np.stack([np.interp(x, places, [color[i] for _, color in steps]) for i in range(3)], axis=-1)


def table(elevation: F64, aside: F64) -> F64:
    """A pale table, dark just before the device and brightest below and behind it."""
    nearest = np.maximum(ramp(-46, -80, elevation), ramp(84, 118, aside) * ramp(-14, -46, elevation))
    return 0.30 * ramp(-22, -50, elevation) + 1.5 * nearest


def banks(d: F64) -> tuple[F64, F64]:
    """Banks of light to the left and right of the camera. They are cut off at a slant below, and fade inwards
    and downwards."""
    azimuth, elevation = angles(d)
    tall = (0.12 + 0.88 * ramp(-32, 40, elevation)) * ramp(80, 60, elevation)
    left = above(d, -44, 0, 40, 1.5) * ramp(-22, -62, azimuth) * ramp(-90, -76, azimuth)
    right = above(d, 44, 0, -40, 1.5) * ramp(22, 62, azimuth) * ramp(90, 76, azimuth)
    return left * tall, right * tall


def rims(d: F64) -> tuple[F64, F64]:
    """Strips behind the device, left and right, that draw its edges."""
    fall = 0.4 + 0.6 * ramp(-45, 40, angles(d)[1])
    return fall * box(d, -116, 8, 19, 50, 0.4), fall * box(d, 116, 8, 18, 50, 0.4)


def flagged(light: F64, elevation: F64, aside: F64) -> F64:
    """The light with black flags added beside the strips; flags break up the highlights of polished edges."""
    flags = ramp(9.5, 7, np.abs(aside - 152)) + ramp(5.5, 3.5, np.abs(aside - 87))
    return light * (1 - 0.9 * np.minimum(flags, 1) * ramp(62, 48, np.abs(elevation)))[..., None]


@environment(-44, 42, 0.5, FLATTERING)
def studio(d: F64) -> F64:
    """A product set: a key softbox, banks of light with gradients, rim strips, black flags, a pale sweep."""
    azimuth, elevation = angles(d)
    aside = np.abs(azimuth)
    # The table rises into a backdrop that is brightest overhead.
    behind = ramp(100, 165, aside) * (0.22 + 0.50 * ramp(-10, 70, elevation))
    light = paint(0.06 + table(elevation, aside) + behind, (1.0, 1.0, 1.01))
    left, right = banks(d)
    light += paint(left, (1.0, 0.985, 0.965), 1.7)
    light += paint(right, (0.965, 0.985, 1.0), 1.2)
    # The key light, the fill light and the light overhead.
    light += paint(box(d, -44, 50, 25, 15, 0.12), (1.0, 0.98, 0.95), 9.4)
    light += paint(box(d, 58, 50, 15, 14, 0.14), (0.96, 0.985, 1.0), 4.2)
    light += paint(box(d, 180, 72, 50, 20, 0.5), (1.0, 1.0, 1.0), 0.95)
    # A scrim behind the camera, also cut at a slant, which gives glass a sheen if seen from the front.
    sheen = above(d, 3, 0, 62, 1.5) * ramp(40, 8, azimuth) * ramp(-40, -10, elevation)
    light += paint(sheen * ramp(44, 16, aside), (1.0, 1.0, 1.0), 0.22)
    left, right = rims(d)
    light += paint(left, (0.98, 0.99, 1.0), 2.9)
    light += paint(right, (0.97, 0.985, 1.0), 2.5)
    return flagged(light, elevation, aside)


@environment(-64, 34, 0.62)
def window(d: F64) -> F64:
    """A white room by day: a tall window with glazing bars on the left, another behind, a pale floor."""
    azimuth, elevation = angles(d)
    aside = np.abs(azimuth)
    near = glow(d, -66, 15, 55)
    light = paint(0.08 + 0.34 * near + 0.42 * ramp(95, 170, aside), (1.0, 0.985, 0.965))
    ceiling = paint(0.60 + 1.3 * glow(d, -70, 50, 45), (1.0, 0.985, 0.965))
    light = blend(light, ceiling, ramp(52, 58, elevation + 6 * np.cos(np.radians(2 * azimuth))))
    light += paint(table(elevation, aside) * (0.55 + 0.9 * near), (1.0, 0.95, 0.89), 0.85)
    # The wall on the right bounces the light back.
    light += paint(banks(d)[1], (1.0, 0.985, 0.965), 2.3)
    for place, middle, wide, high, strength in ((-58, 25, 0.40, 0.66, 1.0), (-116, 12, 0.32, 0.9, 0.55)):
        x, y, ahead = plane(d, place, middle)
        # A sheer curtain softens the panes' edges.
        frame = (
            ramp(wide + 0.05, wide + 0.035, np.abs(x)) * ramp(high + 0.05, high + 0.035, np.abs(y)) * ahead
        )
        pane = ramp(wide, wide - 0.06, np.abs(x)) * ramp(high, high - 0.06, np.abs(y)) * ahead
        bars = ramp(0.010, 0.030, np.abs((x + 3 * wide) % wide - wide / 2))
        bars = bars * ramp(0.010, 0.030, np.abs((y + 5 * high / 2) % (high / 2) - high / 4))
        garden = (0.9, 0.95, 0.85), (2.6, 2.8, 2.7), (6.8, 6.9, 6.9), (8.2, 8.5, 8.9)
        view = ladder(y / high, *zip((-1.0, -0.55, -0.1, 0.9), garden, strict=True))
        light = blend(light, paint(0.5 + 0.2 * y, (1.0, 0.99, 0.97)), frame)
        light = blend(light, view * (1.08 * strength), pane * (0.15 + 0.85 * bars))
    light += paint(rims(d)[1], (1.0, 0.985, 0.96), 2.0)
    return flagged(light, elevation, aside)


@environment(-60, 34, 0.70)
def sunset(d: F64) -> F64:
    """A low sun on the left over the sea: a warm key, and a nearly neutral sky of dusk across from it."""
    azimuth, elevation = angles(d)
    aside = np.abs(azimuth)
    west = (1 + d @ toward(-70, 0)) / 2
    dusk = ladder(
        elevation,
        (0, (0.62, 0.55, 0.53)),
        (14, (0.46, 0.44, 0.45)),
        (50, (0.56, 0.57, 0.60)),
        (90, (0.76, 0.75, 0.76)),
    )
    fire = ladder(
        elevation,
        (0, (1.00, 0.74, 0.53)),
        (9, (1.05, 0.83, 0.65)),
        (28, (1.05, 0.93, 0.84)),
        (60, (0.81, 0.79, 0.78)),
        (90, (0.76, 0.75, 0.76)),
    )
    light = blend(dusk, fire, west**3)
    # The light is dim in front of the device, so that glass stays clear.
    light *= (1 - 0.8 * np.exp(-((azimuth / 34) ** 2) - (elevation / 34) ** 2))[..., None]
    # The sun in its haze, and clouds above it that it lights.
    light += paint(box(d, -58, 31, 22, 15, 0.5), (1.0, 0.90, 0.79), 5.7)
    light = blend(
        light, np.broadcast_to(np.array([20.0, 16.4, 12.0]), light.shape), disc(d, -64, 12, 4.5, 0.3)
    )
    light += paint(box(d, -28, 58, 34, 13, 0.6), (1.0, 0.96, 0.92), 5.0)
    light += paint(banks(d)[1], (0.93, 0.96, 1.01), 1.5)
    light += paint(box(d, 54, 48, 18, 14, 0.5), (0.94, 0.97, 1.01), 2.6)
    sea = paint(0.05 + table(elevation, aside), (0.95, 0.90, 0.87), 1.0)
    ripple = noise(d * np.array([1.0, 16.0, 1.0]), 3.0, 3)
    path = ramp(34, 4, np.abs(azimuth + 64)) * ramp(-40, -2, elevation) * (0.7 + 0.6 * ramp(0.3, 0.7, ripple))
    sea += paint(path, (1.0, 0.78, 0.56), 0.3)
    light = blend(light, sea, ramp(0.8, -0.8, elevation))
    left, right = rims(d)
    light += paint(left, (1.0, 0.78, 0.58), 4.0) + paint(right, (0.93, 0.96, 1.02), 2.2)
    return flagged(light, elevation, aside)


@environment(-48, 48, 0.60)
def city(d: F64) -> F64:
    """A street between glass towers by day: tall facades that mirror the sky, dark gaps, pale paving."""
    azimuth, elevation = angles(d)
    aside = np.abs(azimuth)
    sky = ladder(elevation, (0, (0.50, 0.54, 0.60)), (35, (0.72, 0.84, 1.0)), (90, (0.82, 0.97, 1.18)))
    light = sky * (1 - 0.55 * ramp(60, 20, aside) * ramp(60, 20, elevation))[..., None]
    # Sunlit cloud between the roofs is the key.
    light += paint(box(d, -42, 55, 27, 14, 0.5), (1.0, 0.985, 0.96), 9.6)
    light += paint(box(d, 50, 56, 16, 11, 0.5), (0.95, 0.985, 1.03), 5.0)
    # The facades: the azimuths from and to which each extends, its height and its brightness.
    for start, end, height, shade, warm in (
        (-84, -66, 44, 1.25, 0.0),
        (-64, -43, 66, 1.75, 0.03),
        (-41, -27, 34, 0.60, 0.0),
        (-24, 6, 22, 0.16, 0.0),
        (8, 26, 30, 0.22, 0.0),
        (29, 44, 42, 0.65, 0.0),
        (47, 62, 60, 1.35, -0.03),
        (65, 83, 38, 0.95, -0.02),
        (97, 134, 62, 2.3, -0.02),
        (-136, -97, 56, 2.7, 0.02),
        (138, 168, 30, 0.5, 0.0),
        (-168, -140, 34, 0.55, 0.0),
    ):
        across = ramp(start - 0.8, start + 0.8, azimuth) * ramp(end + 0.8, end - 0.8, azimuth)
        floors = np.tan(np.radians(np.clip(elevation, -60, 75))) * 9
        columns = (azimuth - start) / (end - start) * max(3, round((end - start) / 5))
        grid = ramp(0.04, 0.16, floors % 1) * ramp(0.03, 0.10, columns % 1) * ramp(0.97, 0.90, columns % 1)
        pane = scatter(np.floor(floors).astype(np.int64), np.floor(columns).astype(np.int64), np.array(start))
        tall = 0.22 + 0.78 * ramp(-30, 42, elevation)
        level = shade * tall * (0.72 + 0.28 * grid * (0.7 + 0.6 * pane))
        color = np.stack([level * (0.975 + warm), level, level * (1.025 - warm)], axis=-1)
        light = blend(light, color, across * ramp(0.6, -0.6, elevation - height))
    street = paint(0.05 + table(elevation, aside), (0.98, 1.0, 1.03), 0.9)
    light = blend(light, street, ramp(-10, -26, elevation))
    return flagged(light, elevation, aside)


@environment(-52, 42, 0.58)
def night(d: F64) -> F64:
    """A dark room with neon: a magenta and a cyan tube behind the device, a soft neutral light above."""
    azimuth, elevation = angles(d)
    aside = np.abs(azimuth)
    light = paint(0.025 + 0.09 * ramp(100, 170, aside), (0.85, 0.9, 1.25))
    light += paint(box(d, -36, 50, 31, 16, 0.4), (1.0, 0.985, 0.97), 8.8)
    light += paint(box(d, 48, 52, 14, 11, 0.4), (0.97, 0.985, 1.02), 4.6)
    light += paint(box(d, 180, 70, 44, 18, 0.5), (1.0, 0.99, 1.0), 0.8)
    left, right = banks(d)
    light += paint(left, (1.0, 0.99, 0.98), 1.1) + paint(right, (0.97, 0.985, 1.01), 0.95)
    # Tubes that dim towards the floor, so that side walls have a gradient, and the walls that they colour.
    fall = 0.05 + 0.95 * ramp(-34, 30, elevation) ** 1.5
    for place, color in ((-118, (1.0, 0.12, 0.62)), (118, (0.10, 0.78, 1.0))):
        light += paint(fall * box(d, place, 14, 4, 48, 0.3), color, 10.0)
        light += paint(fall * box(d, place, 10, 20, 50, 0.9), color, 0.8)
        light += paint(glow(d, 1.1 * place, -40, 12), color, 0.5)
    light += paint(table(elevation, aside), (0.98, 0.98, 1.02), 0.85)
    return flagged(light, elevation, aside)


@environment(-48, 48, 0.60)
def forest(d: F64) -> F64:
    """A clearing: bright sky in an opening of the leaves above, light between dark trunks, mossy ground."""
    azimuth, elevation = angles(d)
    aside = np.abs(azimuth)
    leaves, depth = noise(d, 5.0, 5), noise(d, 2.1, 3)
    green = ladder(leaves, (0.2, (0.05, 0.065, 0.04)), (0.5, (0.20, 0.25, 0.15)), (0.8, (0.56, 0.66, 0.42)))
    sun = glow(d, -42, 54, 30)
    light = green * (0.5 + 1.5 * sun + 0.6 * ramp(0, 70, elevation))[..., None]
    # Sky shows through the leaves: sparsely everywhere, and fully in the opening, which has a ragged edge.
    hole = 0.66 - 0.14 * ramp(15, 75, elevation)
    spots = ramp(-0.02, 0.06, 0.55 * leaves + 0.45 * depth - hole + 0.07) * ramp(6, 28, elevation)
    light = blend(light, paint(0.9 + 1.2 * sun, (0.97, 1.0, 0.98), 1.3), spots)
    ragged = d + 0.22 * (np.stack([noise(d, 4.0 + i, 3) for i in range(3)], axis=-1) - 0.5)
    ragged /= np.linalg.norm(ragged, axis=-1, keepdims=True)
    light = blend(
        light, paint(np.full(azimuth.shape, 8.4), (1.0, 0.99, 0.99)), box(ragged, -42, 54, 29, 18, 0.3)
    )
    light = blend(
        light, paint(np.full(azimuth.shape, 4.6), (0.98, 1.0, 1.01)), box(ragged, 54, 54, 16, 13, 0.4)
    )
    # Light between the trunks.
    left, right = banks(d)
    light += paint(left * (0.6 + 0.8 * leaves), (1.0, 1.0, 0.99), 1.5)
    light += paint(right * (0.6 + 0.8 * leaves), (0.99, 1.0, 0.98), 1.2)
    left, right = rims(d)
    light += paint(left * (0.6 + 0.8 * leaves), (1.0, 1.0, 0.94), 2.9)
    light += paint(right * (0.6 + 0.8 * leaves), (0.95, 1.0, 0.88), 2.6)
    moss = ladder(noise(d, 8.0, 4), (0.25, (0.5, 0.515, 0.45)), (0.75, (1.0, 1.015, 0.93)))
    ground = moss * (0.05 + 1.35 * table(elevation, aside))[..., None]
    light = blend(light, ground, ramp(-6, -24, elevation + 5 * (depth - 0.5)))
    for place, wide in (
        (-153, 8),
        (-132, 2.5),
        (-87, 5),
        (-66, 2.2),
        (-30, 5),
        (4, 7),
        (33, 4),
        (88, 5),
        (124, 3),
        (152, 8),
    ):
        bend = azimuth - place + 5 * (depth - 0.5) + 0.04 * elevation
        trunk = (
            ramp(wide + 1.2, wide - 1.2, np.abs(bend)) * ramp(62, 40, elevation) * ramp(-34, -22, elevation)
        )
        bark = paint(0.035 + 0.10 * ramp(wide, -wide, bend) * leaves, (1.0, 0.92, 0.80))
        light = blend(light, bark, trunk)
    # The light is dim in front of the device, so that glass stays clear.
    return light * (1 - 0.75 * np.exp(-((azimuth / 32) ** 2) - (elevation / 28) ** 2))[..., None]


@environment(-24, 58, 0.62, FLATTERING)
def softbox(d: F64) -> F64:
    """One huge softbox overhead with graded edges, above a white table in a dark room."""
    azimuth, elevation = angles(d)
    aside = np.abs(azimuth)
    # The softbox extends from in front of the camera to behind the device, and is brightest left of its
    # middle.
    x, y, ahead = plane(d, -20, 66)
    edge = np.hypot(np.maximum(np.abs(x) - 0.55, 0), np.maximum(np.abs(y) - 0.35, 0))
    light = paint(np.full(x.shape, 0.05), (1.0, 1.0, 1.01))
    light += paint(ahead * ramp(0.85, 0.0, edge) * (0.75 + 0.25 * ramp(1.2, -1.2, x)), (1.0, 1.0, 1.0), 5.2)
    light += paint(1.25 * table(elevation, aside) + 0.3 * ramp(100, 165, aside), (1.0, 1.0, 1.0))
    # White cards at the sides; the left one fades faster.
    left, right = banks(d)
    light += paint(1.15 * left**1.3 + 0.65 * right, (1.0, 1.0, 1.0))
    left, right = rims(d)
    light += paint(left + right, (1.0, 1.0, 1.0), 1.9)
    return flagged(light, elevation, aside)


@environment(-28, 54, 0.62, FLATTERING)
def strip(d: F64) -> F64:
    """A black room: tall strips left and right behind the device, and a long one before and above it."""
    azimuth, elevation = angles(d)
    aside = np.abs(azimuth)
    light = paint(np.full(azimuth.shape, 0.03), (1.0, 1.0, 1.02))
    light += paint(box(d, -12, 50, 58, 8, 0.35), (1.0, 0.99, 0.98), 9.5)
    # Walls of upright devices mirror elevations from about 10 at their top to -10 at their bottom. The panels
    # behind dim between these, so that light runs along a wall, and end above, so that it breaks at a corner.
    fall = 0.05 + 0.95 * ramp(-13, 16, elevation)
    light += paint(fall * box(d, -121, 12, 22, 38, 0.6), (1.0, 0.99, 0.98), 6.5)
    light += paint(fall * box(d, 121, 12, 22, 38, 0.6), (0.98, 0.99, 1.0), 6.5)
    # Scrims in front of the device, cut off at a slant, so that black glass mirrors one bright shape and is
    # black beside it. Thin strips beyond them draw lines on edges.
    scrim = ramp(30, 80, aside) * ramp(92, 84, aside) * ramp(70, 50, elevation)
    left, right = above(d, -61, 0, 62, 1.5) * (azimuth < 0), above(d, 61, 0, -62, 1.5) * (azimuth > 0)
    light += paint(scrim * left, (1.0, 0.99, 0.98), 0.9)
    light += paint(scrim * right, (0.98, 0.99, 1.0), 0.75)
    fall = 0.5 + 0.5 * ramp(-50, 45, elevation)
    light += paint(fall * box(d, -84, 16, 4, 44, 0.5), (1.0, 0.99, 0.98), 3.2)
    light += paint(fall * box(d, 85, 16, 4, 44, 0.5), (0.98, 0.99, 1.0), 2.6)
    light += paint(table(elevation, aside), (1.0, 1.0, 1.0), 0.6)
    return light


@environment(-36, 54, 0.76, FLATTERING)
def spotlight(d: F64) -> F64:
    """One small hard lamp from the upper left in a dark room, its pool on the table, a faint rim behind."""
    azimuth, elevation = angles(d)
    aside = np.abs(azimuth)
    light = paint(0.13 + 0.50 * ramp(110, 170, aside) * ramp(-10, 50, elevation), (0.97, 0.99, 1.03))
    light += paint(disc(d, -36, 50, 9, 0.2), (1.0, 0.975, 0.94), 54.0)
    light += paint(glow(d, -36, 50, 9), (1.0, 0.975, 0.94), 2.0)
    # A faint fill, so that shadows are not black.
    light += paint(box(d, 40, 40, 40, 30, 0.9), (0.97, 0.99, 1.03), 0.35)
    left, right = banks(d)
    light += paint(0.7 * left + 0.5 * right, (0.98, 0.99, 1.02))
    left, right = rims(d)
    light += paint(0.9 * left + 2.4 * right, (0.97, 0.99, 1.02))
    pool = 0.25 + 0.75 * disc(d, 0, -80, 50, 0.6)
    light += paint(table(elevation, aside) * pool, (1.0, 0.98, 0.95), 0.75)
    return flagged(light, elevation, aside)
