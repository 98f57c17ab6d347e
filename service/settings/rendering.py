"""The result of a render."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pybase64

from service.devices.geometry import Geometry, Shape
from service.settings.warnings import Warning


@dataclass(frozen=True, slots=True)
class Rendering:
    """An encoded picture, or its base64, and what the response says about it.

    `geometry` is there if asked for. Where only the `shape` is asked for, there is no picture.
    """

    data: bytes | memoryview
    mime: str
    width: int
    height: int
    device: str
    warnings: tuple[Warning, ...]
    geometry: Geometry | None = None
    shape: Shape | None = None

    def in_base64(self) -> Rendering:
        """The same rendering with its data in base64."""
        return replace(self, data=pybase64.b64encode(self.data))
