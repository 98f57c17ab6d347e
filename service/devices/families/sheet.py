"""Sheets: the facts about a device from which its family makes it; in mm unless a name says px."""

from __future__ import annotations

import json
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from ...validation import messages
from ...validation.messages import worded
from ..device import (
    Corner,
    Design,
    Facts,
    Finish,
    FittedDevice,
    Pair,
    Record,
    Side,
    Surface,
    Theme,
    Vector,
)

KeyboardLayout = Literal["mac", "pc", "touch", "stick", "full"]
KeyStyle = Literal["black", "sunk", "inset", "grey", "pale", "tonal", "lattice"]
Weave = Literal["holes", "loop", "tubes"]
Windows = Literal["quarters", "eight", "halves", "cross", "plain"]

# degrees; the longest arc between the two parts of a closed strap. The renderer approximates the closure's
# light by a few flat plates. Those of a longer arc cut into the loop and shade its inside in hard bands.
CLOSURE = 120.0


class ScreenCutout(Record):
    """A cut-out of the screen, in screen px; `center` is from its top left corner.

    A notch hangs from the screen's `side`; only at the top does it have concave corners of radius `ear`.
    """

    kind: Literal["island", "punch", "notch"]
    side: Literal["top", "right"] = "top"
    center: Pair
    size: Pair
    radius: float
    ear: float = 0.0


class ScreenPanel(Record):
    """The screen: native pixels, lit area, corner as a superellipse (`corner`) or a circle's radius in px.

    `corners` says which are rounded.
    """

    px: tuple[int, int]
    size: Pair
    corner: Corner | None = None
    radius_px: float = 0.0
    corners: Literal["all", "top", "bottom"] = "all"
    cutout: ScreenCutout | None = None


class Button(Record):
    """A key on a side wall; `center` from the top (side walls) or from the left (top wall).

    `edge` is the radius of its rounded edges.
    """

    side: Side
    name: str
    center: float
    length: float
    width: float = 2.7
    protrusion: float = 0.45
    edge: float = 0.22
    flush: bool = False


class Lens(Record):
    """A rear camera's lens on its plate: a raised ring if `rise` is set, otherwise flat under the glass."""

    at: Pair
    diameter: float
    rise: float = 0.0
    rim: float = 1.05


class Spot(Record):
    """Flash, depth sensor or microphone beside a lens, a round display of dots, a red lamp or a screw."""

    kind: Literal["flash", "lidar", "mic", "sensor", "matrix", "lamp", "screw"]
    at: Pair
    diameter: float


class CameraPlate(Record):
    """The raised plate on the back, seen from behind: `center` is from the back's middle, x right, y up.

    `glass_inset` gives it a cover of black glass, that far inside its edge. That cover and those of raised
    lenses are plain `glass` or coated as a `lens`. Other plates stand on it as its `islands`, with `center`
    from its middle. Without a size there is no plate, and its lenses stand on the back itself. Its wall
    begins `sunk` mm below the flat back, where the back curves away.
    """

    center: Pair = (0.0, 0.0)
    size: Pair | None = None
    corner: Corner = Corner(extent=0.0)
    rise: float = 0.0
    sunk: float = 0.0
    edge: float = 0.9
    surface: Surface = "gloss"
    glass_inset: float | None = None
    glass: Literal["glass", "lens"] = "lens"
    lenses: tuple[Lens, ...] = ()
    spots: tuple[Spot, ...] = ()
    islands: tuple[CameraPlate, ...] = ()


class Inlay(Record):
    """A flush pane in a metal back, seen from behind: `center` is from the back's middle, x right, y up."""

    center: Pair
    size: Pair
    corner: Corner
    surface: Surface = "frosted"
    gasket: float = 0.16


class WallOpening(Record):
    """An opening or detail in a side wall, `at` mm from its middle (upward, or rightward)."""

    kind: Literal["port", "holes", "slot", "seam", "band", "screw", "dots", "control", "usb", "hdmi"]
    side: Side
    at: float
    size: Pair
    count: int = 1
    pitch: float = 0.0


class Seam(Record):
    """A rectangle on the back, its corners rounded: `center` is from the back's middle, y up.

    It is a fine gap, the `flap` of a stand that folds out by its lower edge, a `strip` of bright metal, or a
    part under clear glass, `depth` mm below: a `panel`, or one with `ribs`.
    """

    kind: Literal["hairline", "flap", "strip", "panel", "ribs"] = "hairline"
    center: Pair
    size: Pair
    depth: float = 0.0


class BackDetail(Record):
    """Something drawn on the back, `at` mm from its middle, seen from behind: x right, y up.

    Sockets may be in a `bay`, which is listed before them.
    """

    kind: Literal[
        "port",
        "usb",
        "hdmi",
        "mains",
        "slot",
        "holes",
        "thread",
        "vents",
        "hairline",
        "screw",
        "head",
        "control",
        "bay",
        "pin",
    ]
    at: Pair
    size: Pair
    count: int = 1
    pitch: float = 0.0


class Sheet(Facts):
    """The members of every sheet: facts, a screen and finishes."""

    screen: ScreenPanel
    finishes: tuple[Finish, ...] = Field(min_length=1)

    @property
    def shared(self) -> dict[str, Any]:
        """The members that are copied to the device unchanged."""
        return {name: getattr(self, name) for name in (*Facts.model_fields, "finishes")}


class CrownGuard(Record):
    """A raised part of the right wall around its crown and buttons; `center` from the top."""

    center: float
    length: float
    width: float
    protrusion: float


class Handheld(Sheet):
    """A phone or tablet in portrait: public measurements, and details for drawing.

    `screen_center` is from the body's middle, y up. `earpiece` is the slit's size, in the middle of the bezel
    unless `earpiece_top` says how far its middle is below the body's top. `home` is the diameter of a round
    button and the height of its middle above the body's bottom. `seams`, `details` and the `grain` of its
    covering are drawn on the back. `gasket` is the width of the gap around the front glass, `back_gasket` of
    the gap around the back glass. The `bezel` is black, or of the finish's `light` colour.
    """

    body: Vector
    corner: Corner | None = None
    radius: float = 0.0
    edge: float
    rim: float = 1.0
    gasket: float = 0.15
    back_gasket: float = 0.12
    frame: Surface = "aluminium"
    back: Surface = "frosted"
    buttons: tuple[Button, ...] = ()
    guard: CrownGuard | None = None
    openings: tuple[WallOpening, ...] = ()
    camera: CameraPlate | None = None
    inlay: Inlay | None = None
    grain: Literal["leather"] | None = None
    seams: tuple[Seam, ...] = ()
    details: tuple[BackDetail, ...] = ()
    bezel: Literal["black", "light"] = "black"
    screen_center: Pair = (0.0, 0.0)
    front_camera: Pair | None = None
    earpiece: Pair | None = None
    earpiece_top: float | None = None
    home: Pair | None = None
    connector: Pair | None = None


class CoverScreen(Record):
    """The outer screen of a foldable, dark: its glass on the back, seen from behind as a `Camera` is.

    `punch` is the place of its camera from the glass' middle, `wall` the surface of the glass' own low wall.
    """

    center: Pair
    size: Pair
    corner: Corner
    punch: Pair | None = None
    wall: Surface = "glass"


class Foldable(Handheld):
    """A phone or tablet that folds inwards, held open: across (`flip`) or upright in the middle (`book`).

    `spine` is the width of the hinge's bar on the back. If it is opened by less than 180 degrees, its upper
    half leans forward by `lean` degrees; without `lean`, both halves lean alike.
    """

    fold: Literal["flip", "book"]
    opening: float = 180.0
    lean: float | None = None
    spine: float
    cover: CoverScreen


DARK = "#17181a"  # colour of controls


class Control(Record):
    """A control on the front: `at` from the body's middle, y up; both sizes of a round one are its diameter.

    `legend` is the letter or sign on it, `ring` the colour around a stick's foot.
    """

    kind: Literal["stick", "cross", "button", "pad", "key"]
    at: Pair
    size: Pair
    legend: Literal["", "a", "b", "c", "x", "y", "up", "down", "left", "right", "home", "capture"] = ""
    ring: str = DARK


class Console(Handheld):
    """A console held by both ends: `thickness` without its grips, if it has any, each of the size `grip`.

    `lower` is the shape of its lower corners if they differ. `glass` is the size of the pane that holds the
    screen, `glass_radius` that of its corners. `paddles` are keys on the grips, `triggers` keys above them,
    `at` from the back's middle, seen from behind: x right, y up. `bumpers` are keys on the upper wall, `at`
    from its middle: rightward and towards the front. `speakers` are drawn on the front, and `accents` are
    the colours of buttons that have one of their own.
    """

    lower: Corner | None = None
    thickness: float
    glass: Pair
    glass_radius: float
    controls: tuple[Control, ...]
    grip: Pair | None = None
    paddles: tuple[Control, ...] = ()
    triggers: tuple[Control, ...] = ()
    bumpers: tuple[Control, ...] = ()
    accents: dict[str, str] = Field(default_factory=dict)
    speakers: tuple[BackDetail, ...] = ()


class Laptop(Sheet):
    """A laptop opened by `opening` degrees. `bezel` is above the screen, `chin` the black area below it.

    `band` is the hinge's dark strip under the chin, `overhang` the deck's length behind the hinge's axis;
    `hinges` are the middle and width of each bar between lid and deck; by default, there is one bar, almost
    as wide as the laptop. `hinge` is their shape: a round barrel below the lid, or a flat bar that juts out
    in front. `camera` says whether there is a camera above a screen without a notch, and `sensors` how far
    to its right other sensors are. `bar` is the width of a bar on the lid's upper edge, and its height above
    that edge. The lowest part of the deck is the `pan`: how much smaller it is on each side, and its height.

    `keyboard` and `trackpad` are sizes on the deck, `well_top` and `pad_bottom` their distances from the
    deck's rear and front edge; the trackpad's middle is `pad_shift` right of the deck's. The `layout` of the
    keyboard is a Mac's, a PC's, one with a `touch` bar of function keys, one with a pointing `stick` and
    buttons above the trackpad, or a `full` one with a number pad. Its `keys` are `black` in a black well,
    black and `sunk` in a well of the finish's colour, black and `inset` into the deck, or `grey` on a black
    deck; `pale`, `tonal` and `lattice` keys (the last without gaps) have the finish's colour. `signs` says
    whether function keys also show symbols for what they do; layouts with a number pad have none. `power` is
    the size of a key behind its right end. `scoop` says whether there is a hollow for the thumb. `details`
    are drawn on the bottom, seen from below with the hinge at the top.
    """

    width: float
    depth: float
    lid_thickness: float
    deck_thickness: float
    opening: float = 110.0
    radius: float
    frame: Surface
    bezel: float
    chin: float
    band: float
    overhang: float
    hinges: tuple[Pair, ...] = ()
    hinge: Literal["bar", "barrel"] = "barrel"
    camera: bool = True
    sensors: tuple[float, ...] = ()
    bar: Pair | None = None
    pan: Pair | None = None
    keyboard: Pair
    layout: KeyboardLayout = "mac"
    keys: KeyStyle = "black"
    signs: bool = False
    well_top: float
    trackpad: Pair | None = None
    pad_bottom: float = 0.0
    pad_shift: float = 0.0
    grille: Pair | None = None
    power: Pair | None = None
    scoop: bool = False
    feet: Literal["round", "bars"] = "round"
    details: tuple[BackDetail, ...] = ()
    ports: tuple[WallOpening, ...] = ()


class Crown(Record):
    """A round crown in the right wall, `center` from the top.

    `sunk` is how deep its wall reaches into the rounded side of the case.
    """

    center: float
    diameter: float
    protrusion: float
    sunk: float = 0.8
    flutes: int = 60


class Disc(Record):
    """A round part on the front or back of a watch; its glass begins `rim` mm inside.

    `windows` are the windows of the sensors under the glass on a back.
    """

    diameter: float
    rise: float
    rim: float = 0.0
    windows: Windows = "quarters"


class WatchStrap(Record):
    """A strap's two parts, mirrored: they leave the case at `lean` degrees and bend back by `angle` more.

    A `closed` strap goes on in an arc that joins both parts behind the wrist, so that the watch can stand on
    it; the parts of an `open` strap end there. The arc spans the rest of 360 degrees, `CLOSURE` at most.
    `root` is where the upper part begins, mm above the middle of the case and mm in front of it. `taper` is
    the share of its width that a part loses from its middle to its end. Without a `color`, a strap has the
    finish's. `tip` is the radius of the corners at open ends. `weave` says how a strap is made: with `holes`,
    the lower part has them and the upper part a pin. Without a `weave`, the strap is smooth.
    """

    form: Literal["closed", "open"] = "closed"
    width: float
    thickness: float
    length: float
    root: Pair
    lean: float
    angle: float
    taper: float = 0.0
    color: str | None = None
    surface: Surface = "silicone"
    tip: float = 1.4
    weave: Weave | None = None

    @model_validator(mode="after")
    def _closes(self) -> Self:
        """Raise PydanticCustomError unless an arc can join the parts of a closed strap."""
        turned, least = self.lean + self.angle, 180 - CLOSURE / 2
        if self.form == "closed" and not least <= turned < 180:
            raise worded(
                f"expected a lean and an angle of {least:g} to 180 in all for a closed strap, got {turned:g}"
            )
        return self


class Watch(Sheet):
    """A watch in portrait: the case without its crown and without what rises from its back.

    The screen lies on the front of the case, or on the `dial` that rises from it. `details` are drawn on the
    back.
    """

    body: Vector
    corner: Corner | None = None
    radius: float = 0.0
    edge: float
    rim: float
    gasket: float = 0.12
    frame: Surface = "aluminium"
    back: Surface = "aluminium"
    dial: Disc | None = None
    sensor: Disc
    crowns: tuple[Crown, ...] = ()
    guard: CrownGuard | None = None
    buttons: tuple[Button, ...] = ()
    # the colours of buttons that differ from the finish, by button
    accents: dict[str, str] = Field(default_factory=dict)
    openings: tuple[WallOpening, ...] = ()
    details: tuple[BackDetail, ...] = ()
    band: WatchStrap


class Bulge(Record):
    """A raised part of the back, seen from behind: `center` is from the back's middle, x right, y up."""

    center: Pair = (0.0, 0.0)
    size: Pair
    depth: float
    radius: float
    edge: float


class Stand(Record):
    """The stand of a screen, `height` mm below its lower edge.

    A `plate`, or a `post` `deep` mm from front to back, is `width` mm wide. It rises from a foot behind the
    screen and is fixed to its back `reach` mm above the lower edge. The foot is a plate of `thickness` mm:
    `base` is its width and depth, `corner` the radius of its corners; it begins `front` mm in front of the
    screen. Either may have a round `hole` for the cable: its diameter and its middle's height above the lower
    edge. `soft` is the radius of a post's upright edges, `joint` the width, height and depth of the plate at
    the back on which the screen turns; it is `tilt` mm below the post's upper end. A plate with a `bend` is
    one sheet with its foot, bent with that radius, mm, in the middle of the sheet. `frames` are two pairs of
    struts, `bars` two posts on bars, `inset` mm from the screen's sides; they are `width` mm wide and reach
    over the depth of `base`.
    """

    kind: Literal["plate", "post", "frames", "bars"]
    height: float
    width: float
    base: Pair
    thickness: float
    front: float = 0.0
    reach: float = 0.0
    deep: float = 0.0
    corner: float = 2.0
    inset: float = 0.0
    hole: Pair | None = None
    soft: float = 3.0
    joint: Vector | None = None
    tilt: float = 0.0
    bend: float = 0.0


class Monitor(Sheet):
    """A monitor, an all-in-one computer or a television; `height` is the height of the part with the screen.

    `bezel` is the border above and beside the screen. If there is a `chin`, the lowest part of the front in
    the finish's colour, there is a bezel between the screen and the chin, too. `border` is the colour around
    the screen if it is not black glass, `rim` the width of the frame around the front.
    """

    width: float
    height: float
    thickness: float
    radius: float
    edge: float
    frame: Surface
    rim: float
    bezel: float
    chin: float = 0.0
    border: str | None = None
    camera: bool = False
    bulge: Bulge | None = None
    details: tuple[BackDetail, ...] = ()
    stand: Stand


class BrowserWindow(Sheet):
    """A browser window of a fixed size: a design in a theme, its bars above the viewport."""

    design: Design
    theme: Theme
    address: str
    title: str


class FittedSheet(Sheet):
    """A window or card that takes a screenshot's shape; its `screen` is used in previews and lists only."""

    fitted: FittedDevice


FAMILIES: dict[str, type[Sheet]] = {
    "phone": Handheld,
    "tablet": Handheld,
    "foldable": Foldable,
    "console": Console,
    "laptop": Laptop,
    "watch": Watch,
    "desktop": Monitor,
    "tv": Monitor,
    "browser": BrowserWindow,
}


def parse(content: bytes) -> Sheet:
    """The sheet in a JSON text; raises ValueError with a line for each fault."""
    given = json.loads(content)
    if not isinstance(given, dict):
        raise ValueError("expected an object")
    if "fitted" not in given and given.get("category") not in list(FAMILIES):
        raise ValueError(f"category: expected one of {', '.join(FAMILIES)}")
    family = FittedSheet if "fitted" in given else FAMILIES[given["category"]]
    try:
        return family.model_validate_json(content)
    except ValidationError as error:
        faults = messages.details(error, family)
        raise ValueError("\n".join(f"{one.path}: {one.message}" for one in faults)) from error
