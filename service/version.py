"""The service's version, as installed; it is set in `pyproject.toml`."""

from __future__ import annotations

from functools import cache
from importlib import metadata


@cache
def version() -> str:
    """The version, such as `0.2.0`, or `unknown` if the package is not installed."""
    try:
        return metadata.version("mockup")
    except metadata.PackageNotFoundError:
        return "unknown"
