"""The measures of a description in millimetres, and its contradictions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import ValidationError
from pydantic_core import InitErrorDetails

from ...validation.color import parse
from ...validation.messages import worded
from ...validation.names import listed
from ..device import Pair, Vector
from .description import Description, DeviceBezel
from .kinds import KINDS, DeviceKind, Sides

INCH = 25.4  # mm
SLIMMEST = 4.0  # long side over short side
# A cut-out's largest share of the screen's width and height.
WIDEST, HIGHEST = 0.8, 0.25
LEAST_SCREEN = 5.0  # mm
SIDES = ("top", "right", "bottom", "left")

Fault = tuple[tuple[str, ...], str]


@dataclass(frozen=True, slots=True)
class Measured:
    """A description in millimetres: `pitch` of a pixel, `screen` and `body`, and the `bezel` between them.

    `radius` is the radius of the screen's corners. Sides are those of the device held upright; a laptop's are
    measured while it is closed.
    """

    description: Description
    kind: DeviceKind
    pitch: float
    screen: Pair
    bezel: Sides
    body: Vector
    radius: float

    @property
    def screen_center(self) -> Pair:
        """The offset of the screen's middle from the body's, mm, y up."""
        top, right, bottom, left = self.bezel
        return round((left - right) / 2, 4) + 0.0, round((bottom - top) / 2, 4) + 0.0


def measured(description: Description) -> Measured:
    """The measurements of a description without `faults`."""
    kind, px = KINDS[description.kind], (description.screen.width, description.screen.height)
    bezel, pitch = _bezel(description, kind), _pitch(description, kind)
    screen = px[0] * pitch, px[1] * pitch
    if description.body is not None:
        # Pixels stay square, so the bezels may have to be wider than requested.
        across, up = kind.room(description.body.width, description.body.height)
        wide, high = (
            (across - screen[0] - bezel.left - bezel.right) / 2,
            up - screen[1] - bezel.top - bezel.bottom,
        )
        rest = high * kind.top_share
        bezel = Sides(bezel.top + rest, bezel.right + wide, bezel.bottom + high - rest, bezel.left + wide)
        body = description.body.width, description.body.height
        depth = description.body.depth or kind.depth[1]
    else:
        body = kind.around(bezel.left + screen[0] + bezel.right, bezel.top + screen[1] + bezel.bottom)
        depth = kind.depth[1]
    given = description.screen.corner_radius
    radius = kind.radius if given is None else given * pitch
    return Measured(
        description,
        kind,
        pitch,
        screen,
        bezel,
        (body[0], body[1], depth),
        min(radius, min(screen) / 2),
    )


def possible(description: Description) -> Description:
    """The description, checked; raises ValidationError with the paths of members that contradict each
    other."""
    errors = [InitErrorDetails(type=worded(said), loc=path, input=None) for path, said in faults(description)]
    if errors:
        raise ValidationError.from_exception_data("Description", errors)
    return description


def faults(description: Description) -> Iterator[Fault]:
    """The contradictions in a description, each with its path and the expected value."""
    kind, name = KINDS[description.kind], f"a {description.kind}"
    if kind.bare:
        for member in sorted(description.model_fields_set - {"kind", "screen"}):
            yield (member,), f"{name} has nothing but a screen"
        yield from _screen_faults(description, kind, name)
        return
    if description.camera is not None and not kind.camera:
        yield ("camera",), f"{name} has no camera on its back"
    if parse(description.color).alpha < 255:
        yield ("color",), f"expected an opaque colour, got {description.color}"
    if description.ppi is not None and description.body is not None:
        yield ("ppi",), "expected ppi or body, not both: each gives the size"
        return
    screen = list(_screen_faults(description, kind, name))
    yield from screen
    bezels = list(_bezel_faults(description, kind, name))
    yield from bezels
    if not screen and not bezels:
        yield from _size_faults(description, kind, name)


def _screen_faults(description: Description, kind: DeviceKind, name: str) -> Iterator[Fault]:
    screen = description.screen
    (short, _), (long, longer) = sorted([(screen.width, "width"), (screen.height, "height")])
    if long > SLIMMEST * short and not kind.bare:
        yield (
            ("screen", longer),
            f"expected at most {SLIMMEST:g} times the other side, {SLIMMEST * short:g}, got {long}",
        )
    if screen.corner_radius is not None and screen.corner_radius > short / 2:
        half = f"at most half the shorter side, {short / 2:g}"
        yield ("screen", "cornerRadius"), f"expected {half}, got {screen.corner_radius:g}"
    if kind.wide and screen.width < screen.height:
        yield (
            ("screen", "width"),
            f"expected at least its height for {name}, {screen.height}, got {screen.width}",
        )
    cutout = screen.cutout
    at = ("screen", "cutout")
    if cutout.kind not in kind.cutouts:
        yield (*at, "kind"), f"expected {listed(kind.cutouts)} for {name}, got {cutout.kind}"
        return
    if cutout.kind == "none":
        for side in ("width", "height", "x", "y"):
            if getattr(cutout, side) is not None:
                yield (*at, side), "there is nothing to cut out: expected a kind other than none"
        return
    for side, length, most in (
        ("width", cutout.width, WIDEST * screen.width),
        ("height", cutout.height, HIGHEST * screen.height),
    ):
        if length is None:
            yield (*at, side), f"missing; expected a number from 1 to {most:g}"
        elif length > most:
            yield (
                (*at, side),
                f"expected at most {most:g} for a screen of {screen.width} x {screen.height}, got {length:g}",
            )
    if cutout.kind == "notch" and cutout.y is not None:
        yield (*at, "y"), "a notch hangs from the top edge: expected none"
    for side, place, length, whole in (
        ("x", cutout.x, cutout.width, screen.width),
        ("y", cutout.y, cutout.height, screen.height),
    ):
        if place is not None and length is not None and not length / 2 <= place <= whole - length / 2:
            between = f"{length / 2:g} to {whole - length / 2:g}"
            yield (*at, side), f"expected {between}, so that it lies in the screen, got {place:g}"


def _bezel_faults(description: Description, kind: DeviceKind, name: str) -> Iterator[Fault]:
    given = description.bezel
    for side in SIDES:
        value = getattr(given, side) if isinstance(given, DeviceBezel) else given
        if value is not None and value < kind.least_bezel:
            path = ("bezel", side) if isinstance(given, DeviceBezel) else ("bezel",)
            yield path, f"expected at least {kind.least_bezel:g} for {name}, got {value:g}"
            if len(path) == 1:
                return
    if not isinstance(given, DeviceBezel):
        return
    bezel = _bezel(description, kind)
    for one, other in kind.alike:
        lengths = getattr(bezel, one), getattr(bezel, other)
        if lengths[0] != lengths[1]:
            side = other if getattr(given, other) is not None else one
            said = f"expected {one} and {other} alike for {name}, got {lengths[0]:g} and {lengths[1]:g}"
            yield ("bezel", side), said


def _size_faults(description: Description, kind: DeviceKind, name: str) -> Iterator[Fault]:
    body = description.body
    if body is not None:
        bezel, least = _bezel(description, kind), LEAST_SCREEN
        taken = kind.around(bezel.left + bezel.right + least, bezel.top + bezel.bottom + least)
        short = [
            (("body", side), f"expected at least {most:.4g} with these bezels, got {length:g}")
            for side, length, most in (("width", body.width, taken[0]), ("height", body.height, taken[1]))
            if length < most
        ]
        low, _, high = kind.depth
        if body.depth is not None and not low <= body.depth <= high:
            short.append((("body", "depth"), f"expected {low:g} to {high:g} for {name}, got {body.depth:g}"))
        yield from short
        if short:
            return
    made = measured(description)
    path = ("body",) if body is not None else ("ppi",) if description.ppi is not None else ("bezel",)
    low, high = kind.sizes
    for side, length in zip(("width", "height"), made.body, strict=False):
        if not low <= length <= high:
            where = (*path, side) if body is not None else path
            yield where, f"gives {name} a {side} of {length:.4g} mm; expected {low:g} to {high:g}"
    if min(made.screen) < LEAST_SCREEN:
        yield (
            path,
            f"gives {name} a screen of only {min(made.screen):.3g} mm; expected {LEAST_SCREEN:g} or more",
        )


def _bezel(description: Description, kind: DeviceKind) -> Sides:
    given = description.bezel
    if isinstance(given, DeviceBezel):
        usual = zip(SIDES, kind.bezel, strict=True)
        return Sides(*(length if (own := getattr(given, side)) is None else own for side, length in usual))
    return Sides(*kind.bezel) if given is None else Sides(given, given, given, given)


def _pitch(description: Description, kind: DeviceKind) -> float:
    """Millimetres per pixel."""
    width, height = description.screen.width, description.screen.height
    if description.ppi is not None:
        return INCH / description.ppi
    if description.body is None:
        return kind.diagonal / math.hypot(width, height)
    bezel = _bezel(description, kind)
    across, up = kind.room(description.body.width, description.body.height)
    return min((across - bezel.left - bezel.right) / width, (up - bezel.top - bezel.bottom) / height)
