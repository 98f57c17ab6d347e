"""The cases measured: sizes, formats, effects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from service.settings.schema import Settings

Format = Literal["png", "jpeg", "webp"]

SIZES = ((1280, 720), (1920, 1080), (3840, 2160))
FORMATS: tuple[Format, ...] = ("png", "jpeg", "webp")
DEVICE = "iphone-16-pro"
QUALITY = 85
START, END, ANGLE = "#101828", "#C9D6FF", 135
TURN_X, TURN_Y = 8, -25
EFFECTS = {"bloom": True, "vignette": True, "grain": True}


@dataclass(frozen=True)
class Case:
    """One picture: a phone turned in space on a gradient, with its shadow and glare."""

    width: int
    height: int
    format: Format
    effects: bool = False

    @property
    def name(self) -> str:
        lens = "bloom + vignette + grain" if self.effects else "effects off"
        return f"{self.width}×{self.height} {self.format.upper()}, {lens}"

    @property
    def members(self) -> dict[str, Any]:
        """The settings as a caller sends them."""
        return {
            "device": DEVICE,
            "canvas": {"width": self.width, "height": self.height},
            "appearance": {
                "backgroundColor": START,
                "gradientEnabled": True,
                "gradientColor": END,
                "gradientAngle": ANGLE,
            },
            "deviceTransform": {"rotationX": TURN_X, "rotationY": TURN_Y},
            "postProcessing": EFFECTS if self.effects else {},
            "export": {"format": self.format, "quality": QUALITY},
        }

    @property
    def settings(self) -> Settings:
        return Settings.model_validate(self.members)


def cases(quick: bool) -> list[Case]:
    """All cases, or with `quick` those that have goals, without the largest."""
    if quick:
        return [
            Case(1920, 1080, "png"),
            Case(1920, 1080, "png", True),
            Case(1920, 1080, "jpeg"),
            Case(1920, 1080, "webp"),
        ]
    return [Case(w, h, kind, lens) for w, h in SIZES for lens in (False, True) for kind in FORMATS]
