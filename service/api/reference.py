"""Generates docs/settings.md, and tables of other pages: `python -m service.api.reference` writes them.

A pair of comments in a page marks the place of a table: `<!-- generated: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import to_json

from ..config import Config
from ..devices.device import Category
from ..limits import KIB, LIMITS, MAX_PIXELS, MIB, Limit
from ..settings.looks import LOOKS
from ..settings.motion import FilmExport, Motion, Playback
from ..settings.moves import MOVES, NamedMove
from ..settings.poses import POSES, Turn
from ..settings.schema import PRESETS, Settings
from ..validation import messages
from . import client_types, for_agents
from .operation import Operation
from .operations import OPERATIONS
from .query import Query

_POSES = """## Poses

`deviceTransform.pose` sets `rotationX`, `rotationY`, `rotationZ`, `fieldOfView` and `framing` to values that
suit the category of device. The table shows the three rotations and, after the semicolon, the field of view;
`framing` is `posed`, and `balanced` for laptops and consoles. Left and right are as seen by the viewer.
`GET /api/v1/poses` lists the same.

Any of these five given next to a pose overrides the pose's value. A pose in the request replaces all five of
a saved project; single members in the request override the project's pose. `null` leaves a member to the
pose; `"pose": null` removes the project's pose and keeps the members next to it.
"""

PREFIX = "MOCKUP_"
DOCS = Path(__file__).resolve().parents[2] / "docs"
CLIENTS = DOCS.parent / "clients"
_PLACE = re.compile(r"(<!-- generated: (\w+) -->\n).*?(\n<!-- end -->)", re.DOTALL)
TableRow = tuple[str, str, str, str]

# The settings that most pictures need.
_ESSENTIAL = (
    *("device", "orientation", "canvas", "screen", "appearance", "deviceTransform"),
    *("shadow", "captions", "export"),
)
MEGAPIXELS = MAX_PIXELS // 10**6

_INTRODUCTION = f"""# Settings

These are the members of `settings` in a request or a saved project, and the paths of `--set` on the command
line. All are optional. A saved project's settings override the defaults, and a request's settings override
both. Objects merge member by member, lists and scalars replace, and `null` restores a member's default. A
width or height replaces that of a preset in the saved project or template. The result is validated; values
are never clamped. The output (canvas times `export.scale`) has at most
{MEGAPIXELS} megapixels.

Names match regardless of case, spaces, hyphens and underscores; saved projects keep the canonical form.
`GET /api/v1/devices` lists the devices with their full names and finishes. Instead of a name, an object can
[describe](devices.md#devices-by-description) any other device. The request's object merges with a saved
project's member by member, unless it has another `kind`: then it replaces the project's object. A `ppi` in
the request also replaces the project's `body`, and a `body` its `ppi`.

The site that `make docs` builds has another page with pictures of each setting at a few values. This page is
generated from `service/settings/schema.py` by `python -m service.api.reference`.
"""


def rows(model: type[BaseModel] = Settings, prefix: str = "") -> list[TableRow]:
    """Path, accepted values, default and meaning of every member, nested groups included."""
    listed: list[TableRow] = []
    for name, field in messages.members(model).items():
        path, group = prefix + name, messages.group_of(field)
        if group is None or not isinstance(field.default, BaseModel):
            listed.append((path, messages.expected(field), _default(field), field.description or ""))
        if group is not None:
            listed += rows(group, f"{path}.")
        if item := messages.items_of(field):
            listed += rows(item, f"{path}[].")
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
        "phone": "phone, tablet",
        "laptop": "laptop",
        "desktop": "desktop, tv, watch",
        "browser": "browser, window, card",
    }
    lines = [f"| pose | what | {' | '.join(shown.values())} |", "| --- | --- |" + " --- |" * len(shown)]
    for name, pose in POSES.items():
        views = (_view(pose.views[category]) for category in shown)
        lines.append(f"| `{name}` | {pose.description} | {' | '.join(views)} |")
    return lines


def _view(view: Turn) -> str:
    return f"{view.rotation_x:g}, {view.rotation_y:g}, {view.rotation_z:g}; {view.field_of_view:g}"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    if isinstance(field.default, float):
        return f"{field.default:g}"
    return "–" if field.default in (None, ()) else to_json(field.default).decode().strip('"')


def _table(head: tuple[str, ...], body: Iterable[tuple[str, ...]]) -> str:
    """A table in Markdown; bars in its cells are escaped."""
    lines = [head, ("---",) * len(head), *(tuple(cell.replace("|", "\\|") for cell in row) for row in body)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines).replace("|  |", "| |")


def _operations() -> str:
    def row(one: Operation) -> tuple[str, ...]:
        names = messages.members(one.query or Query)
        path = one.path + ("?" if names else "") + "&".join(f"{name}=" for name in names)
        what = f"[{one.summary}]({one.about})" if one.about else one.summary
        return one.method, f"`{path}`", one.access.who, what

    return _table(("method", "path", "who", "what"), map(row, OPERATIONS))


def _parameters() -> str:
    found: dict[tuple[str, str, str, str], list[str]] = {}
    for one in OPERATIONS:
        for name, field in messages.members(one.query or Query).items():
            row = (f"`{name}`", messages.expected(field), _default(field), field.description or "")
            found.setdefault(row, []).append(f"`{one.path}`")
    rows = ((name, ", ".join(paths), *rest) for (name, *rest), paths in found.items())
    return _table(("parameter", "of", "takes", "default", "meaning"), rows)


def _members(model: type[BaseModel]) -> str:
    fields = messages.members(model).items()
    body = (
        (f"`{name}`", messages.expected(one), _default(one), one.description or "") for name, one in fields
    )
    return _table(("member", "takes", "default", "meaning"), body)


def _variables() -> str:
    def row(name: str, field: FieldInfo) -> tuple[str, ...]:
        default = _shown(field.get_default(call_default_factory=True))
        return f"`{PREFIX}{name.upper()}`", default, _allowed(field), field.description or ""

    body = (row(name, field) for name, field in Config.model_fields.items())
    return _table(("variable", "default", "allowed", "what it sets"), body)


def _shown(value: Any) -> str:
    """A default, written as in a variable."""
    if value is None or value == () or value == frozenset():
        return "–"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, dict):
        return f"`{', '.join(value)}`"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return f"`{','.join(map(str, sorted(value)))}`"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def _allowed(field: FieldInfo) -> str:
    """The range of a number, or the words of a choice."""
    parts = [f"`{choice}`" for choice in messages.choices(field)]
    for bound in field.metadata:
        for name, sign in (("ge", "≥"), ("gt", ">"), ("le", "≤")):
            if (value := getattr(bound, name, None)) is not None:
                parts.append(f"{sign} {value}")
    return ", ".join(parts)


def _limits() -> str:
    def row(one: Limit) -> tuple[str, ...]:
        where = f"[{one.page.partition('.')[0]}]({one.page})" if one.page else ""
        variable = f"`{PREFIX}{one.name.upper()}`" if one.name else "fixed"
        return one.about, one.words or _amount(one.value, one.unit), variable, where

    return _table(("limit", "default", "variable", "explained in"), map(row, LIMITS))


def _amount(value: float | None, unit: str) -> str:
    """A number with its unit: `20 MiB`, `40 megapixels`, `10 s`."""
    if value is None:
        return "–"
    sizes = {"bytes": ((MIB, "MiB"), (KIB, "KiB")), "pixels": ((10**6, "megapixels"),)}
    size, name = next((one for one in sizes.get(unit, ()) if value >= one[0]), (1, unit))
    return f"{value / size:,.10g} {name}".strip()


def _moves() -> str:
    def row(name: str, one: NamedMove) -> tuple[str, ...]:
        amount = f"{one.amount:g} ({one.least:g} to {one.most:g}) {one.unit}" if one.unit else "–"
        return f"`{name}`", one.description, amount, f"`{one.ease}`" if one.course != "none" else "–"

    return _table(("move", "what happens", "`amount`", "`ease`"), (row(*one) for one in MOVES.items()))


def _essentials() -> str:
    listed = [one for one in rows() if one[0].partition(".")[0] in _ESSENTIAL]
    # Another page explains how to describe a device.
    body = ((f"`{path}`", takes, default) for path, takes, default, _ in listed if path[:7] != "device.")
    return _table(("path", "takes", "default"), body)


def _names() -> str:
    lists = {"canvas.preset": PRESETS, "deviceTransform.pose": POSES, "looks": LOOKS}
    return "".join(f"- {name}: {', '.join(names)}\n" for name, names in lists.items())


def _film() -> str:
    parts = (("motion", Motion), ("recording", Playback), ("export", FilmExport))
    listed = [row for name, model in parts for row in rows(model, f"{name}.")]
    return _table(("member", "takes", "default", "meaning"), ((f"`{path}`", *rest) for path, *rest in listed))


TABLES: dict[str, Callable[[], str]] = {
    "moves": _moves,
    "film": _film,
    "essentials": _essentials,
    "names": _names,
    "operations": _operations,
    "parameters": _parameters,
    "variables": _variables,
    "limits": _limits,
    **{one.takes.__name__: partial(_members, one.takes) for one in OPERATIONS if one.takes is not None},
}


def filled(page: str) -> str:
    """A page with its tables as they should be."""
    return _PLACE.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}{found[3]}", page)


def pages() -> dict[Path, str]:
    """The texts that all generated files should have: pages with tables, clients' types, texts for agents."""
    found = {path: path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))}
    found = {path: filled(text) for path, text in found.items() if _PLACE.search(text)}
    types = {
        "python/mockup_client/schema.py": client_types.python(),
        "javascript/schema.d.ts": client_types.typescript(),
    }
    clients = {CLIENTS / name: text for name, text in types.items()}
    agents = {for_agents.INDEX: for_agents.index()}
    return {DOCS / "settings.md": markdown(), **found, **clients, **agents}


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
