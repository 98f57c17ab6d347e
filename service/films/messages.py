"""Messages to and from the process that makes a film; does not depend on pixels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..errors import MockupError
from ..settings.motion import FilmExport, Motion, Playback
from ..settings.scene_device import SceneDevice
from ..settings.schema import Settings
from ..settings.warnings import Warning

# The modules whose processes a fork server forks: one decodes a recording, one makes a film, some build its
# plates, one writes an animated picture.
DECODER, WORKER, PLATES, WRITER = KINDS = (
    f"{__package__}.decoder",
    f"{__package__}.worker",
    f"{__package__}.plate_builder",
    f"{__package__}.writer",
)
MAX_MESSAGE = 1 << 17
# Still pictures have priority over films: at this niceness, a process gets a seventieth of a renderer's time.
NICE = 19


@dataclass(frozen=True, slots=True)
class FilmRequest:
    """The request for a film, without the recordings themselves; `sound` says whether any has sound.

    A film of a scene lists its `devices`. `shown` has the index of the recording that each shows, by default
    the first; `playback` is that of the first, `more` has those of the others. `names` has the path in the
    request of each recording, for faults.
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
    shown: tuple[int, ...] = ()
    more: tuple[Playback, ...] = ()
    names: tuple[str, ...] = ("recording",)

    @property
    def playbacks(self) -> tuple[Playback, ...]:
        """How each recording is played."""
        return (self.playback, *self.more)


@dataclass(frozen=True, slots=True)
class FilmJob:
    """A film to make, the most bytes of its file, the path of `ffmpeg` if needed, and the folder of fonts."""

    request: FilmRequest
    program: str | None = None
    fonts: str = ""
    max_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class MeasureJob:
    """A file whose facts are wanted."""


@dataclass(frozen=True, slots=True)
class CheckJob:
    """A film to resolve without making it; the facts of its recordings are known."""

    request: FilmRequest
    facts: tuple[FileFacts, ...]


@dataclass(frozen=True, slots=True)
class StillsJob:
    """A film of which only the frames at some times are made, as concatenated PNG files."""

    request: FilmRequest
    times: tuple[float, ...]
    fonts: str = ""


AnyJob = FilmJob | MeasureJob | CheckJob | StillsJob


@dataclass(frozen=True, slots=True)
class FileFacts:
    """The facts of a file: width, height and rate of its frames, and its length, 0 for a still picture."""

    width: int
    height: int
    length: float
    fps: float


@dataclass(frozen=True, slots=True)
class Begun:
    """The film has begun: the number of its frames, their rate and their size."""

    frames: int
    fps: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Progress:
    """The number of finished frames."""

    frame: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The film is in its file, which has this many bytes."""

    device: str
    bytes: int
    warnings: tuple[Warning, ...]


@dataclass(frozen=True, slots=True)
class Stills:
    """The frames are in the file, one after the other; the sizes are in bytes."""

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
    """The options of a process that makes a film and gives way to others."""
    return {"name": "film", "oom_score": 600, "nice": NICE if nice else 0}
