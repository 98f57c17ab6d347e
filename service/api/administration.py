"""Operations for administrators: users, keys, everybody's projects, and the audit of changes."""

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

from ..accounts.administration import Administration
from ..accounts.audit import Actor, Event
from ..accounts.errors import AccountError, MissingError
from ..accounts.grants import SCOPES, grant
from ..accounts.keys import PREFIX, Key
from ..accounts.store import Project, User
from ..errors import Code, Detail, MockupError, invalid, refusal
from ..limits import ADMINISTRATION_BYTES
from . import account_bodies, answers, body, media_type
from .access import ADMIN, caller_of
from .account_bodies import M, NewKey, NewUser, Rotation, Subscription, moment
from .operation import ADMINISTRATION, UUID_ID, PathId, operation
from .query import ListPage, OwnedProjectsPage, OwnersPage
from .responses import private_json
from .services import Services, services_of
from .uuids import path_uuid

log = structlog.get_logger(__name__)
PATH = "/api/v1/admin"
PREFIX_ID = PathId(lambda: {"type": "string", "pattern": f"^{PREFIX}$"}, UUID_ID.codes)
PROJECT_ID = PathId(UUID_ID.schema, (Code.INVALID_REQUEST, Code.PROJECT_NOT_FOUND))
_operation = partial(operation, ADMINISTRATION, access=ADMIN)
T = TypeVar("T")


class UsersPage(ListPage):
    """The requested page of the list of users."""

    email: str | None = Field(None, description="only the user with this e-mail address")


@_operation("GET", f"{PATH}/users", query=UsersPage, gives=answers.Users)
async def list_users(request: Request) -> Response:
    """List users."""
    wanted = UsersPage.of(request)
    read = services_of(request).accounts.users.page
    found, after = await _listed(request, read, wanted.email, wanted.limit, wanted.after)
    return private_json(answers.Users(users=[_user(user) for user in found], next=after))


@_operation("POST", f"{PATH}/users", takes=NewUser, gives=answers.User, status=201)
async def add_user(request: Request) -> Response:
    """Add a user."""
    administration = _administration(request)
    sent = await _body(request, NewUser)
    add = partial(administration.add_user, sent.email, sent.plan, moment(sent.until, "until"))
    user = await _done(add)
    return private_json(_user(user), 201, {"Location": f"{PATH}/users/{user.id}"})


@_operation("GET", f"{PATH}/users/{{id}}", id=UUID_ID, gives=answers.User)
async def get_user(request: Request) -> Response:
    """Describe a user."""
    get = services_of(request).accounts.users.get
    return private_json(_user(await _done(partial(get, path_uuid(request, "user")), "user")))


@_operation("PUT", f"{PATH}/users/{{id}}/subscription", id=UUID_ID, takes=Subscription, gives=answers.User)
async def set_subscription(request: Request) -> Response:
    """Set the plan of a user."""
    administration = _administration(request)
    user_id, sent = path_uuid(request, "user"), await _body(request, Subscription)
    subscribe = partial(administration.subscribe, user_id, sent.plan, moment(sent.until, "until"))
    return private_json(_user(await _done(subscribe, "user")))


@_operation("DELETE", f"{PATH}/users/{{id}}", id=UUID_ID, status=204)
async def remove_user(request: Request) -> Response:
    """Remove a user with their keys, projects and uploads."""
    administration = _administration(request)
    await _done(partial(administration.remove_user, path_uuid(request, "user")), "user")
    return Response(status_code=204)


@_operation("GET", f"{PATH}/keys", query=OwnersPage, gives=answers.Keys)
async def list_keys(request: Request) -> Response:
    """List API keys."""
    wanted = OwnersPage.of(request)
    read = services_of(request).accounts.keys.page
    found, after = await _listed(request, read, _owner(wanted), wanted.limit, wanted.after)
    return private_json(answers.Keys(keys=[_key(key) for key in found], next=after))


@_operation("POST", f"{PATH}/keys", takes=NewKey, gives=answers.IssuedKey, status=201)
async def issue_key(request: Request) -> Response:
    """Issue an API key, which is shown only this once."""
    administration = _administration(request)
    sent = await _body(request, NewKey)
    user_id, end = account_bodies.user_id(sent.user_id), moment(sent.expires_at, "expiresAt")

    def issue() -> tuple[str, Key]:
        given = grant(sent.scopes, sent.origins, test=sent.test)
        return administration.issue_key(user_id, sent.name, end, given)

    text, key = await _done(issue)
    return private_json(_issued(key, text), 201, {"Location": f"{PATH}/keys/{key.prefix}"})


@_operation("GET", f"{PATH}/keys/{{id}}", id=PREFIX_ID, gives=answers.Key)
async def get_key(request: Request) -> Response:
    """Describe an API key."""
    find = services_of(request).accounts.keys.find
    return private_json(_key(await _done(partial(find, _prefix(request)), "key")))


@_operation(
    "POST", f"{PATH}/keys/{{id}}/rotation", id=PREFIX_ID, takes=Rotation, gives=answers.RotatedKey, status=201
)
async def rotate_key(request: Request) -> Response:
    """Replace an API key by a new one; the old one stays valid for a while."""
    administration = _administration(request)
    prefix, sent = _prefix(request), await _body(request, Rotation)
    overlap, end = timedelta(seconds=sent.overlap_seconds), moment(sent.expires_at, "expiresAt")
    text, made, old = await _done(partial(administration.rotate_key, prefix, overlap, end), "key")
    both = answers.RotatedKey(issued=_issued(made, text), replaced=_key(old))
    return private_json(both, 201, {"Location": f"{PATH}/keys/{made.prefix}"})


@_operation(
    "POST",
    f"{PATH}/keys/{{id}}/link-secret",
    id=PREFIX_ID,
    gives=answers.LinkSecret,
    status=201,
    about="links.md",
)
async def issue_link_secret(request: Request) -> Response:
    """Issue a new secret for the links of a key, in place of its last one."""
    administration = _administration(request)
    issue = partial(administration.issue_link_secret, _prefix(request))
    secret, _ = await _done(issue, "key")
    return private_json(answers.LinkSecret(link_secret=secret), 201)


@_operation("DELETE", f"{PATH}/keys/{{id}}", id=PREFIX_ID, status=204)
async def revoke_key(request: Request) -> Response:
    """Revoke an API key immediately."""
    administration = _administration(request)
    await _done(partial(administration.revoke_key, _prefix(request)), "key")
    return Response(status_code=204)


@_operation("GET", f"{PATH}/projects", query=OwnedProjectsPage, gives=answers.OwnedProjects)
async def list_all_projects(request: Request) -> Response:
    """List projects of all users."""
    wanted = OwnedProjectsPage.of(request)
    read = services_of(request).accounts.projects.page
    page = await _listed(request, read, _owner(wanted), wanted.limit, wanted.after)
    return private_json(
        answers.OwnedProjects(projects=[_project(one) for one in page.projects], next=page.next)
    )


@_operation("GET", f"{PATH}/projects/{{id}}", id=PROJECT_ID, gives=answers.OwnedProject)
async def get_any_project(request: Request) -> Response:
    """Read a project of any user."""
    administration = _administration(request)
    found = await _done(partial(administration.project, path_uuid(request, "project")), "project")
    return private_json(_project(found))


@_operation("DELETE", f"{PATH}/projects/{{id}}", id=PROJECT_ID, status=204)
async def delete_any_project(request: Request) -> Response:
    """Remove a project of any user."""
    administration = _administration(request)
    await _done(partial(administration.delete_project, path_uuid(request, "project")), "project")
    return Response(status_code=204)


@_operation("GET", f"{PATH}/audit", query=ListPage, gives=answers.Audit, about="accounts.md#audit")
async def list_audit(request: Request) -> Response:
    """List changes to users, keys and projects, and who made them."""
    wanted = ListPage.of(request)
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
    """Make a change in a thread; raises a 404 if the path names no user or record, otherwise a 400."""
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
    media_type.check_json(request)
    services, owner = services_of(request), caller_of(request).owner
    with await body.receive(request, services, ADMINISTRATION_BYTES, owner) as sent:
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
    return answers.Key.of(_record(key))


def _issued(key: Key, text: str) -> answers.IssuedKey:
    return answers.IssuedKey.of({**_record(key), "key": text})


def _record(key: Key) -> dict[str, Any]:
    granted = key.grant.scopes
    scopes = None if granted is None else [one for one in SCOPES if one in granted]
    given = {"scopes": scopes, "origins": key.grant.origins, "test": key.grant.test}
    return {**asdict(key), "id": key.prefix, "valid": key.valid, **given}


def _project(project: Project) -> answers.OwnedProject:
    return answers.OwnedProject.of(project)
