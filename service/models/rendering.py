"""The result of a render."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pybase64

from service.models.warnings import Warning


@dataclass(frozen=True, slots=True)
class Rendering:
    """An encoded picture, or its base64, and what the response says about it."""

    data: bytes | memoryview
    mime: str
    width: int
    height: int
    device: str
    warnings: tuple[Warning, ...]

    def in_base64(self) -> Rendering:
        """The same rendering with its data in base64."""
        return replace(self, data=pybase64.b64encode(self.data))
