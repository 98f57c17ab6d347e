"""The members of each device in a request for a scene, besides its screenshot; declared in `schema`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from ..devices.device import Category, Theme
from ..validation import aliases
from ..validation.group import Group, Number, Shown
from .poses import POSES
from .schema import (
    AnyDevice,
    Appearance,
    DeviceTransform,
    OrientationChoice,
    ScreenFit,
    Settings,
)
from .styles import Style

_LOOK, _MOVED, _WHOLE = Appearance.model_fields, DeviceTransform.model_fields, Settings.model_fields


_ANGLES = ("rotation_x", "rotation_y", "rotation_z")


class DeviceAppearance(Group):
    """How one device of a scene is drawn."""

    other_names = aliases.APPEARANCE

    device_color: str | None = _LOOK["device_color"]  # type: ignore[assignment]
    style: Style = _LOOK["style"]  # type: ignore[assignment]
    theme: Theme | None = _LOOK["theme"]  # type: ignore[assignment]


class OwnTransform(Group):
    """The position and rotation of one device of a scene, relative to its place in the layout."""

    other_names = aliases.TRANSFORM

    position_x: float = _MOVED["position_x"]  # type: ignore[assignment]
    position_y: float = _MOVED["position_y"]  # type: ignore[assignment]
    rotation_x: float = _MOVED["rotation_x"]  # type: ignore[assignment]
    rotation_y: float = _MOVED["rotation_y"]  # type: ignore[assignment]
    rotation_z: float = _MOVED["rotation_z"]  # type: ignore[assignment]
    pose: str | None = _MOVED["pose"]  # type: ignore[assignment]

    def angles(self, category: Category) -> tuple[float, float, float]:
        """The turn about x, y and z, degrees: members that were given, the rest from the pose."""
        own = {name: getattr(self, name) for name in _ANGLES}
        if self.pose is not None:
            posed = POSES[self.pose].views[category]
            own = {name: getattr(self if name in self.model_fields_set else posed, name) for name in own}
        return own["rotation_x"], own["rotation_y"], own["rotation_z"]


class SceneDevice(Group):
    """A device of a scene; members that it omits come from the scene's settings."""

    device: AnyDevice = _WHOLE["device"]  # type: ignore[assignment]
    orientation: OrientationChoice = _WHOLE["orientation"]  # type: ignore[assignment]
    screen: ScreenFit = ScreenFit.model_construct()
    appearance: DeviceAppearance = DeviceAppearance.model_construct()
    device_transform: OwnTransform = OwnTransform.model_construct()
    depth: Annotated[Number, Shown("mm", 1)] = Field(
        0.0, ge=-2000, le=2000, description="towards the viewer, from where the layout puts it"
    )

    def over(self, settings: Settings) -> Settings:
        """The settings that the device would have alone: its own members over the scene's."""
        own = {
            name: getattr(self, name) for name in ("device", "orientation") if name in self.model_fields_set
        }
        screen, appearance = (
            whole.model_copy(update={name: getattr(part, name) for name in part.model_fields_set})
            for whole, part in (
                (settings.screen, self.screen),
                (settings.appearance, self.appearance),
            )
        )
        return settings.model_copy(update=own | {"screen": screen, "appearance": appearance})


@dataclass(frozen=True, slots=True)
class Member:
    """A device of a scene, and the index of the screenshot that it shows."""

    device: SceneDevice
    source: int


@dataclass(frozen=True, slots=True)
class SceneSettings:
    """The settings of a picture and its devices; a picture of one screenshot has a single one without name.

    `named` says whether the request lists the devices, so that faults and warnings name them.
    """

    settings: Settings
    members: tuple[Member, ...] = (Member(SceneDevice.model_construct(), 0),)
    named: bool = False

    def path(self, source: int) -> str:
        """The path, in the request, of the screenshot with the index `source`."""
        if not self.named:
            return "screenshot.src"
        first = next(number for number, member in enumerate(self.members) if member.source == source)
        return f"devices[{first}].screenshot.src"
