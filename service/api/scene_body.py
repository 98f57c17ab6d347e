"""Bodies of scenes: the devices that a request lists, and the screenshot that each shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from ..errors import Detail
from ..limits import SCENE_DEVICES
from ..settings.scene_device import Member, SceneDevice
from ..validation import aliases
from ..validation.group import Group, Whole

SourceForm = Literal["url", "base64", "upload", "file", "sample"]


@dataclass(frozen=True, slots=True)
class Shot:
    """A screenshot in the form of any of these models."""

    type: SourceForm | Literal["same"]
    src: str | None
    index: int | None


class ListedDevice(SceneDevice):
    """A device of a scene with a screenshot in one of the models' forms."""

    @property
    def shot(self) -> Shot | None:
        """The device's screenshot, None if it is left out."""
        one = getattr(self, "screenshot", None)
        return None if one is None else Shot(one.type, one.src, one.index)


class SceneScreenshot(Group):
    """The screenshot of a device of a scene."""

    other_names = aliases.SCREENSHOT

    type: Literal["url", "base64", "upload", "same"] = Field(
        description="form of src; same: that of another device"
    )
    src: str | None = Field(
        None,
        min_length=1,
        description="an http or https URL, base64 data with an optional data-URI prefix, or an upload's id",
    )
    index: Whole | None = Field(
        None, ge=0, le=SCENE_DEVICES - 1, description="for same: the other device's place in the list, from 0"
    )


class ShownDevice(ListedDevice):
    """A device of a scene and its screenshot."""

    screenshot: SceneScreenshot = Field(description="the screenshot's source")


class PreviewedScreenshot(Group):
    """The screenshot of a device of a scene that is previewed."""

    other_names = aliases.SCREENSHOT

    type: Literal["upload", "same"] = Field(description="form of src; same: that of another device")
    src: str | None = Field(None, min_length=1, description="an upload's id")
    index: Whole | None = Field(
        None, ge=0, le=SCENE_DEVICES - 1, description="for same: the other device's place in the list, from 0"
    )


class PreviewedDevice(ListedDevice):
    """A device of a scene that is previewed."""

    screenshot: PreviewedScreenshot | None = Field(
        None, description="an uploaded screenshot; default: a sample screen that suits the device"
    )


@dataclass(frozen=True, slots=True)
class ParsedScreenshot:
    """A screenshot's URL, base64 or id as text or UTF-8 bytes, or the file itself.

    `path` is its JSON path or form field.
    """

    form: SourceForm
    src: str | memoryview
    path: str

    @property
    def text(self) -> str:
        """The source as text."""
        return self.src if isinstance(self.src, str) else bytes(self.src).decode("utf-8", "replace")


ListedDevices = Sequence[ListedDevice]


def faults(devices: ListedDevices) -> Iterator[Detail]:
    """The faults of screenshots: no source, too many, or a reference that leads to no screenshot."""
    for number, device in enumerate(devices):
        shot = device.shot
        if shot is None:
            continue
        path = f"devices[{number}].screenshot"
        needed, other = ("index", "src") if shot.type == "same" else ("src", "index")
        if getattr(shot, needed) is None:
            yield Detail(f"{path}.{needed}", f"missing; type {shot.type} needs it")
        if getattr(shot, other) is not None:
            yield Detail(f"{path}.{other}", f"unused with type {shot.type}; leave it out")
        if shot.type == "same" and shot.index is not None:
            yield from _unmet(devices, number, shot.index)


def _unmet(devices: ListedDevices, number: int, index: int) -> Iterator[Detail]:
    path = f"devices[{number}].screenshot.index"
    if index >= len(devices):
        count = f"expected at most {len(devices) - 1}, since there are {len(devices)} devices"
        yield Detail(path, f"{count}, got {index}")
    elif _source(devices, number) is None:
        back = f"devices[{index}] leads back to devices[{number}]"
        yield Detail(path, f"{back}; one of them needs a screenshot of its own")


def _source(devices: ListedDevices, number: int) -> int | None:
    """The number of the device whose screenshot a device shows; None for a circle of references."""
    seen: set[int] = set()
    while number not in seen:
        shot = devices[number].shot if number < len(devices) else None
        if shot is None or shot.type != "same" or shot.index is None:
            return number
        seen.add(number)
        number = shot.index
    return None


def parse(
    devices: ListedDevices, texts: Mapping[str, memoryview], files: Mapping[str, bytearray] | None = None
) -> tuple[tuple[ParsedScreenshot, ...], tuple[Member, ...]]:
    """The screenshots of a scene's devices, and the devices; `faults` must have found nothing.

    `texts` has long sources by their placeholders, `files` those of a form by their fields' names.
    """
    files = files or {}
    found: dict[int, ParsedScreenshot] = {}
    members: list[Member] = []
    for number, device in enumerate(devices):
        source = _source(devices, number)
        assert source is not None
        if source not in found:
            name = f"devices[{source}].screenshot"
            file = files.get(name)
            shot = devices[source].shot
            found[source] = (
                _parsed(shot, source, texts)
                if file is None
                else ParsedScreenshot("file", memoryview(file), name)
            )
        members.append(Member(device, list(found).index(source)))
    return tuple(found.values()), tuple(members)


def _parsed(shot: Shot | None, number: int, texts: Mapping[str, memoryview]) -> ParsedScreenshot:
    path = f"devices[{number}].screenshot.src"
    if shot is None:
        return ParsedScreenshot("sample", "", path)
    assert shot.type != "same"
    src = shot.src or ""
    return ParsedScreenshot(shot.type, texts.get(src, src), path)
