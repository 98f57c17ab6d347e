"""The tools' results: models of their structured content."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class _Structured(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class FoundDevice(_Structured):
    """A device of the catalogue."""

    id: str
    name: str
    category: str
    screen: str = Field(description="pixels, such as 1206x2622")
    finishes: list[str] = Field(description="values of appearance.deviceColor")


class FoundDevices(_Structured):
    """Devices, the first of those that were found."""

    devices: list[FoundDevice]
    found: int = Field(description="how many there are in all")


class FoundSetting(_Structured):
    """A setting."""

    path: str
    takes: str
    default: str | None


class FoundSettings(_Structured):
    """Settings whose paths contain all the words of a search."""

    settings: list[FoundSetting]


class Notice(_Structured):
    """A warning about a picture."""

    code: str
    message: str


class MadePicture(_Structured):
    """A picture that was written."""

    output: str = Field(description="its file, relative to the folder of this server")
    mime_type: str
    bytes: int
    width: int
    height: int
    devices: list[str]
    warnings: list[Notice]
    geometry: list[dict[str, Any]] = Field(description="where each device and its screens are, px")


class MadeSet(_Structured):
    """The pictures of a set."""

    drawn: list[str] = Field(description="files that were drawn, or would be")
    unchanged: int
    failed: list[str] = Field(description="what went wrong, a line each")


class MadeFilm(_Structured):
    """A film that was written."""

    output: str
    mime_type: str
    bytes: int
    width: int
    height: int
    fps: float
    frames: int
    device: str
    warnings: list[Notice]
