"""Sheets of described consoles: a screen between two ends with sticks, a cross and buttons."""

from __future__ import annotations

from collections.abc import Iterator

from ..device import Pair
from ..families.sheet import Button, Console, Control
from .handheld import ID, SURFACES, finish, panel
from .kinds import END
from .measures import Measured

USUAL = 110.0  # mm; the height of a console with these controls
LETTERS = (("a", (0.0, -1.0)), ("b", (1.0, 0.0)), ("x", (0.0, 1.0)), ("y", (-1.0, 0.0)))


def console(made: Measured) -> Console:
    """The sheet of a described console, whose back is flat."""
    width, height, depth = made.body
    scale = min(height / USUAL, 1.2)
    around = min(*made.bezel, 6.0) - 0.5
    glass = made.screen[0] + 2 * around, made.screen[1] + 2 * around
    bumper = {"length": 30.0 * scale, "width": round(0.4 * depth, 4), "protrusion": 1.8, "edge": 1.4}
    aside = 8.0 * scale + 15.0 * scale
    surface = SURFACES[made.description.material][0]
    return Console(
        id=ID,
        name="Custom console",
        brand=None,
        category="console",
        year=None,
        screen=panel(made),
        finishes=(finish(made),),
        body=made.body,
        thickness=depth,
        radius=round(min(12.0 * scale, 0.3 * height), 4),
        edge=round(min(3.0, 0.3 * depth), 4),
        frame=surface,
        back=surface,
        glass=_near(glass),
        glass_radius=round(min(made.radius + around, 4.0), 4),
        controls=tuple(_controls((width - END) / 2, height, scale)),
        buttons=tuple(
            Button(side="top", name=f"bumper-{name}", center=round(at, 4), **bumper)
            for name, at in (("left", aside), ("right", width - aside))
        ),
    )


def _controls(out: float, height: float, scale: float) -> Iterator[Control]:
    """The controls at both ends, whose middles are `out` mm from the console's."""
    high, low = 0.2 * height, -0.16 * height
    stick, button = round(17.0 * scale, 4), round(8.5 * scale, 4)
    yield Control(kind="stick", at=_near((-out, high)), size=(stick, stick))
    yield Control(kind="cross", at=_near((-out, low)), size=_near((21.0 * scale, 21.0 * scale)))
    for letter, (x, y) in LETTERS:
        at = out + 9.0 * scale * x, high + 9.0 * scale * y
        yield Control(kind="button", at=_near(at), size=(button, button), legend=letter)
    yield Control(kind="stick", at=_near((out, low)), size=(stick, stick))
    for side in (-1, 1):
        at = side * (out - 14.0 * scale), height / 2 - 8.0 * scale
        yield Control(kind="key", at=_near(at), size=_near((6.0 * scale, 2.6 * scale)))


def _near(pair: Pair) -> Pair:
    return round(pair[0], 4), round(pair[1], 4)
