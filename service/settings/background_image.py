"""A picture behind the device, as callers send it."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from ..validation import aliases
from ..validation.group import Group, Level, Number, Shown
from ..validation.messages import worded

PATH = "settings.appearance.backgroundImage.src"
SOFT = 12.0  # `blur` of a screenshot that is its own background, so that it does not distract; by eye


class BackgroundImage(Group):
    """A picture behind the device."""

    other_names = aliases.BACKGROUND_IMAGE

    type: Literal["url", "base64", "upload", "screenshot"] = Field(
        description="form of src; screenshot is the screenshot itself, which takes no src"
    )
    src: str | None = Field(
        None,
        min_length=1,
        description="an http or https URL, base64 data with an optional data-URI prefix, or an upload's id",
    )
    fit: Literal["cover", "contain", "stretch"] = Field(
        "cover", description="cover crops; contain shows the background's colours beside it"
    )
    blur: Annotated[Number | None, Shown("× 0.6 %", 0.1)] = Field(
        None, ge=0, le=20, description=f"as shadow.blur; default: 0, or {SOFT:g} for the screenshot"
    )
    dim: Level = Field(0.0, ge=0, le=1, description="how much darker; 1 is black")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.src is None) != (self.type == "screenshot"):
            said = f"missing src of the {self.type}"
            if self.src:
                said = "expected no src, since it is the screenshot itself"
            raise worded(said)
        return self

    @property
    def softness(self) -> float:
        """The blur, in the unit of `shadow.blur`."""
        return self.blur if self.blur is not None else SOFT if self.type == "screenshot" else 0.0
