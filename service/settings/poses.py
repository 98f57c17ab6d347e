"""Named poses: the rotation, view and framing of each category of device.

Left and right are the viewer's: `hero-left` turns the glass to the left. Laptops, standing screens and
watches are turned on a level table and seen from above, except in `floating`; devices held or hung are turned
freely.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

from ..devices.categories import CATEGORIES
from ..devices.device import Category, Vector
from ..validation.names import Names, index

Framing = Literal["auto", "upright", "posed", "balanced"]

SPAN = 0.78  # share of the canvas that the upright device spans at scale 1
MARGIN = 0.04  # share of the canvas that `auto` and `balanced` framing keep free along each edge
SIGMAS = 2.0  # sigmas of a shadow's blur beyond which the shadow is too faint to look cut off
ON_FLOOR = 0.09, 0.04  # share of the short side that is kept free below and beside a device on a floor
NEAREST = 1.25  # the camera's least distance from a device's middle, in radii of its bounding sphere
SLOPE = 20.0  # degrees; how far a laptop's deck slopes to the viewer when its lid faces straight ahead
LENS = 16.0  # degrees; the field of view of a portrait lens, 85 mm on a full frame


class Turn(NamedTuple):
    """Turn and field of view in degrees, and framing: the part of `deviceTransform` that a pose sets."""

    rotation_x: float
    rotation_y: float
    rotation_z: float
    field_of_view: float = 30.0
    framing: Framing = "posed"

    def turned(self, vector: Vector) -> Vector:
        """A vector of the device in camera space: turned about z, then y, then x."""
        x, y, z = vector
        for a, b, c in ((self.rotation_z, 0, 1), (self.rotation_y, 2, 0), (self.rotation_x, 1, 2)):
            at, cos, sin = [x, y, z], math.cos(math.radians(a)), math.sin(math.radians(a))
            at[b], at[c] = at[b] * cos - at[c] * sin, at[b] * sin + at[c] * cos
            x, y, z = at
        return x, y, z


@dataclass(frozen=True, slots=True)
class Pose:
    """A pose: its description, and its view for each category of device."""

    description: str
    views: Mapping[Category, Turn]


def _pose(description: str, held: Turn, laptop: Turn, standing: Turn, window: Turn | None = None) -> Pose:
    """A pose's view for each category of device.

    Watches stand on their straps, in the view of screens on stands. Windows are `held` by default. The
    display of a turned laptop is on one side of the box around the laptop, and the nearer half of a turned
    console, which is wide, is much larger than the other. Their visual weight is centred instead of their
    box.
    """
    views = {
        "held": held,
        "laptop": laptop._replace(framing="balanced"),
        "standing": standing,
        "strap": standing,
        "window": window or held,
    }
    found = {name: views[facts.stance] for name, facts in CATEGORIES.items()}
    found["console"] = held._replace(framing="balanced")
    return Pose(description, MappingProxyType(found))


def _pair(
    name: str, description: str, held: Turn, laptop: Turn, standing: Turn, window: Turn | None = None
) -> dict[str, Pose]:
    """A pose to the left, as given, and its mirror image to the right."""
    left = (held, laptop, standing, window)
    right = (_mirrored(held), _mirrored(laptop), _mirrored(standing), window and _mirrored(window))
    return {
        f"{name}-left": _pose(description.format("left"), *left),
        f"{name}-right": _pose(description.format("right"), *right),
    }


def _mirrored(view: Turn) -> Turn:
    return view._replace(rotation_y=-view.rotation_y or 0.0, rotation_z=-view.rotation_z or 0.0)


def _table(above: float, turn: float = 0.0, field_of_view: float = LENS) -> Turn:
    """The view of an open laptop on a level table, from `above` and turned by less than 90 degrees.

    The turn is Rx(above)·Ry(turn)·Rx(-SLOPE), written as Rx·Ry·Rz and rounded to a tenth of a degree.
    """
    up, around, slope = map(math.radians, (above, turn, SLOPE))
    across = math.sin(around), math.cos(around)
    x = math.atan2(
        math.sin(up) * across[1] * math.cos(slope) - math.cos(up) * math.sin(slope),
        math.cos(up) * across[1] * math.cos(slope) + math.sin(up) * math.sin(slope),
    )
    y = math.asin(across[0] * math.cos(slope))
    z = math.atan2(across[0] * math.sin(slope), across[1])
    x, y, z = (round(math.degrees(angle), 1) for angle in (x, y, z))
    return Turn(x, y, z, field_of_view)


# Product photographs are taken with normal or long lenses: 22 degrees are 62 mm on a full frame, 36 are 37.
# A wide one, from near by, makes phones look like wedges and the decks of laptops flare.
POSES: Mapping[str, Pose] = MappingProxyType(
    {
        "front": _pose("from straight ahead", Turn(0, 0, 0), _table(22, 0, 12), Turn(0, 0, 0)),
        **_pair(
            "turned",
            "turned a little to the {}",
            Turn(0, -22, 0, 22),
            _table(18, -20),
            Turn(3, -22, 0, 22),
        ),
        **_pair(
            "hero",
            "turned to the {}, seen from a little above",
            Turn(10, -34, 6, 22),
            _table(20, -30),
            Turn(7, -32, 0, 22),
            Turn(8, -28, 3, 20),
        ),
        **_pair(
            "isometric",
            "isometric: lying, the top to the {0}; what stands is turned to the {0}",
            Turn(-54.7, 0, 45, 0),
            _table(35.2, -45, 0),
            Turn(35.3, -45, 0, 0),
        ),
        **_pair(
            "diagonal",
            "lying and receding, the top to the {0}; what stands is seen from above, turned to the {0}",
            Turn(-42, 0, 32, 26),
            _table(42, -38, 22),
            Turn(24, -36, 0, 26),
            Turn(-40, 0, 24, 26),
        ),
        **_pair(
            "tilt", "facing the viewer, tilted to the {}", Turn(0, 0, 12), Turn(0, 0, 8, LENS), Turn(0, 0, 8)
        ),
        **_pair(
            "dramatic",
            "turned far to the {} and seen from near by",
            Turn(-8, -46, -6, 36),
            _table(15, -42, 30),
            Turn(4, -44, 0, 36),
            Turn(-6, -40, -4, 36),
        ),
        **_pair(
            "three-quarter",
            "held and tilted, turned to the {0}; what stands is seen from above, turned to the {0}",
            Turn(18, -26, 14, 25),
            _table(24, -28, 20),
            Turn(12, -28, 0, 25),
        ),
        "floating": _pose(
            "floating, tilted to all sides", Turn(18, -26, 14, 25), Turn(14, -24, 6, 22), Turn(12, -26, 6, 25)
        ),
        "flat-lay": _pose(
            "lying on a table, seen from above", Turn(-20, 0, 16, 18), _table(68), Turn(30, 0, 0, 18)
        ),
        "lean-back": _pose(
            "the top leaning back; what stands is seen from low down",
            Turn(-27, 0, 0, 22),
            _table(17, 0, 12),
            Turn(3, 0, 0, 22),
        ),
        "lean-forward": _pose(
            "the top leaning forward, seen from above",
            Turn(26, 0, 0, 22),
            _table(38),
            Turn(14, 0, 0, 22),
        ),
        "low-angle": _pose(
            "looked up at, turned a little to the left",
            Turn(-24, -22, -4, 36),
            _table(8, -18, 28),
            Turn(-10, -22, 0, 36),
        ),
        "high-angle": _pose(
            "looked down at, turned a little to the left",
            Turn(27, -22, 6, 22),
            _table(50, -20, 20),
            Turn(26, -22, 0, 22),
        ),
        "edge": _pose(
            "almost from the side, showing how thin it is",
            Turn(0, -76, 0, 20),
            _table(14, -76),
            Turn(4, -78, 0, 20),
        ),
        "back": _pose("from behind", Turn(0, 180, 0), Turn(40, 180, 0, LENS), Turn(0, 180, 0)),
        **_pair(
            "back",
            "from behind, the back turned to the {}",
            # The back leans away a little. If it did not, dark backs would mirror the dark table; if it
            # did more, the key light would bleach light backs.
            Turn(-2, 151, -1.5),
            Turn(44.8, 152, -11.2, LENS),
            Turn(6, 150, 0),
            Turn(6, 150, 0),
        ),
    }
)
_BY_NAME = index(POSES)

#: Names of poses, as settings and addresses give them.
POSE_NAMES = Names("pose", "a pose's name", lambda: _BY_NAME, "GET /api/v1/poses")
