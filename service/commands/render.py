"""`render`: the service's one operation without a server, on one file or on many."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from service import merge
from service.clock import Clock
from service.commands.settings_file import place
from service.config import Config
from service.errors import MockupError, invalid
from service.settings import FORMAT_NAMES, Settings

if TYPE_CHECKING:
    from service.renderers.renderers import Renderers
    from service.rendering import Rendering

FORMATS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}


@dataclass(frozen=True, slots=True)
class Job:
    """One screenshot and where its picture goes."""

    source: Path
    target: Path


def settings_for(
    output: Path, many: bool, base: dict[str, Any], over: dict[str, Any], config: Config
) -> Settings:
    """The settings of a run; a single picture's format is that of the name it is given."""
    over = merge.merge(base, over)
    if not many:
        known = ", ".join(FORMATS)
        if (format_ := FORMATS.get(output.suffix.lower())) is None:
            raise invalid(f"{output}: the name must end in one of {known}")
        asked = over.get("export", {}).get("format") if isinstance(over.get("export", {}), dict) else None
        if asked is not None and FORMAT_NAMES.canonical(str(asked)) != format_:
            raise invalid(f"{output}: the settings ask for {asked}, the name for {format_}")
        if isinstance(over.get("export", {}), dict):
            place(over, ["export", "format"], format_)
    return merge.resolve(None, over, max_pixels=config.max_output_pixels)


def plan(inputs: Sequence[Path], output: Path, many: bool, settings: Settings) -> list[Job]:
    """What is to be made, after looking that no file would be written twice or over a screenshot."""
    ending = ".jpg" if settings.export.format == "jpeg" else f".{settings.export.format}"
    jobs = [Job(source, output / (source.stem + ending) if many else output) for source in inputs]
    sources = {source.resolve() for source in inputs}
    taken: dict[Path, Path] = {}
    for job in jobs:
        if job.target.resolve() in sources:
            raise invalid(f"{job.target}: a screenshot would be overwritten")
        if other := taken.get(job.target):
            raise invalid(f"{job.target}: would be written for both {other} and {job.source}")
        taken[job.target] = job.source
    return jobs


def run(jobs: Sequence[Job], settings: Settings, fast: bool, config: Config) -> int:
    """Make the pictures, several at a time; each failure is told by its file. Returns how many failed."""
    return asyncio.run(_run(jobs, settings, fast, config))


async def _run(jobs: Sequence[Job], settings: Settings, fast: bool, config: Config) -> int:
    from service.renderers.opening import open_renderers

    with closing(open_renderers(config)) as renderers, _progress(len(jobs)) as step:
        # Files are read when it is their turn, and one more, so that no renderer waits for a disk.
        room = asyncio.Semaphore(renderers.at_once + 1)

        async def done(job: Job) -> bool:
            async with room:
                made = await _told(job, _make(renderers, job, settings, fast, config))
            step()
            return made

        return (await asyncio.gather(*map(done, jobs))).count(False)


async def _make(renderers: Renderers, job: Job, settings: Settings, fast: bool, config: Config) -> Rendering:
    from service.renderers.renderers import Commission

    with job.source.open("rb") as file:
        data = file.read(config.max_source_bytes + 1)
    if len(data) > config.max_source_bytes:
        raise invalid(f"The file is larger than {config.max_source_bytes} bytes")
    rendering = await renderers.render(Commission(data, settings, fast), Clock())
    _write(job.target, rendering.data)
    return rendering


def _write(target: Path, data: bytes | memoryview) -> None:
    # Beside the target and renamed, so that an interrupted run leaves no half of a picture.
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        part.write_bytes(data)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


async def _told(job: Job, work: Coroutine[Any, Any, Rendering]) -> bool:
    """Whether the picture was made; says on stderr what there is to say about it."""
    try:
        for warning in (await work).warnings:
            _say(f"{job.source}: warning: {warning.message}")
    except MockupError as error:
        _say(f"{job.source}: {error.message}")
        for detail in error.details:
            _say(f"  {detail.path}: {detail.message}")
    except OSError as error:
        _say(f"{error.filename or job.source}: {error.strerror}")
    else:
        return True
    return False


def _say(line: str) -> None:
    print(f"mockup: {line}", file=sys.stderr)


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    """A bar on stderr for more than one file; yields what moves it on."""
    if total < 2:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("rendering"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("rendering", total=total)
        yield lambda: progress.advance(task)
