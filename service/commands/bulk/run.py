"""A run over a manifest: all rows are checked first, then those without a receipt are rendered."""

from __future__ import annotations

import asyncio
import errno
import os
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import Detail, MockupError, counted, invalid, refusal
from .. import picture_file
from ..mistakes import one_line, spoken
from ..reporter import Reporter
from . import manifest
from .index import Index
from .manifest import Row, RowFault
from .places import normal, place, shown
from .receipts import Receipt, Receipts, committed, key, row_id
from .resolved import Resolved, RowSettings
from .stores import StoreError, Stores, Version

if TYPE_CHECKING:
    from ...config import Config
    from ...processes.forks import ForkServer
    from .chunks import Chunk

# The most faults of a manifest that are shown.
SHOWN = 100
# The most warnings of one code that are shown.
SHOWN_WARNINGS = 3
# Rows whose receipts are read together, so that stores are asked for screenshots at the same time.
BATCH = 64
# Fewest chunks per run on a cluster: short manifests get smaller chunks, so that every machine has work.
FEWEST_CHUNKS = 64


@dataclass(frozen=True, slots=True)
class Run:
    """A manifest, the settings that its rows override, and the shard to render, `(index, count)`.

    Rows are rendered on the Dask cluster whose `scheduler` has this address, or by this machine's own
    renderers if there is none. `faults` are the faults of the given settings. A `complete` run also renders
    rows with a receipt whose files are gone; a `dry` one renders none and reports those it would. If the
    manifest was written from another file, `source`, messages name that file and the ids of pictures.
    """

    manifest: Path
    base: dict[str, Any]
    over: dict[str, Any]
    fast: bool
    shard: tuple[int, int]
    scheduler: str | None
    config: Config
    faults: tuple[Detail, ...] = ()
    reporter: Reporter = field(default_factory=Reporter)
    complete: bool = False
    dry: bool = False
    source: Path | None = None

    @property
    def file(self) -> Path:
        """The file that messages name: the one that the caller has written."""
        return self.source or self.manifest

    def nth(self, line: int) -> str:
        """The words with which messages refer to the row at a line."""
        return f"line {line}" if self.source is None else f"picture {line}"

    @property
    def folder(self) -> Path:
        """The folder that relative paths in the manifest refer to."""
        return self.manifest.absolute().parent


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


def check(run: Run, index: Index, resolved: Resolved) -> int:
    """Validate all rows and print their faults; returns the number of the shard's rows.

    Raises a 400 for faults.
    """
    if run.faults:
        raise refusal(*run.faults)
    number, count = run.shard
    faults = rows = 0
    # All pictures of a set share settings, so one mistake is a fault of many rows, which is printed once.
    shared: dict[str, list[str]] = {}
    for one in manifest.read(run.manifest):
        # Other shards check the files of their own rows, and Dask's workers may have files that this machine
        # lacks.
        ours = run.scheduler is None and rows % count == number
        fault = one if isinstance(one, RowFault) else _fault(run, one, resolved, index, ours)
        rows += 1
        if fault is not None:
            faults += 1
            if run.source is not None:
                shared.setdefault(fault.reason, []).append(str(fault.id))
            elif faults <= SHOWN:
                say(run, fault)
    for reason, (first, *others) in islice(shared.items(), SHOWN):
        more = f" and {len(others)} more" if others else ""
        run.reporter.fail(f"{run.file}: {first}{more}: {reason}")
    for writes, reads in index.overwritten():
        faults += 1
        say(run, RowFault(writes, f"output: would overwrite the screenshot of {run.nth(reads)}"))
    if faults:
        kind = "rows" if run.source is None else "pictures"
        verb = "is" if faults == 1 else "are"
        raise invalid(f"{run.file}: {faults} of {rows} {kind} {verb} invalid; nothing was rendered")
    return (rows - number + count - 1) // count


def _fault(run: Run, row: Row, resolved: Resolved, index: Index, ours: bool) -> RowFault | None:
    folder = run.folder
    try:
        wanted = resolved.of(row)
    except MockupError as error:
        reasons = (f"{one.path}: {one.message}" for one in error.details)
        return RowFault(row.line, spoken("; ".join(reasons) or error.message), row.id)
    for source in wanted.sources:
        index.add("screenshot", normal(source, folder), row.line)
    for name in picture_file.numbered(row.output, wanted.scene.settings.canvas.slices):
        output = normal(name, folder)
        if not index.add("output", output, row.line):
            first = index.line("output", output)
            assert first is not None
            other = run.nth(first)
            return RowFault(row.line, f"output: {name} is also written by {other}", row.id)
    absent = "; ".join(_absent(wanted, folder)) if ours else ""
    return RowFault(row.line, absent, row.id) if absent else None


def _absent(row: RowSettings, folder: Path) -> Iterator[str]:
    """A fault for each source whose path leads to no file."""
    for number, source in enumerate(row.sources):
        file = place(source, folder)
        if isinstance(file, Path) and (file.is_dir() or not file.exists()):
            why = os.strerror(errno.EISDIR if file.is_dir() else errno.ENOENT)
            yield f"{row.shown(number)}: {why}"


def say(run: Run, fault: RowFault) -> None:
    """Print a fault with its place."""
    place = f"{run.manifest}:{fault.line}"
    if run.source is not None:
        place = f"{run.source}: {fault.id or run.nth(fault.line)}"
    run.reporter.fail(f"{place}: {fault.reason}")


def render(run: Run, fork_server: ForkServer | None) -> tuple[int, int]:
    """Render the rows of the shard that have no receipt; returns the numbers of failed rows and of all rows.

    The fork server may be None only if there is a scheduler.
    """
    resolved = Resolved(run.base, run.over, run.config, fast=run.fast)
    with Index() as index:
        rows = check(run, index, resolved)
        with Receipts(run.manifest, run.shard) as receipts:
            for id, output in committed(run.manifest):
                index.add("published", output)
                index.add("committed", key(id, output))
            return asyncio.run(_RenderPass(run, index, receipts, rows, resolved).all(fork_server)), rows


class _RenderPass:
    """The second pass over a manifest."""

    def __init__(self, run: Run, index: Index, receipts: Receipts, rows: int, resolved: Resolved) -> None:
        self._run, self._index, self._receipts, self._rows = run, index, receipts, rows
        self._resolved = resolved
        self._stores, self._folder = Stores(run.config), run.folder
        self._failed = 0
        # Rows with a receipt whose files somebody has moved or deleted since.
        self._missing = 0
        self._warned: Counter[str] = Counter()
        self._step: Any = lambda: None

    async def all(self, fork_server: ForkServer | None) -> int:
        """Render all chunks; returns how many rows failed."""
        with self._run.reporter.progress(self._rows) as self._step:
            if self._run.scheduler is not None:
                from . import dask_driver

                await dask_driver.render(self._chunks(), self._report, self._run.scheduler)
            else:
                from . import local

                assert fork_server is not None
                await local.render(self._chunks(), self._report, self._run.config, fork_server)
        for code, count in self._warned.items():
            if count > SHOWN_WARNINGS:
                more = count - SHOWN_WARNINGS
                pictures = counted(more, "more picture")
                self._run.reporter.warn(f"{self._run.file}: {pictures} with {code}; see --json")
        if self._missing:
            rows = "row was" if self._missing == 1 else "rows were"
            self._run.reporter.warn(
                f"{self._run.manifest}: {self._missing} {rows} skipped although the pictures are gone; "
                f"delete {self._receipts.file.name} to render everything again"
            )
        return self._failed

    async def _chunks(self) -> AsyncIterator[Chunk]:
        from .chunks import LONGEST, Grouping, Task

        longest = min(LONGEST, max(1, self._rows // FEWEST_CHUNKS)) if self._run.scheduler else LONGEST
        grouping = Grouping(self._folder, fast=self._run.fast, longest=longest)
        async for row, wanted in self._uncommitted():
            if self._run.dry:
                shots = list(map(shown, wanted.screenshots))
                told = {"id": row.id, "screenshots": shots, "output": row.output, "dryRun": True}
                self._run.reporter.result(told)
                self._step()
                continue
            task = Task(row.line, row.id, row.output, wanted)
            if (chunk := grouping.add(task, wanted.plate)) is not None:
                yield chunk
        for chunk in grouping.rest():
            yield chunk

    async def _uncommitted(self) -> AsyncIterator[tuple[Row, RowSettings]]:
        """The shard's rows without a receipt."""
        index, count = self._run.shard
        rows = islice(manifest.read(self._run.manifest), index, None, count)
        while batch := list(islice(rows, BATCH)):
            for pending in await asyncio.gather(*map(self._looked_up, batch)):
                if pending is not None:
                    yield pending

    async def _looked_up(self, row: Row | RowFault) -> tuple[Row, RowSettings] | None:
        """A row and its resolved settings; None if it is committed already, or faulty, which is reported."""
        if isinstance(row, RowFault):
            self._report(row)
            return None
        try:
            wanted = self._resolved.of(row)
            if self._index.line("published", row.output) is None:
                return row, wanted
            sources = [await self._version(wanted, number) for number in range(len(wanted.sources))]
        except MockupError as error:
            self._report(RowFault(row.line, one_line(error), row.id))
            return None
        except StoreError as error:
            self._report(RowFault(row.line, str(error), row.id))
            return None
        id = row_id(wanted.sources, sources, wanted.digest, self._run.fast)
        gone = self._gone(row, wanted)
        if (gone and self._run.complete) or self._index.line("committed", key(id, row.output)) is None:
            return row, wanted
        self._missing += gone
        self._step()
        return None

    async def _version(self, row: RowSettings, number: int) -> Version:
        """The version of one of a row's sources; raises StoreError that names it."""
        try:
            return await self._stores.version(place(row.sources[number], self._folder))
        except StoreError as error:
            raise StoreError(f"{row.shown(number)}: {error}") from error

    def _gone(self, row: Row, wanted: RowSettings) -> bool:
        """Whether one of a row's files no longer exists; files of Dask's workers are not checked."""
        if self._run.scheduler is not None:
            return False
        names = picture_file.numbered(row.output, wanted.scene.settings.canvas.slices)
        places = (place(name, self._folder) for name in names)
        return any(isinstance(one, Path) and not one.exists() for one in places)

    def _warn(self, picture: Receipt, code: str, message: str) -> None:
        """Print a warning about a picture; beyond a few with the same code, only count them."""
        self._warned[code] += 1
        if self._warned[code] <= SHOWN_WARNINGS:
            self._run.reporter.warn(f"{picture.output}: warning: {message}")

    def _report(self, outcome: Receipt | RowFault) -> None:
        if isinstance(outcome, Receipt):
            self._receipts.append(outcome)
            said = [{"code": code, "message": message} for code, message in outcome.warnings]
            self._run.reporter.result(outcome.members() | ({"warnings": said} if said else {}))
            for code, message in outcome.warnings:
                self._warn(outcome, code, message)
        else:
            self._failed += 1
            say(self._run, outcome)
            failure = {"line": outcome.line, "id": outcome.id, "error": outcome.reason}
            self._run.reporter.result(failure)
        self._step()
