"""What a render gives."""

from __future__ import annotations

from dataclasses import dataclass

from service.scene import Warning


@dataclass(frozen=True, slots=True)
class Rendering:
    """An encoded picture, or its base64 where that was asked for, and what the answer says of it."""

    data: bytes | memoryview
    mime: str
    width: int
    height: int
    device: str
    warnings: tuple[Warning, ...]
