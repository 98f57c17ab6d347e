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


class FilmDevices(Group):
    """The devices of a film's scene."""

    devices: tuple[SceneDevice, ...] | None = Field(
        None, min_length=1, max_length=SCENE_DEVICES, description="the devices of a scene, which all show it"
    )


@dataclass(frozen=True, slots=True)
class FilmFiles:
    """A recording's file and that of its film."""

    source: Path
    target: Path


def files(source: str, output: str) -> FilmFiles:
    """The two files; raises a 400 for names that cannot be right."""
    place, target = Path(source), Path(output)
    if not place.is_file():
        raise invalid(f"{source}: is not a file")
    if target.suffix.lower() not in BY_SUFFIX:
        raise invalid(f"{output}: a film's name must end in one of {', '.join(BY_SUFFIX)}")
    if target.is_dir():
        raise invalid(f"{output}: is a folder")
    if target.exists() and target.samefile(place):
        raise invalid(f"{output}: would overwrite the recording")
    return FilmFiles(place, target)


def request(
    place: FilmFiles, layers: Sequence[dict[str, Any]], faults: list[Detail], config: Config
) -> FilmRequest:
    """The film's request, with later layers over earlier ones; raises a 400 for all faults.

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
    if details or scene is None or motion is None or playback is None or export is None:
        raise refusal(*details)
    wanted = FilmRequest(settings.resolve(config.max_output_pixels), motion, playback, export)
    return replace(wanted, devices=scene.devices or ())


def _parted(given: dict[str, Any]) -> dict[str, Any]:
    """The parts of a film's request; of other members, settings, and the film's own of `export`."""
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


def run(
    place: FilmFiles, wanted: FilmRequest, config: Config, fork_server: ForkServer, reporter: Reporter
) -> bool:
    """Make the film, with a progress bar; returns whether it was made."""
    name = str(place.source)
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
            recording = stack.enter_context(place.source.open("rb"))
            file = stack.enter_context(part.open("w+b"))
            begin, step = stack.enter_context(_progress(reporter))
            work = making(fork_server, job, recording.fileno(), file.fileno(), nice=False)
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
        reporter.warn(f"{place.source}: warning: {warning.message}")
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
Step = Callable[[int], None]


@contextmanager
def _progress(reporter: Reporter) -> Iterator[tuple[Begin, Step]]:
    """A progress bar, as a function of the number of all frames and the number of finished ones."""
    if reporter.quiet:
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
