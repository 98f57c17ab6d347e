"""A control group that limits a test's memory and measures its peak, if the system allows it."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

# For versions 1 and 2 of control groups: the folder, and the files with the limit, the usage, the peak and
# the number of kills.
VERSIONS = (
    (
        Path("/sys/fs/cgroup/memory"),
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        "memory.max_usage_in_bytes",
        "memory.oom_control",
    ),
    (Path("/sys/fs/cgroup"), "memory.max", "memory.current", "memory.peak", "memory.events"),
)


@dataclass(frozen=True)
class Group:
    """A group whose processes are those that are started by `command`."""

    path: Path
    limit: int
    names: tuple[str, str, str, str]

    @property
    def command(self) -> tuple[str, ...]:
        """The command line that runs a command in the group."""
        return "/bin/sh", "-c", 'echo $$ > "$0" && exec "$@"', str(self.path / "cgroup.procs")

    @property
    def used(self) -> int:
        """Bytes of memory in use, without cached pages of files.

        The kernel charges such pages to the group that reads a file first, and may drop them at any time.
        Including them, the figure would depend on chance and on earlier tests.
        """
        return int((self.path / self.names[1]).read_text()) - self._files

    @property
    def peak(self) -> int:
        """The peak of memory since `forget`, in bytes, without the current pages of files."""
        return int((self.path / self.names[2]).read_text()) - self._files

    @property
    def _files(self) -> int:
        """Bytes of cached pages of files. The kernel also counts shared memory among them; that is in use, so
        it is subtracted."""
        lines = (line.split() for line in (self.path / "memory.stat").read_text().splitlines())
        found = {name: int(count) for name, count in lines}
        return found.get("file", found.get("cache", 0)) - found["shmem"]

    @property
    def kills(self) -> int:
        """The number of processes that the kernel has killed for lack of memory."""
        found = re.search(r"^oom_kill (\d+)$", (self.path / self.names[3]).read_text(), re.MULTILINE)
        return int(found[1]) if found else 0

    def forget(self) -> None:
        """Reset `peak`."""
        (self.path / self.names[2]).write_text("0")


@contextmanager
def control_group(limit: int) -> Iterator[Group | None]:
    """A group limited to `limit` bytes; None where the system does not allow one."""
    for root, *names in VERSIONS:
        path = root / f"mockup-test-{os.getpid()}"
        try:
            path.mkdir()
        except OSError:
            continue
        group = Group(path, limit, tuple(names))  # type: ignore[arg-type]
        try:
            (path / names[0]).write_text(str(limit))
            group.forget()
        except OSError:
            path.rmdir()
            continue
        try:
            yield group
        finally:
            for _ in range(100):
                with contextlib.suppress(OSError):
                    path.rmdir()
                    break
                time.sleep(0.05)
        return
    yield None
