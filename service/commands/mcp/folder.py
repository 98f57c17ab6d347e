"""The folder that an agent's files are in; names that lead out of it are refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import invalid


@dataclass(frozen=True, slots=True)
class WorkFolder:
    """A folder; `root` is resolved."""

    root: Path

    def inside(self, name: str) -> Path:
        """The file of a name, relative or absolute; raises a 400 for one outside of the folder."""
        try:
            path = (self.root / name).resolve()
        except (OSError, ValueError) as error:
            raise invalid(f"{name!r}: is not a file's name") from error
        if not path.is_relative_to(self.root):
            raise invalid(f"{name}: the file is outside of {self.root}, the folder of this server")
        return path

    def shown(self, path: Path) -> str:
        """The name of a file, relative to the folder."""
        return str(path.relative_to(self.root))

    def free(self, stem: str, suffix: str, taken: Sequence[Path] = ()) -> str:
        """A name below `mockups/` that no file has yet."""
        number, name = 1, f"mockups/{stem}{suffix}"
        while (self.root / name).exists() or self.root / name in taken:
            number += 1
            name = f"mockups/{stem}-{number}{suffix}"
        return name
