"""The tools' work: pictures and films in a folder, by renderers that serve all calls."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyio import to_thread
from pydantic import BaseModel, ValidationError

from ...api import answers
from ...api.catalogue import Filters, found
from ...api.scene_body import ParsedScreenshot
from ...devices.categories import CATEGORIES
from ...devices.device import catalogue
from ...devices.device_names import DEVICES
from ...engine.request import PATH
from ...errors import Detail, MockupError, invalid, refusal
from ...films.messages import KINDS
from ...settings.rendering import Rendering
from ...settings.scene_device import SceneSettings
from ...settings.schema import Settings
from ...validation import messages
from ...workers.fork_server import start_fork_server
from ...workers.opening import open_renderers
from .. import film as films
from .. import scene as scenes
from .. import store_set
from ..bulk.places import place as place_of
from ..render import output_for, settings_for, write
from ..reporter import Reporter
from ..scene import SceneTask
from ..screenshots import STDIN, ScreenshotFile, is_url
from ..settings_file import Assigned
from . import previews
from .folder import WorkFolder
from .pages import Pages, Viewport
from .results import (
    FoundDevice,
    FoundDevices,
    FoundSetting,
    FoundSettings,
    MadeFilm,
    MadePicture,
    MadeSet,
    Notice,
)

if TYPE_CHECKING:
    from ...config import Config

#: Devices that are listed at most.
LISTED = 20
# Pictures of a set that are shown.
_SHOWN = 12
_DESKTOP = Viewport(1440, 900, 2)


@dataclass(frozen=True, slots=True)
class Recorded(Reporter):
    """Collects the results and faults of pictures."""

    records: list[Mapping[str, Any]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def result(self, record: Mapping[str, Any]) -> None:
        """Collect the result of a picture."""
        self.records.append(record)

    def warn(self, line: str) -> None:
        """Warnings are among the results."""

    def fail(self, line: str) -> None:
        """Keep an error."""
        self.faults.append(line)


class Work:
    """A folder, and the renderers and the browser that work for it."""

    def __init__(self, folder: Path, config: Config) -> None:
        """Open the renderers; raises a 400 if `folder` is not a folder."""
        if not folder.is_dir():
            raise invalid(f"{folder}: is not a folder")
        self.folder = WorkFolder(folder.resolve())
        self.pages = Pages()
        self._config = config
        self._renderers = open_renderers(config)
        self._room = asyncio.Semaphore(self._renderers.at_once)

    def close(self) -> None:
        """End the renderers."""
        self._renderers.close()

    def devices(
        self, words: str, category: str | None, width: int | None, height: int | None
    ) -> FoundDevices:
        """Devices by name, category or the size of their screen; raises a 400."""
        given = {"q": words.strip() or None, "category": category, "width": width, "height": height}
        try:
            wanted = Filters.model_validate(
                {name: value for name, value in given.items() if value is not None}
            )
        except ValidationError as error:
            raise refusal(*messages.details(error, Filters)) from None
        entries = found(wanted)
        listed = [
            FoundDevice(
                id=one.id,
                name=one.name,
                category=one.category,
                screen="as the screenshot" if one.fitted else f"{one.px[0]}x{one.px[1]}",
                finishes=[finish.name for finish in one.finishes],
            )
            for one in entries[:LISTED]
        ]
        return FoundDevices(devices=listed, found=len(entries))

    def settings(self, words: str) -> FoundSettings:
        """Settings whose paths contain all of the words."""
        listed = []
        for path in messages.paths(Settings, items=True):
            _, one, _ = messages.locate(Settings, tuple(messages.parted(path)))
            if one is None or isinstance(one.default, BaseModel):
                continue
            if all(word in path.lower() for word in words.lower().split()):
                default = None if one.is_required() or one.default is None else messages.shown(one.default)
                listed.append(FoundSetting(path=path, takes=messages.expected(one), default=default))
        return FoundSettings(settings=listed)

    async def render(
        self, screenshot: str | None, page: str | None, settings: dict[str, Any], output: str | None
    ) -> tuple[MadePicture, Sequence[memoryview]]:
        """Write a picture of one screenshot, or of a page; raises MockupError and OSError."""
        if (screenshot is None) == (page is None):
            raise invalid("expected either screenshot or page")
        settings = {"device": "auto", **settings}
        shot = _page_name(page) if page else screenshot or ""
        name = self._output(output, Path(shot).stem, settings)
        place = output_for(name, [], [ScreenshotFile(STDIN, shot, "")])
        resolved = settings_for(place, {}, settings, self._config)
        if page:
            shot = await self._captured(page, resolved, shot)
        wanted = self._screenshot(shot, PATH)
        task = SceneTask(shot, SceneSettings(resolved), (wanted,), place, self.folder.root)
        return await self._pictured(task, name)

    async def scene(
        self, devices: list[dict[str, Any]], settings: dict[str, Any], output: str | None
    ) -> tuple[MadePicture, Sequence[memoryview]]:
        """Write a picture of several devices; raises as `render`."""
        name = self._output(output, "scene", settings)
        filed = [self._filed(one, number) for number, one in enumerate(devices)]
        given = {"type": "scene", "devices": filed, "settings": settings}
        root = self.folder.root
        task = scenes.parse(given, None, name, Assigned({}, []), self._config, shown="scene", folder=root)
        return await self._pictured(task, name)

    async def draw(self, file: str, *, dry_run: bool) -> tuple[MadeSet, Sequence[bytes]]:
        """Draw the changed pictures of a set, whose files must be in the folder; raises as `render`."""
        path = self.folder.inside(file)
        for row in store_set.planned(path, {}, self._config)[0]:
            for name in (*row.sources, row.output):
                if isinstance(one := place_of(name, path.parent), Path):
                    self.folder.inside(str(one))
        reporter = _Set()

        def draw() -> tuple[int, int]:
            with closing(start_fork_server()) as own:
                return store_set.draw(path, {}, self._config, own, reporter, dry=dry_run)

        failed, count = await to_thread.run_sync(draw)
        drawn = [self.folder.inside(str(path.parent / name)) for name in reporter.ids]
        pictures = [] if dry_run else [one.read_bytes() for one in drawn[:_SHOWN]]
        names = [*map(self.folder.shown, drawn)]
        return MadeSet(drawn=names, unchanged=count - failed - len(drawn), failed=reporter.faults), pictures

    async def film(
        self, source: str, motion: dict[str, Any], settings: dict[str, Any], output: str | None
    ) -> tuple[MadeFilm, Sequence[bytes]]:
        """Write a film; raises as `render`."""
        path = self.folder.inside(source)
        name = output or self.folder.free(path.stem, ".mp4")
        target = self.folder.inside(name)
        place = films.files(str(path), str(target))
        given = {"settings": {"device": "auto", **settings}, "motion": motion}
        task = films.request(place, (given,), [], self._config)
        reporter = Recorded(quiet=True)

        def make() -> bool:
            with closing(start_fork_server(*KINDS)) as own:
                return films.run(task, self._config, own, reporter)

        made = await to_thread.run_sync(make)
        if not made:
            raise invalid("\n".join(reporter.faults))
        (record,) = reporter.records
        film = MadeFilm.model_validate({**record, "output": self.folder.shown(target)})
        middle = film.frames / film.fps / 2
        return film, [await to_thread.run_sync(previews.frame, target, middle)]

    def _output(self, output: str | None, stem: str, settings: Mapping[str, Any]) -> str:
        """The absolute name of a picture's file."""
        export = settings.get("export")
        format = export.get("format") if isinstance(export, Mapping) else None
        suffix = f".{format}" if isinstance(format, str) and format.isalnum() else ".png"
        return str(self.folder.inside(output or self.folder.free(stem or "mockup", suffix)))

    def _screenshot(self, given: str, path: str) -> ParsedScreenshot:
        if is_url(given):
            return ParsedScreenshot("url", given, path)
        try:
            return ParsedScreenshot("file", str(self.folder.inside(given)), path)
        except MockupError as error:
            raise refusal(Detail(path, error.message)) from error

    def _filed(self, device: dict[str, Any], number: int) -> dict[str, Any]:
        """A device of a scene's file, whose screenshot may be given as a name alone."""
        shot = device.get("screenshot")
        if isinstance(shot, str):
            shot = {"type": "url" if is_url(shot) else "file", "src": shot}
        if isinstance(shot, Mapping) and shot.get("type") == "file" and isinstance(shot.get("src"), str):
            one = self._screenshot(shot["src"], f"devices[{number}].screenshot.src")
            shot = {**shot, "src": one.text}
        return {**device, "screenshot": shot}

    async def _captured(self, page: str, settings: Settings, name: str) -> str:
        """The name of the file of a page's screenshot."""
        entry = _entry(settings)
        viewport = _DESKTOP
        if entry is not None and not entry.fitted:
            scale = CATEGORIES[entry.category].pixel_ratio
            viewport = Viewport(round(entry.px[0] / scale), round(entry.px[1] / scale), scale)
        data = await self.pages.screenshot(page, viewport)
        target = self.folder.free(f"{Path(name).stem}-page", ".png")
        path = self.folder.inside(target)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        return target

    async def _pictured(self, task: SceneTask, name: str) -> tuple[MadePicture, Sequence[memoryview]]:
        async with self._room:
            made = await scenes.rendered(task, self._config, self._renderers, geometry=True)
        await to_thread.run_sync(write, Path(name), made)
        return _told(made, self.folder.shown(Path(name))), made.pictures


@dataclass(frozen=True, slots=True)
class _Set(store_set.Counting):
    """Counts the pictures of a set silently, and collects the faults."""

    faults: list[str] = field(default_factory=list)

    def warn(self, line: str) -> None:
        """Nobody sees warnings."""

    def fail(self, line: str) -> None:
        """Keep an error."""
        self.faults.append(line)


def _told(made: Rendering, name: str) -> MadePicture:
    return MadePicture(
        output=name,
        mime_type=made.mime,
        bytes=len(made.data),
        width=made.width,
        height=made.height,
        devices=list(made.devices or (made.device,)),
        warnings=[Notice(code=one.code, message=one.message) for one in made.warnings],
        geometry=[answers.Geometry.of(place).written() for place in made.geometry],
    )


def _entry(settings: Settings) -> Any:
    """The device of the catalogue that settings name; None for a description and for `auto`."""
    device = settings.device
    if not isinstance(device, str) or device == "auto":
        return None
    return catalogue().entries[DEVICES.canonical(device)]


def _page_name(page: str) -> str:
    """A file's name for a page: its host."""
    host = page.split("//")[-1].split("/")[0]
    return "".join(letter if letter.isalnum() else "-" for letter in host).strip("-") + ".png"
