"""A scene: resolved settings of a picture, frozen and hashable."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Self

from ..devices.content import Content
from ..devices.device import Device, Standing
from ..validation.color import BLACK, Color
from .captions import CaptionSpec
from .effects import Effect
from .formats import Written
from .gradient import GradientType
from .layouts import SceneLayout
from .poses import Framing
from .schema import Glare
from .stores import StoreName
from .styles import Style
from .warnings import Warning

SIGMA = 0.006  # of the canvas' short side, per unit of `shadow.blur`
NO_ANGLES, NOWHERE = (0.0, 0.0, 0.0), (0.0, 0.0)
BLUR = 5.0  # `shadow.blur` at which shadows on a ground have the softness that the environment gives


def device_path(index: int) -> str:
    """The path of a device in a request that lists its devices."""
    return f"devices[{index}]"


class Stop(NamedTuple):
    """A colour of a gradient, and its position, 0-1."""

    color: Color
    at: float


@dataclass(frozen=True, slots=True)
class Background:
    """A flat colour, or a gradient through `stops` in ascending order; alpha 0 is transparent."""

    stops: tuple[Stop, ...]
    shape: GradientType
    angle: float

    @classmethod
    def of(cls, *colors: Color, shape: GradientType = "linear", angle: float = 135.0) -> Self:
        """A colour, or a gradient through colours at equal distances."""
        last = max(len(colors) - 1, 1)
        return cls(tuple(Stop(color, at / last) for at, color in enumerate(colors)), shape, angle)

    @property
    def flat(self) -> bool:
        """Whether the background has a single colour."""
        return len(self.stops) == 1

    @property
    def solid(self) -> bool:
        """Whether the background is opaque."""
        return all(stop.color.alpha == 255 for stop in self.stops)


@dataclass(frozen=True, slots=True)
class BackdropSpec:
    """The form of a background picture: its fit, the blur's sigma in output px, and its darkening, 0-1.

    It is drawn over `under`. With `screenshot` set, the picture is the first screenshot.
    """

    fit: Literal["cover", "contain", "stretch"]
    sigma: float
    dim: float
    under: Background
    screenshot: bool


@dataclass(frozen=True, slots=True)
class Transform:
    """Scale, shift (half canvases, positive is up) and rotation (degrees) of the scene; `fov` in degrees.

    `framing` defines the size at scale 1 (see `service.render.geometry.camera.aim`).
    """

    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0
    rx: float = 0.0
    ry: float = 0.0
    rz: float = 0.0
    fov: float = 30.0
    framing: Framing = "auto"


@dataclass(frozen=True, slots=True)
class ShadowSpec:
    """A soft shadow: opacity 0-1, and the Gaussian's `sigma` and the offset (right, up) in output pixels."""

    opacity: float
    sigma: float
    color: Color
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class GroundSpec:
    """A floor below the device or a wall behind it, `distance` mm away.

    The shadow on it has the strength `opacity`, 0-1 (0.5 is physical), and a `softness` (1 is physical). A
    floor mirrors with a strength of `reflectivity`, 0-1; with a `roughness`, 0-1, the image becomes softer
    with the height of the mirrored point.
    """

    kind: Literal["floor", "wall"]
    distance: float = 0.0
    opacity: float = 0.5
    softness: float = 1.0
    color: Color = BLACK
    reflectivity: float = 0.0
    roughness: float = 0.0


@dataclass(frozen=True, slots=True)
class Instance:
    """A device in a scene: its orientation and style, and its own transform.

    Devices compare by content. `tint` is the colour of the device or of its lines. `angles` are its
    rotations (degrees, about x, y and z), `position` is its shift in half canvases (right, up), and `depth`
    its shift towards the viewer, mm. All are added to the values of the scene's layout.
    """

    device: Device
    orientation: Standing
    tint: Color
    style: Style = "real"
    angles: tuple[float, float, float] = NO_ANGLES
    position: tuple[float, float] = NOWHERE
    depth: float = 0.0

    @property
    def quarters(self) -> Literal[-1, 0, 1]:
        """The quarter turns to the left that are applied to the device first."""
        if self.orientation == "landscape-right":
            return -1
        return 0 if self.orientation == self.device.natural else 1

    @property
    def upright(self) -> tuple[float, float]:
        """Width and height, mm, of the device as it stands when it is not turned."""
        width, height, _ = self.device.body
        return (height, width) if self.quarters else (width, height)


@dataclass(frozen=True, slots=True)
class PlateSpec:
    """Everything that a plate depends on, which excludes the screenshots; the plate's cache key.

    `instances` are the devices, which `layout` places and `transform` moves as a whole. `width` and `height`
    are output pixels. `light` is the strength of the environment (0 = off), `turn` its rotation about the
    vertical axis in degrees, and `glare` the limit of its reflections in screens. With `depth`, the plate has
    the distances of the devices. `owner` is set if a device may show a user's texts, because the time of a
    render must not reveal to others that such a plate is cached. If there is a `ground`, the shadow falls on
    it. `moving` devices are lit in less detail. `spill` is the strength of the light that a coloured
    background reflects onto the devices, 0 or more.
    """

    instances: tuple[Instance, ...]
    width: int
    height: int
    transform: Transform
    background: Background
    shadow: ShadowSpec | None
    environment: str
    light: float
    glare: Glare = "reduced"
    fast: bool = False
    owner: str = ""
    ground: GroundSpec | None = None
    turn: float = 0.0
    layout: SceneLayout = "free"
    moving: bool = False
    depth: bool = False
    spill: float = 0.0

    @property
    def device(self) -> Device:
        """The first device."""
        return self.instances[0].device


@dataclass(frozen=True, slots=True)
class Fit:
    """The fit of the screenshot to the screen, and the colour behind it."""

    fit: Literal["cover", "contain", "stretch"] = "cover"
    anchor: Literal["top", "center", "bottom"] | None = None
    background: Color = BLACK


@dataclass(frozen=True, slots=True)
class Output:
    """Format, quality (10-100, lossy formats) and effort of the encoder, and an XMP packet for the file."""

    format: Written = "png"
    quality: int = 85
    fast: bool = False
    xmp: bytes = b""


@dataclass(frozen=True, slots=True)
class Showing:
    """The index of a device's screenshot, and the window that it is cut to first, if `trim` is given."""

    source: int
    fit: Fit
    trim: Content | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Plate spec, effects and output of one picture, the screenshot of each device, and warnings.

    `captions` are drawn over the devices, and cached for their `owner` only. `cuts` are the first and end
    columns of the slices, if any. A `store` may refuse the files. Warnings name devices if the request has
    `named` them. Devices off the canvas cause no warning if a template has the same `placement`. If there is
    a `backdrop`, the plate's background is transparent, so that the same plate can be used with any backdrop.
    """

    spec: PlateSpec
    shown: tuple[Showing, ...]
    effects: tuple[Effect, ...]
    output: Output
    warnings: tuple[Warning, ...] = ()
    cuts: tuple[tuple[int, int], ...] = ()
    store: StoreName | None = None
    named: bool = False
    placement: str = ""
    backdrop: BackdropSpec | None = None
    captions: tuple[CaptionSpec, ...] = ()
    owner: str = ""

    @property
    def solid(self) -> bool:
        """Whether the settings alone make the picture opaque, whatever image is behind the devices."""
        return (self.backdrop.under if self.backdrop else self.spec.background).solid

    @property
    def device(self) -> Device:
        """The first device of the plate spec."""
        return self.spec.device

    @property
    def fit(self) -> Fit:
        """The fit of the first device's screenshot."""
        return self.shown[0].fit

    @property
    def trim(self) -> Content | None:
        """The window to which the first device's screenshot is cut."""
        return self.shown[0].trim

    @property
    def each_screen(self) -> tuple[Showing, ...]:
        """The screenshot of each screen, in the order of the devices and of their screens."""
        pairs = zip(self.spec.instances, self.shown, strict=True)
        return tuple(shown for one, shown in pairs for _ in one.device.screens)

    @property
    def named_devices(self) -> tuple[str, ...]:
        """The ids of the devices, where the request lists them."""
        return tuple(one.device.id for one in self.spec.instances) if self.named else ()

    def about(self, index: int, found: Iterable[Warning | None]) -> tuple[Warning, ...]:
        """Warnings about a device; they name the device if the request names its devices."""
        kept = (one for one in found if one)
        if not self.named:
            return tuple(kept)
        return tuple(replace(one, message=f"{device_path(index)}: {one.message}") for one in kept)
