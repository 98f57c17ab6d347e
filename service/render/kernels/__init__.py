"""Compiled inner loops, one module each: Cython in pure-Python mode, built by the set-up into one library.

They work on plain arrays and know nothing of devices; there is no interpreted form of them.
"""

import sys
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

from ...shipped import kernels as library

MODULES = (
    "backdrop",
    "compositing",
    "coverage",
    "draping",
    "enlarging",
    "grain",
    "hiding",
    "lobes",
    "occluders",
    "outlines",
    "pictures",
    "raster",
    "residuals",
    "samples",
    "shadows",
    "softening",
    "video",
    "wrapping",
)


def _load(name: str, library: Path) -> None:
    """Load one of the library's modules, each of which has an initialiser of its own."""
    full = f"{__name__}.{name}"
    loader = ExtensionFileLoader(full, str(library))
    spec = spec_from_loader(full, loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[full] = module
    loader.exec_module(module)
    globals()[name] = module


for _name in MODULES:
    _load(_name, library())
