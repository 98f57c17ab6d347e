"""Chunks: rows with the same settings, and so for most screenshots with the same plate, rendered together."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from service.clock import Clock
from service.codec.picture import Limits
from service.commands import picture_file
from service.commands.bulk.manifest import Fault
from service.commands.bulk.receipts import Receipt, Task
from service.engine.request import prepare
from service.errors import MockupError, invalid
from service.models.settings import Settings
from service.workers.renderers import Renderers

LONGEST = 50
# Rows held while they wait for others with the same settings.
WINDOW = 2000


@dataclass(frozen=True, slots=True)
class Chunk:
    """Rows of equal settings; their relative paths start at `folder`."""

    folder: Path
    settings: Settings
    fast: bool
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class Means:
    """What chunks are rendered with: renderers, room for one more picture than they make, limits."""

    renderers: Renderers
    room: asyncio.Semaphore
    limits: Limits
    max_bytes: int


Report = Callable[[Receipt | Fault], None]


def chunks(tasks: Iterable[tuple[Task, Settings]], folder: Path, fast: bool) -> Iterator[Chunk]:
    """Group tasks by settings, at most `LONGEST` to a chunk, holding at most `WINDOW` of them."""
    waiting: dict[int, tuple[Settings, list[Task]]] = {}
    held = 0

    def taken(group: int) -> Chunk:
        settings, rows = waiting.pop(group)
        return Chunk(folder, settings, fast, tuple(rows))

    for task, settings in tasks:
        # Equal settings are one object here as long as they are held; see `Resolved`.
        group = id(settings)
        rows = waiting.setdefault(group, (settings, []))[1]
        rows.append(task)
        held += 1
        if len(rows) >= LONGEST:
            held -= len(rows)
            yield taken(group)
        elif held >= WINDOW:
            fullest = max(waiting, key=lambda one: len(waiting[one][1]))
            held -= len(waiting[fullest][1])
            yield taken(fullest)
    for group in list(waiting):
        yield taken(group)


async def render_chunk(chunk: Chunk, means: Means, report: Report) -> None:
    """Render and publish a chunk's rows, and report each as soon as it is published or has failed."""

    async def make(task: Task) -> None:
        async with means.room:
            report(await _made(task, chunk, means))

    async with asyncio.TaskGroup() as group:
        for task in chunk.tasks:
            group.create_task(make(task))


async def _made(task: Task, chunk: Chunk, means: Means) -> Receipt | Fault:
    try:
        data = _read(chunk.folder / task.screenshot, means.max_bytes)
        wanted = prepare(data, chunk.settings, means.limits, fast=chunk.fast)
        made = (await means.renderers.render(wanted, Clock())).data
        # In a thread, since it waits for the disk.
        target = chunk.folder / task.output
        await asyncio.to_thread(picture_file.write, target, made, mark=task.id[:16])
    except MockupError as error:
        details = (f"{one.path}: {one.message}" for one in error.details if one.message not in error.message)
        return Fault(task.line, "; ".join((f"{task.screenshot}: {error.message}", *details)))
    except OSError as error:
        return Fault(task.line, f"{error.filename or task.screenshot}: {error.strerror}")
    return Receipt(**asdict(task), bytes=len(made))


def _read(file: Path, limit: int) -> bytes:
    with file.open("rb") as opened:
        data = opened.read(limit + 1)
    if len(data) > limit:
        raise invalid(f"The screenshot is larger than {limit} bytes")
    return data
