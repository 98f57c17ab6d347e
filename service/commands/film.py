"""`film`: makes a film of a recording, or of a screenshot, without a server."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import Field, ValidationError

from ..errors import Detail, MockupError, invalid, refusal
from ..films.formats import BY_SUFFIX, FILM_FORMATS, program_for
from ..films.making import making
from ..films.messages import Begun, FilmJob, FilmRequest, Finished, Progress
from ..limits import SCENE_DEVICES
from ..settings.merge import MergedSettings, merge, without_nulls
from ..settings.motion import FilmExport, Motion, Playback
from ..settings.scene_device import SceneDevice
from ..validation import messages
from ..validation.group import Group
from .mistakes import lines
from .reporter import Reporter

if TYPE_CHECKING:
    from ..config import Config
    from ..processes.forks import ForkServer

G = TypeVar("G", bound=Group)
# The members of a film besides settings and devices.
OWN = ("motion", "recording", "export")


class FiledRecording(Playback):
    """A recording's file, and which part of it is shown."""

    src: str = Field(min_length=1, description="path of a recording")


class DeviceScreenshotFile(Group):
    """A screenshot's file."""

    src: str = Field(min_length=1, description="path of a screenshot")


class DeviceOfFilm(SceneDevice):
    """A device of a film's scene."""

    recording: FiledRecording | None = Field(None, description="its own recording")
    screenshot: DeviceScreenshotFile | None = Field(None, description="a still picture to show instead")


class FilmDevices(Group):
    """The devices of a film's scene."""

    devices: tuple[DeviceOfFilm, ...] | None = Field(
        None, min_length=1, max_length=SCENE_DEVICES, description="the devices of a scene"
    )


@dataclass(frozen=True, slots=True)
class FilmFiles:
    """The files of recordings and the file of the film. The first recording's name stands for the film in
    messages."""

    sources: tuple[Path, ...]
    target: Path


@dataclass(frozen=True, slots=True)
class FilmTask:
    """A film's files, and its request."""

    place: FilmFiles
    wanted: FilmRequest


def files(source: str | None, output: str) -> FilmFiles:
    """The files of a film, without those of its devices; raises a 400 for names that cannot be right."""
    target = Path(output)
    if source is not None and not Path(source).is_file():
        raise invalid(f"{source}: is not a file")
    if target.suffix.lower() not in BY_SUFFIX:
        raise invalid(f"{output}: a film's name must end in one of {', '.join(BY_SUFFIX)}")
    if target.is_dir():
        raise invalid(f"{output}: is a folder")
    if source is not None and target.exists() and target.samefile(source):
        raise invalid(f"{output}: would overwrite the recording")
    return FilmFiles(() if source is None else (Path(source),), target)


def anchored(given: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A request in which the paths of its devices' files start at a folder."""
    devices = given.get("devices")
    if not isinstance(devices, list):
        return given
    return {**given, "devices": [_anchored(one, folder) if isinstance(one, dict) else one for one in devices]}


def _anchored(device: dict[str, Any], folder: Path) -> dict[str, Any]:
    found = dict(device)
    for name in ("recording", "screenshot"):
        one = {"src": device.get(name)} if isinstance(device.get(name), str) else device.get(name)
        if isinstance(one, dict) and isinstance(one.get("src"), str):
            found[name] = {**one, "src": str(folder / one["src"])}
    return found


def request(
    place: FilmFiles, layers: Sequence[dict[str, Any]], faults: list[Detail], config: Config
) -> FilmTask:
    """The film that is asked for, later layers over earlier ones; raises a 400 for all faults.

    Layers have the members of a request, or settings beside `motion`, `recording` and `export`.
    """
    details = list(faults)
    parts: dict[str, dict[str, Any]] = {name: {} for name in ("settings", *OWN)}
    listed: dict[str, Any] = {}
    for given in layers:
        for name, value in _parted(given).items():
            if name == "devices":
                listed[name] = value
                continue
            if not isinstance(value, dict):
                details.append(Detail(name, f"expected an object, got {messages.shown(value)}"))
                continue
            if name not in parts:
                details.append(Detail(name, f"unknown member; known: settings, devices, {', '.join(OWN)}"))
                continue
            parts[name] = merge(parts[name], value)
    format = BY_SUFFIX[place.target.suffix.lower()]
    asked = parts["export"].setdefault("format", format)
    if asked != format:
        details.append(Detail(str(place.target), f"export.format says {asked}, the file name says {format}"))
    settings = MergedSettings(parts["settings"])
    details += settings.faults
    motion = _read(Motion, parts["motion"], "motion.", details)
    playback = _read(Playback, parts["recording"], "recording.", details)
    export = _read(FilmExport, parts["export"], "export.", details)
    scene = _read(FilmDevices, listed, "", details)
    if scene is not None:
        details += _unshown(scene.devices or (), place)
    if details or scene is None or motion is None or playback is None or export is None:
        raise refusal(*details)
    wanted = FilmRequest(settings.resolve(config.max_output_pixels), motion, playback, export)
    return _with_devices(place, wanted, scene.devices or ())


def _unshown(devices: Sequence[DeviceOfFilm], place: FilmFiles) -> Iterator[Detail]:
    """Faults of the files that the devices show."""
    own = [one.recording or one.screenshot for one in devices]
    if place.sources and own and all(own):
        text = "unused, because every device has a recording or screenshot of its own"
        yield Detail(str(place.sources[0]), text)
    if not place.sources and not (own and all(own)):
        path = f"devices[{own.index(None)}].recording" if any(own) else "recording"
        yield Detail(path, "missing; expected a recording, or a screenshot")
    for number, device in enumerate(devices):
        path = f"devices[{number}]"
        if device.recording and device.screenshot:
            yield Detail(f"{path}.screenshot", "expected a recording or a screenshot, got both")
        for name in ("recording", "screenshot"):
            shown = getattr(device, name)
            if shown is None:
                continue
            if not Path(shown.src).is_file():
                yield Detail(f"{path}.{name}.src", f"{shown.src} is not a file")
            elif place.target.exists() and place.target.samefile(shown.src):
                yield Detail(f"{path}.{name}.src", f"{place.target} would overwrite it")


def _with_devices(place: FilmFiles, wanted: FilmRequest, devices: Sequence[DeviceOfFilm]) -> FilmTask:
    """A film with its devices, and the recordings of those that have their own."""
    sources, shown = list(place.sources), list[int]()
    playbacks, names = [wanted.playback] * len(sources), ["recording"] * len(sources)
    for number, device in enumerate(devices):
        own = device.recording or device.screenshot
        shown.append(len(sources) if own else 0)
        if own is None:
            continue
        sources.append(Path(own.src))
        playbacks.append(device.recording or Playback())
        names.append(f"devices[{number}].{'recording' if device.recording else 'screenshot'}")
    first, *more = playbacks
    return FilmTask(
        replace(place, sources=tuple(sources)),
        replace(
            wanted,
            devices=tuple(devices),
            shown=tuple(shown),
            playback=first,
            more=tuple(more),
            names=tuple(names),
        ),
    )


def _parted(given: dict[str, Any]) -> dict[str, Any]:
    """The parts of a film's request. Other members are settings, and `export` is divided between settings and
    film."""
    if "settings" in given:
        return {name: value for name, value in given.items() if name != "type"}
    rest = {name: value for name, value in given.items() if name not in (*OWN, "devices")}
    export = given.get("export")
    found = {name: given[name] for name in (*OWN, "devices") if name in given and name != "export"}
    if isinstance(export, dict):
        own = messages.members(FilmExport)
        found["export"] = {name: export[name] for name in own if name in export}
        others = {name: value for name, value in export.items() if name not in own}
        rest |= {"export": others} if others else {}
    return {**found, "settings": rest}


def _read(model: type[G], given: dict[str, Any], prefix: str, details: list[Detail]) -> G | None:
    try:
        return model.model_validate(without_nulls(given, model))
    except ValidationError as error:
        details += messages.details(error, model, prefix)
        return None


def run(task: FilmTask, config: Config, fork_server: ForkServer, reporter: Reporter) -> bool:
    """Make the film, with a progress bar; returns whether it was made."""
    place, wanted = task.place, task.wanted
    name = str(place.sources[0])
    try:
        job = FilmJob(wanted, program_for(wanted.export.format), config.fonts_folder)
        record = asyncio.run(_made(place, job, fork_server, reporter))
    except MockupError as error:
        said = lines(error)
        reporter.fail(f"{name}: {said[0]}")
        for line in said[1:]:
            reporter.fail(line)
        reporter.result({"recording": name, "error": "\n".join(line.strip() for line in said)})
        return False
    reporter.result({"recording": name, "output": str(place.target), **record})
    return True


async def _made(
    place: FilmFiles, job: FilmJob, fork_server: ForkServer, reporter: Reporter
) -> dict[str, Any]:
    started = time.monotonic()
    place.target.parent.mkdir(parents=True, exist_ok=True)
    part = place.target.with_name(f".{place.target.name}.{os.getpid()}")
    try:
        async with AsyncExitStack() as stack:
            shown = [stack.enter_context(one.open("rb")) for one in place.sources]
            file = stack.enter_context(part.open("w+b"))
            begin, step = stack.enter_context(_progress(reporter))
            work = making(fork_server, job, [one.fileno() for one in shown], file.fileno(), nice=False)
            async for message in await stack.enter_async_context(work):
                match message:
                    case Begun():
                        begun = message
                        begin(message.frames)
                    case Progress():
                        step(message.frame)
                    case Finished():
                        done = message
        part.replace(place.target)
    finally:
        part.unlink(missing_ok=True)
    for warning in done.warnings:
        reporter.warn(f"{place.sources[0]}: warning: {warning.message}")
    seconds = time.monotonic() - started
    reporter.warn(
        f"{place.target}: {begun.frames} frames in {seconds:.1f} s, {begun.frames / seconds:.1f} a second"
    )
    return {
        "bytes": done.bytes,
        "mimeType": FILM_FORMATS[job.request.export.format].mime,
        "width": begun.width,
        "height": begun.height,
        "fps": begun.fps,
        "frames": begun.frames,
        "seconds": round(seconds, 3),
        "device": done.device,
        "warnings": [{"code": one.code, "message": one.message} for one in done.warnings],
    }


Begin = Callable[[int], None]
Advance = Callable[[int], None]


@contextmanager
def _progress(reporter: Reporter) -> Iterator[tuple[Begin, Advance]]:
    """A progress bar, as a function of the number of all frames and the number of finished ones.

    It appears only where the reporter shows progress.
    """
    if not reporter.shows_progress:
        yield lambda frames: None, lambda frame: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("filming"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("filming", total=None, rate="")
        started = time.monotonic()

        def step(frame: int) -> None:
            rate = frame / max(time.monotonic() - started, 1e-3)
            bar.update(task, completed=frame, rate=f"{rate:.1f} a second")

        yield lambda frames: bar.update(task, total=frames), step
