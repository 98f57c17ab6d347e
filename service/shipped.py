"""The package's files (frames, environments, fonts, samples, compiled kernels) and its extras."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
# In an installed package, the frames are inside the package; in a clone, they are beside it.
FRAMES = next(folder for folder in (_PACKAGE / "frames", _PACKAGE.parent / "frames") if folder.is_dir())


def kernels() -> Path:
    """The file of the compiled kernels; raises ImportError, in one sentence, if it is missing."""
    folder = _PACKAGE / "render" / "kernels"
    for suffix in EXTENSION_SUFFIXES:
        if (path := folder / f"_library{suffix}").is_file():
            return path
    raise ImportError(f"The compiled kernels are missing in {folder}; run `make install` to build them.")


def extra(name: str) -> str:
    """An optional extra and how it is installed, for messages."""
    clone = FRAMES.parent != _PACKAGE
    how = f"setup/install.sh {name}" if clone else f"install the package's file as mockup[{name}]"
    return f"the extra `{name}`: {how}"
