"""Files that come with the package: device frames, environments, fonts and samples."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
# Installed, the frames lie in the package; in a clone, beside it.
FRAMES = next(folder for folder in (_PACKAGE / "frames", _PACKAGE.parent / "frames") if folder.is_dir())
