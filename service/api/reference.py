"""Generates docs/settings.md from the models: `python -m service.api.reference` prints it."""

from __future__ import annotations

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import to_json

from service.devices.device import Category
from service.limits import MAX_PIXELS
from service.settings.poses import POSES, Turn
from service.settings.schema import PRESETS, Settings
from service.validation import messages

_POSES = """## Poses

`deviceTransform.pose` sets `rotationX`, `rotationY`, `rotationZ`, `fieldOfView` and `framing` to values that
suit the category of device. The table shows the three rotations and, after the semicolon, the field of view;
`framing` is `posed`. Left and right are as seen by the viewer. `GET /api/v1/poses` lists the same.

Any of these five given next to a pose overrides it. A pose in the request replaces all five of a saved
project; single members in the request override the project's pose. `null` leaves a member to the pose;
`"pose": null` removes the project's pose and keeps the members next to it.
"""

Row = tuple[str, str, str, str]

MEGAPIXELS = MAX_PIXELS // 10**6

_INTRODUCTION = f"""# Settings

The members of `settings` in a request or a saved project, also available as `--set` on the command line. All
are optional. A saved project's settings override the defaults and a request's override both: objects merge
member by member, lists and scalars replace, `null` restores a member's default. The result is validated;
values are never clamped. The output (canvas times `export.scale`) has at most {MEGAPIXELS} megapixels.

Names match regardless of case, spaces, hyphens and underscores; saved projects keep the canonical form.
`GET /api/v1/devices` lists the devices with their full names and finishes; an object instead of a name
[describes](devices.md#devices-by-description) any other. In a saved project it merges member by member too,
unless the request's `kind` is another: then it replaces all of it. `ppi` and `body` replace each other.

This page is generated from `service/settings/schema.py` by `python -m service.api.reference`.
"""


def rows(model: type[BaseModel] = Settings, prefix: str = "") -> list[Row]:
    """Path, accepted values, default and meaning of every member, nested groups included."""
    listed: list[Row] = []
    for name, field in messages.members(model).items():
        path, group = prefix + name, messages.group_of(field)
        if group is None or not isinstance(field.default, BaseModel):
            listed.append((path, _takes(field), _default(field), field.description or ""))
        if group is not None:
            listed += rows(group, f"{path}.")
    return listed


def markdown() -> str:
    """The whole page."""
    lines = [_INTRODUCTION, "| path | takes | default | meaning |", "| --- | --- | --- | --- |"]
    lines += [f"| `{path}` | {takes} | {default} | {meaning} |" for path, takes, default, meaning in rows()]
    lines += ["", "## Canvas presets", "", "| preset | width | height |", "| --- | --- | --- |"]
    lines += [f"| `{name}` | {width} | {height} |" for name, (width, height) in PRESETS.items()]
    lines += ["", _POSES, *_poses()]
    return "\n".join(lines) + "\n"


def _poses() -> list[str]:
    shown: dict[Category, str] = {
        "phone": "phone, tablet, watch",
        "laptop": "laptop",
        "desktop": "desktop, tv",
        "browser": "browser, window, card",
    }
    lines = [f"| pose | what | {' | '.join(shown.values())} |", "| --- | --- |" + " --- |" * len(shown)]
    for name, pose in POSES.items():
        views = (_view(pose.views[category]) for category in shown)
        lines.append(f"| `{name}` | {pose.description} | {' | '.join(views)} |")
    return lines


def _view(view: Turn) -> str:
    return f"{view.rotation_x:g}, {view.rotation_y:g}, {view.rotation_z:g}; {view.field_of_view:g}"


def _takes(field: FieldInfo) -> str:
    return messages.expected(field)


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    if isinstance(field.default, float):
        return f"{field.default:g}"
    return "–" if field.default is None else to_json(field.default).decode().strip('"')


if __name__ == "__main__":
    print(markdown(), end="")
