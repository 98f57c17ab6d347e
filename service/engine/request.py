"""What a picture is made from: a screenshot whose header was read, and the scene it goes into."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256

from service.codec import header
from service.codec.picture import LIMITS, Header, Limits
from service.models.scene import Scene, resolve
from service.models.settings import Settings


@dataclass(frozen=True, slots=True)
class ScreenshotId:
    """A screenshot of `owner`, by a `name` that stands for its bytes: a digest, or the id of an upload."""

    owner: str
    name: str
    uploaded: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """A screenshot's file, its header and the scene; `text` asks for the picture's base64.

    The file may be empty where the screenshot is known decoded, under its `id`.
    """

    data: bytes | memoryview
    header: Header
    scene: Scene
    text: bool = False
    id: ScreenshotId | None = None


@dataclass(frozen=True, slots=True)
class DevicePreview:
    """A catalogue device to be shown, and the name of its finish if it is not the first."""

    device: str
    finish: str | None = None


def by_digest(owner: str, data: bytes) -> ScreenshotId:
    """The id of a screenshot that is known by its bytes alone."""
    return ScreenshotId(owner, sha256(data).hexdigest())


def measure(data: bytes, limits: Limits = LIMITS) -> tuple[int, int]:
    """Width and height of a screenshot as it is shown, px; raises MockupError if its header is refused."""
    facts = header.read(data, limits)
    return facts.width, facts.height


def prepare(
    data: bytes,
    settings: Settings,
    limits: Limits = LIMITS,
    *,
    fast: bool = False,
    text: bool = False,
    id: ScreenshotId | None = None,
    known: Header | None = None,
) -> RenderRequest:
    """Read the header, unless it is `known`, and resolve the scene, once for everything that follows.

    Raises MockupError for a screenshot refused by its header, and for settings that do not suit the device.
    """
    facts = known or header.read(data, limits)
    scene = resolve(settings, (facts.width, facts.height), fast=fast)
    return RenderRequest(data, facts, scene, text, id)
