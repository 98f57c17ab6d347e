"""Saved projects: created, listed, read, replaced and deleted by their owners."""

from __future__ import annotations

from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from ..accounts.store import Caller, Project
from ..errors import Code, Detail, MockupError, refusal
from ..limits import ENVELOPE_BYTES
from ..settings.background_image import PATH as IMAGE
from . import answers, body, media_type
from .access import OWN_PROJECTS, WRITE_PROJECTS, caller_of
from .operation import PROJECTS, UUID_ID, PathId, operation
from .parsed_request import parse_project, parse_rename
from .query import ProjectsPage
from .responses import private_json
from .schema import ProjectBody, RenamedProject
from .services import Services, services_of
from .uuids import path_uuid

PATH = "/api/v1/projects"
_ID = PathId(UUID_ID.schema, (Code.INVALID_REQUEST, Code.PROJECT_ACCESS_DENIED, Code.PROJECT_NOT_FOUND))


@operation(PROJECTS, "GET", PATH, access=OWN_PROJECTS, query=ProjectsPage, gives=answers.Projects)
async def list_projects(request: Request) -> Response:
    """List saved projects."""
    caller = caller_of(request)
    wanted = ProjectsPage.of(request)
    services = services_of(request)
    async with services.listing.turn(caller.owner):
        read = services.accounts.projects.page
        page = await to_thread.run_sync(read, caller.user_id, wanted.limit, wanted.after)
    return private_json(
        answers.Projects(projects=[answers.Project.of(one) for one in page.projects], next=page.next)
    )


@operation(
    PROJECTS, "POST", PATH, access=WRITE_PROJECTS, takes=ProjectBody, gives=answers.Project, status=201
)
async def save_project(request: Request) -> Response:
    """Save a project."""
    caller = caller_of(request)
    services, sent = services_of(request), parse_project(*await _body(request, caller))
    save = services.accounts.projects.save
    project = await to_thread.run_sync(save, caller.user_id, sent.name, sent.settings, sent.parts)
    return private_json(answers.Project.of(project), 201, {"Location": f"{PATH}/{project.id}"})


@operation(PROJECTS, "GET", f"{PATH}/{{id}}", access=OWN_PROJECTS, id=_ID, gives=answers.Project)
async def get_project(request: Request) -> Response:
    """Read a saved project."""
    caller = caller_of(request)
    return private_json(answers.Project.of(await _find(services_of(request), request, caller)))


@operation(
    PROJECTS,
    "PUT",
    f"{PATH}/{{id}}",
    access=WRITE_PROJECTS,
    id=_ID,
    takes=ProjectBody,
    gives=answers.Project,
)
async def replace_project(request: Request) -> Response:
    """Replace a saved project."""
    caller = caller_of(request)
    services, sent = services_of(request), parse_project(*await _body(request, caller))
    project = await _find(services, request, caller)
    replace = services.accounts.projects.replace
    return _told(await to_thread.run_sync(replace, project.id, sent.name, sent.settings, sent.parts))


@operation(
    PROJECTS,
    "PATCH",
    f"{PATH}/{{id}}",
    access=WRITE_PROJECTS,
    id=_ID,
    takes=RenamedProject,
    gives=answers.Project,
)
async def rename_project(request: Request) -> Response:
    """Rename a saved project."""
    caller = caller_of(request)
    services, (sent, _) = services_of(request), await _body(request, caller)
    name = parse_rename(sent).name
    project = await _find(services, request, caller)
    return _told(await to_thread.run_sync(services.accounts.projects.rename, project.id, name))


@operation(PROJECTS, "DELETE", f"{PATH}/{{id}}", access=OWN_PROJECTS, id=_ID, status=204)
async def delete_project(request: Request) -> Response:
    """Remove a saved project."""
    caller = caller_of(request)
    services = services_of(request)
    project = await _find(services, request, caller)
    await to_thread.run_sync(services.accounts.projects.delete, project.id)
    return Response(status_code=204)


async def find(services: Services, caller: Caller, project_id: str, member: str = "id") -> Project:
    """The caller's project of this id; `member` names the id in a 404. Raises 403 if it is another user's
    project."""
    project = await to_thread.run_sync(services.accounts.projects.get, project_id)
    if project is None:
        raise _not_found(member)
    if project.user_id != caller.user_id:
        raise MockupError(Code.PROJECT_ACCESS_DENIED, "This project belongs to another user")
    return project


async def _find(services: Services, request: Request, caller: Caller) -> Project:
    return await find(services, caller, str(path_uuid(request, "project")))


def _not_found(member: str = "id") -> MockupError:
    return MockupError(Code.PROJECT_NOT_FOUND, f"There is no project with this {member}")


def _told(project: Project | None) -> Response:
    if project is None:  # removed in the meantime
        raise _not_found()
    return private_json(answers.Project.of(project))


async def _body(request: Request, caller: Caller) -> tuple[dict[str, Any], int]:
    """The members of a body, and the most pixels of an output; raises a 400 for long texts."""
    services = services_of(request)
    config = services.config
    media_type.check_json(request)
    # Leaves room for indentation and escapes; the size of the project itself is checked on saving.
    limit = min(config.max_body_bytes, 4 * config.max_project_bytes + ENVELOPE_BYTES)
    with await body.receive(request, services, limit, caller.owner) as sent:
        parsed = await sent.json_object()
        for text in parsed.texts.values():
            message = f"expected a shorter text, got {len(text)} bytes; upload the picture, or name its URL"
            raise refusal(Detail(IMAGE, message))
        return parsed.value, config.max_output_pixels
