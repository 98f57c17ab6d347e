"""Requests to the renderers: a screenshot whose header was read, and its scene."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from ..codec import header
from ..codec.picture import LIMITS, Header, PictureLimits
from ..devices.content import Content
from ..errors import Detail, MockupError, refusal
from ..fonts import extra
from ..settings.background_image import PATH as IMAGE
from ..settings.formats import Written
from ..settings.scene import Scene, Source, depends_on_content, resolve_scene
from ..settings.scene_device import SceneSettings
from ..settings.schema import Settings
from .backdrops import BackdropFile, backdrop_file

PATH = "screenshot.src"  # of a picture's only screenshot


@dataclass(frozen=True, slots=True)
class ScreenshotId:
    """A screenshot of `owner`, by a `name` that stands for its bytes: a digest, or the id of an upload."""

    owner: str
    name: str
    uploaded: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A screenshot's file and its header; empty where the screenshot is known decoded, under its `id`.

    `path` is where the request gives it.
    """

    data: bytes | memoryview
    header: Header
    id: ScreenshotId | None = None
    path: str = PATH

    def at_fault(self, error: MockupError) -> MockupError:
        """An error about a single screenshot, at the path of this one."""
        if self.path == PATH:
            return error
        details = (replace(one, path=self.path) if one.path == PATH else one for one in error.details)
        return error.about(*details)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height as it is shown, px."""
        return self.header.width, self.header.height


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """The files of the screenshots, and the scene, which refers to them by their index.

    `text` asks for the picture's base64, `geometry` for the places of the devices in it. The plate of a
    `preview` is not kept. A scene that is only `supposed` is that of screenshots without transparent corners;
    see `measured`.
    """

    files: tuple[SourceFile, ...]
    scene: Scene
    text: bool = False
    geometry: bool = False
    preview: bool = False
    supposed: Supposed | None = None
    backdrop: BackdropFile | None = None
    watermark: bool = False

    @property
    def nbytes(self) -> int:
        """Bytes of all files."""
        behind = len(self.backdrop.data) if self.backdrop else 0
        return behind + sum(len(file.data) for file in self.files)

    def without_files(self) -> RenderRequest:
        """The same request with nothing in its files."""
        return replace(self, files=tuple(replace(file, data=b"") for file in self.files), backdrop=None)

    def measured(self, contents: Mapping[int, Content | None]) -> RenderRequest:
        """The request when it is known what there is of the screenshots that it depends on.

        Of those that `contents` leaves out, it stays supposed. Raises as `prepare`.
        """
        if self.supposed is None:
            return self
        supposed = self.supposed.known(contents)
        rest = supposed if supposed.unknown else None
        if not any(contents.values()):
            return replace(self, supposed=rest)
        return replace(self, supposed=rest, scene=supposed.scene())


@dataclass(frozen=True, slots=True)
class Supposed:
    """The inputs of a scene that was resolved before the `unknown` screenshots' opaque parts were known."""

    wanted: SceneSettings
    sources: tuple[Source, ...]
    unknown: tuple[int, ...]
    fast: bool
    reduced: Reduced | None
    owner: str = ""

    def known(self, contents: Mapping[int, Content | None]) -> Supposed:
        """The same when it is known what there is of some of the screenshots."""
        sources = tuple(
            replace(one, content=contents.get(number, one.content)) for number, one in enumerate(self.sources)
        )
        unknown = tuple(number for number in self.unknown if number not in contents)
        return replace(self, sources=sources, unknown=unknown)

    def scene(self) -> Scene:
        """The scene of the screenshots; raises as `service.settings.scene.resolve_scene`."""
        settings = self.wanted.settings
        if settings.captions and not extra.available():
            raise refusal(Detail("settings.captions", extra.MISSING))
        if self.reduced is not None:
            return preview(self.wanted, self.sources, self.reduced)
        scene = replace(resolve_scene(self.wanted, self.sources, fast=self.fast), owner=self.owner)
        alone = [member.device.over(settings).screen for member in self.wanted.members]
        if all(one.url is None and one.title is None for one in alone):
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
    behind: bytes | None = None,
) -> RenderRequest:
    """The request for a picture of one screenshot; `host` is that of its URL, the rest as `prepare_scene`."""
    given = GivenScreenshot(data, id, known, host)
    return prepare_scene(
        (given,),
        SceneSettings(settings),
        limits,
        fast=fast,
        text=text,
        geometry=geometry,
        reduced=reduced,
        owner=owner,
        behind=behind,
    )


@dataclass(frozen=True, slots=True)
class GivenScreenshot:
    """A screenshot as it is given: its file, its id, what is `known` of it, and its URL's host.

    A browser window may show the host.
    """

    data: bytes
    id: ScreenshotId | None = None
    known: Known | None = None
    host: str = ""


def prepare_scene(
    given: Sequence[GivenScreenshot],
    wanted: SceneSettings,
    limits: PictureLimits = LIMITS,
    *,
    fast: bool = False,
    text: bool = False,
    geometry: bool = False,
    reduced: Reduced | None = None,
    owner: str = "",
    behind: bytes | None = None,
) -> RenderRequest:
    """Read the headers that are not known, and resolve the scene, once for everything that follows.

    The scene is that of a preview if `reduced` is given. `owner` is the user to whom plates with words of
    theirs belong, `behind` the file of the background. Raises MockupError for pictures refused by their
    headers, with their own paths in a scene, for more pixels in all than one screenshot may have, and for
    settings that do not suit a device.
    """
    files = _files(given, wanted, limits)
    sources = tuple(
        Source(file.size, one.known.content if one.known else None, one.host)
        for file, one in zip(files, given, strict=True)
    )
    open_ = {
        member.source
        for member in wanted.members
        if given[member.source].known is None
        and files[member.source].header.has_alpha
        and depends_on_content(member.device.over(wanted.settings))
    }
    backdrop = None if behind is None else backdrop_file(behind, owner, limits)
    pixels = sum(file.header.width * file.header.height for file in files)
    if backdrop and pixels + backdrop.area > limits.pixels:
        raise refusal(
            Detail(
                IMAGE,
                f"background and screenshots have {(pixels + backdrop.area) / 1e6:.1f} megapixels in all; "
                f"the limit is {limits.pixels / 1e6:g}",
            )
        )
    supposed = Supposed(wanted, sources, tuple(sorted(open_)), fast, reduced, owner)
    return RenderRequest(
        files,
        supposed.scene(),
        text,
        geometry,
        reduced is not None,
        supposed if open_ else None,
        backdrop,
    )


def _files(
    given: Sequence[GivenScreenshot], wanted: SceneSettings, limits: PictureLimits
) -> tuple[SourceFile, ...]:
    files: list[SourceFile] = []
    problems: list[Detail] = []
    for number, one in enumerate(given):
        path = wanted.path(number)
        try:
            facts = one.known.header if one.known else header.read(one.data, limits)
        except MockupError as error:
            if not wanted.named:
                raise
            problems += [Detail(path, item.message) for item in error.details]
            continue
        files.append(SourceFile(one.data, facts, one.id, path))
    if problems:
        raise refusal(*problems)
    pixels = sum(file.header.width * file.header.height for file in files)
    if len(files) > 1 and pixels > limits.pixels:
        largest = max(range(len(files)), key=lambda number: math.prod(files[number].size))
        raise refusal(
            Detail(
                wanted.path(largest),
                f"the scene's screenshots have {pixels / 1e6:.1f} megapixels in all, this one most of them; "
                f"the limit is {limits.pixels / 1e6:g}",
            )
        )
    return tuple(files)


def preview(wanted: SceneSettings, sources: Sequence[Source], reduced: Reduced) -> Scene:
    """The scene of a preview; raises as `service.settings.scene.resolve_scene`."""
    scene = resolve_scene(wanted, sources, fast=True, most=reduced.most)
    suited: Written = "jpeg" if scene.solid else "webp"
    output = replace(scene.output, format=reduced.format or suited, xmp=b"")
    # The whole canvas, with its gaps, as it is composed.
    return replace(scene, output=output, cuts=(), store=None)
