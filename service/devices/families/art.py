"""Pictures on devices: parts that several devices share, and the sources of picture names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from ..device import PARTS, Layer, Pair

if TYPE_CHECKING:
    from .sheet import BackDetail, ScreenPanel, Sheet

T = TypeVar("T")
LENS = 6.4  # mm; the radius at which lenses of all sizes are drawn
# The coatings of a device's lenses, in their order, by brand: each kind of lens mirrors another colour.
COATINGS: Mapping[str | None, tuple[str, ...]] = MappingProxyType(
    {
        None: ("violet", "green", "amber"),
        "Google": ("green", "violet", "amber"),
        "OnePlus": ("amber", "violet", "green"),
        "Samsung": ("violet", "amber", "green"),
        "Xiaomi": ("amber", "green", "violet"),
    }
)
# The emitters of a flash, by brand.
FLASHES: Mapping[str | None, str] = MappingProxyType(
    {None: "one", "Apple": "quarters", "Google": "halves", "OnePlus": "halves", "Xiaomi": "halves"}
)


def of_brand(styles: Mapping[str | None, T], brand: str | None) -> T:
    """The style of a brand, or the one of brands without a style of their own."""
    return styles.get(brand, styles[None])


# The margin, mm, of a part's picture around the part; some pictures have a fixed size instead.
MARGINS: dict[str, Pair] = {
    "band": (0.0, 0.0),
    "bay": (2.0, 2.0),
    "border": (0.0, 0.0),
    "bottom-seam": (0.0, 0.0),
    "buttons": (1.0, 1.0),
    "cable-hole": (1.0, 1.0),
    "closure": (0.0, 0.0),
    "control": (1.0, 1.0),
    "crease": (0.0, 0.0),
    "dish": (0.0, 0.0),
    "dots": (0.4, 0.4),
    "earpiece": (0.6, 0.6),
    "flap": (1.0, 1.0),
    "flash": (0.0, 0.0),
    "front-camera": (0.0, 0.0),
    "gap": (0.0, 0.0),
    "grille": (0.0, 0.0),
    "hairline": (0.6, 0.6),
    "hdmi": (0.8, 0.8),
    "head": (1.0, 1.0),
    "hinge-band": (0.0, 0.0),
    "holes": (0.6, 0.6),
    "home": (0.6, 0.6),
    "keyboard": (2.0, 2.0),
    "lamp": (0.4, 0.4),
    "leather": (0.0, 0.0),
    "legend": (0.0, 0.0),
    "lidar": (0.0, 0.0),
    "mains": (2.0, 2.0),
    "matrix": (0.6, 0.6),
    "mic": (0.0, 0.0),
    "panel": (1.2, 1.2),
    "pin": (0.8, 0.8),
    "port": (0.8, 0.8),
    "power": (1.0, 1.0),
    "ribs": (1.2, 1.2),
    "screw": (0.2, 0.2),
    "seam": (0.6, 0.6),
    "sensor": (0.0, 0.0),
    "slot": (0.6, 0.6),
    "strap": (0.0, 0.0),
    "strip": (0.6, 0.6),
    "thread": (1.0, 1.0),
    "trackpad": (1.5, 1.5),
    "usb": (0.8, 0.8),
    "vents": (1.0, 1.0),
    "well": (2.0, 1.6),
}
FIXED: dict[str, Pair] = {
    "connector": (3.2, 13.0),
    "foot": (17.0, 17.0),
    "lens-barrel": (2 * LENS * 0.97, 2 * LENS * 0.97),
    "lens-cover": (2 * LENS, 2 * LENS),
    "lens-elements": (2 * LENS * 0.72, 2 * LENS * 0.72),
    "pulse": (20.0, 20.0),
    "scoop-top": (70.0, 3.4),
    "scoop-wall": (70.0, 5.4),
}


@dataclass(frozen=True, slots=True)
class SharedPart:
    """A part common to many devices, of a kind and `size` (mm), or a row of `count` at a `pitch` (mm).

    `style` distinguishes parts of the same kind and size.
    """

    kind: str
    size: Pair = (0.0, 0.0)
    count: int = 1
    pitch: float = 0.0
    style: str = ""

    @property
    def image(self) -> str:
        """The name of the part's texture."""
        style = f"-{self.style}" if self.style else ""
        if self.kind in FIXED:
            return f"{PARTS}/{self.kind}{style}.png"
        row = f"x{self.count}-{self.pitch:g}" if self.count > 1 else ""
        return f"{PARTS}/{self.kind}-{self.size[0]:g}x{self.size[1]:g}{row}{style}.png"

    @property
    def extent(self) -> Pair:
        """Width and height of the part's picture, mm."""
        if self.kind in FIXED:
            return near(FIXED[self.kind])
        across, up = MARGINS[self.kind]
        return near(((self.count - 1) * self.pitch + self.size[0] + across, self.size[1] + up))


class Art(Protocol):
    """A source of pictures: the generator draws them, a running service uses those that exist (see
    `Nearest`).

    Each method returns the name of a texture, or None if the family must do without.
    """

    def part(self, part: SharedPart) -> str | None:
        """The picture of a part."""
        ...

    def mask(self, panel: ScreenPanel, density: float) -> str | None:
        """A screen's mask of `density` px per mm; without one, its shape is filled on the canvas."""
        ...

    def own(self, kind: Literal["deck-occlusion"], sheet: Sheet) -> str | None:
        """A picture for this device alone: the shade on a laptop's deck."""
        ...


def near(pair: Pair) -> Pair:
    """Millimetres rounded to a tenth of a micrometre, so that files contain no rounding noise."""
    return round(pair[0], 4), round(pair[1], 4)


def layers(
    art: Art, part: SharedPart, center: Pair = (0.0, 0.0), dark: SharedPart | None = None
) -> tuple[Layer, ...]:
    """A part as a layer around `center`, in dark colours `dark`; empty if there is no picture of it."""
    image = art.part(part)
    if image is None:
        return ()
    other = None if dark is None else art.part(dark)
    return (Layer(image=image, center=near(center), size=part.extent, dark=other),)


def detail_layers(art: Art, details: tuple[BackDetail, ...], center: Pair = (0.0, 0.0)) -> tuple[Layer, ...]:
    """The drawings on a face with its middle at `center`."""
    drawn: tuple[Layer, ...] = ()
    for item in details:
        part = SharedPart(item.kind, item.size, item.count, item.pitch)
        drawn += layers(art, part, (item.at[0] - center[0], item.at[1] - center[1]))
    return drawn
