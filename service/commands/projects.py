"""`projects`: saved settings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from .environment import load_config, open_accounts, open_administration
from .listing import Json, show

projects = typer.Typer(no_args_is_help=True, help="Saved settings.")

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="the user's e-mail address")]
ProjectId = Annotated[UUID, typer.Argument(metavar="UUID", help="the project's id, see `projects list`")]


@projects.command("save")
def save(
    email: Email,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="settings as JSON; - reads them from stdin")],
    name: Annotated[str | None, typer.Option(help="the project's name; default: the file's name")] = None,
) -> None:
    """Save the settings of a JSON file as a project and print its UUID."""
    from ..settings.merge import MergedSettings
    from .settings_file import read

    settings = MergedSettings(read(file))
    settings.resolve(load_config().max_output_pixels)
    with open_administration() as (accounts, administration):
        user = accounts.users.find(email)
        print(administration.save_project(user.id, name or file.stem, settings.canonical()).id)


@projects.command("show")
def show_project(project_id: ProjectId) -> None:
    """Print a project's settings as JSON, in the form that `render --settings` takes."""
    import orjson

    with open_administration() as (_, administration):
        project = administration.project(project_id)
    print(orjson.dumps(project.settings, option=orjson.OPT_INDENT_2).decode())


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
