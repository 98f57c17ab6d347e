"""Bodies of requests for films: the recording or screenshot, the motion, and the file."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import Field

from ..errors import Detail, MockupError, refusal
from ..limits import FILM_S, FILM_STILLS, SCENE_DEVICES
from ..settings.merge import MergedSettings, merge
from ..settings.motion import FilmExport, Motion, Playback
from ..settings.scene_device import SceneDevice
from ..settings.schema import Settings
from ..settings.templates import under
from ..validation.group import Flag, Group, Number
from ..validation.messages import Confidential, ValidatedAs
from . import webhook_secret
from .answers import SETTINGS
from .json_body import JSONBody
from .parsed_request import lower, of_project, validated
from .scene_body import ListedDevice, ParsedScreenshot
from .schema import Screenshot

_ID = "3f2b8c1e-7a4d-4f0e-9c55-2d1b6a7e8f90"
_MEMBERS: dict[str, Any] = {
    "recording": {"type": "upload", "src": _ID},
    "settings": SETTINGS,
    "motion": {"duration": 4, "move": {"name": "tilt-in"}},
}
_PRINTABLE = "^[!-~]+$"
_SECRET = re.compile(_PRINTABLE)
# Pairs of members of `motion`: if a request has the first, it also replaces the second in a project.
_RIVALS = (("move", "keyframes"), ("keyframes", "move"))


class FilmRecording(Playback):
    """The recording that is shown, and which part of it."""

    type: Literal["upload", "url"] = Field(description="form of src")
    src: str = Field(min_length=1, description="a recording's id, or an http or https URL")


class StillsRecording(Playback):
    """The recording that pictures are made from."""

    type: Literal["upload"] = Field(description="form of src")
    src: str = Field(min_length=1, description="a recording's id")


class Webhook(Group):
    """The address to call when a film is done."""

    url: str = Field(min_length=1, description="an http or https URL")
    secret: Annotated[str, Confidential()] = Field(
        min_length=16,
        max_length=200,
        description="the secret that signs calls; printable ASCII",
        json_schema_extra={"pattern": _PRINTABLE},
    )


class FilmedDevice(ListedDevice):
    """A device of a film's scene, which shows the film's recording or one of its own."""

    recording: FilmRecording | None = Field(None, description="its own recording; default: the film's")
    screenshot: Screenshot | None = Field(None, description="a still picture to show instead of a recording")

    @property
    def shot(self) -> None:
        """None: a film's device shows no screenshot as devices of other scenes do."""


class FilmedStillDevice(ListedDevice):
    """A device in a film's scene that pictures are made from."""

    recording: StillsRecording | None = Field(None, description="its own recording; default: the film's")
    screenshot: Screenshot | None = Field(None, description="a still picture to show instead of a recording")

    @property
    def shot(self) -> None:
        """None: a film's device shows no screenshot as devices of other scenes do."""


DEVICES: Any = Field(
    None,
    min_length=1,
    max_length=SCENE_DEVICES,
    description="the devices of a scene; each shows the film's recording, or one of its own",
)
SHOWN = "the recording to show; or give a screenshot, or one of them for every device"


class _Filmed(Group):
    """The members that a film and its stills share."""

    type: Literal["film"] | None = Field(None, description="optional")
    recording: FilmRecording | StillsRecording | None = None
    screenshot: Screenshot | None = Field(None, description="a still picture to show instead of a recording")
    devices: tuple[FilmedDevice, ...] | tuple[FilmedStillDevice, ...] | None = DEVICES
    settings: Annotated[dict[str, Any] | None, ValidatedAs(Settings)] = Field(
        None, description="render settings; override the project's"
    )
    project_id: str | None = Field(None, description="UUID of a saved project to use as the base")
    motion: Motion = Field(Motion(), description="the motion of the device")
    export: FilmExport = Field(FilmExport(), description="the film's file")
    fast: Flag = Field(False, description="renders devices faster and softer, for drafts")


class FilmBody(_Filmed):
    """A film to be made."""

    example: ClassVar = {"type": "film", **_MEMBERS, "export": {"format": "mp4"}}

    recording: FilmRecording | None = Field(None, description=SHOWN)
    devices: tuple[FilmedDevice, ...] | None = DEVICES
    webhook: Webhook | None = Field(None, description="the address to call when the film is done")


class FilmStillsBody(_Filmed):
    """A film that pictures are made from."""

    example: ClassVar = {**_MEMBERS, "times": [0, 0.5, 1]}

    recording: StillsRecording | None = Field(None, description=SHOWN)
    devices: tuple[FilmedStillDevice, ...] | None = DEVICES
    export: FilmExport = Field(FilmExport(), description="the film's file, which is not made")
    times: tuple[Annotated[Number, Field(ge=0, le=FILM_S)], ...] = Field(
        min_length=1, max_length=FILM_STILLS, description="seconds from the film's start"
    )


B = TypeVar("B", FilmBody, FilmStillsBody)


@dataclass(frozen=True, slots=True)
class FilmSource:
    """A recording or screenshot, how it is played, and the path of the member that names it."""

    source: ParsedScreenshot
    playback: Playback
    name: str
    is_recording: bool


@dataclass(frozen=True, slots=True)
class ParsedFilm:
    """A valid request: its own settings, and the recordings and screenshots that it shows.

    `shown` has the index of the source that each of the `devices` shows.
    """

    settings: MergedSettings
    project_id: str | None
    sources: tuple[FilmSource, ...]
    devices: tuple[SceneDevice, ...]
    shown: tuple[int, ...]
    motion: Motion
    export: FilmExport
    fast: bool


def parse(sent: JSONBody, model: type[B], project: Mapping[str, Any] | None = None) -> tuple[B, ParsedFilm]:
    """Validate a request; raises a 400 that names every offending path, in its settings too.

    `project` has the parts of its project; the request's devices and film are merged over those. The request
    has passed these checks without its project, so any faults are the project's.
    """
    try:
        body, settings = validated(_over(project or {}, sent.value), model, _faults)
    except MockupError as error:
        details = map(of_project, error.details) if project else error.details
        raise refusal(*details) from None
    devices: tuple[FilmedDevice | FilmedStillDevice, ...] = body.devices or ()
    sources = list[FilmSource]()
    if whole := _source(body, "", sent):
        sources.append(whole)
    shown = []
    for number, device in enumerate(devices):
        own = _source(device, f"devices[{number}].", sent)
        shown.append(len(sources) if own else 0)
        sources += [own] if own else []
    return body, ParsedFilm(
        settings,
        lower(body.project_id),
        tuple(sources),
        tuple(SceneDevice.model_validate(_without_source(device)) for device in devices),
        tuple(shown),
        body.motion,
        body.export,
        body.fast,
    )


def _over(project: Mapping[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    """The members of a request, merged over those of a project: devices one by one, the rest member by
    member.

    A move replaces the project's keyframes, and keyframes replace its move. The project's `recording` only
    says which part to play, so it is unused if the request has no recording.
    """
    film = project.get("film", {})
    below = {name: film[name] for name in ("motion", "export") if name in film}
    if "recording" in film and isinstance(body.get("recording"), Mapping):
        below["recording"] = film["recording"]
    own = body.get("motion")
    if isinstance(own, Mapping) and "motion" in below:
        gone = {other for given, other in _RIVALS if own.get(given)}
        below["motion"] = {name: value for name, value in below["motion"].items() if name not in gone}
    if devices := project.get("devices"):
        body = {**body, "devices": under(devices, body.get("devices"))}
    return merge(below, body)


def _without_source(device: FilmedDevice | FilmedStillDevice) -> dict[str, Any]:
    return device.model_dump(by_alias=True, exclude_unset=True, exclude={"recording", "screenshot"})


def _source(
    of: FilmBody | FilmStillsBody | FilmedDevice | FilmedStillDevice, prefix: str, sent: JSONBody
) -> FilmSource | None:
    """The recording or screenshot that a film or one of its devices names; None if it names none."""
    shown = of.recording or of.screenshot
    if shown is None:
        return None
    name = f"{prefix}{'recording' if of.recording else 'screenshot'}"
    playback = Playback()
    if of.recording:
        given = of.recording.model_dump(by_alias=True, exclude_unset=True, exclude={"type", "src"})
        playback = Playback.model_validate(given)
    source = ParsedScreenshot(shown.type, sent.texts.get(shown.src, shown.src), f"{name}.src")
    return FilmSource(source, playback, name, of.recording is not None)


def renders(frames: int, each: int) -> int:
    """The number of renders that frames count as: one for `each` frames."""
    return math.ceil(frames / each)


def _faults(data: dict[str, Any]) -> list[Detail]:
    listed = data.get("devices")
    devices = [one if isinstance(one, dict) else {} for one in listed] if isinstance(listed, list) else []
    found, given = [], _given(data)
    own = [_given(one) for one in devices]
    if not given and not (own and all(own)):
        expected = "a recording, or a screenshot"
        found.append(Detail("recording", f"missing; expected {expected}" + _without(own)))
    if given and own and all(own):
        found.append(Detail(given[0], "unused, because every device has its own; leave it out"))
    for prefix, names in (("", given), *((f"devices[{number}].", one) for number, one in enumerate(own))):
        if len(names) > 1:
            found.append(Detail(f"{prefix}screenshot", "expected a recording or a screenshot, got both"))
    webhook = data.get("webhook")
    secret = webhook.get("secret") if isinstance(webhook, dict) else None
    if isinstance(secret, str) and secret and not _SECRET.fullmatch(secret):
        found.append(Detail("webhook.secret", "expected printable ASCII without spaces"))
    elif isinstance(secret, str):
        try:
            webhook_secret.key(secret)
        except ValueError as error:
            found.append(Detail("webhook.secret", str(error)))
    return found


def _given(data: dict[str, Any]) -> list[str]:
    return [name for name in ("recording", "screenshot") if data.get(name) is not None]


def _without(own: list[list[str]]) -> str:
    """The end of a message, which names the first device with nothing to show if others have something."""
    bare = [f"devices[{number}]" for number, names in enumerate(own) if not names]
    return f", which {bare[0]} would show" if bare and any(own) else ""
