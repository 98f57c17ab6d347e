"""The result of a render."""

from __future__ import annotations

import binascii
from dataclasses import dataclass, replace

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
        return replace(self, data=binascii.b2a_base64(self.data, newline=False))
