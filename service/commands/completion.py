"""Completions of options, for shells."""

from __future__ import annotations


def devices(incomplete: str) -> list[str]:
    """The device ids, and `auto`, that begin with the given text."""
    from ..devices.device import catalogue

    return [id for id in ("auto", *catalogue().entries) if id.startswith(incomplete.lower())]


def assignments(incomplete: str) -> list[str]:
    """The setting paths that begin with the given text, each with its `=`."""
    from ..settings.schema import Settings
    from ..validation.messages import paths

    return [f"{path}=" for path in paths(Settings) if path.startswith(incomplete)]


def looks(incomplete: str) -> list[str]:
    """The looks that begin with the given text."""
    from ..settings.looks import LOOKS

    return [id for id in LOOKS if id.startswith(incomplete.lower())]


def templates(incomplete: str) -> list[str]:
    """The templates that begin with the given text."""
    from ..settings.templates import templates as known

    return [id for id in known() if id.startswith(incomplete.lower())]
