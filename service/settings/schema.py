"""Render settings as callers send them, with every default, range and description.

Validation, the OpenAPI document and docs/settings.md are all derived from these models.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag

from ..devices.categories import STANDING, WINDOWS
from ..devices.described.description import Description
from ..devices.described.measures import possible
from ..devices.device import Category, Device, Theme
from ..devices.device_names import DEVICES, by_name, finishes
from ..limits import CAPTIONS, SLICES
from ..validation import aliases, messages
from ..validation.color import PATTERN, parse
from ..validation.group import Angle, ColorText, Factor, Flag, Group, Level, Number, Shown, Whole
from ..validation.names import Names, index, listed
from .background_image import BackgroundImage
from .captions import Caption, LanguageTag
from .effects import PostProcessing
from .formats import BY_NAME, WRITTEN, Written
from .gradient import GradientStops, GradientType
from .layouts import SceneLayout
from .poses import POSE_NAMES, POSES, Framing, Turn
from .stores import StoreName
from .styles import Style

#: The environments, a line each; `frames/generator/environments.py` draws them.
ENVIRONMENTS = {
    "studio": "soft boxes in a dark room",
    "window": "a tall window to one side of a white room",
    "sunset": "a low warm sun, and pale sky across from it",
    "city": "bright glass towers under a clear sky",
    "night": "magenta and cyan neon behind, soft light above",
    "forest": "bright sky in an opening of the leaves",
    "softbox": "one huge soft light above a white table",
    "strip": "tall thin lights at the edges of a black room",
    "spotlight": "one small hard lamp in a dark room",
}
if TYPE_CHECKING:
    Environment = str
else:
    # As for `formats.Written`.
    Environment = Literal[(*ENVIRONMENTS, "none")]
Glare = Literal["reduced", "soft", "natural"]

PRESETS: dict[str, tuple[int, int]] = {
    "app-store-6.9": (1320, 2868),
    "app-store-6.9-landscape": (2868, 1320),
    "app-store-6.5": (1284, 2778),
    "app-store-6.5-landscape": (2778, 1284),
    "app-store-6.3": (1206, 2622),
    "app-store-6.1": (1179, 2556),
    "app-store-5.5": (1242, 2208),
    "app-store-ipad-13": (2064, 2752),
    "app-store-ipad-13-landscape": (2752, 2064),
    "app-store-ipad-11": (1668, 2420),
    "app-store-mac": (2880, 1800),
    "app-store-watch": (416, 496),
    "app-preview": (886, 1920),
    "app-preview-landscape": (1920, 886),
    "app-preview-5.5": (1080, 1920),
    "app-preview-ipad": (1200, 1600),
    "play-phone": (1080, 1920),
    "play-phone-landscape": (1920, 1080),
    "play-tablet-7": (1200, 1920),
    "play-tablet-10": (1600, 2560),
    "play-feature": (1024, 500),
    "og": (1200, 630),
    "twitter": (1200, 675),
    "linkedin": (1200, 627),
    "instagram-square": (1080, 1080),
    "instagram-portrait": (1080, 1350),
    "story": (1080, 1920),
    "youtube": (1280, 720),
    "product-hunt": (1270, 760),
    "dribbble": (1600, 1200),
    "hd": (1280, 720),
    "full-hd": (1920, 1080),
    "4k": (3840, 2160),
}

_PRESETS = index(PRESETS)
_PRESET_NAMES = Names("preset", "a preset's name", lambda: _PRESETS, "GET /api/v1/presets")
FORMAT_NAMES = Names("format", "", lambda: BY_NAME, open=True)
_FINISH_NAMES = Names("finish", "a hex colour or a finish's name", finishes, open=True)


@cache
def _device_names() -> dict[str, str]:
    return by_name() | {"auto": "auto"}


_DEVICE_NAMES = replace(DEVICES, takes="a device's id or full name, auto", known=_device_names)


SideLength = Annotated[Whole, Shown("px", 1, {"preset": (None,)})]
_GRADIENT = {"gradientEnabled": (True,)}
_ANGLED = _GRADIENT | {"gradientType": ("linear", "conic", "mesh")}
_LOSSY = tuple(one.name for one in WRITTEN if one.lossy)
_WINDOWS: tuple[Category, ...] = ("browser", "window")
_GROUNDED = {"kind": ("auto", "floor", "wall")}
_FLOORED = {"kind": ("auto", "floor", "sweep")}

# The rotations, in degrees, at which devices that stand by themselves look as if standing.
UPRIGHT, LOWEST, HIGHEST = 0.5, 0.0, 60.0
STEEPEST = 75.0  # degrees by which the camera is above a level table at most


class Canvas(Group):
    """The picture's size at `export.scale` 1."""

    other_names = aliases.CANVAS

    width: SideLength = Field(1920, ge=64, le=4096, description="pixels")
    height: SideLength = Field(1080, ge=64, le=4096, description="pixels")
    preset: Annotated[str | None, _PRESET_NAMES, Shown(title="Size")] = Field(
        None,
        description="an app store or social media size; overrides width and height",
        examples=list(PRESETS),
    )

    slices: Annotated[Whole, Shown(step=1)] = Field(
        1,
        ge=1,
        le=SLICES,
        description="pictures side by side that are composed as one and cut, each of this width",
    )
    gap: Annotated[Whole, Shown("px", 1)] = Field(
        0, ge=0, le=1024, description="pixels between slices, which are cut away"
    )

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of a slice in pixels, from the preset if one is set."""
        return PRESETS[self.preset] if self.preset else (self.width, self.height)


class ScreenFit(Group):
    """How the screenshot fits the screen."""

    other_names = aliases.SCREEN

    fit: Annotated[Literal["cover", "contain", "stretch"], Shown(title="Screenshot on the screen")] = Field(
        "cover", description="cover crops, contain adds bars"
    )
    anchor: Annotated[Literal["top", "center", "bottom"] | None, Shown(title="Part that stays visible")] = (
        Field(None, description="part to keep; default: center, or top to crop a tall screenshot")
    )
    background: Annotated[ColorText, Shown(title="Color around the screenshot")] = Field(
        "#000000",
        description="colour behind a contained or transparent screenshot; by default, windows and cards show "
        "a blank page",
    )
    trim: Literal["auto", "none"] = Field(
        "auto",
        description="auto removes the transparent shadow around a window's screenshot, on windows and cards "
        "that take its shape",
    )
    url: Annotated[str | None, Shown(categories=("browser",), title="Window address")] = Field(
        None,
        max_length=2048,
        pattern=messages.PRINTABLE,
        description="shown in the address field of a browser window; never fetched; `source` shows the host "
        "of the screenshot's own URL",
    )
    title: Annotated[str | None, Shown(categories=_WINDOWS, title="Window title")] = Field(
        None,
        max_length=500,
        pattern=messages.PRINTABLE,
        description="shown in the title bar or tab of a window",
    )


class Appearance(Group):
    """The background and the colour of the device."""

    other_names = aliases.APPEARANCE

    background_color: Annotated[str, Shown(title="Background")] = Field(
        "#F2F3F5",
        pattern=PATTERN + "|^transparent$",
        description="a hex colour or transparent; the default is darker behind light devices",
        examples=["#F2F3F5", "transparent"],
    )
    gradient_enabled: Annotated[Flag, Shown(title="Gradient")] = Field(
        False, description="draw a gradient from backgroundColor to gradientColor, or through gradientStops"
    )
    gradient_color: Annotated[ColorText, Shown(needs=_GRADIENT, title="Second color")] = Field(
        "#C9D6FF", description="end colour of the gradient"
    )
    gradient_type: Annotated[GradientType, Shown(needs=_GRADIENT, title="Gradient shape")] = Field(
        "linear",
        description="linear: along a line; radial: from the centre to the corners; conic: around the centre; "
        "mesh: soft spots of the colours",
    )
    gradient_angle: Annotated[Number, Shown("°", 1, _ANGLED, title="Gradient angle")] = Field(
        135.0, ge=0, le=360, description="degrees as in CSS: 0 is up, 90 right"
    )
    gradient_stops: GradientStops = Field(
        (),
        description="2 to 8 colours in place of backgroundColor and gradientColor, in order; drawn unless "
        "gradientEnabled is false",
    )
    background_image: BackgroundImage | None = Field(
        None, description="a picture in front of the colour or gradient"
    )
    device_color: Annotated[str | None, _FINISH_NAMES] = Field(
        None, description="opaque tint of the metal, clay or lines; default: the first finish, or near white"
    )
    style: Annotated[Style, Shown(title="Drawn as")] = Field(
        "real", description="clay: one matt colour; outline: a line drawing; the screen is unchanged"
    )
    theme: Annotated[Theme | None, Shown(categories=(*_WINDOWS, "card"), title="Window theme")] = Field(
        None, description="of windows and cards; default: dark for a terminal, light for others"
    )

    @property
    def gradient(self) -> bool:
        """Whether there is a gradient."""
        undecided = "gradient_enabled" not in self.model_fields_set
        return self.gradient_enabled or (undecided and bool(self.gradient_stops))

    @property
    def colors(self) -> tuple[str, ...]:
        """The colours of the background, a hex colour or transparent each."""
        if not self.gradient:
            return (self.background_color,)
        stops = tuple(stop.color for stop in self.gradient_stops)
        return stops or (self.background_color, self.gradient_color)

    @property
    def solid(self) -> bool:
        """Whether the background is opaque."""
        return all(color != "transparent" and parse(color).alpha == 255 for color in self.colors)


class DeviceTransform(Group):
    """Position and rotation of the device; see docs/rendering.md."""

    other_names = aliases.TRANSFORM

    scale: Annotated[Factor, Shown(title="Size")] = Field(
        1.0, ge=0.1, le=5, description="1 is the size that framing gives"
    )
    position_x: Annotated[Level, Shown(title="Horizontal position")] = Field(
        0.0, ge=-2, le=2, description="to the right, in half canvas widths"
    )
    position_y: Annotated[Level, Shown(title="Vertical position")] = Field(
        0.0, ge=-2, le=2, description="upwards, in half canvas heights"
    )
    rotation_x: Annotated[Angle, Shown(title="Tilt")] = Field(
        0.0, ge=-180, le=180, description="degrees; positive: top edge nearer"
    )
    rotation_y: Annotated[Angle, Shown(title="Turn")] = Field(
        0.0, ge=-180, le=180, description="degrees; positive: screen turns right"
    )
    rotation_z: Annotated[Angle, Shown(title="Roll")] = Field(
        0.0, ge=-180, le=180, description="degrees; positive: counter-clockwise"
    )
    field_of_view: Angle = Field(
        30.0,
        ge=0,
        le=90,
        description="vertical, degrees; 0 is orthographic; reduced if the camera would be inside the device",
    )
    framing: Framing = Field(
        "auto",
        description="size at scale 1. upright: the unrotated device spans 78 % of the canvas; auto: the "
        "same, but moved or made smaller if the rotated device would come within 4 % of an edge, or its "
        "shadow be cut; posed: the rotated device spans 78 % and is centred; "
        "balanced: as posed, but its visual weight is centred horizontally, rather than its box",
    )
    pose: Annotated[str | None, POSE_NAMES] = Field(
        None,
        description="sets the rotations, field of view and framing that are not given, to suit the device",
        examples=list(POSES),
    )

    def view(self, category: Category, layout: Turn | None = None) -> Turn:
        """The view of a category of devices: members that were given, the rest from the pose or `layout`."""
        own = Turn(*(getattr(self, name) for name in Turn._fields))
        below = layout if self.pose is None else POSES[self.pose].views[category]
        if below is None:
            return own
        given = {name: value for name, value in own._asdict().items() if name in self.model_fields_set}
        return below._replace(**given)


class Shadow(Group):
    """The soft shadow on the background."""

    other_names = aliases.SHADOW

    enabled: Annotated[Flag, Shown(title="Shadow")] = Field(True, description="draw the shadow")
    opacity: Level = Field(
        0.5,
        ge=0,
        le=1,
        description="0 is invisible, 1 opaque; the shadow of windows and cards is fainter by a quarter",
    )
    blur: Annotated[Number, Shown("× 0.6 %", 0.1)] = Field(
        5.0,
        ge=0,
        le=20,
        description="softness; 0 is sharp, and each step widens the blur's standard deviation by 0.6 % of "
        "the canvas' short side, or by 0.9 % for windows and cards",
    )
    color: ColorText = Field("#000000", description="colour of the shadow")
    offset_x: Annotated[Level, Shown(title="Horizontal offset")] = Field(
        0.0, ge=-0.5, le=0.5, description="to the right, in short sides of the canvas"
    )
    offset_y: Annotated[Level, Shown(title="Vertical offset")] = Field(
        -0.03, ge=-0.5, le=0.5, description="upwards, in short sides of the canvas"
    )


class Ground(Group):
    """The surface that the device stands on or hangs in front of."""

    other_names = aliases.GROUND

    kind: Literal["auto", "none", "floor", "wall", "sweep"] = Field(
        "auto",
        description="floor: below the device; wall: behind it; both take the background's colours; none: a "
        "soft shadow alone; auto: a floor for laptops, monitors and televisions, and for a watch alone, in "
        "poses that let them stand, else none; sweep: as auto, with a wall close behind any other device "
        "that is alone, except windows and cards",
    )
    distance: Annotated[Number, Shown("mm", 1, _GROUNDED)] = Field(
        0.0,
        ge=0,
        le=2000,
        description="distance of the ground from the nearest part of the device; no effect on a sweep",
    )
    reflectivity: Annotated[Level, Shown(needs=_FLOORED)] = Field(
        0.0,
        ge=0,
        le=1,
        description="how clearly a floor mirrors the devices, screens included; 0 is matt; no effect without "
        "a floor",
    )
    roughness: Annotated[Level, Shown(needs=_FLOORED)] = Field(
        0.35,
        ge=0,
        le=1,
        description="how quickly a floor's reflection blurs with height; 0 is sharp",
    )

    def under(self, device: Device, view: Turn, *, alone: bool) -> Literal["floor", "wall"] | None:
        """The ground of a device in a pose, if any; `alone` says whether the picture has no other device."""
        if self.kind in ("floor", "wall"):
            return self.kind
        if self.kind == "none":
            return None
        standing = device.category in STANDING or (alone and device.looped)
        if standing and _stands(device, view):
            return "floor"
        return "wall" if self.kind == "sweep" and alone and device.category not in WINDOWS else None


def _stands(device: Device, view: Turn) -> bool:
    """Whether a device looks as if it stood: not rolled, or on a level table seen from above."""
    if abs(view.rotation_z) < UPRIGHT and LOWEST <= view.rotation_x <= HIGHEST:
        return True
    x, y, z = view.turned(device.up)
    above = math.degrees(math.asin(max(-1.0, min(z, 1.0))))
    return abs(math.degrees(math.atan2(x, y))) < UPRIGHT and LOWEST <= above <= STEEPEST


class Reflection(Group):
    """Reflections on the glass and the metal."""

    other_names = aliases.REFLECTION

    enabled: Annotated[Flag, Shown(title="Reflections")] = Field(True, description="reflect the environment")
    intensity: Annotated[Factor, Shown(title="Strength")] = Field(
        1.0, ge=0, le=3, description="strength; 0 is off"
    )
    environment: Annotated[Environment, Shown(title="Surroundings")] = Field(
        "studio", description="the surroundings that light the device"
    )
    rotation: Angle = Field(
        0.0,
        ge=-180,
        le=180,
        description="by how much the environment turns around the device; positive: its right comes to the "
        "front",
    )
    glare: Annotated[Glare, Shown(title="Glare on the screen")] = Field(
        "reduced",
        description="reduced: reflections in a screen are limited so that it stays legible; soft: they "
        "faintly show the shape of a light; natural: they are physically correct",
    )
    spill: Annotated[Factor, Shown(title="Light from the background")] = Field(
        1.0,
        ge=0,
        le=2,
        description="strength of the light that a coloured background reflects onto the sides and lower "
        "edges of the device; 0 is off; greys, pictures and transparent backgrounds reflect none",
    )


def _formats() -> str:
    """The written formats in words: `png, jpeg (also jpg) or webp`."""
    also = {
        one.name: [name for name, known in BY_NAME.items() if known == one.name != name] for one in WRITTEN
    }
    return listed([f"{name} (also {listed(more)})" if more else name for name, more in also.items()])


class Export(Group):
    """The output file."""

    other_names = aliases.EXPORT

    format: Annotated[Written, FORMAT_NAMES] = Field(
        "png", description=_formats(), json_schema_extra={"enum": list(BY_NAME)}
    )
    quality: Annotated[Whole, Shown(step=1, needs={"format": _LOSSY})] = Field(
        85, ge=10, le=100, description=f"for {listed(_LOSSY, 'and')}"
    )
    scale: Factor = Field(1.0, ge=1, le=4, description="multiplies the canvas size")
    store: Annotated[StoreName | None, Shown(title="For an app store")] = Field(
        None,
        description="refuse pictures that Apple's App Store or Google Play would refuse; see docs/store.md",
    )
    metadata: Annotated[Flag, Shown(title="Keep the settings in the file")] = Field(
        False, description="write the settings into the file, but never the screenshot's source or the key"
    )


SOURCE = "source"  # as `screen.url`
DEFAULT_DEVICE = "iphone-16-pro"


def _device_form(value: Any) -> str:
    return "object" if isinstance(value, dict | Group) else "name"


_Named = Annotated[str, Tag("name")]
_Described = Annotated[Description, AfterValidator(possible), Tag("object")]
AnyDevice = _Named | _Described
OrientationChoice = Literal["auto", "natural", "portrait", "landscape", "landscape-right"]


class Settings(Group):
    """Everything that describes a mockup except the screenshot."""

    other_names = aliases.SETTINGS

    device: Annotated[AnyDevice, Discriminator(_device_form), _DEVICE_NAMES] = Field(
        DEFAULT_DEVICE, description="auto picks the best match; an object describes any other device"
    )
    orientation: OrientationChoice = Field(
        "auto",
        description="auto rotates the device to suit the screenshot; natural is as makers show it; "
        "landscape has the top of a phone at the left, landscape-right at the right",
    )
    layout: SceneLayout = Field(
        "free",
        description="where the devices of a scene stand; all but free also set the rotations, field of view "
        "and framing of `deviceTransform` that are not given",
    )
    canvas: Canvas = Canvas.model_construct()
    screen: ScreenFit = ScreenFit.model_construct()
    appearance: Appearance = Appearance.model_construct()
    device_transform: DeviceTransform = DeviceTransform.model_construct()
    shadow: Shadow = Shadow.model_construct()
    ground: Ground = Ground.model_construct()
    reflection: Reflection = Reflection.model_construct()
    post_processing: PostProcessing = PostProcessing.model_construct()
    captions: tuple[Caption, ...] = Field((), max_length=CAPTIONS, description="texts on the picture")
    language: LanguageTag | None = Field(
        None,
        description="language of the captions: selects their texts, forms of letters and line breaks",
    )
    export: Export = Export.model_construct()

    @property
    def slice_size(self) -> tuple[int, int]:
        """Width and height of a slice in pixels: canvas times scale."""
        width, height = self.canvas.size
        return round(width * self.export.scale), round(height * self.export.scale)

    @property
    def output_size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels, all slices with the gaps between them."""
        width, height = self.slice_size
        count, gap = self.canvas.slices, round(self.canvas.gap * self.export.scale)
        return count * width + (count - 1) * gap, height

    @property
    def cuts(self) -> tuple[tuple[int, int], ...]:
        """The first and end column of each slice in the picture, px; none if there is but one."""
        width, _ = self.slice_size
        step = width + round(self.canvas.gap * self.export.scale)
        count = self.canvas.slices
        return tuple((at * step, at * step + width) for at in range(count)) if count > 1 else ()

    @classmethod
    def defaults(cls) -> Self:
        """The settings of a request that has none."""
        return cls()
