"""What a render gives."""

from __future__ import annotations

import binascii
from dataclasses import dataclass, replace

from service.models.warnings import Warning


@dataclass(frozen=True, slots=True)
class Rendering:
    """An encoded picture, or its base64 where that was asked for, and what the answer says of it."""

    data: bytes | memoryview
    mime: str
    width: int
    height: int
    device: str
    warnings: tuple[Warning, ...]

    def in_base64(self) -> Rendering:
        """The same with the base64 of its data."""
        return replace(self, data=binascii.b2a_base64(self.data, newline=False))
