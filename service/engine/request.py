"""Requests to the renderers: a screenshot whose header was read, and its scene."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256

from service.codec import header
from service.codec.picture import LIMITS, Header, PictureLimits
from service.devices.content import Content
from service.errors import Detail, refusal
from service.fonts import extra
from service.settings.formats import Written
from service.settings.scene import Scene, depends_on_content, resolve
from service.settings.schema import Settings


@dataclass(frozen=True, slots=True)
class ScreenshotId:
    """A screenshot of `owner`, by a `name` that stands for its bytes: a digest, or the id of an upload."""

    owner: str
    name: str
    uploaded: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """A screenshot's file, its header and the scene.

    The file may be empty where the screenshot is known decoded, under its `id`. `text` asks for the picture's
    base64, `geometry` for the place of the device in it. The plate of a `preview` is not kept. A scene that
    is only `supposed` is that of a screenshot without transparent corners; see `measured`.
    """

    data: bytes | memoryview
    header: Header
    scene: Scene
    text: bool = False
    id: ScreenshotId | None = None
    geometry: bool = False
    preview: bool = False
    supposed: Supposed | None = None

    def measured(self, content: Content | None) -> RenderRequest:
        """The request when it is known what there is of its screenshot; raises as `prepare`."""
        if self.supposed is None:
            return self
        if content is None:
            return replace(self, supposed=None)
        scene = self.supposed.scene((self.header.width, self.header.height), content)
        return replace(self, supposed=None, scene=scene)


@dataclass(frozen=True, slots=True)
class Supposed:
    """The inputs of a scene that was resolved before the screenshot's opaque part was known."""

    settings: Settings
    fast: bool
    reduced: Reduced | None
    host: str = ""
    owner: str = ""

    def scene(self, size: tuple[int, int], content: Content | None) -> Scene:
        """The scene of a screenshot; raises as `service.settings.scene.resolve`."""
        if self.settings.captions and not extra.available():
            raise refusal(Detail("settings.captions", extra.MISSING))
        if self.reduced is not None:
            return preview(self.settings, size, self.reduced, content, self.host)
        scene = resolve(self.settings, size, fast=self.fast, content=content, host=self.host)
        if (
            self.settings.screen.url is None
            and self.settings.screen.title is None
            and not scene.spec.captions
        ):
            return scene
        return replace(scene, spec=replace(scene.spec, owner=self.owner))


@dataclass(frozen=True, slots=True)
class ShapeRequest:
    """A render of which only the geometry and the device's shape are wanted."""

    render: RenderRequest


@dataclass(frozen=True, slots=True)
class DevicePreview:
    """A preview of a catalogue device: finish, by default the first, px a side, and whether from behind."""

    device: str
    finish: str | None = None
    size: int = 640
    back: bool = False


@dataclass(frozen=True, slots=True)
class EnvironmentPicture:
    """The name of an environment to be shown, and the width of the picture, twice its height, px."""

    name: str
    width: int


def by_digest(owner: str, data: bytes) -> ScreenshotId:
    """The id of a screenshot that is known by its bytes alone."""
    return ScreenshotId(owner, sha256(data).hexdigest())


# Requests without a screenshot's file.
Drawing = DevicePreview | EnvironmentPicture | ShapeRequest


def measure(data: bytes, limits: PictureLimits = LIMITS) -> tuple[int, int]:
    """Width and height of a screenshot as it is shown, px; raises MockupError if its header is refused."""
    facts = header.read(data, limits)
    return facts.width, facts.height


@dataclass(frozen=True, slots=True)
class Known:
    """The facts kept of a screenshot decoded before; without `content`, its corners are opaque."""

    header: Header
    content: Content | None


@dataclass(frozen=True, slots=True)
class Reduced:
    """How a preview differs from the picture: its size in pixels, and its format.

    Without one it is JPEG if nothing shows through it, and WebP otherwise.
    """

    most: int
    format: Written | None = None


def prepare(
    data: bytes,
    settings: Settings,
    limits: PictureLimits = LIMITS,
    *,
    fast: bool = False,
    text: bool = False,
    id: ScreenshotId | None = None,
    known: Known | None = None,
    geometry: bool = False,
    reduced: Reduced | None = None,
    host: str = "",
    owner: str = "",
) -> RenderRequest:
    """Read the header, unless it is `known`, and resolve the scene, once for everything that follows.

    The scene is that of a preview if `reduced` is given. `host` is that of the screenshot's URL, if a browser
    window may show it. `owner` is the user to whom plates with words of theirs belong. Raises MockupError for
    a screenshot refused by its header, and for settings that do not suit the device.
    """
    facts = known.header if known else header.read(data, limits)
    supposed = Supposed(settings, fast, reduced, host, owner)
    scene = supposed.scene((facts.width, facts.height), known.content if known else None)
    open_ = known is None and facts.has_alpha and depends_on_content(settings)
    return RenderRequest(
        data, facts, scene, text, id, geometry, reduced is not None, supposed if open_ else None
    )


def preview(
    settings: Settings,
    size: tuple[int, int],
    reduced: Reduced,
    content: Content | None = None,
    host: str = "",
) -> Scene:
    """The scene of a preview for a screenshot of `size` px; raises as `service.settings.scene.resolve`."""
    scene = resolve(settings, size, fast=True, most=reduced.most, content=content, host=host)
    suited: Written = "jpeg" if scene.spec.background.solid else "webp"
    output = replace(scene.output, format=reduced.format or suited, xmp=b"")
    # The whole canvas, with its gaps, as it is composed.
    return replace(scene, output=output, cuts=(), store=None)
