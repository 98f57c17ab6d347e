"""Windows and cards: thin sheets in a screenshot's shape, whose size does not depend on its resolution."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from ..device import (
    BARS,
    Bars,
    Corner,
    Design,
    Device,
    Face,
    Finish,
    Layer,
    Orientation,
    Screen,
    Slab,
    Theme,
    Vector,
)
from .look import LOOKS, PAGES

if TYPE_CHECKING:
    from .sheet import FittedSheet

MM = 0.25  # mm per point, unless the content is longer than `LONGEST`
LONGEST = 6000.0  # points; longer content is scaled down, since the time for a mesh grows with its length
# square points; the area of all content, so that bars suit small and large screenshots alike
AREA = 1280 * 800
NARROWEST = 480.0  # points; the least width of bars with room for the parts at both ends
BORDER = 1.0  # points
OVERLAP = 2.0  # points of the bars below the screen, so that no seam shows between them
THICKNESS = 1.0
CARD_THICKNESS = 0.6


class FittedFields(NamedTuple):
    """The fields of a device that depend on a screenshot."""

    body: Vector
    orientations: tuple[Orientation, ...]
    screens: tuple[Screen, ...]
    finishes: tuple[Finish, ...]
    slabs: tuple[Slab, ...]
    bars: Bars | None


def listed(sheet: FittedSheet) -> Device:
    """The device of a sheet for the catalogue, its screen without a screenshot and its bars not drawn."""
    made = shape(sheet.fitted.design, sheet.screen.px, sheet.fitted.themes[0], radius=sheet.fitted.radius)
    slab = made.slabs[0]
    bare = slab.model_copy(update={"front": slab.front.model_copy(update={"layers": ()})})
    made = made._replace(orientations=("landscape", "portrait"), slabs=(bare,), bars=None)
    return Device(fitted=sheet.fitted, **(made._asdict() | sheet.shared))


def fitted(
    device: Device,
    px: tuple[int, int],
    theme: Theme | None,
    url: str | None,
    title: str | None,
    radius: float | None = None,
) -> Device:
    """A fitted device around a screenshot of `px`, in its own theme if it lacks `theme`.

    A described one keeps its own pixels. Without `title`, browsers show the host of `url`, if there is one.
    A card takes a `radius` in screenshot px.
    """
    assert device.fitted is not None
    design, themes = device.fitted.design, device.fitted.themes
    shown = theme if theme in themes else themes[0]
    rounded = radius if LOOKS[design].height == 0 else None
    own = device.fitted.radius if device.fitted.px else rounded
    made = shape(design, device.fitted.px or px, shown, url, title, own)
    others = tuple(finish(design, other) for other in themes if other != shown)
    return device.model_copy(update=made._replace(finishes=(*made.finishes, *others))._asdict())


def page(device: Device) -> str | None:
    """The colour of an empty page in a fitted device's theme; None for devices whose screens are off."""
    if device.fitted is None:
        return None
    themes = (
        theme for theme in device.fitted.themes if finish(device.fitted.design, theme) == device.finishes[0]
    )
    return PAGES[next(themes)]


def finish(design: Design, theme: Theme) -> Finish:
    """A theme as the colour of its bars."""
    return Finish(name=theme.capitalize(), hex=LOOKS[design].colors[theme]["bar"])


def points(px: tuple[int, int], narrowest: float = 0.0) -> tuple[float, float]:
    """Width and height of the content in points: the screenshot's shape, with a given area if possible."""
    scale = max(math.sqrt(AREA / (px[0] * px[1])), narrowest / px[0])
    return px[0] * scale, px[1] * scale


def shape(
    design: Design,
    px: tuple[int, int],
    theme: Theme,
    url: str | None = None,
    title: str | None = None,
    radius: float | None = None,
) -> FittedFields:
    """A sheet with bars above a screen of `px`; `radius` is the radius of its corners in screenshot px."""
    look = LOOKS[design]
    colors, top, card = look.colors[theme], look.height, not look.height
    width, height = points(px, 0.0 if card else NARROWEST)
    mm = MM * min(1.0, LONGEST / max(width, height))
    round_ = look.radius if radius is None else radius * width / px[0]
    round_ = min(round_, width / 2, height / 2)
    thickness = (CARD_THICKNESS if card else THICKNESS) * mm / MM
    body = (
        (width + 2 * BORDER) * mm,
        (height + top + 2 * BORDER) * mm,
        thickness,
    )
    bars, layers = None, tuple[Layer, ...]()
    if top:
        bars = Bars(design=design, theme=theme, width=width, **_texts(design, url, title))
        deep = top + min(OVERLAP, height / 2)
        layers = (
            Layer(image=BARS, center=(0.0, (height + top - deep) / 2 * mm), size=(width * mm, deep * mm)),
        )
    slab = Slab(
        name="window",
        role="body",
        size=body,
        corner=Corner(extent=min((round_ + BORDER) * mm, body[0] / 2, body[1] / 2)),
        edge=min(0.02, thickness / 4),  # nearly sharp: no light rim may show around dark pages
        surface="paint",
        tinted=False,
        color=colors["border"],
        front=Face(surface="paint", tinted=False, color=colors["border"], layers=layers),
        back=Face(surface="paint", tinted=False, color=colors["bar"]),
    )
    screen = Screen(
        slab=slab.name,
        px=px,
        center=(0.0, -top / 2 * mm),
        size=(width * mm, height * mm),
        corner=Corner(extent=round_ * mm),
        corners="all" if card else "bottom",
    )
    lies: Orientation = "portrait" if px[1] > px[0] else "landscape"
    return FittedFields(body, (lies,), (screen,), (finish(design, theme),), (slab,), bars)


def _texts(design: Design, url: str | None, title: str | None) -> dict[str, str]:
    """The texts of bars: an address without its scheme, and a title, by default the address' host."""
    address = re.sub(r"^https?://(www\.)?", "", url or "").removesuffix("/")
    host = re.split(r"[/?#]", address, maxsplit=1)[0]
    shows = LOOKS[design].shows
    if title is None:
        title = host if "url" in shows else "Terminal" if design == "terminal" else ""
    if "title" not in shows:
        return {"url": host}
    return {"url": address if "url" in shows else "", "title": title}
