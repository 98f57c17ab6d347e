"""A device in the words of a request."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from ...validation import aliases
from ...validation.group import ColorText, Group, Number, Shown, Whole, number

KindName = Literal[
    "phone", "tablet", "foldable", "laptop", "monitor", "tv", "console", "watch", "window", "card"
]
CutoutForm = Literal["none", "island", "notch", "hole"]
BodyMaterial = Literal["aluminium", "titanium", "steel", "glass", "plastic", "matte"]
CameraLayout = Literal[
    "none", "single", "dual", "triple", "quad", "bar", "single-square", "dual-square", "square", "quad-square"
]
_PIXELS, _LENGTH = Shown("px"), Shown("mm")
# The types have the bounds, not the fields: OpenAPI would not show a field's bounds if its value may also be
# null.
Extent = Annotated[float, Field(ge=1, le=4096, allow_inf_nan=False), BeforeValidator(number), _PIXELS]
ScreenPosition = Annotated[float, Field(ge=0, le=8192, allow_inf_nan=False), BeforeValidator(number), _PIXELS]
Radius = Annotated[float, Field(ge=0, le=4096, allow_inf_nan=False), BeforeValidator(number), _PIXELS]
Thickness = Annotated[float, Field(ge=1, le=100, allow_inf_nan=False), BeforeValidator(number), _LENGTH]
Bezel = Annotated[float, Field(ge=0, le=300, allow_inf_nan=False), BeforeValidator(number), _LENGTH]
Density = Annotated[float, Field(ge=20, le=1500, allow_inf_nan=False), BeforeValidator(number), Shown("ppi")]


class DeviceCutout(Group):
    """A cut-out of a described screen, in its pixels."""

    kind: Annotated[CutoutForm, Shown(title="Cut-out")] = Field(
        "none", description="an island or hole lies in the screen, a notch at its top"
    )
    width: Annotated[Extent | None, Shown(title="Its width")] = Field(None, description="pixels")
    height: Annotated[Extent | None, Shown(title="Its height")] = Field(None, description="pixels")
    x: Annotated[ScreenPosition | None, Shown(title="Middle from left")] = Field(
        None, description="its middle, from the left; default: centred"
    )
    y: Annotated[ScreenPosition | None, Shown(title="Middle from top")] = Field(
        None, description="its middle, from the top; a notch takes none"
    )


class DeviceScreen(Group):
    """A described screen, in pixels as the device is held upright."""

    width: Annotated[Whole, _PIXELS, Shown(title="Screen width")] = Field(
        ge=64, le=8192, description="pixels"
    )
    height: Annotated[Whole, _PIXELS, Shown(title="Screen height")] = Field(
        ge=64, le=8192, description="pixels"
    )
    corner_radius: Radius | None = Field(None, description="pixels; default: as is usual for the kind")
    cutout: DeviceCutout = DeviceCutout.model_construct()


class DeviceBody(Group):
    """A described body, in millimetres: a laptop closed, a foldable open, a monitor without its stand."""

    width: Annotated[Number, _LENGTH, Shown(title="Body width")] = Field(
        ge=10, le=3000, description="millimetres"
    )
    height: Annotated[Number, _LENGTH, Shown(title="Body height")] = Field(
        ge=10, le=3000, description="millimetres"
    )
    depth: Annotated[Thickness | None, Shown(title="Body depth")] = Field(
        None, description="millimetres; default: usual for the kind"
    )


class DeviceBezel(Group):
    """The bezel of a described device on each side, in millimetres."""

    top: Annotated[Bezel | None, Shown(title="Bezel top")] = Field(
        None, description="millimetres; default: usual for the kind"
    )
    right: Annotated[Bezel | None, Shown(title="Bezel right")] = Field(None, description="as top")
    bottom: Annotated[Bezel | None, Shown(title="Bezel bottom")] = Field(None, description="as top")
    left: Annotated[Bezel | None, Shown(title="Bezel left")] = Field(None, description="as top")


def _form(value: Any) -> str:
    return "object" if isinstance(value, dict | Group) else "number"


_Bezel = Annotated[Bezel, Tag("number")] | Annotated[DeviceBezel, Tag("object")]


class Description(Group):
    """A device that the catalogue does not have, by its measurements."""

    other_names = aliases.DESCRIPTION

    kind: KindName = Field(description="the kind of device")
    screen: DeviceScreen = Field(description="its screen")
    ppi: Annotated[Density | None, Shown(title="Density")] = Field(
        None, description="pixels per inch, which give millimetres; default: a usual size"
    )
    body: DeviceBody | None = Field(None, description="the size of the body, instead of ppi")
    bezel: Annotated[Annotated[_Bezel, Discriminator(_form)] | None, Shown(title="Bezel width")] = Field(
        None, description="millimetres from the body's edge to the screen, or an object of four"
    )
    material: BodyMaterial = Field(
        "aluminium", description="material of the frame, and of the back if there is one"
    )
    color: ColorText = Field("#3A3B3D", description="the only finish; appearance.deviceColor overrides it")
    camera: Annotated[CameraLayout | None, Shown(title="Cameras")] = Field(
        None,
        description="the lenses on the back: one to four in a column, three in a bar, or one to four on a "
        "square plate (square has three); default: usual for the kind",
    )
