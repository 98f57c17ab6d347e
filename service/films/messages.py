"""What a film is asked for with, and what the process that makes it says; knows nothing of pixels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..errors import MockupError
from ..settings.motion import FilmExport, Motion, Playback
from ..settings.scene_device import SceneDevice
from ..settings.schema import Settings
from ..settings.warnings import Warning

# The modules that a fork server forks processes for: one decodes a recording, one makes a film, some build
# its plates, one writes an animated picture.
DECODER, WORKER, PLATES, WRITER = KINDS = (
    f"{__package__}.decoder",
    f"{__package__}.worker",
    f"{__package__}.plate_builder",
    f"{__package__}.writer",
)
MAX_MESSAGE = 1 << 17
# Films wait for still pictures: the kernel gives a process so nice a seventieth of a renderer's time.
NICE = 19


@dataclass(frozen=True, slots=True)
class FilmRequest:
    """What a film is made from, besides its recording; `sound` if that has any.

    A film of a scene lists its `devices`, which all show the recording.
    """

    settings: Settings
    motion: Motion = field(default_factory=Motion)
    playback: Playback = field(default_factory=Playback)
    export: FilmExport = field(default_factory=FilmExport)
    fast: bool = False
    sound: bool = False
    host: str = ""
    watermark: bool = False
    devices: tuple[SceneDevice, ...] = ()


@dataclass(frozen=True, slots=True)
class FilmJob:
    """A film to be made in a file of so many bytes at most, where `ffmpeg` is, if it is needed, and fonts."""

    request: FilmRequest
    program: str | None = None
    fonts: str = ""
    max_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class MeasureJob:
    """A file of which is to be told what it is."""


@dataclass(frozen=True, slots=True)
class CheckJob:
    """A film that is to be resolved and not made, of a recording that is known."""

    request: FilmRequest
    facts: FileFacts


@dataclass(frozen=True, slots=True)
class StillsJob:
    """A film of which the pictures at some times are made, as PNG files one after the other."""

    request: FilmRequest
    times: tuple[float, ...]
    fonts: str = ""


Job = FilmJob | MeasureJob | CheckJob | StillsJob


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What a file is: width and height of its frames, their rate, and its length, which is 0 for a still."""

    width: int
    height: int
    length: float
    fps: float


@dataclass(frozen=True, slots=True)
class Begun:
    """A film is being made: how many frames it has, their rate and size."""

    frames: int
    fps: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Progress:
    """So many frames are there."""

    frame: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The film is in its file, of so many bytes."""

    device: str
    bytes: int
    warnings: tuple[Warning, ...]


@dataclass(frozen=True, slots=True)
class Stills:
    """The pictures are in their file, of so many bytes each."""

    device: str
    sizes: tuple[int, ...]
    warnings: tuple[Warning, ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """The film could not be made; `cause` is for the log."""

    error: MockupError
    cause: str = ""


FilmMessage = FileFacts | Begun | Progress | Finished | Stills | Stopped
Say = Callable[[FilmMessage], None]


def options(*, nice: bool) -> dict[str, Any]:
    """The options of a process that makes a film, and may have to wait for others."""
    return {"name": "film", "oom_score": 600, "nice": NICE if nice else 0}
