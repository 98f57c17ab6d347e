"""Devices as numbers, and the catalogue of them: `frames/<id>/device.json`. No pixels here."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self, SupportsIndex

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from ..shipped import FRAMES

PARTS = "parts"  # the folder of pictures that several devices share
BARS = "bars"  # the texture that is drawn from a device's `bars`
FILES = 4096  # textures whose files are cached, about as many as the catalogue has

Pair = tuple[float, float]
Vector = tuple[float, float, float]
Category = Literal[
    "phone",
    "tablet",
    "laptop",
    "desktop",
    "watch",
    "browser",
    "tv",
    "window",
    "card",
    "foldable",
    "console",
]
Design = Literal["card", "macos", "windows", "gnome", "terminal", "safari", "chrome", "firefox"]
Theme = Literal["light", "dark"]
Orientation = Literal["portrait", "landscape"]
# In landscape, a device that naturally stands upright lies with its top to the left, or to the right.
Standing = Literal["portrait", "landscape", "landscape-right"]
Role = Literal["body", "lid", "deck", "hinge", "stand", "foot", "case", "strap", "part"]
Side = Literal["left", "right", "top", "bottom"]
Surface = Literal[
    "titanium", "brushed", "aluminium", "polished", "steel", "glass", "lens", "frosted", "gloss", "plastic",
    "rubber", "soft", "silicone", "fabric", "coated", "dark", "paint", "clay",
]  # fmt: skip


Tone = Literal["body", "light"]


class Record(BaseModel):
    """A frozen, strict JSON object with camelCase names."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True, defer_build=True
    )


class Corner(Record):
    """A superellipse corner |x/extent|^exponent + |y/extent|^exponent = 1, grown outward by `offset` mm.

    It is `aspect` times as wide as it is tall: `extent` is along y.
    """

    extent: float = Field(ge=0)
    exponent: float = Field(2.0, ge=1.5, le=8)
    offset: float = 0.0
    aspect: float = Field(1.0, gt=0)

    def extents(self, width: float, height: float) -> Pair:
        """The corner's extents along x and y, mm, in a rectangle of that size, of which they are at most
        half."""
        half, up = width / 2 - self.offset, height / 2 - self.offset
        extent = min(self.extent, half / self.aspect, up)
        return extent * self.aspect, extent

    def wall(self, part: float, deep: float, long: float) -> Pair:
        """The distance, mm, by which a wall lies inside the rectangle's side, and the slope at which it turns
        inward.

        The corner extends `long` mm along the side and `deep` mm across it; `part`, 0 to below 1, is the
        share of its length up to the place in question.
        """
        left = 1 - part**self.exponent
        slope = deep / long * part ** (self.exponent - 1) * left ** (1 / self.exponent - 1)
        return deep * (1 - left ** (1 / self.exponent)), slope


class Layer(Record):
    """A PNG picture laid on a face: `center` and `size` in mm, in the face's own axes (x right, y up).

    Seen from outside: on a back face x runs opposite to the slab's. `depth` mm below the face gives parallax
    (a lens seen through its opening). A layer with the `grain` of a surface is left out in finishes with
    another surface. `dark` is the picture that takes its place in dark colours. A layer `over` the screen
    takes its share of the screen's light; other layers lie below the screen.
    """

    image: str
    center: Pair = (0.0, 0.0)
    size: Pair
    depth: float = Field(0.0, ge=0)
    grain: bool = False
    dark: str | None = None
    over: bool = False


class Face(Record):
    """A slab's flat cap: its surface and the layers drawn on it, seen from outside with y up.

    `layers` are RGBA sRGB albedo (straight alpha), painted over the surface in order, those `over` screens
    last; `occlusion` is 8-bit grey that multiplies their light, for shade from parts that are drawn rather
    than built. The surface starts `inset` mm inside the outline. Between them are the wall's material and,
    next to the surface, a dark gasket line of `gasket` mm. `tinted` faces take the finish's colour in a
    `tone`; others have the colour `color`.
    """

    surface: Surface
    inset: float = 0.0
    gasket: float = 0.0
    tinted: bool = True
    tone: Tone = "body"
    color: str = "#050506"
    layers: tuple[Layer, ...] = ()
    occlusion: Layer | None = None


class Decal(Record):
    """A picture on a straight side wall: RGBA, its middle `at` mm along and `across` mm across the wall.

    Both are measured from the middle of the wall. "Along" is upward (+y) on the left and right walls, and
    rightward (+x) on the top and bottom walls; "across" is towards the front (+z).
    """

    side: Side
    at: float
    across: float = 0.0
    size: Pair
    image: str


class Hole(Record):
    """A round hole through a flat plate, from face to face: mm, `center` from the plate's middle."""

    center: Pair
    diameter: float = Field(gt=0)


class Bend(Record):
    """The bend of a plate about an axis parallel to its x or y, by `angle` degrees around its middle.

    `radius` is the radius of the plate's middle layer, mm; towards its ends, the plate is straight. A
    positive angle bends the ends backwards, a negative one to the front. `taper` is the share of the plate's
    width by which its upper end is narrower than its middle, and its lower end wider. A plate that comes out
    of another (`Slab.base`) fits the other's shape. `mouth` lengthens the lower end at places on either side
    of its middle: pairs of the distance and the additional length, mm. `mitre` is the number of mm by which
    this length shrinks for each mm towards the front.
    """

    angle: float = Field(ge=-175, le=175)
    radius: float = Field(gt=0)
    taper: float = Field(0.0, ge=-0.5, le=0.5)
    mouth: tuple[Pair, ...] = ()
    mitre: float = Field(0.0, ge=-2, le=2)
    axis: Literal["x", "y"] = "x"

    @property
    def reach(self) -> float:
        """The distance, mm, that the arc extends to either side of the plate's middle."""
        return math.radians(abs(self.angle)) / 2 * self.radius


class Slab(Record):
    """A rounded plate: a 2-D outline, a thickness, an edge radius and a frame in the device's space.

    `role` is its function in the device. A laptop has a `deck`, a `lid` and one or more `hinge`s. A monitor
    has a `body`, a `stand` that hangs on it and a `foot` on the table. The base of a television is a `foot`
    too, and so is the bend that joins a foot to its stand. A watch has a `case` and two `strap`s. All other
    devices have a `body`. A `part` is raised on another slab, as a button or a camera is.

    `center` is the slab's middle in mm from the device's centre; `x`, `y` are its axes (z = x cross y), in
    the device's upright pose. `parent` names the slab it stands on; only the part above `base` (local z) is
    visible; all of it if there is no `base`. `surface` is that of wall and rim; brushed grain runs along the
    outline, on flat faces along `x`. `tinted` walls take the finish's colour in a `tone`.

    A plate is convex unless it has a `bend`, which curves its faces too. Layers, screens and decals are then
    placed as on the flat plate, and lie on its straight halves, if it has any; layers of other plates follow
    the arc. `base` is the local y at which the plate comes out of another. `flutes` are fine grooves around
    its wall, as on a crown. At its `joined` ends along y, it continues in another plate and is square. The
    surface behind a plate shows through its `holes`. In other styles, it keeps the outline of the `real`
    style. Its two lower corners may have a shape of their own, `lower`.
    """

    name: str
    role: Role
    size: Vector
    corner: Corner
    lower: Corner | None = None
    edge: float = Field(gt=0)
    surface: Surface
    tinted: bool = True
    tone: Tone = "body"
    color: str = "#b0b0b0"
    center: Vector = (0.0, 0.0, 0.0)
    x: Vector = (1.0, 0.0, 0.0)
    y: Vector = (0.0, 1.0, 0.0)
    bend: Bend | None = None
    flutes: int = Field(0, ge=0, le=240)
    joined: tuple[Literal["top", "bottom"], ...] = ()
    parent: str | None = None
    base: float | None = None
    front: Face
    back: Face | None = None
    decals: tuple[Decal, ...] = ()
    holes: tuple[Hole, ...] = ()
    real: Slab | None = None

    @property
    def halves(self) -> tuple[Literal[-1, 0, 1], ...]:
        """The halves of the plate: -1 (at the bottom or left) and 1 (at the top or right) if it is folded,
        otherwise only 0 for the whole."""
        if self.bend is None or not self.bend.angle:
            return (0,)
        along = self.size[1 if self.bend.axis == "x" else 0]
        return (-1, 1) if along / 2 - self.bend.reach > self.edge else (0,)

    def __hash__(self) -> int:
        """Hash a few distinctive fields only, since a picture looks slabs up many times."""
        return hash((self.name, self.size, self.center))


class Cutout(Record):
    """A rounded rectangle missing from a screen: mm, `center` from the screen's middle, y up.

    It may extend beyond the screen's edge. `ear` is the radius of the concave corners where a notch meets the
    top edge.
    """

    center: Pair
    size: Pair
    radius: float = Field(ge=0)
    ear: float = Field(0.0, ge=0)


class Screen(Record):
    """A lit rectangle on the front face of `slab`: `center` and `size` in mm in that face's axes.

    Its shape is the rectangle with rounded `corners` less the `cutouts`, filled on the canvas. `mask` is that
    shape drawn in advance for references, an 8-bit grey picture covering exactly the rectangle: 255 where the
    screenshot shows, 0 where it does not.

    On a folded plate, each screen lies on one `half` of it (see `Slab.halves`) and shows only a `part` of the
    screenshot: left, top, width and height as fractions of the whole, whose pixels are `px`.
    """

    slab: str
    px: tuple[int, int]
    center: Pair = (0.0, 0.0)
    size: Pair
    corner: Corner = Corner(extent=0.0)
    corners: Literal["all", "top", "bottom", "left", "right"] = "all"
    cutouts: tuple[Cutout, ...] = ()
    part: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)
    half: Literal[-1, 0, 1] = 0
    mask: str | None = None


class FittedDevice(Record):
    """Marks a window or card that takes a screenshot's shape: its design and its themes, its own theme first.

    A described one has `px` of its own instead, and `radius` px at its corners.
    """

    design: Design
    themes: tuple[Theme, ...] = Field(min_length=1)
    px: tuple[int, int] | None = None
    radius: float | None = None


class Bars(Record):
    """The bars above a window's content, `width` points wide; drawn when needed."""

    design: Design
    theme: Theme
    width: float = Field(gt=0)
    url: str = ""
    title: str = ""


class Finish(Record):
    """A colour the maker offers: approximate sRGB of the body, and of parts in the `light` tone.

    `surface` is the surface of those tinted parts which have the body's surface in other finishes; `back` is
    the surface of the back.
    """

    name: str
    hex: Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
    light: Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")] | None = None
    surface: Surface | None = None
    back: Surface | None = None


class Facts(Record):
    """The facts that sheets, devices and lists share.

    `aliases` are names besides those that follow from the full one (see `service.devices.device_names`).
    `approximate` names the members of the sheet that are estimates.
    """

    id: str
    name: str
    brand: str | None
    category: Category
    year: int | None
    aliases: tuple[str, ...] = ()
    approximate: tuple[str, ...] = ()


class Device(Facts):
    """One device: facts, size in mm, slabs, screens, finishes. `body` is its width, height and depth.

    Devices with equal content are equal. Those of the catalogue are pickled by id. A `fitted` device has the
    catalogue's screen only until a screenshot's shape is known.
    """

    body: Vector
    orientations: tuple[Orientation, ...]
    screens: tuple[Screen, ...] = Field(min_length=1)
    finishes: tuple[Finish, ...]
    slabs: tuple[Slab, ...]
    fitted: FittedDevice | None = None
    bars: Bars | None = None

    @cached_property
    def digest(self) -> str:
        """A hash of the device's whole content, computed once."""
        return hashlib.blake2b(self.model_dump_json().encode(), digest_size=16).hexdigest()

    def __eq__(self, other: object) -> bool:
        """Compare by content."""
        return self is other or (isinstance(other, Device) and self.digest == other.digest)

    def __hash__(self) -> int:
        """Hash by content."""
        return hash(self.digest)

    def __copy__(self) -> Self:
        """A copy without the cached digest, because copies are made in order to be changed."""
        copied = super().__copy__()
        copied.__dict__.pop("digest", None)
        return copied

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """Pickle devices of the catalogue by id, all others whole."""
        if catalogue().get(self.id) is self:
            return _of_catalogue, (self.id,)
        return super().__reduce_ex__(protocol)

    @property
    def screen(self) -> Screen:
        """The main screen, which decides orientation and `auto`."""
        return self.screens[0]

    def slab(self, name: str) -> Slab:
        """The slab of that name; raises StopIteration if there is none."""
        return next(slab for slab in self.slabs if slab.name == name)

    @property
    def textures(self) -> tuple[str, ...]:
        """The names of all pictures on the device, some of them more than once."""
        faces = [face for slab in self.slabs for face in (slab.front, slab.back) if face]
        return (
            *(screen.mask for screen in self.screens if screen.mask),
            *(layer.image for face in faces for layer in face.layers),
            *(layer.dark for face in faces for layer in face.layers if layer.dark),
            *(face.occlusion.image for face in faces if face.occlusion),
            *(decal.image for slab in self.slabs for decal in slab.decals),
        )

    def file(self, name: str) -> Path:
        """The file of a texture, in the device's folder or in the folder of shared parts."""
        return _file(self.id, name)

    def screens_on(self, slab: Slab, half: int = 0) -> list[tuple[int, Screen]]:
        """The screens on a slab's front face or on one half of it, with their indices."""
        return [
            (place, screen)
            for place, screen in enumerate(self.screens)
            if screen.slab == slab.name and screen.half == half
        ]

    @property
    def tinted(self) -> bool:
        """Whether anything on the device takes the finish's colour."""
        faces = (face for slab in self.slabs for face in (slab.front, slab.back) if face)
        return any(slab.tinted for slab in self.slabs) or any(face.tinted for face in faces)

    @property
    def natural(self) -> Orientation:
        """The orientation of the device file: landscape if the screen is wider than tall."""
        return "landscape" if self.screen.px[0] > self.screen.px[1] else "portrait"

    @property
    def up(self) -> Vector:
        """The unit vector that points up as the device stands: away from its deck, or from its foot."""
        deck = next((slab for slab in self.slabs if slab.role == "deck"), None)
        if deck is None:
            return 0.0, 1.0, 0.0
        (ax, ay, az), (bx, by, bz) = deck.x, deck.y
        normal = (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
        length = math.hypot(*normal)
        return normal[0] / length, normal[1] / length, normal[2] / length

    @property
    def looped(self) -> bool:
        """Whether the device has a closed strap, on which it can stand."""
        return any(slab.role == "strap" and slab.base is None for slab in self.slabs)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The orientations in which the device can stand; in landscape, its top may be on either side."""
        turns = self.natural == "portrait" and "landscape" in self.orientations
        return (*self.orientations, "landscape-right") if turns else self.orientations


def drawn(name: str, folder: Path, frames: Path = FRAMES) -> Path:
    """The file of a texture: in a device's `folder`, or in `frames/parts/` for a shared part."""
    return (frames if name.startswith(f"{PARTS}/") else folder) / name


# Cached, because every picture needs the files of all its textures, and paths are slow to join.
@lru_cache(maxsize=FILES)
def _file(device: str, name: str) -> Path:
    return drawn(name, FRAMES / device)


class _ScreenPixels(BaseModel):
    """The pixels of a screen."""

    px: tuple[int, int]


class Entry(Facts):
    """A device as lists and searches need it: its file without slabs, an order of magnitude smaller."""

    model_config = ConfigDict(extra="ignore")

    orientations: tuple[Orientation, ...]
    screens: tuple[_ScreenPixels, ...]
    finishes: tuple[Finish, ...]
    fitted: FittedDevice | None = None

    @property
    def px(self) -> tuple[int, int]:
        """Width and height of the main screen."""
        return self.screens[0].px


class Catalogue(Mapping[str, Device]):
    """The devices of a folder by id, sorted by category and name, each read whole when first asked for."""

    def __init__(self, frames: Path) -> None:
        """Read the `entries`; raises ValueError for a file that is not a device."""
        self._frames = frames
        self._devices: dict[str, Device] = {}
        files = sorted(frames.glob("*/device.json"))
        entries = [Entry.model_validate_json(file.read_bytes()) for file in files]
        self.entries = {one.id: one for one in sorted(entries, key=lambda one: (one.category, one.name))}

    def __getitem__(self, id_: str) -> Device:
        """The device; raises KeyError, or ValueError for a file that is not a device."""
        if id_ not in self._devices:
            file = self._frames / self.entries[id_].id / "device.json"
            self._devices[id_] = Device.model_validate_json(file.read_bytes())
        return self._devices[id_]

    def __contains__(self, id_: object) -> bool:
        """Whether there is such a device; reads nothing."""
        return id_ in self.entries

    def __iter__(self) -> Iterator[str]:
        """The ids."""
        return iter(self.entries)

    def __len__(self) -> int:
        """How many devices there are."""
        return len(self.entries)


@cache
def catalogue() -> Catalogue:
    """The devices of this service."""
    return Catalogue(FRAMES)


def _of_catalogue(id_: str) -> Device:
    return catalogue()[id_]
