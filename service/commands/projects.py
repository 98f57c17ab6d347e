"""`projects`: saved settings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

import typer

from .environment import load_config, open_accounts, open_administration
from .listing import Json, show
from .options import Email

projects = typer.Typer(no_args_is_help=True, help="Saved settings.")

ProjectPart = Literal["settings", "scene", "set", "film"]
ProjectId = Annotated[UUID, typer.Argument(metavar="UUID", help="the project's id, see `projects list`")]


@projects.command("save")
def save(
    email: Email,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="settings or a whole project as JSON; - reads them from stdin"),
    ],
    name: Annotated[str | None, typer.Option(help="the project's name; default: the file's name")] = None,
) -> None:
    """Save a JSON file as a project and print its UUID."""
    from ..api.parsed_request import parse_project
    from ..settings.document import PARTS
    from .settings_file import read

    given = read(file)
    whole = given if any(part in given for part in ("settings", *PARTS)) else {"settings": given}
    body = {"settings": {}, **whole, "name": name or file.stem}
    project = parse_project(body, load_config().max_output_pixels)
    with open_administration() as (accounts, administration):
        user = accounts.users.find(email)
        saved = administration.save_project(user.id, project.name, project.settings, project.parts)
    print(saved.id)


@projects.command("show")
def show_project(
    project_id: ProjectId,
    part: Annotated[
        ProjectPart | None,
        typer.Option(help="only this, in the form that its command takes; default: the whole"),
    ] = None,
) -> None:
    """Print a project as JSON: its settings alone, or beside the devices, set and film that it has."""
    import orjson

    from .bulk.saved_set import set_file

    with open_administration() as (_, administration):
        project = administration.project(project_id)
    whole = {"settings": project.settings, **project.parts}
    scene = {name: whole[name] for name in ("settings", "devices") if name in whole}
    shown: dict[str, Any] = {
        None: whole if project.parts else project.settings,
        "settings": project.settings,
        "scene": scene,
        "set": set_file(project.settings, project.parts),
        "film": scene | whole.get("film", {}),
    }[part]
    print(orjson.dumps(shown, option=orjson.OPT_INDENT_2).decode())


@projects.command("rename")
def rename_project(project_id: ProjectId, name: Annotated[str, typer.Argument(help="the new name")]) -> None:
    """Give a project another name."""
    with open_administration() as (_, administration):
        administration.rename_project(project_id, name)
    print(f"renamed {project_id}")


@projects.command("delete")
def delete_project(project_id: ProjectId) -> None:
    """Delete a project; cannot be undone."""
    with open_administration() as (_, administration):
        administration.delete_project(project_id)
    print(f"deleted {project_id}")


@projects.command("list")
def list_projects(
    email: Annotated[str | None, typer.Argument(metavar="[EMAIL]", help="only this user's")] = None,
    json: Json = False,
) -> None:
    """List the saved projects."""
    with open_accounts() as accounts:
        owners = [accounts.users.find(email)] if email else accounts.users.list()
        found = [(project, owner) for owner in owners for project in accounts.projects.list(owner.id)]
    rows = ((project.id, owner.email, project.name, project.updated_at) for project, owner in found)
    show(("ID", "EMAIL", "NAME", "UPDATED"), rows, json=json)
