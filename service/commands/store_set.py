"""`set`: draws the store pictures of a set that have changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from ..errors import MockupError, invalid
from . import picture_file
from .bulk import framefile, store_set
from .bulk import run as bulk
from .bulk.framefile import Framefile
from .bulk.places import place
from .bulk.store_set import SetRow
from .mistakes import lines
from .reporter import Reporter

if TYPE_CHECKING:
    from ..config import Config
    from ..processes.forks import ForkServer

POLL_S = 0.5


@dataclass(frozen=True, slots=True)
class Counting(Reporter):
    """Counts the pictures that are drawn, or would be."""

    ids: list[str] = field(default_factory=list)

    def result(self, record: Mapping[str, Any]) -> None:
        """Print the result of a picture, and count it."""
        if "error" not in record:
            self.ids.append(str(record["output"]))
        Reporter.result(self, record)

    def sum_up(self, failed: int, count: int, *, dry: bool) -> None:
        """Print how many of `count` pictures were drawn; if `dry`, also their names."""
        for name in self.ids if dry and not self.json else ():
            print(name)
        done, kept = len(self.ids), count - failed - len(self.ids)
        verb = "would be drawn" if dry else "drawn"
        self.warn(f"{done} {verb}, {kept} unchanged, {failed} failed")


def draw(
    file: Path,
    over: dict[str, Any],
    config: Config,
    fork_server: ForkServer,
    reporter: Counting,
    *,
    strict: bool = False,
    dry: bool = False,
) -> tuple[int, int]:
    """Draw the pictures of a set that have changed, or list them if `dry`; returns how many failed, of all.

    The rows are written beside the set as a manifest, which has its own receipts. Raises a 400 for all that
    is wrong with the set, and if `strict` for captions that have no text in a picture's language and for
    parts of a Framefile that have no equivalent.
    """
    rows, notes = planned(file, over, config)
    for note in notes:
        reporter.warn(f"{file}: {note}")
    if notes and strict:
        verb = "has" if len(notes) == 1 else "have"
        raise invalid(f"{file}: {len(notes)} of its parts {verb} no equivalent")
    missing = [row.id for row in rows if row.untranslated]
    for id in missing[:20]:
        reporter.warn(f"{file}: {id}: a caption has no text in this language")
    if missing and strict:
        verb = "has" if len(missing) == 1 else "have"
        raise invalid(f"{file}: {len(missing)} of {len(rows)} pictures {verb} captions in another language")
    manifest = file.with_name(f"{file.name}.jsonl")
    text = b"".join(orjson.dumps(row.members) + b"\n" for row in rows)
    if not manifest.exists() or manifest.read_bytes() != text:
        picture_file.write(manifest, text)
    run = bulk.Run(manifest, {}, {}, False, (0, 1), None, config, reporter=reporter, complete=True)
    return bulk.render(replace(run, dry=dry, source=file), fork_server)


def planned(file: Path, over: dict[str, Any], config: Config) -> tuple[list[SetRow], list[str]]:
    """The pictures of a set or a Framefile, and notes on options that cannot be mapped; raises a 400."""
    if not _is_framefile(file):
        return list(store_set.rows(store_set.read(file), over)), []
    read = Framefile(file, config.fonts_folder)
    return list(read.rows(over)), read.notes


def _is_framefile(file: Path) -> bool:
    return file.name.lower() == framefile.NAME


def watch(file: Path, draw: Callable[[], object], wait: Callable[[float], object] = time.sleep) -> None:
    """Draw whenever the set or one of its screenshots has changed, until interrupted; prints errors."""
    seen: dict[Path, int] | None = None
    while True:
        now = _times(file)
        if now != seen:
            seen = now
            try:
                draw()
            except MockupError as error:
                for line in lines(error):
                    Reporter().fail(line)
        wait(POLL_S)


def _times(file: Path) -> dict[Path, int]:
    """The modification times (ns) of the set and of its screenshots, if these exist."""
    paths = {file}
    try:
        if _is_framefile(file):
            return {path: path.stat().st_mtime_ns for path in Framefile(file).watched() if path.exists()}
        rows = store_set.rows(store_set.read(file), {})
        folder = file.absolute().parent
        sources = (place(source, folder) for row in rows for source in row.sources)
        paths |= {source for source in sources if isinstance(source, Path)}
    except (MockupError, ValueError):
        # Drawing the set reports this error.
        pass
    return {path: path.stat().st_mtime_ns for path in paths if path.exists()}
