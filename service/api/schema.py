"""Models of request bodies: the mockup request, the saved project and the upload by URL."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from ..engine.request import Reduced
from ..limits import CAPTIONS, PROJECT_NAME_LENGTH, SCENE_DEVICES
from ..settings.captions import Text
from ..settings.document import PARTS, SavedFilm, SavedSet
from ..settings.scene_device import SceneDevice
from ..settings.schema import FORMAT_NAMES, Settings
from ..settings.templates import TEMPLATES
from ..validation import aliases, messages
from ..validation.group import Flag, Group, Whole
from ..validation.messages import ValidatedAs
from .answers import PIXEL, SETTINGS
from .scene_body import PreviewedDevice, ShownDevice

_PRINTABLE = rf"[^{messages.CONTROLS}]*"
_NAME = rf"^{_PRINTABLE}[^\s{messages.CONTROLS}]{_PRINTABLE}$"
#: The members of the flat forms.
FLAT = ("screenshot_url", "screenshot_base64")
#: The formats of previews.
PREVIEWS = ("jpeg", "webp", "png")
Included = Literal["geometry"]


class Screenshot(Group):
    """Where the screenshot comes from."""

    other_names = aliases.SCREENSHOT

    type: Literal["url", "base64", "upload"] = Field(description="form of src")
    src: str = Field(
        min_length=1,
        description="an http or https URL, base64 data with an optional data-URI prefix, or an upload's id",
    )


class MockupRequest(Group):
    """A screenshot and how to show it."""

    other_names = aliases.REQUEST
    example: ClassVar = {
        "type": "screenshot",
        "screenshot": {"type": "base64", "src": PIXEL},
        "settings": SETTINGS,
    }

    type: Literal["screenshot", "scene"] | None = Field(
        None,
        description="optional for one screenshot in the flat forms or as multipart, and for a scene whose "
        "devices come from a template or project",
    )
    devices: tuple[ShownDevice, ...] | None = Field(
        None,
        min_length=1,
        max_length=SCENE_DEVICES,
        description="a scene's devices, each with its screenshot",
    )
    screenshot: Screenshot | None = Field(None, description="the screenshot's source")
    screenshot_url: str | None = Field(
        None, alias="screenshot_url", min_length=1, description="flat form: an http or https URL"
    )
    screenshot_base64: str | None = Field(
        None, alias="screenshot_base64", min_length=1, description="flat form: base64 image data"
    )
    settings: Annotated[dict[str, Any] | None, ValidatedAs(Settings)] = Field(
        None, description="render settings; override the project's"
    )
    fast: Flag = Field(
        False,
        description="half the render time: softer bodies, no dithering; for previews",
    )
    project_id: str | None = Field(None, description="UUID of a saved project to use as the base")
    template: Annotated[str | None, TEMPLATES] = Field(
        None, description="a template; the project's settings and the devices override it"
    )
    texts: tuple[Text, ...] | None = Field(
        None,
        max_length=CAPTIONS,
        description="the captions' texts, or objects of them by language, in order; captions without one are "
        "left out",
    )
    include: tuple[Included, ...] = Field(
        (), max_length=8, description="geometry: tell where the device is in the picture"
    )


class ProjectBody(Group):
    """A project to be saved."""

    other_names = aliases.PROJECT
    example: ClassVar = {"name": "Launch", "settings": SETTINGS}

    name: str = Field(
        min_length=1,
        max_length=PROJECT_NAME_LENGTH,
        description="name; no control codes, not only white space",
        # Checked by `accounts.projects`; here for OpenAPI only.
        json_schema_extra={"pattern": _NAME},
    )
    settings: Annotated[dict[str, Any], ValidatedAs(Settings)] = Field(
        description="render settings, validated when saved"
    )
    devices: tuple[SceneDevice, ...] | None = Field(
        None, min_length=1, max_length=SCENE_DEVICES, description="of a scene, without their screenshots"
    )
    set: SavedSet | None = Field(None, description="a store set, without its screenshots")
    film: SavedFilm | None = Field(None, description="a film, without its recording")

    @property
    def parts(self) -> dict[str, Any]:
        """The project's parts besides its settings, by member, with every name in its canonical form."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True, include={*PARTS})


class RenamedProject(Group):
    """A project's new name."""

    other_names = aliases.PROJECT
    example: ClassVar = {"name": "Launch in May"}

    name: str = ProjectBody.model_fields["name"]  # type: ignore[assignment]


class UploadBody(Group):
    """Where a screenshot to be stored is fetched from."""

    example: ClassVar = {"url": "https://example.com/screen.png"}

    url: str = Field(min_length=1, description="an http or https URL, fetched once")


class UploadedScreenshot(Group):
    """A screenshot that was uploaded before."""

    other_names = aliases.SCREENSHOT

    type: Literal["upload"] = Field(description="form of src")
    src: str = Field(min_length=1, description="an upload's id")


class PreviewRequest(Group):
    """A mockup to be previewed."""

    other_names = aliases.REQUEST
    example: ClassVar = {"settings": SETTINGS, "maxPixels": 230400}

    type: Literal["screenshot", "scene"] | None = Field(
        None, description="optional; must be scene for devices without a template"
    )
    devices: tuple[PreviewedDevice, ...] | None = Field(
        None,
        min_length=1,
        max_length=SCENE_DEVICES,
        description="a scene's devices, each with its screenshot",
    )
    screenshot: UploadedScreenshot | None = Field(
        None, description="an uploaded screenshot; default: a sample screen that suits the device"
    )
    settings: Annotated[dict[str, Any] | None, ValidatedAs(Settings)] = Field(
        None, description="render settings; override the project's"
    )
    project_id: str | None = Field(None, description="UUID of a saved project to use as the base")
    template: Annotated[str | None, TEMPLATES] = Field(
        None, description="a template; the project's settings and the devices override it"
    )
    texts: tuple[Text, ...] | None = Field(
        None,
        max_length=CAPTIONS,
        description="the captions' texts, or objects of them by language, in order; captions without one are "
        "left out",
    )
    max_pixels: Whole = Field(
        518_400,
        ge=16_384,
        le=2_073_600,
        description="a larger picture is scaled down to at most this many pixels",
    )
    format: Annotated[Literal["auto", "jpeg", "webp", "png"], FORMAT_NAMES] = Field(
        "auto", description="auto: jpeg if the background is opaque, otherwise webp"
    )

    @property
    def reduced(self) -> Reduced:
        """The preview's size and format."""
        return Reduced(self.max_pixels, None if self.format == "auto" else self.format)
