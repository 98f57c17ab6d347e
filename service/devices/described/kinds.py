"""The kinds of devices that can be described, with the usual and the possible measures of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ..device import Pair
from .description import CutoutForm, KindName

# A laptop's hinge strip below the bezel, and how far its deck reaches behind the hinge's axis, mm.
BAND, OVERHANG = 8.6, 7.3
# The width of each end of a console beside the screen, with its controls, mm.
END = 52.0


class Sides(NamedTuple):
    """Lengths at the four sides, mm."""

    top: float
    right: float
    bottom: float
    left: float


def _same(width: float, height: float) -> Pair:
    return width, height


@dataclass(frozen=True, slots=True)
class DeviceKind:
    """Numbers for a kind, in mm.

    Usual values: the screen's `diagonal` and corner `radius`, and the `bezel`. Limits: the
    `least_bezel`, the `sizes` of a body's sides, its `depth` (least, usual, most), the `cutouts` that a
    screen may have, and whether a `camera` may be on the back. Each side may have a bezel of its own, but
    sides that are `alike` share one. `around` gives the body's width and height for those of screen and
    bezel, `room` is its inverse; `top_share` is the share of spare height that the top bezel gets. A `bare`
    kind consists of its screen and takes no other members. The screen of a `wide` kind is at least as wide as
    high.
    """

    diagonal: float
    radius: float
    bezel: Sides
    least_bezel: float
    sizes: tuple[float, float]
    depth: tuple[float, float, float]
    cutouts: tuple[CutoutForm, ...] = ("none",)
    camera: bool = False
    alike: tuple[tuple[str, str], ...] = ()
    top_share: float = 0.5
    around: Callable[[float, float], Pair] = _same
    room: Callable[[float, float], Pair] = _same
    bare: bool = False
    wide: bool = False


_BARE = DeviceKind(320.0, 2.5, Sides(0, 0, 0, 0), 0.0, (0.0, 3000.0), (1.0, 1.0, 1.0), bare=True)

KINDS: Mapping[KindName, DeviceKind] = {
    "phone": DeviceKind(
        diagonal=160.0,
        radius=9.0,
        bezel=Sides(2.4, 2.4, 2.4, 2.4),
        least_bezel=0.8,
        sizes=(30.0, 300.0),
        depth=(4.0, 8.0, 30.0),
        cutouts=("none", "island", "notch", "hole"),
        camera=True,
    ),
    "tablet": DeviceKind(
        diagonal=280.0,
        radius=4.5,
        bezel=Sides(8.6, 8.6, 8.6, 8.6),
        least_bezel=0.8,
        sizes=(80.0, 600.0),
        depth=(4.0, 6.0, 30.0),
        cutouts=("none", "island", "notch", "hole"),
        camera=True,
    ),
    "foldable": DeviceKind(
        diagonal=203.0,
        radius=2.2,
        bezel=Sides(3.8, 3.8, 3.8, 3.8),
        least_bezel=1.6,
        sizes=(60.0, 400.0),
        depth=(3.5, 4.6, 20.0),
        cutouts=("none", "hole"),
        camera=True,
    ),
    "laptop": DeviceKind(
        diagonal=360.0,
        radius=2.0,
        bezel=Sides(5.4, 5.1, 3.5, 5.1),
        least_bezel=2.0,
        sizes=(150.0, 600.0),
        depth=(8.0, 15.5, 40.0),
        cutouts=("none", "notch", "hole"),
        alike=(("left", "right"),),
        top_share=0.0,
        around=lambda width, height: (width, height + BAND + OVERHANG),
        room=lambda width, height: (width, height - BAND - OVERHANG),
    ),
    "monitor": DeviceKind(
        diagonal=685.0,
        radius=0.0,
        bezel=Sides(7.5, 7.5, 12.0, 7.5),
        least_bezel=2.0,
        sizes=(150.0, 2600.0),
        depth=(8.0, 20.0, 100.0),
        alike=(("left", "right"),),
        top_share=0.0,
    ),
    "tv": DeviceKind(
        diagonal=1397.0,
        radius=0.0,
        bezel=Sides(7.0, 7.0, 10.0, 7.0),
        least_bezel=2.0,
        sizes=(300.0, 3000.0),
        depth=(10.0, 26.0, 100.0),
        alike=(("left", "right"),),
        top_share=0.0,
    ),
    "console": DeviceKind(
        diagonal=190.0,
        radius=1.0,
        bezel=Sides(8.0, 6.0, 8.0, 6.0),
        least_bezel=2.0,
        sizes=(60.0, 500.0),
        depth=(9.0, 14.0, 40.0),
        alike=(("left", "right"), ("top", "bottom")),
        around=lambda width, height: (width + 2 * END, height),
        room=lambda width, height: (width - 2 * END, height),
        wide=True,
    ),
    "watch": DeviceKind(
        diagonal=48.4,
        radius=7.1,
        bezel=Sides(3.4, 3.4, 3.4, 3.4),
        least_bezel=1.2,
        sizes=(20.0, 80.0),
        depth=(6.0, 8.2, 20.0),
        alike=(("left", "right"), ("top", "bottom")),
    ),
    "window": _BARE,
    "card": _BARE,
}
