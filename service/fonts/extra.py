"""Whether the extra for captions is installed; loads nothing of it."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from ..shipped import extra

MISSING = f"captions take {extra('captions')}"


@cache
def available() -> bool:
    """Whether the libraries for laying out text are installed."""
    return all(find_spec(name) is not None for name in ("icu", "uharfbuzz"))
