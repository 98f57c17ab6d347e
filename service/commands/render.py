"""`render`: renders one or many screenshots without a server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..clock import Clock
from ..errors import Detail, MockupError, invalid, refusal
from ..settings.assignments import place
from ..settings.background_image import PATH
from ..settings.formats import BY_SUFFIX, FORMATS
from ..settings.merge import CaptionTexts, MergedSettings, merge
from ..settings.schema import FORMAT_NAMES, Settings
from ..system.container import cpus
from . import picture_file
from .background_images import BackgroundImages
from .bulk import places
from .mistakes import lines
from .reporter import Reporter
from .screenshots import ScreenshotFile, is_several, is_url

if TYPE_CHECKING:
    from ..config import Config
    from ..processes.forks import ForkServer
    from ..settings.rendering import Rendering
    from ..sources.remote import Fetcher

STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Destination:
    """Where pictures are written: a file, a folder, or stdout."""

    place: str
    is_folder: bool

    @property
    def is_stdout(self) -> bool:
        """Whether pictures go to stdout."""
        return self.place == STDOUT

    def target(self, screenshot: ScreenshotFile, ending: str) -> Path | None:
        """The file for a screenshot's picture, or None for stdout."""
        if self.is_stdout:
            return None
        if not self.is_folder:
            return Path(self.place)
        return Path(self.place, screenshot.folder, screenshot.stem + ending)


@dataclass(frozen=True, slots=True)
class RenderTask:
    """A screenshot and the file for its picture, or None for stdout."""

    source: ScreenshotFile
    target: Path | None


def output_for(place: str, inputs: Sequence[str], screenshots: Sequence[ScreenshotFile]) -> Destination:
    """Interpret OUT; raises a 400 if the screenshots cannot be written there.

    OUT is a folder if it exists as one, ends in a slash, has no file extension, or has an unknown one while
    IN means several screenshots. A single screenshot can also be written to a file or to stdout.
    """
    count = f"{len(screenshots)} screenshots"
    if not place:
        raise invalid("OUT: the name is empty")
    if place == STDOUT:
        if len(screenshots) > 1:
            raise invalid(f"-: stdout takes one picture, but there are {count}; name a folder")
        if sys.stdout.isatty():
            raise invalid("-: stdout is a terminal; expected as in mockup render IN -o - > mockup.png")
        return Destination(place, is_folder=False)
    path = Path(place)
    suffix = path.suffix.lower()
    if path.is_dir() or place.endswith("/") or not suffix:
        is_folder = True
    elif suffix in BY_SUFFIX:
        is_folder = False
    else:
        is_folder = len(screenshots) > 1 or any(map(is_several, inputs))
        if not is_folder:
            known = ", ".join(BY_SUFFIX)
            raise invalid(f"{place}: a picture's name must end in one of {known}, a folder's in /")
    folders = (path, *path.parents) if is_folder else path.parents
    if file := next((one for one in folders if one.is_file()), None):
        reason = "is a file" if file == path else f"{file} is a file"
        raise invalid(
            f"{place}: {reason}, and {'the pictures need' if is_folder else 'the picture needs'} a folder"
        )
    if not is_folder and len(screenshots) > 1:
        raise invalid(f"{place}: names a single picture, but there are {count}; name a folder")
    return Destination(place, is_folder)


def settings_for(
    output: Destination,
    base: dict[str, Any],
    over: dict[str, Any],
    config: Config,
    faults: Sequence[Detail] = (),
    texts: CaptionTexts | None = None,
) -> Settings:
    """Merge the settings of a run; a picture's file name determines its format, and `texts` are the texts of
    captions.

    Raises a 400 for all faults, including the given `faults`.
    """
    over, details = merge(base, over), list(faults)
    export = over.get("export", {})
    if isinstance(export, dict) and not (output.is_folder or output.is_stdout):
        format_ = BY_SUFFIX[Path(output.place).suffix.lower()]
        given = export.get("format")
        known = FORMAT_NAMES.canonical(given) if isinstance(given, str) else given
        if known is None:
            place(over, ["export", "format"], format_)
        elif isinstance(known, str) and known in FORMATS and known != format_:
            details.append(Detail(output.place, f"the settings say {given}, the file name says {format_}"))
    merged = MergedSettings(over, texts=texts)
    if details := [*details, *merged.faults]:
        raise refusal(*details)
    return merged.resolve(config.max_output_pixels)


def plan(screenshots: Sequence[ScreenshotFile], output: Destination, settings: Settings) -> list[RenderTask]:
    """Plan all jobs; raises a 400 that lists files to be written twice and screenshots to be overwritten."""
    ending = FORMATS[settings.export.format].suffixes[0]
    jobs = [RenderTask(screenshot, output.target(screenshot, ending)) for screenshot in screenshots]
    count = settings.canvas.slices
    if output.is_stdout and count > 1:
        raise invalid(f"-: stdout takes one picture, but canvas.slices makes {count}; name a file")
    sources = {one.file.resolve() for one in screenshots if one.file}
    taken: dict[Path, str] = {}
    faults: list[Detail] = []
    for job in jobs:
        if job.target is None:
            continue
        for target in map(Path, picture_file.numbered(str(job.target), count)):
            if target.resolve() in sources:
                faults.append(Detail(str(target), "would overwrite a screenshot"))
            elif other := taken.get(target):
                faults.append(
                    Detail(str(target), f"would be written for both {other} and {job.source.shown}")
                )
            elif target.is_dir():
                faults.append(Detail(str(target), "is a folder"))
            taken[target] = job.source.shown
    if faults:
        raise refusal(*faults)
    return jobs


def run(
    jobs: Sequence[RenderTask],
    settings: Settings,
    fast: bool,
    config: Config,
    fork_server: ForkServer,
    reporter: Reporter,
) -> int:
    """Render the pictures concurrently, reporting each; returns how many failed."""
    # No more renderers than there are pictures for.
    threads = min(config.render_threads or cpus(), len(jobs))
    config = config.model_copy(update={"render_threads": threads})
    return asyncio.run(_run(jobs, settings, fast, config, fork_server, reporter))


async def _run(
    jobs: Sequence[RenderTask],
    settings: Settings,
    fast: bool,
    config: Config,
    fork_server: ForkServer,
    reporter: Reporter,
) -> int:
    from ..admission.footprint import source_limits
    from ..engine.request import GivenScreenshot, RenderOptions, prepare
    from ..settings.scene_device import SceneSettings
    from ..workers.opening import open_renderers

    with closing(open_renderers(config, fork_server)) as renderers, reporter.progress(len(jobs)) as step:
        limits = source_limits(config)
        image = settings.appearance.background_image
        remote = image is not None and image.type == "url" and is_url(image.src or "")
        remote = remote or any(is_url(job.source.place) for job in jobs)
        fetcher = fetcher_of(config) if remote else None

        async def fetch(place: str) -> bytes:
            return await read_background(place, fetcher, config.max_source_bytes)

        images = BackgroundImages(fetch, config.max_source_bytes)
        # Read one screenshot more than is being rendered, so that no renderer waits for the disk.
        room = asyncio.Semaphore(renderers.at_once + 1)

        async def make(job: RenderTask) -> Rendering:
            data = await read(job.source, fetcher, config.max_source_bytes)
            behind = await images.read(settings, Path())
            given, wanted = [GivenScreenshot(data, host=job.source.host)], SceneSettings(settings)
            request = prepare(given, wanted, limits, RenderOptions(fast), behind=behind)
            rendering = await renderers.render(request, Clock())
            write(job.target, rendering)
            return rendering

        async def done(job: RenderTask) -> bool:
            async with room:
                made = await _succeeded(job, make(job), reporter)
            step()
            return made

        try:
            return (await asyncio.gather(*map(done, jobs))).count(False)
        finally:
            if fetcher is not None:
                await fetcher.close()


def fetcher_of(config: Config) -> Fetcher:
    """The fetcher of URLs.

    Its module is imported here, because it takes a while to load and nothing else in this module logs.
    """
    from .. import logs
    from ..sources.remote import Fetcher

    logs.quiet()
    return Fetcher(config)


async def read(screenshot: ScreenshotFile, fetcher: Fetcher | None, limit: int) -> bytes:
    """The bytes of a screenshot, at most `limit` of them; raises a 400, or OSError."""
    if fetcher is not None and is_url(screenshot.place):
        return await fetcher.fetch(screenshot.place, Clock(), user="command line")
    if screenshot.file is None:
        data = sys.stdin.buffer.read(limit + 1)
    else:
        with screenshot.file.open("rb") as file:
            data = file.read(limit + 1)
    if len(data) > limit:
        raise invalid(f"The screenshot is larger than {limit} bytes")
    return data


def write(target: Path | None, made: Rendering) -> None:
    """Write a picture, or its slices, to a file, or to stdout for None."""
    if target is None:
        sys.stdout.buffer.write(made.data)
        sys.stdout.buffer.flush()
        return
    pictures = made.pictures
    for name, data in zip(picture_file.numbered(str(target), len(pictures)), pictures, strict=True):
        picture_file.write(Path(name), data)


async def read_background(text: str, fetcher: Fetcher | None, limit: int) -> bytes:
    """The bytes of a background image at a URL or path; raises a 400 that names its setting."""
    file = places.place(text, Path())
    if isinstance(file, places.Web):
        assert fetcher is not None
        return await fetcher.fetch(text, Clock(), user="command line", path=PATH)
    if isinstance(file, places.Stored):
        raise refusal(
            Detail(PATH, "only manifests and sets read object stores; expected a path or a web URL")
        )
    try:
        with file.open("rb") as opened:
            data = opened.read(limit + 1)
    except OSError as error:
        raise refusal(Detail(PATH, f"{text}: {error.strerror}")) from error
    if len(data) > limit:
        raise refusal(Detail(PATH, f"{text}: is larger than {limit} bytes"))
    return data


async def _succeeded(job: RenderTask, work: Coroutine[Any, Any, Rendering], reporter: Reporter) -> bool:
    """Whether the picture was rendered, which is reported with its warnings."""
    name = job.source.shown
    try:
        made = await work
    except MockupError as error:
        said = lines(error)
        said[0] = f"{name}: {said[0]}"
    except BrokenPipeError:
        raise
    except OSError as error:
        said = [f"{error.filename or name}: {error.strerror}"]
    else:
        for warning in made.warnings:
            reporter.warn(f"{name}: warning: {warning.message}")
        reporter.result(_record(job, made))
        return True
    for line in said:
        reporter.fail(line)
    reporter.result({"screenshot": name, "error": "\n".join(line.strip() for line in said)})
    return False


def _record(job: RenderTask, made: Rendering) -> dict[str, Any]:
    names = picture_file.numbered(str(job.target), len(made.pictures))
    return {
        "screenshot": job.source.shown,
        **({"output": names[0]} if len(names) == 1 else {"outputs": names}),
        "bytes": len(made.data),
        "mimeType": made.mime,
        "width": made.width,
        "height": made.height,
        "device": made.device,
        "warnings": [{"code": one.code, "message": one.message} for one in made.warnings],
    }
