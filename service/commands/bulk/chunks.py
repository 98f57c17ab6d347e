"""Chunks: rows that share a plate, rendered together, here or on a machine of a cluster."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ...admission.footprint import source_limits
from ...clock import Clock
from ...codec.picture import PictureLimits
from ...engine.request import GivenScreenshot, RenderOptions, prepare
from ...errors import MockupError
from ...sources.location import public_host
from ...version import version
from ...workers.opening import open_renderers
from ...workers.renderers import Renderers
from .. import picture_file
from ..background_images import BackgroundImages
from ..mistakes import one_line
from .manifest import RowFault
from .places import place, shown
from .receipts import Receipt, row_id
from .resolved import RowSettings
from .stores import StoreError, Stores

if TYPE_CHECKING:
    from ...config import Config
    from ...processes.forks import ForkServer

LONGEST = 50
# Rows held while they wait for others that share their plate.
WINDOW = 2000


@dataclass(frozen=True, slots=True)
class Task:
    """A row to render: its line, the caller's id, the picture's place as written, and its settings."""

    line: int
    id: str | None
    output: str
    row: RowSettings


@dataclass(frozen=True, slots=True)
class Chunk:
    """Rows that share a plate; their relative paths start at `folder`.

    Only renderers of one version of the service take it, because the version is part of a row's id.
    """

    folder: Path
    fast: bool
    tasks: tuple[Task, ...]
    made_by: str = field(default_factory=version)


@dataclass(frozen=True, slots=True)
class Means:
    """The means to render chunks. `room` admits one chunk more than the renderers render at once."""

    renderers: Renderers
    room: asyncio.Semaphore
    limits: PictureLimits
    stores: Stores
    images: BackgroundImages


Report = Callable[[Receipt | RowFault], None]


class Grouping:
    """Groups tasks by plate, at most `longest` to a chunk, holding at most `WINDOW` of them."""

    def __init__(self, folder: Path, *, fast: bool, longest: int = LONGEST) -> None:
        self._folder, self._fast, self._longest = folder, fast, longest
        self._waiting: dict[int, list[Task]] = {}
        self._held = 0

    def add(self, task: Task, plate: int) -> Chunk | None:
        """Hold a task; returns the task's chunk if that is full, or the fullest chunk if too many tasks are
        held."""
        tasks = self._waiting.setdefault(plate, [])
        tasks.append(task)
        self._held += 1
        if len(tasks) >= self._longest:
            return self._taken(plate)
        if self._held >= WINDOW:
            return self._taken(max(self._waiting, key=lambda one: len(self._waiting[one])))
        return None

    def rest(self) -> Iterator[Chunk]:
        """The chunks of all tasks that are held."""
        for plate in list(self._waiting):
            yield self._taken(plate)

    def _taken(self, plate: int) -> Chunk:
        tasks = self._waiting.pop(plate)
        self._held -= len(tasks)
        return Chunk(self._folder, self._fast, tuple(tasks))


@asynccontextmanager
async def open_means(config: Config, fork_server: ForkServer) -> AsyncIterator[Means]:
    """Renderers for all cores, and stores."""
    with closing(open_renderers(config, fork_server)) as renderers:
        stores = Stores(config)
        try:
            room = asyncio.Semaphore(renderers.at_once + 1)
            images = BackgroundImages(stores.fetched, config.max_source_bytes)
            yield Means(renderers, room, source_limits(config), stores, images)
        finally:
            await stores.close()


async def render_chunk(chunk: Chunk, means: Means, report: Report) -> None:
    """Render and publish a chunk's rows, and report each as soon as it is published or has failed."""

    async def make(task: Task) -> None:
        async with means.room:
            report(await _made(task, chunk, means))

    async with asyncio.TaskGroup() as group:
        for task in chunk.tasks:
            group.create_task(make(task))


async def _made(task: Task, chunk: Chunk, means: Means) -> Receipt | RowFault:
    row = task.row
    given, sources = [], []
    under_way = task.output
    try:
        for number, screenshot in enumerate(row.screenshots):
            under_way = row.shown(number)
            data, source = await means.stores.read(place(screenshot, chunk.folder))
            given.append(GivenScreenshot(data, host=public_host(screenshot)))
            sources.append(source)
        for number in range(len(row.screenshots), len(row.sources)):
            under_way = row.shown(number)
            sources.append(await means.stores.version(place(row.sources[number], chunk.folder)))
        behind = await means.images.read(row.scene.settings, chunk.folder)
        # From here on, faults of a screenshot in a scene are reported with the screenshot's path.
        under_way = task.output if row.scene.named else row.shown(0)
        wanted = prepare(given, row.scene, means.limits, RenderOptions(chunk.fast), behind=behind)
        made = await means.renderers.render(wanted, Clock())
        id = row_id(row.sources, sources, row.digest, chunk.fast)
        under_way = task.output
        pictures = made.pictures
        for name, picture in zip(picture_file.numbered(task.output, len(pictures)), pictures, strict=True):
            await means.stores.publish(place(name, chunk.folder), picture, id)
    except MockupError as error:
        return RowFault(task.line, f"{under_way}: {one_line(error)}", task.id)
    except StoreError as error:
        return RowFault(task.line, f"{under_way}: {error}", task.id)
    shots, said = tuple(map(shown, row.screenshots)), tuple((one.code, one.message) for one in made.warnings)
    return Receipt(id, task.id, task.line, shots, task.output, len(made.data), said)
