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
from pydantic.alias_generators import to_camel
from starlette.requests import Request
from starlette.responses import Response

from service.accounts.administration import Administration
from service.accounts.audit import Actor, Event
from service.accounts.errors import AccountError, MissingError
from service.accounts.keys import PREFIX, Key
from service.accounts.store import Project, User
from service.api import account_bodies, admission, body, projects, query, schema
from service.api.account_bodies import M, NewKey, NewUser, Rotation, Subscription, moment
from service.api.responses import private_json
from service.api.services import Services, services_of
from service.errors import Code, Detail, MockupError, invalid, refusal

log = structlog.get_logger(__name__)
PATH = "/api/v1/admin"
_MOST_BYTES = 16 * 1024
T = TypeVar("T")


async def users(request: Request) -> Response:
    """A page of all users, oldest first."""
    await admission.require_administrator(request)
    wanted = query.page(request, ("email",))
    read = services_of(request).accounts.users.page
    found, after = await _listed(request, read, wanted.given.get("email"), wanted.limit, wanted.after)
    return private_json({"users": [_user(user) for user in found], "next": after})


async def user_added(request: Request) -> Response:
    """Add a user."""
    administration = await _administration(request)
    sent = await _body(request, NewUser)
    add = partial(administration.add_user, sent.email, sent.plan, moment(sent.until, "until"))
    user = await _done(add)
    return private_json(_user(user), 201, {"Location": f"{PATH}/users/{user.id}"})


async def user(request: Request) -> Response:
    """Describe a user."""
    await admission.require_administrator(request)
    get = services_of(request).accounts.users.get
    return private_json(_user(await _done(partial(get, _id(request, "user")), "user")))


async def subscribed(request: Request) -> Response:
    """Set a user's plan."""
    administration = await _administration(request)
    user_id, sent = _id(request, "user"), await _body(request, Subscription)
    subscribe = partial(administration.subscribe, user_id, sent.plan, moment(sent.until, "until"))
    return private_json(_user(await _done(subscribe, "user")))


async def user_removed(request: Request) -> Response:
    """Remove a user with everything they own."""
    administration = await _administration(request)
    await _done(partial(administration.remove_user, _id(request, "user")), "user")
    return Response(status_code=204)


async def keys(request: Request) -> Response:
    """A page of keys, oldest first."""
    await admission.require_administrator(request)
    wanted = query.page(request, ("userId",))
    read = services_of(request).accounts.keys.page
    found, after = await _listed(request, read, _owner(wanted), wanted.limit, wanted.after)
    return private_json({"keys": [_key(key) for key in found], "next": after})


async def key_issued(request: Request) -> Response:
    """Issue a key, which is shown this once."""
    administration = await _administration(request)
    sent = await _body(request, NewKey)
    user_id, end = account_bodies.user_id(sent.user_id), moment(sent.expires_at, "expiresAt")
    text, key = await _done(partial(administration.issue_key, user_id, sent.name, end))
    return private_json(_key(key) | {"key": text}, 201, {"Location": f"{PATH}/keys/{key.prefix}"})


async def key(request: Request) -> Response:
    """Describe a key."""
    await admission.require_administrator(request)
    find = services_of(request).accounts.keys.find
    return private_json(_key(await _done(partial(find, _prefix(request)), "key")))


async def key_rotated(request: Request) -> Response:
    """Issue a key in place of another, which stays valid for a while."""
    administration = await _administration(request)
    prefix, sent = _prefix(request), await _body(request, Rotation)
    overlap, end = timedelta(seconds=sent.overlap_seconds), moment(sent.expires_at, "expiresAt")
    text, made, old = await _done(partial(administration.rotate_key, prefix, overlap, end), "key")
    both = {"issued": _key(made) | {"key": text}, "replaced": _key(old)}
    return private_json(both, 201, {"Location": f"{PATH}/keys/{made.prefix}"})


async def key_revoked(request: Request) -> Response:
    """Revoke a key immediately."""
    administration = await _administration(request)
    await _done(partial(administration.revoke_key, _prefix(request)), "key")
    return Response(status_code=204)


async def projects_listed(request: Request) -> Response:
    """A page of saved projects, oldest first."""
    await admission.require_administrator(request)
    wanted = query.page(request, ("userId",))
    read = services_of(request).accounts.projects.page
    page = await _listed(request, read, _owner(wanted), wanted.limit, wanted.after)
    return private_json({"projects": [_project(one) for one in page.projects], "next": page.next})


async def project(request: Request) -> Response:
    """Read a project of any user."""
    administration = await _administration(request)
    found = await _done(partial(administration.project, _id(request, "project")), "project")
    return private_json(_project(found))


async def project_deleted(request: Request) -> Response:
    """Delete a project of any user."""
    administration = await _administration(request)
    await _done(partial(administration.delete_project, _id(request, "project")), "project")
    return Response(status_code=204)


async def audit(request: Request) -> Response:
    """A page of the audit, newest first."""
    await admission.require_administrator(request)
    wanted = query.page(request)
    read = services_of(request).accounts.audit.page
    found, after = await _listed(request, read, wanted.limit, wanted.after)
    return private_json({"events": [_event(event) for event in found], "next": after})


async def _administration(request: Request) -> Administration:
    caller = await admission.require_administrator(request)
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
    async with services.listing.turn(request.state.caller.owner):
        return await to_thread.run_sync(read, *arguments)


async def _body(request: Request, model: type[M]) -> M:
    body.check_type(request)
    announced = body.announced_length(request, _MOST_BYTES)
    with await body.read(request, announced, _MOST_BYTES, request.state.caller.owner) as sent:
        return account_bodies.parse((await sent.json_object()).value, model)


def _id(request: Request, noun: str) -> UUID:
    return UUID(schema.path_uuid(request, noun))


def _prefix(request: Request) -> str:
    given: str = request.path_params["id"]
    if not re.fullmatch(PREFIX, given):
        expected = "expected the first 16 characters of a key"
        raise invalid("The key's id is not its prefix", Detail("id", expected))
    return given


def _owner(wanted: query.PageWanted) -> UUID | None:
    given = wanted.given.get("userId")
    return None if given is None else account_bodies.user_id(given)


def _user(user: User) -> dict[str, Any]:
    return {
        "id": str(user.id),
        "email": user.email,
        "plan": user.plan,
        "until": user.until,
        "active": user.pro,
        "createdAt": user.created_at,
    }


def _key(key: Key) -> dict[str, Any]:
    return {
        "id": key.prefix,
        "userId": str(key.user_id),
        "name": key.name,
        "valid": key.valid,
        "createdAt": key.created_at,
        "expiresAt": key.expires_at,
        "revokedAt": key.revoked_at,
        "lastUsedAt": key.last_used_at,
    }


def _project(project: Project) -> dict[str, Any]:
    return projects.record(project) | {"userId": str(project.user_id)}


def _event(event: Event) -> dict[str, Any]:
    return {to_camel(name): value for name, value in asdict(event).items()} | {"id": str(event.id)}
