"""What comes with the package: device frames, environments, fonts and samples; and its extras."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
# Installed, the frames lie in the package; in a clone, beside it.
FRAMES = next(folder for folder in (_PACKAGE / "frames", _PACKAGE.parent / "frames") if folder.is_dir())


def extra(name: str) -> str:
    """An optional extra and how it is installed, for messages."""
    clone = FRAMES.parent != _PACKAGE
    how = f"setup/install.sh {name}" if clone else f"install the package's file as mockup[{name}]"
    return f"the extra `{name}`: {how}"
