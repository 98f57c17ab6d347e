"""Resolves the background of a scene: a colour, a gradient or a picture."""

from __future__ import annotations

from collections.abc import Sequence

from ..devices.categories import WINDOWS
from ..validation.color import TRANSPARENT, Color, parse
from . import styles
from .gradient import spread
from .scene import SIGMA, BackdropSpec, Background, Instance, Stop
from .schema import Appearance


def behind(appearance: Appearance, instances: Sequence[Instance]) -> Background:
    """The background; without a given colour, one against which light devices stand out."""
    given = appearance.gradient or "background_color" in appearance.model_fields_set
    light = any(
        one.style == "real" and one.device.category not in WINDOWS and styles.light(one.tint)
        for one in instances
    )
    return background(appearance) if given or not light else Background.of(styles.BEHIND_LIGHT)


def background(appearance: Appearance) -> Background:
    """The background as given."""
    text = appearance.background_color
    start = TRANSPARENT if text == "transparent" else parse(text)
    if not appearance.gradient:
        return Background.of(start)
    shape, angle = appearance.gradient_type, appearance.gradient_angle
    if stops := appearance.gradient_stops:
        places = spread([stop.at for stop in stops])
        return Background(tuple(map(Stop, (parse(stop.color) for stop in stops), places)), shape, angle)
    end = parse(appearance.gradient_color)
    # A conic gradient returns to its first colour, and the spots of a mesh alternate between two colours.
    more = {"conic": (start,), "mesh": (start, end)}.get(shape, ())
    return Background.of(start, end, *more, shape=shape, angle=angle)


def backdrop(appearance: Appearance, short: int) -> BackdropSpec | None:
    """The picture behind the devices, if there is one; `short` is the shorter side in px."""
    image = appearance.background_image
    if image is None:
        return None
    sigma = image.softness * SIGMA * short
    return BackdropSpec(image.fit, sigma, image.dim, background(appearance), image.type == "screenshot")


def colors(appearance: Appearance) -> tuple[Color, ...]:
    """The colours of the background."""
    return tuple(stop.color for stop in background(appearance).stops)
