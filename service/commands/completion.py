"""What shells complete options with."""

from __future__ import annotations


def devices(incomplete: str) -> list[str]:
    """The ids of devices that begin so, and `auto`."""
    from service.devices.device import catalogue

    return [id for id in ("auto", *catalogue().entries) if id.startswith(incomplete.lower())]


def assignments(incomplete: str) -> list[str]:
    """The paths of settings that begin so, each with its `=`."""
    from service.settings.schema import Settings
    from service.validation.messages import paths

    return [f"{path}=" for path in paths(Settings) if path.startswith(incomplete)]
