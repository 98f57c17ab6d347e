"""The service's version: that of the installed package, and so said in one place, `pyproject.toml`."""

from __future__ import annotations

from functools import cache
from importlib import metadata


@cache
def version() -> str:
    """Such as `0.2.0`; `unknown` where the code runs without being installed."""
    try:
        return metadata.version("mockup")
    except metadata.PackageNotFoundError:
        return "unknown"
