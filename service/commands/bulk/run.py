"""A run over a manifest: all rows are checked first, then those without a receipt are rendered."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from cachetools import LRUCache

from service.commands.bulk import manifest
from service.commands.bulk.index import Index
from service.commands.bulk.manifest import Fault, Row
from service.commands.bulk.receipts import Receipt, Receipts, Task, committed, key
from service.commands.progress import progress
from service.commands.render import Output, settings_for
from service.errors import MockupError, invalid
from service.models.merge import merge
from service.models.settings import Settings
from service.version import version

if TYPE_CHECKING:
    from service.config import Config
    from service.processes.forks import ForkServer

# Faults of a manifest that are shown.
SHOWN = 100
# Different settings that are kept validated.
KEPT_SETTINGS = 1024
# Chunks under way, so that no renderer waits for the last picture of one.
AHEAD = 2


@dataclass(frozen=True, slots=True)
class Run:
    """A manifest, the settings its rows change, and the shard to be rendered, `(index, count)`."""

    manifest: Path
    base: dict[str, Any]
    over: dict[str, Any]
    fast: bool
    shard: tuple[int, int]
    config: Config

    @property
    def folder(self) -> Path:
        """Where relative paths in the manifest start."""
        return self.manifest.absolute().parent

    def has(self, number: int) -> bool:
        """Whether the row of a number, counted from 0, is in the shard."""
        index, count = self.shard
        return number % count == index


class Resolved:
    """Validated settings of rows; equal ones are validated once as long as they are kept."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._kept: LRUCache[bytes, tuple[Settings, str]] = LRUCache(KEPT_SETTINGS)

    def of(self, row: Row) -> tuple[Settings, str]:
        """A row's settings and their digest; raises a 400 for invalid ones."""
        suffix = Path(row.output).suffix.lower()
        given = suffix.encode() + orjson.dumps(row.settings, option=orjson.OPT_SORT_KEYS)
        if (kept := self._kept.get(given)) is None:
            over = merge(self._run.over, row.settings)
            # A name of its own, since the settings are shared by rows of other names.
            output = Output(f"output{suffix}", is_folder=False)
            settings = settings_for(output, self._run.base, over, self._run.config)
            kept = settings, sha256(settings.model_dump_json().encode()).hexdigest()
            self._kept[given] = kept
        return kept


def shard_of(text: str | None) -> tuple[int, int]:
    """Read `i/n`, or `/n` with i from `JOB_COMPLETION_INDEX`; raises a 400 unless 0 <= i < n."""
    if text is None:
        return 0, 1
    index, slash, count = text.partition("/")
    index = index or os.environ.get("JOB_COMPLETION_INDEX", "")
    if not (slash and index.isdecimal() and count.isdecimal() and int(index) < int(count)):
        raise invalid(
            f"--shard {text}: expected i/n with i from 0 to n - 1, or /n where JOB_COMPLETION_INDEX is i"
        )
    return int(index), int(count)


def check(run: Run, index: Index) -> int:
    """Validate all rows, printing what is wrong; returns how many the shard has. Raises a 400 for faults."""
    resolved = Resolved(run)
    faults = rows = 0
    for one in manifest.read(run.manifest):
        rows += 1
        fault = one if isinstance(one, Fault) else _fault(run, one, resolved, index)
        if fault is not None:
            faults += 1
            if faults <= SHOWN:
                say(run, fault)
    for writes, reads in index.overwritten():
        faults += 1
        say(run, Fault(writes, f"output: would overwrite the screenshot of line {reads}"))
    if faults:
        raise invalid(f"{run.manifest}: {faults} of {rows} rows are invalid; nothing was rendered")
    place, count = run.shard
    return (rows - place + count - 1) // count


def _fault(run: Run, row: Row, resolved: Resolved, index: Index) -> Fault | None:
    try:
        resolved.of(row)
    except MockupError as error:
        reasons = "; ".join(f"{one.path}: {one.message}" for one in error.details)
        return Fault(row.line, reasons or error.message)
    index.add("screenshot", os.path.normpath(run.folder / row.screenshot), row.line)
    output = os.path.normpath(run.folder / row.output)
    if not index.add("output", output, row.line):
        return Fault(row.line, f"output: {row.output} is also written by line {index.line('output', output)}")
    return None


def say(run: Run, fault: Fault) -> None:
    """Print a fault with its place."""
    print(f"mockup: {run.manifest}:{fault.line}: {fault.reason}", file=sys.stderr)


def row_id(row: Row, folder: Path, settings: str, fast: bool) -> str:
    """The id of a picture: a digest of the screenshot's version, the settings' digest and this version.

    The version of a screenshot is its path, size and time of change. Raises OSError if it is not there.
    """
    status = (folder / row.screenshot).stat()
    source = (row.screenshot, status.st_size, status.st_mtime_ns)
    return sha256(orjson.dumps((source, settings, fast, version()))).hexdigest()


def render(run: Run, fork_server: ForkServer) -> tuple[int, int]:
    """Render the rows of the shard that have no receipt; returns how many failed, and of how many."""
    with Index() as index:
        rows = check(run, index)
        with Receipts(run.manifest, run.shard) as receipts:
            for one in committed(run.manifest):
                index.add("committed", one)
            return asyncio.run(_Rendering(run, index, receipts, rows).all(fork_server)), rows


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error of a group, such as that of a full disk, for whoever reports errors."""
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


class _Rendering:
    """The second pass over a manifest."""

    def __init__(self, run: Run, index: Index, receipts: Receipts, rows: int) -> None:
        self._run, self._index, self._receipts, self._rows = run, index, receipts, rows
        self._failed = 0
        self._step: Any = lambda: None

    async def all(self, fork_server: ForkServer) -> int:
        """Render all chunks; returns how many rows failed."""
        from service.admission.footprint import source_limits
        from service.commands.bulk.chunks import Chunk, Means, chunks, render_chunk
        from service.workers.opening import open_renderers

        config = self._run.config
        with closing(open_renderers(config, fork_server)) as renderers, progress(self._rows) as self._step:
            room = asyncio.Semaphore(renderers.at_once + 1)
            means = Means(renderers, room, source_limits(config), config.max_source_bytes)
            under_way = asyncio.Semaphore(AHEAD)

            async def make(chunk: Chunk) -> None:
                try:
                    await render_chunk(chunk, means, self._report)
                finally:
                    under_way.release()

            try:
                async with asyncio.TaskGroup() as group:
                    for chunk in chunks(self._tasks(), self._run.folder, self._run.fast):
                        await under_way.acquire()
                        group.create_task(make(chunk))
            except BaseExceptionGroup as errors:
                raise _first(errors) from errors
        return self._failed

    def _tasks(self) -> Iterator[tuple[Task, Settings]]:
        resolved = Resolved(self._run)
        for number, row in enumerate(manifest.read(self._run.manifest)):
            if not self._run.has(number):
                continue
            if isinstance(row, Fault):
                self._report(row)
                continue
            try:
                settings, digest = resolved.of(row)
                id = row_id(row, self._run.folder, digest, self._run.fast)
            except MockupError as error:
                self._report(Fault(row.line, error.message))
                continue
            except OSError as error:
                self._report(Fault(row.line, f"{row.screenshot}: {error.strerror}"))
                continue
            if self._index.line("committed", key(id, row.output)) is not None:
                self._step()
            else:
                yield Task(id, row.name, row.line, row.screenshot, row.output), settings

    def _report(self, outcome: Receipt | Fault) -> None:
        if isinstance(outcome, Receipt):
            self._receipts.append(outcome)
        else:
            self._failed += 1
            say(self._run, outcome)
        self._step()
