"""The fact sheets: `facts/<id>.json`, what is known of each device, in mm unless a name says px."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from service.devices import Category, Corner, Finish, Record, Surface, Vector

FACTS = Path(__file__).parent / "facts"

Pair = tuple[float, float]
Side = Literal["left", "right", "top", "bottom"]


class Cutout(Record):
    """What is missing from the screen, in screen px: `center` is counted from its top left corner."""

    kind: Literal["island", "punch", "notch"]
    center: Pair
    size: Pair
    radius: float
    ear: float = 0.0


class Panel(Record):
    """The screen: native pixels, lit area, corner as a superellipse (`corner`) or circle radius in px."""

    px: tuple[int, int]
    size: Pair
    corner: Corner | None = None
    radius_px: float = 0.0
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
    rim: float = 0.75


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
    """One device: public measurements and what the drawing adds to them."""

    id: str
    name: str
    brand: str | None
    category: Category
    year: int | None
    body: Vector
    corner: Corner | None = None
    radius: float = 0.0
    edge: float = 1.0
    rim: float = 1.0
    gasket: float = 0.15
    frame: Surface = "aluminium"
    back: Surface = "frosted"
    screen: Panel
    buttons: tuple[Button, ...] = ()
    openings: tuple[Opening, ...] = ()
    camera: Camera | None = None
    front_camera: Pair | None = None
    earpiece: Pair | None = None
    connector: Pair | None = None
    finishes: tuple[Finish, ...] = Field(min_length=1)


def read(identifier: str) -> Sheet:
    """The sheet of one device; raises FileNotFoundError or pydantic's ValidationError."""
    return Sheet.model_validate_json((FACTS / f"{identifier}.json").read_bytes())


def known() -> list[str]:
    """Ids of all devices that have a sheet."""
    return sorted(file.stem for file in FACTS.glob("*.json"))
