"""Users, keys and projects of all, changed by administrators, and the audit of the changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

import structlog
from anyio import to_thread
from pydantic import Field
from pydantic.alias_generators import to_camel
from starlette.requests import Request
from starlette.responses import Response

from service.accounts.administration import Administration
from service.accounts.audit import Actor, Event
from service.accounts.errors import AccountError, MissingError
from service.accounts.keys import PREFIX, Key
from service.accounts.store import Project, User
from service.api import account_bodies, answers, body
from service.api.access import ADMIN, caller_of
from service.api.account_bodies import M, NewKey, NewUser, Rotation, Subscription, moment
from service.api.operation import ADMINISTRATION, UUID_ID, Id, operation
from service.api.query import OwnedProjectsPage, OwnersPage, Page
from service.api.responses import private_json
from service.api.services import Services, services_of
from service.api.uuids import path_uuid
from service.errors import Code, Detail, MockupError, invalid, refusal

log = structlog.get_logger(__name__)
PATH = "/api/v1/admin"
_MOST_BYTES = 16 * 1024
PREFIX_ID = Id(lambda: {"type": "string", "pattern": f"^{PREFIX}$"})
T = TypeVar("T")


class UsersPage(Page):
    """Which page of the list of users."""

    email: str | None = Field(None, description="only the user with this e-mail address")


@operation(
    "GET",
    f"{PATH}/users",
    ADMINISTRATION,
    "List users",
    name="listUsers",
    access=ADMIN,
    query=UsersPage,
    gives=answers.Users,
)
async def users(request: Request) -> Response:
    """A page of all users, oldest first."""
    wanted = UsersPage.of(request)
    read = services_of(request).accounts.users.page
    found, after = await _listed(request, read, wanted.email, wanted.limit, wanted.after)
    return private_json(answers.Users(users=[_user(user) for user in found], next=after))


@operation(
    "POST",
    f"{PATH}/users",
    ADMINISTRATION,
    "Add a user",
    name="addUser",
    access=ADMIN,
    takes=NewUser,
    gives=answers.User,
    status=201,
)
async def user_added(request: Request) -> Response:
    """Add a user."""
    administration = _administration(request)
    sent = await _body(request, NewUser)
    add = partial(administration.add_user, sent.email, sent.plan, moment(sent.until, "until"))
    user = await _done(add)
    return private_json(_user(user), 201, {"Location": f"{PATH}/users/{user.id}"})


@operation(
    "GET",
    f"{PATH}/users/{{id}}",
    ADMINISTRATION,
    "Describe a user",
    name="getUser",
    access=ADMIN,
    id=UUID_ID,
    gives=answers.User,
    errors=(Code.NOT_FOUND,),
)
async def user(request: Request) -> Response:
    """Describe a user."""
    get = services_of(request).accounts.users.get
    return private_json(_user(await _done(partial(get, path_uuid(request, "user")), "user")))


@operation(
    "PUT",
    f"{PATH}/users/{{id}}/subscription",
    ADMINISTRATION,
    "Set the plan of a user",
    name="setSubscription",
    access=ADMIN,
    id=UUID_ID,
    takes=Subscription,
    gives=answers.User,
    errors=(Code.NOT_FOUND,),
)
async def subscribed(request: Request) -> Response:
    """Set a user's plan."""
    administration = _administration(request)
    user_id, sent = path_uuid(request, "user"), await _body(request, Subscription)
    subscribe = partial(administration.subscribe, user_id, sent.plan, moment(sent.until, "until"))
    return private_json(_user(await _done(subscribe, "user")))


@operation(
    "DELETE",
    f"{PATH}/users/{{id}}",
    ADMINISTRATION,
    "Remove a user with their keys, projects and uploads",
    name="removeUser",
    access=ADMIN,
    id=UUID_ID,
    status=204,
    errors=(Code.NOT_FOUND,),
)
async def user_removed(request: Request) -> Response:
    """Remove a user with everything they own."""
    administration = _administration(request)
    await _done(partial(administration.remove_user, path_uuid(request, "user")), "user")
    return Response(status_code=204)


@operation(
    "GET",
    f"{PATH}/keys",
    ADMINISTRATION,
    "List API keys",
    name="listKeys",
    access=ADMIN,
    query=OwnersPage,
    gives=answers.Keys,
)
async def keys(request: Request) -> Response:
    """A page of keys, oldest first."""
    wanted = OwnersPage.of(request)
    read = services_of(request).accounts.keys.page
    found, after = await _listed(request, read, _owner(wanted), wanted.limit, wanted.after)
    return private_json(answers.Keys(keys=[_key(key) for key in found], next=after))


@operation(
    "POST",
    f"{PATH}/keys",
    ADMINISTRATION,
    "Issue an API key, which is shown this once",
    name="issueKey",
    access=ADMIN,
    takes=NewKey,
    gives=answers.IssuedKey,
    status=201,
)
async def key_issued(request: Request) -> Response:
    """Issue a key, which is shown this once."""
    administration = _administration(request)
    sent = await _body(request, NewKey)
    user_id, end = account_bodies.user_id(sent.user_id), moment(sent.expires_at, "expiresAt")
    text, key = await _done(partial(administration.issue_key, user_id, sent.name, end))
    return private_json(_issued(key, text), 201, {"Location": f"{PATH}/keys/{key.prefix}"})


@operation(
    "GET",
    f"{PATH}/keys/{{id}}",
    ADMINISTRATION,
    "Describe an API key",
    name="getKey",
    access=ADMIN,
    id=PREFIX_ID,
    gives=answers.Key,
    errors=(Code.NOT_FOUND,),
)
async def key(request: Request) -> Response:
    """Describe a key."""
    find = services_of(request).accounts.keys.find
    return private_json(_key(await _done(partial(find, _prefix(request)), "key")))


@operation(
    "POST",
    f"{PATH}/keys/{{id}}/rotation",
    ADMINISTRATION,
    "Issue an API key in place of another, which stays valid for a while",
    name="rotateKey",
    access=ADMIN,
    id=PREFIX_ID,
    takes=Rotation,
    gives=answers.RotatedKey,
    status=201,
    errors=(Code.NOT_FOUND,),
)
async def key_rotated(request: Request) -> Response:
    """Issue a key in place of another, which stays valid for a while."""
    administration = _administration(request)
    prefix, sent = _prefix(request), await _body(request, Rotation)
    overlap, end = timedelta(seconds=sent.overlap_seconds), moment(sent.expires_at, "expiresAt")
    text, made, old = await _done(partial(administration.rotate_key, prefix, overlap, end), "key")
    both = answers.RotatedKey(issued=_issued(made, text), replaced=_key(old))
    return private_json(both, 201, {"Location": f"{PATH}/keys/{made.prefix}"})


@operation(
    "DELETE",
    f"{PATH}/keys/{{id}}",
    ADMINISTRATION,
    "Revoke an API key immediately",
    name="revokeKey",
    access=ADMIN,
    id=PREFIX_ID,
    status=204,
    errors=(Code.NOT_FOUND,),
)
async def key_revoked(request: Request) -> Response:
    """Revoke a key immediately."""
    administration = _administration(request)
    await _done(partial(administration.revoke_key, _prefix(request)), "key")
    return Response(status_code=204)


@operation(
    "GET",
    f"{PATH}/projects",
    ADMINISTRATION,
    "List projects of all users",
    name="listAllProjects",
    access=ADMIN,
    query=OwnedProjectsPage,
    gives=answers.OwnedProjects,
)
async def projects_listed(request: Request) -> Response:
    """A page of saved projects, oldest first."""
    wanted = OwnedProjectsPage.of(request)
    read = services_of(request).accounts.projects.page
    page = await _listed(request, read, _owner(wanted), wanted.limit, wanted.after)
    return private_json(
        answers.OwnedProjects(projects=[_project(one) for one in page.projects], next=page.next)
    )


@operation(
    "GET",
    f"{PATH}/projects/{{id}}",
    ADMINISTRATION,
    "Read a project of any user",
    name="getAnyProject",
    access=ADMIN,
    id=UUID_ID,
    gives=answers.OwnedProject,
    errors=(Code.PROJECT_NOT_FOUND,),
)
async def project(request: Request) -> Response:
    """Read a project of any user."""
    administration = _administration(request)
    found = await _done(partial(administration.project, path_uuid(request, "project")), "project")
    return private_json(_project(found))


@operation(
    "DELETE",
    f"{PATH}/projects/{{id}}",
    ADMINISTRATION,
    "Remove a project of any user",
    name="deleteAnyProject",
    access=ADMIN,
    id=UUID_ID,
    status=204,
    errors=(Code.PROJECT_NOT_FOUND,),
)
async def project_deleted(request: Request) -> Response:
    """Delete a project of any user."""
    administration = _administration(request)
    await _done(partial(administration.delete_project, path_uuid(request, "project")), "project")
    return Response(status_code=204)


@operation(
    "GET",
    f"{PATH}/audit",
    ADMINISTRATION,
    "List who changed what about users, keys and projects",
    name="listAudit",
    access=ADMIN,
    query=Page,
    gives=answers.Audit,
    about="accounts.md#audit",
)
async def audit(request: Request) -> Response:
    """A page of the audit, newest first."""
    wanted = Page.of(request)
    read = services_of(request).accounts.audit.page
    found, after = await _listed(request, read, wanted.limit, wanted.after)
    return private_json(answers.Audit(events=[answers.AuditEvent.of(event) for event in found], next=after))


def _administration(request: Request) -> Administration:
    caller = caller_of(request)
    actor = Actor(caller.email, caller.key_prefix, request.scope["state"]["request_id"])
    return Administration(services_of(request).accounts, actor, _log)


def _log(event: Event) -> None:
    said = {"action": event.action, "target": event.target, "actor": event.actor, "key": event.key_prefix}
    log.info("administration", **said)


async def _done(work: Callable[[], T], named: str = "") -> T:
    """Do it in a thread; raises a 404 if what the path names, a user say, does not exist, else 400."""
    try:
        return await to_thread.run_sync(work)
    except AccountError as error:
        if named and isinstance(error, MissingError):
            code = Code.PROJECT_NOT_FOUND if named == "project" else Code.NOT_FOUND
            raise MockupError(code, f"There is no {named} with this id") from error
        raise refusal(Detail(to_camel(error.member), str(error))) from error


async def _listed(request: Request, read: Callable[..., T], *arguments: Any) -> T:
    services: Services = services_of(request)
    async with services.listing.turn(caller_of(request).owner):
        return await to_thread.run_sync(read, *arguments)


async def _body(request: Request, model: type[M]) -> M:
    body.check_type(request)
    announced = body.announced_length(request, _MOST_BYTES)
    with await body.read(request, announced, _MOST_BYTES, caller_of(request).owner) as sent:
        return account_bodies.parse((await sent.json_object()).value, model)


def _prefix(request: Request) -> str:
    given: str = request.path_params["id"]
    if not re.fullmatch(PREFIX, given):
        expected = "expected the first 16 characters of a key"
        raise invalid("The key's id is not its prefix", Detail("id", expected))
    return given


def _owner(wanted: OwnersPage) -> UUID | None:
    return None if wanted.user_id is None else account_bodies.user_id(wanted.user_id)


def _user(user: User) -> answers.User:
    return answers.User(
        id=user.id,
        email=user.email,
        plan=user.plan,
        until=user.until,
        active=user.pro,
        created_at=user.created_at,
    )


def _key(key: Key) -> answers.Key:
    return answers.Key.of({**asdict(key), "id": key.prefix, "valid": key.valid})


def _issued(key: Key, text: str) -> answers.IssuedKey:
    return answers.IssuedKey.of({**asdict(key), "id": key.prefix, "valid": key.valid, "key": text})


def _project(project: Project) -> answers.OwnedProject:
    return answers.OwnedProject.of(project)
