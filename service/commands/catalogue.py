"""Lists of what can be used in a picture: `devices`, `poses`, `looks`, `templates`, `fonts` and others.

With `--json`, they are the lists that the API returns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from .listing import Json, show, show_json

TemplateId = Annotated[str | None, typer.Argument(metavar="[ID]", help="a template's name")]


def devices(json: Json = False) -> None:
    """List the devices."""
    from ..devices.device import catalogue

    entries = catalogue().entries.values()
    if json:
        from ..api.catalogue import record

        show_json([record(entry).written() for entry in entries])
        return
    show(
        ("ID", "NAME", "CATEGORY", "SCREEN", "FINISHES"),
        (
            (
                d.id,
                d.name,
                d.category,
                "as the screenshot" if d.fitted else f"{d.px[0]}x{d.px[1]}",
                ", ".join(f.name for f in d.finishes),
            )
            for d in entries
        ),
    )


def poses(json: Json = False) -> None:
    """List the poses, the values of deviceTransform.pose."""
    from ..settings.poses import POSES

    if json:
        from ..api.gallery import all_poses

        show_json(all_poses().written()["poses"])
        return
    show(("ID", "DESCRIPTION"), ((name, pose.description) for name, pose in POSES.items()))


def looks(json: Json = False) -> None:
    """List the looks; --json includes the settings of each."""
    from ..settings.looks import LOOKS

    if json:
        from ..api.gallery import all_looks

        show_json(all_looks().written()["looks"])
        return
    show(
        ("ID", "NAME", "DESCRIPTION"), ((name, look.title, look.description) for name, look in LOOKS.items())
    )


def templates(id: TemplateId = None, json: Json = False) -> None:
    """List the templates, or print the one with an ID as JSON, with its devices and settings."""
    from ..api.templates import all_templates, written
    from ..errors import invalid
    from ..settings.templates import TEMPLATES
    from ..settings.templates import templates as known

    if id is not None:
        try:
            show_json(written(known()[TEMPLATES.canonical(id)]).written())
        except ValueError as error:
            raise invalid(str(error).replace(TEMPLATES.source, "mockup templates")) from error
        return
    found = all_templates()
    if json:
        show_json(found.written()["templates"])
        return
    show(
        ("ID", "SIZE", "SCREENSHOTS", "TEXTS", "DESCRIPTION"),
        (
            (
                one.id,
                f"{one.width}x{one.height}" + (f" x{one.slices}" if one.slices > 1 else ""),
                str(len(one.screenshots)),
                str(len(one.texts)),
                one.description,
            )
            for one in found.templates
        ),
    )


def fonts(json: Json = False) -> None:
    """List the families of fonts, the values of captions[].font.family."""
    from ..api.fonts import families
    from ..errors import invalid
    from ..fonts import extra
    from .environment import load_config

    if not extra.available():
        raise invalid(extra.MISSING)
    found = families(load_config().fonts_folder)
    if json:
        show_json(found.written()["fonts"])
        return
    show(
        ("FAMILY", "WEIGHTS", "ITALIC"),
        (
            (
                one.family,
                ("-" if one.variable else " ").join(map(str, one.weights)),
                "yes" if one.italic else "no",
            )
            for one in found.fonts
        ),
    )


def presets(json: Json = False) -> None:
    """List the sizes of app stores and social media, the values of canvas.preset."""
    from ..settings.schema import PRESETS

    if json:
        from ..api.catalogue import all_presets

        show_json(all_presets().written()["presets"])
        return
    show(("ID", "SIZE"), ((name, f"{width}x{height}") for name, (width, height) in PRESETS.items()))


def environments(json: Json = False) -> None:
    """List the environments, the values of reflection.environment."""
    from ..api.catalogue import all_environments

    found = all_environments()
    if json:
        show_json(found.written()["environments"])
        return
    show(("ID", "DESCRIPTION"), ((one.id, one.description) for one in found.environments))


def settings(json: Json = False) -> None:
    """List the settings with their types and defaults, as --set takes them."""
    if json:
        from ..api.settings_form import form

        show_json(form())
        return
    from pydantic import BaseModel

    from ..settings.schema import Settings
    from ..validation import messages

    def rows() -> Iterator[tuple[str, str, str | None]]:
        for path in messages.paths(Settings, items=True):
            _, field, _ = messages.locate(Settings, tuple(messages.parted(path)))
            if field is not None and not isinstance(field.default, BaseModel):
                default = None if field.is_required() else field.default
                shown = None if default is None else messages.shown(default).strip('"')
                yield path, messages.expected(field), shown

    show(("PATH", "TAKES", "DEFAULT"), rows())
