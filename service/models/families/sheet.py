"""Sheets: what is known of a device, in mm unless a name says px; a family makes the device of it."""

from __future__ import annotations

import json
from typing import Literal

from pydantic import Field

from service.models.devices import Category, Corner, Finish, Pair, Record, Surface, Vector

Side = Literal["left", "right", "top", "bottom"]


class Cutout(Record):
    """What is missing from the screen, in screen px: `center` is counted from its top left corner."""

    kind: Literal["island", "punch", "notch"]
    center: Pair
    size: Pair
    radius: float
    ear: float = 0.0


class Panel(Record):
    """The screen: native pixels, lit area, corner as a superellipse (`corner`) or a circle's radius in px.

    `corners` says which of them are round.
    """

    px: tuple[int, int]
    size: Pair
    corner: Corner | None = None
    radius_px: float = 0.0
    corners: Literal["all", "top", "bottom"] = "all"
    cutout: Cutout | None = None


class Button(Record):
    """A key on a side wall; `center` from the top (side walls) or from the left (top wall)."""

    side: Side
    name: str
    center: float
    length: float
    width: float = 2.7
    protrusion: float = 0.45
    flush: bool = False


class Lens(Record):
    """A back camera's lens on its plate: a raised ring when `rise` is set, else flat under the glass."""

    at: Pair
    diameter: float
    rise: float = 0.0
    rim: float = 1.05


class Spot(Record):
    """Flash, depth sensor or microphone on a camera plate."""

    kind: Literal["flash", "lidar", "mic", "sensor"]
    at: Pair
    diameter: float


class Camera(Record):
    """The raised plate on the back, seen from behind: centre from the back's middle, x right, y up."""

    center: Pair
    size: Pair
    corner: Corner
    rise: float
    edge: float = 0.9
    surface: Surface = "gloss"
    glass_inset: float | None = None
    lenses: tuple[Lens, ...] = ()
    spots: tuple[Spot, ...] = ()


class Opening(Record):
    """Something in a side wall, `at` mm along it from its middle (upward, or rightward)."""

    kind: Literal["port", "holes", "slot", "seam", "band", "screw", "dots", "control"]
    side: Side
    at: float
    size: Pair
    count: int = 1
    pitch: float = 0.0


class Sheet(Record):
    """What every device has: names, a screen and finishes."""

    id: str
    name: str
    brand: str | None
    category: Category
    year: int | None
    screen: Panel
    finishes: tuple[Finish, ...] = Field(min_length=1)


class Handheld(Sheet):
    """A phone or tablet, portrait: public measurements and what the drawing adds to them."""

    body: Vector
    corner: Corner | None = None
    radius: float = 0.0
    edge: float = 1.0
    rim: float = 1.0
    gasket: float = 0.15
    frame: Surface = "aluminium"
    back: Surface = "frosted"
    buttons: tuple[Button, ...] = ()
    openings: tuple[Opening, ...] = ()
    camera: Camera | None = None
    front_camera: Pair | None = None
    earpiece: Pair | None = None
    connector: Pair | None = None


class Laptop(Sheet):
    """A laptop opened by `opening` degrees. `bezel` is the top one; `chin` the black below the screen.

    `band` is the dark strip of the hinge under the chin, `overhang` how far the deck reaches behind the
    hinge's axis. `keyboard` and `trackpad` are sizes on the deck, `well_top` and `pad_bottom` their
    distances from the deck's rear and front edge.
    """

    width: float
    depth: float
    lid_thickness: float
    deck_thickness: float
    opening: float
    radius: float
    frame: Surface
    bezel: float
    chin: float
    band: float
    overhang: float
    keyboard: Pair
    well_top: float
    trackpad: Pair
    pad_bottom: float
    grille: Pair
    ports: tuple[Opening, ...] = ()


class Window(Sheet):
    """A browser window, in px: bars above the viewport and the colours of its parts."""

    tab_strip: float
    toolbar: float
    field_height: float
    radius: float
    address: str
    title: str
    colors: dict[str, str]
    lights: tuple[str, str, str]


FAMILIES: dict[str, type[Sheet]] = {
    "phone": Handheld,
    "tablet": Handheld,
    "laptop": Laptop,
    "browser": Window,
}


def parse(content: bytes) -> Sheet:
    """The sheet in a JSON text; raises ValueError when it does not fit its family."""
    return FAMILIES[json.loads(content)["category"]].model_validate_json(content)
