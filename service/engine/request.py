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
from ..settings.resolve import Source, depends_on_content, resolve_scene
from ..settings.scene import Scene
from ..settings.scene_device import SceneSettings
from .backdrops import BackdropFile, backdrop_file

PATH = "screenshot.src"  # path of a picture's only screenshot


@dataclass(frozen=True, slots=True)
class ScreenshotId:
    """A screenshot of `owner`, by a `name` that identifies its bytes: a digest, or the id of an upload."""

    owner: str
    name: str
    uploaded: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A screenshot's file and its header; the file is empty if its pixels are cached under its `id`.

    `path` is its path in the request.
    """

    data: bytes | memoryview
    header: Header
    id: ScreenshotId | None = None
    path: str = PATH

    def at_fault(self, error: MockupError) -> MockupError:
        """An error about a screenshot, with this screenshot's path."""
        if self.path == PATH:
            return error
        details = (replace(one, path=self.path) if one.path == PATH else one for one in error.details)
        return error.about(*details)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height as shown, px."""
        return self.header.width, self.header.height


@dataclass(frozen=True, slots=True)
class Reduced:
    """The properties in which a preview differs from the picture: its size in pixels, and its format.

    The default format is JPEG for opaque pictures, and WebP for others.
    """

    most: int
    format: Written | None = None


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """The options of a request, besides its scene.

    `fast` asks for a quicker plate, `text` for the picture in base64, `geometry` for the places of the
    devices. With `reduced`, the picture is a preview, whose plate is not cached.
    """

    fast: bool = False
    text: bool = False
    geometry: bool = False
    reduced: Reduced | None = None
    watermark: bool = False


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """The files of the screenshots, and the scene, which refers to them by their index.

    A `supposed` scene assumes that the screenshots have no transparent corners; see `measured`.
    """

    files: tuple[SourceFile, ...]
    scene: Scene
    options: RenderOptions
    supposed: Supposed | None = None
    backdrop: BackdropFile | None = None

    @property
    def nbytes(self) -> int:
        """Bytes of all files."""
        behind = len(self.backdrop.data) if self.backdrop else 0
        return behind + sum(len(file.data) for file in self.files)

    def without_files(self) -> RenderRequest:
        """The request with empty files."""
        return replace(self, files=tuple(replace(file, data=b"") for file in self.files), backdrop=None)

    def measured(self, contents: Mapping[int, Content | None]) -> RenderRequest:
        """The request with its scene resolved from the measured content of screenshots.

        It stays supposed for screenshots that `contents` leaves out. Raises as `prepare`.
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
    """The inputs of a scene that was resolved without the opaque parts of the `unknown` screenshots."""

    wanted: SceneSettings
    sources: tuple[Source, ...]
    unknown: tuple[int, ...]
    options: RenderOptions
    owner: str

    def known(self, contents: Mapping[int, Content | None]) -> Supposed:
        """The scene's inputs with the measured content of some of the screenshots."""
        sources = tuple(
            replace(one, content=contents.get(number, one.content)) for number, one in enumerate(self.sources)
        )
        unknown = tuple(number for number in self.unknown if number not in contents)
        return replace(self, sources=sources, unknown=unknown)

    def scene(self) -> Scene:
        """The resolved scene; raises as `service.settings.resolve.resolve_scene`."""
        settings = self.wanted.settings
        if settings.captions and not extra.available():
            raise refusal(Detail("settings.captions", extra.MISSING))
        if self.options.reduced is not None:
            return preview(self.wanted, self.sources, self.options.reduced)
        scene = replace(resolve_scene(self.wanted, self.sources, fast=self.options.fast), owner=self.owner)
        alone = [member.device.over(settings).screen for member in self.wanted.members]
        if all(one.url is None and one.title is None for one in alone):
            return scene
        return replace(scene, spec=replace(scene.spec, owner=self.owner))


@dataclass(frozen=True, slots=True)
class ShapeRequest:
    """A request for the geometry and the device's shape only."""

    render: RenderRequest


@dataclass(frozen=True, slots=True)
class DevicePreview:
    """A preview of a catalogue device: its finish (the first if None), side in px, and front or back."""

    device: str
    finish: str | None = None
    size: int = 640
    back: bool = False


@dataclass(frozen=True, slots=True)
class EnvironmentPicture:
    """A picture of the named environment, whose width in px is twice its height."""

    name: str
    width: int


def by_digest(owner: str, data: bytes) -> ScreenshotId:
    """The id of a screenshot by its bytes."""
    return ScreenshotId(owner, sha256(data).hexdigest())


# Requests that need no screenshot's file.
DrawingRequest = DevicePreview | EnvironmentPicture | ShapeRequest


def measure(data: bytes, limits: PictureLimits = LIMITS) -> tuple[int, int]:
    """Width and height of a screenshot as shown, px; raises MockupError if its header is refused."""
    facts = header.read(data, limits)
    return facts.width, facts.height


@dataclass(frozen=True, slots=True)
class Known:
    """The facts of a screenshot that was decoded before; if `content` is None, its corners are opaque."""

    header: Header
    content: Content | None


@dataclass(frozen=True, slots=True)
class GivenScreenshot:
    """A screenshot of a request: its file, its id, the `known` facts, and its URL's host.

    Browser windows can show the host.
    """

    data: bytes
    id: ScreenshotId | None = None
    known: Known | None = None
    host: str = ""


def prepare(
    given: Sequence[GivenScreenshot],
    wanted: SceneSettings,
    limits: PictureLimits = LIMITS,
    options: RenderOptions = RenderOptions(),
    *,
    owner: str = "",
    behind: bytes | None = None,
) -> RenderRequest:
    """Read the headers that are not known, and resolve the scene, once for all later steps.

    Plates that show texts or a background of the user are shared by requests of the same `owner` only;
    `behind` is the file of the background. Raises MockupError for refused headers (with each screenshot's
    path in a scene), for more pixels in total than one screenshot may have, and for settings that do not suit
    a device.
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
    supposed = Supposed(wanted, sources, tuple(sorted(open_)), options, owner)
    return RenderRequest(files, supposed.scene(), options, supposed if open_ else None, backdrop)


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
    if pixels > limits.pixels:
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
    """The scene of a preview; raises as `service.settings.resolve.resolve_scene`."""
    scene = resolve_scene(wanted, sources, fast=True, most=reduced.most)
    suited: Written = "jpeg" if scene.solid else "webp"
    output = replace(scene.output, format=reduced.format or suited, xmp=b"")
    # The whole composed canvas, including its gaps.
    return replace(scene, output=output, cuts=(), store=None)
