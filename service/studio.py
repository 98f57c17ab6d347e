"""The façade: screenshot bytes, settings and a clock in, an encoded picture out; owns the plate cache."""

from __future__ import annotations

from dataclasses import dataclass

from service.clock import Clock
from service.config import Config
from service.scene import Warning
from service.settings import Settings


@dataclass(frozen=True, slots=True)
class Rendering:
    """An encoded picture and what the answer says of it."""

    data: bytes
    mime: str
    width: int
    height: int
    device: str
    warnings: tuple[Warning, ...]


class Studio:
    """Renders; safe to use from several threads."""

    def __init__(self, config: Config) -> None:
        """Prepare caches within the limits of `config`."""
        self._config = config

    def render(self, data: bytes, settings: Settings, *, fast: bool, clock: Clock) -> Rendering:
        """Make one picture; raises MockupError for a bad screenshot, a missed deadline or a failure."""
        raise NotImplementedError
