"""The models of all responses, each field with an example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self, get_args
from uuid import UUID

from pydantic import Field, WithJsonSchema, create_model

from ..accounts.grants import Scope
from ..devices.device import Category
from ..errors import Code
from ..films.formats import FILM_FORMATS
from ..settings.document import PARTS
from ..settings.formats import WRITTEN
from ..settings.poses import Framing
from ..settings.schema import PRESETS
from ..settings.warnings import CODES
from ..version import version
from .response_model import Answer, Moment, Real, example, optional

_ID = "3f2b8c1e-7a4d-4f0e-9c55-2d1b6a7e8f90"
_EMAIL, _PREFIX = "ada@example.com", "sk_live_Zk3v9QaL"
# A white pixel.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC"
SETTINGS: dict[str, Any] = {
    "device": "pixel-9-pro",
    "deviceTransform": {"pose": "hero-left"},
    "appearance": {"backgroundColor": "#E8EDF6"},
}
_OG = PRESETS["og"]


def _some(value: Any, about: str | None = None, **more: Any) -> Any:
    """A field with an example and a description."""
    return Field(examples=[value], description=about, **more)


def _numbers(count: int) -> WithJsonSchema:
    return WithJsonSchema(
        {"type": "array", "items": {"type": "number"}, "minItems": count, "maxItems": count}
    )


Id = Annotated[UUID, _some(_ID)]
Next = Annotated[str | None, _some(None, "The value of `after` for the next page")]
Numbers = tuple[Real, ...]
Point = Annotated[Numbers, _numbers(2)]
Vector = Annotated[Numbers, _numbers(3)]
Matrix = Annotated[Numbers, _numbers(9)]


class Health(Answer):
    """Says that the process is alive."""

    status: Literal["ok"] = _some("ok")
    version: str = _some(version())


class Readiness(Answer):
    """Whether the service takes work."""

    status: Literal["ready", "unavailable"] = _some("ready")
    checks: dict[str, bool] = _some({"accepting": True, "queue": True, "database": True})
    degraded: list[Literal["sharedLimits"]] = _some(
        [], "Degraded functions; sharedLimits: each instance counts requests separately"
    )


class Sample(Answer):
    """A metric's value under some labels."""

    name: str = _some("mockup_renders_held")
    labels: dict[str, str] = _some({})
    value: Real = _some(2.0, "As in Prometheus' format")


class Metric(Answer):
    """A metric, as in Prometheus' format."""

    name: str = _some("mockup_renders_held")
    type: str = _some("gauge")
    help: str = _some("Renders that wait or run")
    samples: list[Sample]


class Status(Answer):
    """Versions and metrics."""

    versions: dict[str, str] = _some({"service": version(), "python": "3.12.8"})
    metrics: list[Metric]


class ScreenPlace(Answer):
    """Where a screen is in a picture."""

    corners: Annotated[tuple[Point, ...], Field(min_length=4, max_length=4)] = _some(
        [[385.19, 63.88], [574.81, 63.88], [574.81, 476.12], [385.19, 476.12]],
        "px, clockwise from the screenshot's top left",
    )
    homography: Matrix = _some(
        [189.614, 0.0, 385.193, 0.0, 412.24, 63.8801, 0.0, 0.0, 1.0],
        "From fractions of the whole screen (right, down, 1) to px, row by row",
    )
    hidden: Real = _some(0.0, "Share of the screen that is not visible")


class Geometry(Answer):
    """Where the device is in a picture."""

    width: int = _some(960, "Of the picture, px; all px are measured from its top left corner")
    height: int = _some(540)
    k: Real = _some(2.815508, "px per mm at the pivot, the middle of the device")
    distance: Real = _some(357.894, "Distance of the camera from the pivot, mm", alias="D")
    center: Point = _some([480.0, 270.0], "The camera's axis, px; through the pivot except in scenes")
    aside: Point = _some([0.0, 0.0], "The pivot's offset from that axis, mm right and up; 0 except in scenes")
    turn: Matrix = _some(
        [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], "From mm of the device to view mm, row by row"
    )
    body: Annotated[tuple[Point, ...], Field(min_length=8, max_length=8)] = _some(
        [
            *([378.17, 56.94], [581.83, 56.94], [581.83, 483.06], [378.17, 483.06]),
            *([380.49, 61.8], [579.51, 61.8], [579.51, 478.2], [380.49, 478.2]),
        ],
        "Corners of the body's box, px: of the front clockwise from the top left, then of the back",
    )
    box: Annotated[Numbers, _numbers(4)] = _some(
        [377.76, 57.56, 204.49, 424.87], "Box of the silhouette: left, top, width, height, px"
    )
    screens: list[ScreenPlace]


class ScreenShape(Answer):
    """Where a screen is on a device."""

    corners: Annotated[tuple[Vector, ...], Field(min_length=4, max_length=4)] = _some(
        [[-33.2, 72.2, 4.1], [33.2, 72.2, 4.1], [33.2, -72.2, 4.1], [-33.2, -72.2, 4.1]]
    )


class Shape(Answer):
    """A device's shape."""

    body: Vector = _some([71.5, 149.6, 8.25], "Width, height and depth, mm")
    portrait: bool = _some(True, "Whether the device naturally stands upright")
    turned: Literal[-1, 0, 1] = _some(0, "Quarter turns to the left in the picture")
    points: tuple[Vector, ...] = _some(
        [[35.75, 0.0, 0.0], [-35.75, 0.0, 0.0], [0.0, 74.8, 0.0], [0.0, -74.8, 0.0]],
        "Points whose convex hull is the body's, mm",
    )
    faces: tuple[tuple[Vector, Vector, Vector, Vector], ...] = _some(
        [[[-35.75, 74.8, 0.0], [35.75, 74.8, 0.0], [35.75, -74.8, 0.0], [-35.75, -74.8, 0.0]]] * 2,
        "Corners of the faces whose middle `balanced` framing centres, mm",
    )
    margins: tuple[float, float, float, float] = _some(
        [0.0506, 0.09, 0.0506, 0.09],
        "Margins that `auto` and `balanced` framing keep free: left, top, right, bottom",
    )
    screens: list[ScreenShape]


class PlacedShape(Answer):
    """A device of a scene, its place in the picture and its shape."""

    device: str = _some("pixel-9-pro")
    geometry: Geometry
    shape: Shape


class Placement(Answer):
    """A device's place in a picture, and its shape. For a scene, these are the first device's, and `devices`
    lists all."""

    geometry: Geometry
    shape: Shape
    devices: list[PlacedShape] = optional(description="Of a scene, in the order of the request")


class PlacedDevice(Answer):
    """A device of a scene, and its place in the picture."""

    device: str = _some("pixel-9-pro")
    geometry: Geometry = optional()


class Picture(Answer):
    """A picture in JSON."""

    data: str = _some(PIXEL, json_schema_extra={"contentEncoding": "base64"})
    mime_type: str = _some("image/png", json_schema_extra={"enum": [one.mime for one in WRITTEN]})
    width: int = _some(1920)
    height: int = _some(1080)


class KeptPicture(Answer):
    """A picture that is kept for a while."""

    url: str = _some(f"/api/v1/results/{'x' * 43}.png", "Its address on this server, which needs no key")
    mime_type: str = _some("image/png", json_schema_extra={"enum": [one.mime for one in WRITTEN]})
    bytes: int = _some(381_204)
    width: int = _some(1920)
    height: int = _some(1080)
    expires_at: Moment


class Warning(Answer):
    """A part of the picture that may not look as intended."""

    code: str = Field(json_schema_extra={"enum": list(CODES)})
    message: str


class Mockup(Answer):
    """A mockup."""

    success: Literal[True] = _some(True)
    image: Picture = optional(examples=[example(Picture)], description="Unless there are `images`")
    images: list[Picture] = optional(description="The slices, where `canvas.slices` is not 1")
    duration: int = _some(84, "Render time in milliseconds")
    device: str = _some("pixel-9-pro", "The id of the device used")
    warnings: list[Warning] = _some([])
    geometry: Geometry = optional()
    devices: list[PlacedDevice] = optional(description="Of a scene, in the order of the request")


class KeptMockup(Answer):
    """A mockup that is kept for a while."""

    success: Literal[True] = _some(True)
    image: KeptPicture = optional(examples=[example(KeptPicture)], description="Unless there are `images`")
    images: list[KeptPicture] = optional(description="The slices, where `canvas.slices` is not 1")
    duration: int = _some(84, "Render time in milliseconds")
    device: str = _some("pixel-9-pro", "The id of the device used")
    warnings: list[Warning] = _some([])
    geometry: Geometry = optional()
    devices: list[PlacedDevice] = optional(description="Of a scene, in the order of the request")


class Upload(Answer):
    """An uploaded screenshot."""

    id: Id
    width: int = _some(1206)
    height: int = _some(2622)
    expires_at: Moment


class Recording(Answer):
    """An uploaded recording."""

    id: Id
    width: int = _some(1206)
    height: int = _some(2622)
    duration_ms: int = _some(8400)
    fps: Real = _some(60)
    expires_at: Moment


class FilmFile(Answer):
    """The file of a film."""

    url: str = _some(f"/api/v1/films/{_ID}/file", "Its address on this server, which needs the key")
    mime_type: str = _some(
        "video/mp4", json_schema_extra={"enum": [one.mime for one in FILM_FORMATS.values()]}
    )
    bytes: int = _some(1_843_012)
    fps: int = _some(30)
    width: int = _some(1920)
    height: int = _some(1080)


class FilmStill(Answer):
    """A picture of a film."""

    time: Real = _some(0.5, "Seconds from the film's start")
    data: str = _some(PIXEL, json_schema_extra={"contentEncoding": "base64"})
    mime_type: Literal["image/png"] = _some("image/png")


class FilmStills(Answer):
    """Pictures of a film, in the order of the requested times."""

    images: list[FilmStill]
    device: str = _some("pixel-9-pro", "The id of the device used")
    warnings: list[Warning] = _some([])


class Project(Answer):
    """A saved project."""

    id: Id
    name: str = _some("Launch")
    settings: dict[str, Any] = _some(SETTINGS)
    devices: list[dict[str, Any]] = optional(description="Of a scene")
    set: dict[str, Any] = optional(description="If it has a store set")
    film: dict[str, Any] = optional(description="If it has a film")
    created_at: Moment
    updated_at: Moment

    @classmethod
    def of(cls, value: Any) -> Self:
        """The answer about a project, without the parts that it does not have."""
        own = {name: getattr(value, name) for name in cls.model_fields if name not in PARTS}
        return cls.model_validate({**own, **value.parts})


class Projects(Answer):
    """A page of projects."""

    projects: list[Project]
    next: Next


class OwnedProject(Project):
    """A saved project of any user."""

    user_id: Id


class OwnedProjects(Answer):
    """A page of projects of all users."""

    projects: list[OwnedProject]
    next: Next


class User(Answer):
    """A user."""

    id: Id
    email: str = _some(_EMAIL)
    plan: str = _some("pro")
    until: Annotated[Moment | None, _some(None)]
    active: bool = _some(True, "Whether the user may render")
    created_at: Moment


class Users(Answer):
    """A page of users."""

    users: list[User]
    next: Next


class Key(Answer):
    """The record of an API key."""

    id: str = _some(_PREFIX, "Its first 16 characters")
    user_id: Id
    name: str | None = _some("build server")
    valid: bool = _some(True, "Neither revoked nor expired")
    created_at: Moment
    expires_at: Annotated[Moment | None, _some(None)]
    revoked_at: Annotated[Moment | None, _some(None)]
    last_used_at: Annotated[Moment | None, _some(None, "To within a minute")]
    scopes: list[Scope] | None = _some(["render"], "What it is for; null: everything its holder may do")
    origins: list[str] = _some([], "The pages that may use it; none: anyone who has it")
    test: bool = _some(False, "Whether it is for tests")


class Keys(Answer):
    """A page of keys."""

    keys: list[Key]
    next: Next


class IssuedKey(Key):
    """A key that was issued."""

    key: str = _some(_PREFIX + 35 * "0", "The key itself, shown only this once")


class RotatedKey(Answer):
    """A key issued in place of another."""

    issued: IssuedKey
    replaced: Key


class LinkSecret(Answer):
    """The secret that a key's links are signed with."""

    link_secret: str = _some("sk_link_" + 55 * "0", "Shown this once")


class AuditEvent(Answer):
    """A change, and who made it."""

    id: Id
    at: Moment
    actor: str = _some("ops@example.com", "An administrator's e-mail address, or the command line's user")
    key_prefix: str | None = _some("sk_live_tQ81mZpd")
    request_id: str | None = _some("1f0c6c1d8e5b4a0f9c7d2b3a4e5f6071")
    action: str = _some("keys.issue", "Such as keys.issue")
    target: str = _some(_PREFIX, "An e-mail address, a key's first 16 characters or an id")
    details: dict[str, Any] = _some({"user": _EMAIL, "name": "build server"})


class Audit(Answer):
    """A page of the audit."""

    events: list[AuditEvent]
    next: Next


class ScreenSize(Answer):
    """The pixels of a screen."""

    width: int = _some(1280)
    height: int = _some(2856)
    fitted: bool = _some(False, "Whether its shape follows the screenshot; the size is then an example")


class Finish(Answer):
    """A finish of a device."""

    name: str = _some("Obsidian")
    hex: str = _some("#33343a")
    preview: str = _some("/api/v1/devices/pixel-9-pro/preview.png?finish=Obsidian")


class Device(Answer):
    """A device."""

    id: str = _some("pixel-9-pro")
    name: str = _some("Pixel 9 Pro")
    aliases: list[str] = _some([])
    brand: str | None = _some("Google")
    category: str = _some("phone")
    year: int | None = _some(2024)
    screen: ScreenSize
    finishes: list[Finish]
    orientations: list[Literal["portrait", "landscape"]] = _some(["portrait", "landscape"])
    approximate: list[str] = _some([], "Members that are estimates, such as body")
    preview: str = _some("/api/v1/devices/pixel-9-pro/preview.png")


class Devices(Answer):
    """The catalogue."""

    devices: list[Device]


class Environment(Answer):
    """An environment that surrounds a device."""

    id: str = _some("studio")
    description: str = _some("soft boxes in a dark room")
    preview: str | None = _some("/api/v1/environments/studio/preview.webp")


class Environments(Answer):
    """The reflection environments."""

    environments: list[Environment]


class Preset(Answer):
    """A canvas preset."""

    id: str = _some("og")
    width: int = _some(_OG[0])
    height: int = _some(_OG[1])


class Presets(Answer):
    """The canvas presets."""

    presets: list[Preset]


class PoseView(Answer):
    """The values that a pose sets."""

    rotation_x: Real = _some(10)
    rotation_y: Real = _some(-34)
    rotation_z: Real = _some(6)
    field_of_view: Real = _some(30.0)
    framing: Framing = _some("posed")


Views: type[Answer] = create_model(  # type: ignore[call-overload]
    "Views", __base__=Answer, **dict.fromkeys(get_args(Category), (PoseView, ...))
)


class Pose(Answer):
    """A pose, by category of device."""

    id: str = _some("hero-left")
    description: str = _some("turned to the left, seen from a little above")
    preview: str = _some("/api/v1/poses/hero-left/preview.webp")
    views: Views


class Poses(Answer):
    """The poses."""

    poses: list[Pose]


class FontFamily(Answer):
    """A family of fonts for captions; a variable one has all weights from the first to the last."""

    family: str = _some("Inter")
    weights: list[int] = _some([400, 600])
    variable: bool = _some(False)
    italic: bool = _some(False)


class Fonts(Answer):
    """The fonts."""

    fonts: list[FontFamily]


class Look(Answer):
    """A whole look."""

    id: str = _some("studio")
    name: str = _some("Studio")
    description: str = _some("A light grey backdrop and soft boxes, turned to the left")
    settings: Annotated[Mapping[str, Any], WithJsonSchema({"x-schema": "Settings"})] = _some(
        {"appearance": {"backgroundColor": "#FFFFFF"}, "deviceTransform": {"pose": "hero-left"}}
    )
    preview: str = _some("/api/v1/looks/studio/preview.webp")


class Looks(Answer):
    """The looks."""

    looks: list[Look]


class ListedTemplate(Answer):
    """A template: the devices of its screenshots, in order, and the sample texts of its captions."""

    id: str = _some("store-headline")
    title: str = _some("Headline")
    description: str = _some("App Store 6.9″: a phone under a headline of two lines, on lavender to peach")
    width: int = _some(1320)
    height: int = _some(2868)
    slices: int = _some(1)
    screenshots: list[str] = _some(["iphone-16-pro-max"])
    texts: list[str] = _some(["Every post,\nas it happens"])
    preview: str = _some("/api/v1/templates/store-headline/preview.webp")


class Templates(Answer):
    """The templates."""

    templates: list[ListedTemplate]


class Template(ListedTemplate):
    """A template with its devices, none where it pictures a single one, and its settings."""

    devices: list[dict[str, Any]] = _some([])
    settings: Annotated[Mapping[str, Any], WithJsonSchema({"x-schema": "Settings"})] = _some(
        {"device": "iphone-16-pro-max", "canvas": {"preset": "app-store-6.9"}}
    )


class Group(Answer):
    """A group of settings in a form."""

    id: str = _some("shadow")
    title: str = _some("Shadow")
    description: str = _some("The soft shadow on the background.")


class Option(Answer):
    """A choice of a setting."""

    value: str
    title: str


class FormSetting(Answer):
    """A setting as a form shows it."""

    path: str = _some("shadow.blur", "The member of settings, such as shadow.blur")
    group: str = _some("shadow")
    title: str = _some("Blur")
    description: str = _some("softness; 0 is sharp")
    kind: Literal["number", "integer", "boolean", "switch", "color", "choice", "name", "text"] = _some(
        "number"
    )
    default: Any = _some(5.0, "null if it has none")
    minimum: Real = optional(examples=[0])
    maximum: Real = optional(examples=[20])
    step: Real = optional(examples=[0.1], description="The change by an arrow key")
    unit: str | None = optional(examples=["× 0.6 %"], description="The unit shown after the number")
    alpha: bool = optional(description="Whether the colour may be translucent")
    keywords: Sequence[str] = optional(description="Values of a colour besides hex")
    options: Sequence[Option] = optional()
    max_length: int = optional()
    list: str = optional(description="Where names are listed; finishes are those of the device")
    described: Sequence[FormSetting] = optional(
        description="The members of the object that it may also be, which describes a device"
    )
    required: bool = optional(description="Whether such an object must have it")
    when: dict[str, Sequence[Any]] = optional(
        examples=[{"shadow.enabled": [True]}],
        description="Other settings, and the values that they must have for this to matter",
    )
    categories: Sequence[Category] = optional(
        description="Device categories that it matters for; default: all"
    )


class Form(Answer):
    """Every setting as a form shows it."""

    groups: list[Group]
    settings: list[FormSetting]
    members: list[FormSetting] = Field(
        description="Members of settings that are lists or objects, such as captions[].font.size"
    )


class Fault(Answer):
    """An offending path."""

    path: str
    message: str


class Failed(Answer):
    """A description of what is wrong."""

    code: str = Field(json_schema_extra={"enum": [one for one in Code if one is not Code.RATE_LIMITED]})
    message: str
    details: list[Fault] = optional()


class Error(Answer):
    """An error."""

    success: Literal[False]
    error: Failed


class Film(Answer):
    """A film: its progress and its outcome."""

    id: Id
    status: Literal["queued", "running", "done", "failed"] = _some("running")
    frame: int = _some(48, "Frames that are there")
    frames: int = _some(120, "Frames of the film")
    eta_ms: int = optional(examples=[2600], description="Until it is done, while it is running")
    result: FilmFile = optional(description="Of a film that is done")
    device: str = optional(description="The id of the device used, of a film that is done")
    error: Failed = optional(description="Why a film has failed")
    warnings: list[Warning] = _some([])
    created_at: Moment
    expires_at: Moment


class RateLimited(Answer):
    """A limit that is used up."""

    success: Literal[False] = _some(False)
    error: Literal["Too Many Requests"] = _some("Too Many Requests")
    code: Literal[Code.RATE_LIMITED] = _some(Code.RATE_LIMITED)
    message: str = _some("Rate limit exceeded. Try again in 42 seconds")
    retry_after: int = _some(42, json_schema_extra={"minimum": 1})
