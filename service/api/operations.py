"""The table of all operations, from which routes and the OpenAPI document are generated."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from service.api import (
    administration,
    catalogue,
    gallery,
    health,
    live_preview,
    pages,
    projects,
    settings_form,
    status,
    uploads,
    web_files,
)
from service.api.mockup import mockup
from service.errors import Code

Endpoint = Callable[[Request], Awaitable[Response]]
Access = Literal["public", "local", "key", "pro", "admin"]

_OWNED = (Code.INVALID_REQUEST, Code.PROJECT_ACCESS_DENIED, Code.PROJECT_NOT_FOUND)
_NAMED = (Code.INVALID_REQUEST, Code.NOT_FOUND)
_BODY = (Code.INVALID_REQUEST, Code.PAYLOAD_TOO_LARGE, Code.UNSUPPORTED_MEDIA_TYPE)
_RENDER = (Code.RENDER_FAILED, Code.SERVER_BUSY, Code.RENDER_TIMEOUT)
_PREVIEW = (
    *_BODY,
    *_RENDER,
    Code.PROJECT_ACCESS_DENIED,
    Code.PROJECT_NOT_FOUND,
    Code.RATE_LIMITED,
    Code.SUPERSEDED,
)


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of a path; `takes` and `gives` name schemas, `errors` adds to the codes of `access`.

    `name` is what generated clients call it. `access` is `local` where this machine needs no key; it is for
    the documentation only: the endpoint itself authenticates, see `api/admission.py`.
    """

    method: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    endpoint: Endpoint
    name: str
    summary: str
    access: Access = "public"
    takes: str | None = None
    gives: str | None = None
    status: int = 200
    errors: tuple[Code, ...] = ()
    listed: bool = True

    @property
    def public(self) -> bool:
        """Whether pages of any site may read the response: public data, not HTML."""
        return self.access == "public" and self.path.startswith("/api/v1/")


OPERATIONS = (
    Operation(
        "POST",
        "/api/v1/mockup",
        mockup,
        "renderMockup",
        "Render a mockup from a screenshot",
        "pro",
        "MockupRequest",
        "Mockup",
        errors=(*_BODY, Code.PROJECT_ACCESS_DENIED, Code.PROJECT_NOT_FOUND, *_RENDER),
    ),
    Operation(
        "POST",
        "/api/v1/previews",
        live_preview.preview,
        "renderPreview",
        "Render a small picture of a mockup that is being composed",
        "key",
        "PreviewRequest",
        "Preview",
        errors=_PREVIEW,
    ),
    Operation(
        "POST",
        "/api/v1/geometry",
        live_preview.shape,
        "describeGeometry",
        "Tell the shape of the device and its place in the picture",
        "key",
        "PreviewRequest",
        "Placement",
        errors=_PREVIEW,
    ),
    Operation(
        "GET",
        "/api/v1/projects",
        projects.listed,
        "listProjects",
        "List saved projects",
        "key",
        gives="Projects",
        errors=(Code.INVALID_REQUEST,),
    ),
    Operation(
        "POST",
        "/api/v1/projects",
        projects.created,
        "saveProject",
        "Save a project",
        "key",
        "ProjectBody",
        "Project",
        201,
        _BODY,
    ),
    Operation(
        "GET",
        "/api/v1/projects/{id}",
        projects.shown,
        "getProject",
        "Read a saved project",
        "key",
        gives="Project",
        errors=_OWNED,
    ),
    Operation(
        "PUT",
        "/api/v1/projects/{id}",
        projects.replaced,
        "replaceProject",
        "Replace a saved project",
        "key",
        "ProjectBody",
        "Project",
        errors=(*_OWNED, *_BODY[1:]),
    ),
    Operation(
        "DELETE",
        "/api/v1/projects/{id}",
        projects.removed,
        "deleteProject",
        "Remove a saved project",
        "key",
        status=204,
        errors=_OWNED,
    ),
    Operation(
        "POST",
        "/api/v1/screenshots",
        uploads.created,
        "uploadScreenshot",
        "Upload a screenshot",
        "pro",
        "Picture",
        "Upload",
        201,
        (*_BODY, Code.SERVER_BUSY, Code.RENDER_TIMEOUT),
    ),
    Operation(
        "GET",
        "/api/v1/screenshots/{id}",
        uploads.shown,
        "getScreenshot",
        "Describe an uploaded screenshot",
        "key",
        gives="Upload",
        errors=(Code.INVALID_REQUEST, Code.NOT_FOUND),
    ),
    Operation(
        "DELETE",
        "/api/v1/screenshots/{id}",
        uploads.removed,
        "deleteScreenshot",
        "Remove an uploaded screenshot",
        "key",
        status=204,
        errors=(Code.INVALID_REQUEST, Code.NOT_FOUND),
    ),
    Operation(
        "GET",
        "/api/v1/devices",
        catalogue.devices,
        "listDevices",
        "List devices",
        gives="Devices",
        errors=(Code.INVALID_REQUEST,),
    ),
    Operation(
        "GET",
        "/api/v1/devices/{id}",
        catalogue.device,
        "getDevice",
        "Describe a device",
        gives="Device",
        errors=(Code.NOT_FOUND,),
    ),
    Operation(
        "GET",
        "/api/v1/devices/{id}/preview.png",
        catalogue.preview,
        "getDevicePicture",
        "Picture of a device",
        gives="Picture",
        errors=(Code.INVALID_REQUEST, Code.NOT_FOUND, *_RENDER),
    ),
    Operation(
        "GET",
        "/api/v1/environments",
        catalogue.environments,
        "listEnvironments",
        "List reflection environments",
        gives="Environments",
    ),
    Operation(
        "GET",
        "/api/v1/environments/{id}/preview.webp",
        catalogue.environment,
        "getEnvironmentPicture",
        "Picture of an environment",
        gives="Thumbnail",
        errors=(Code.NOT_FOUND, *_RENDER),
    ),
    Operation(
        "GET", "/api/v1/presets", catalogue.presets, "listPresets", "List canvas presets", gives="Presets"
    ),
    Operation("GET", "/api/v1/poses", gallery.poses, "listPoses", "List poses", gives="Poses"),
    Operation(
        "GET",
        "/api/v1/poses/{id}/preview.webp",
        gallery.pose,
        "getPosePicture",
        "Picture of a pose",
        gives="Thumbnail",
        errors=(Code.INVALID_REQUEST, Code.NOT_FOUND, *_RENDER),
    ),
    Operation("GET", "/api/v1/looks", gallery.looks, "listLooks", "List looks", gives="Looks"),
    Operation(
        "GET",
        "/api/v1/looks/{id}/preview.webp",
        gallery.look,
        "getLookPicture",
        "Picture of a look",
        gives="Thumbnail",
        errors=(Code.NOT_FOUND, *_RENDER),
    ),
    Operation(
        "GET",
        "/api/v1/settings",
        settings_form.settings,
        "listSettings",
        "List settings for a form",
        gives="Form",
    ),
    Operation(
        "GET", "/api/v1/health", health.alive, "getHealth", "Whether the service is alive", gives="Health"
    ),
    Operation(
        "GET",
        "/api/v1/status",
        status.status,
        "getStatus",
        "Report versions and metrics to administrators",
        "local",
        gives="Status",
        errors=(Code.INVALID_REQUEST, Code.NOT_ALLOWED),
    ),
    Operation(
        "GET",
        "/api/v1/admin/users",
        administration.users,
        "listUsers",
        "List users",
        "admin",
        gives="Users",
        errors=(Code.INVALID_REQUEST,),
    ),
    Operation(
        "POST",
        "/api/v1/admin/users",
        administration.user_added,
        "addUser",
        "Add a user",
        "admin",
        "NewUser",
        "User",
        201,
        _BODY,
    ),
    Operation(
        "GET",
        "/api/v1/admin/users/{id}",
        administration.user,
        "getUser",
        "Describe a user",
        "admin",
        gives="User",
        errors=_NAMED,
    ),
    Operation(
        "DELETE",
        "/api/v1/admin/users/{id}",
        administration.user_removed,
        "removeUser",
        "Remove a user with their keys, projects and uploads",
        "admin",
        status=204,
        errors=_NAMED,
    ),
    Operation(
        "PUT",
        "/api/v1/admin/users/{id}/subscription",
        administration.subscribed,
        "setSubscription",
        "Set the plan of a user",
        "admin",
        "Subscription",
        "User",
        errors=(*_BODY, Code.NOT_FOUND),
    ),
    Operation(
        "GET",
        "/api/v1/admin/keys",
        administration.keys,
        "listKeys",
        "List API keys",
        "admin",
        gives="Keys",
        errors=(Code.INVALID_REQUEST,),
    ),
    Operation(
        "POST",
        "/api/v1/admin/keys",
        administration.key_issued,
        "issueKey",
        "Issue an API key, which is shown this once",
        "admin",
        "NewKey",
        "IssuedKey",
        201,
        _BODY,
    ),
    Operation(
        "GET",
        "/api/v1/admin/keys/{id}",
        administration.key,
        "getKey",
        "Describe an API key",
        "admin",
        gives="Key",
        errors=_NAMED,
    ),
    Operation(
        "DELETE",
        "/api/v1/admin/keys/{id}",
        administration.key_revoked,
        "revokeKey",
        "Revoke an API key immediately",
        "admin",
        status=204,
        errors=_NAMED,
    ),
    Operation(
        "POST",
        "/api/v1/admin/keys/{id}/rotation",
        administration.key_rotated,
        "rotateKey",
        "Issue an API key in place of another, which stays valid for a while",
        "admin",
        "Rotation",
        "RotatedKey",
        201,
        (*_BODY, Code.NOT_FOUND),
    ),
    Operation(
        "GET",
        "/api/v1/admin/projects",
        administration.projects_listed,
        "listAllProjects",
        "List projects of all users",
        "admin",
        gives="OwnedProjects",
        errors=(Code.INVALID_REQUEST,),
    ),
    Operation(
        "GET",
        "/api/v1/admin/projects/{id}",
        administration.project,
        "getAnyProject",
        "Read a project of any user",
        "admin",
        gives="OwnedProject",
        errors=(Code.INVALID_REQUEST, Code.PROJECT_NOT_FOUND),
    ),
    Operation(
        "DELETE",
        "/api/v1/admin/projects/{id}",
        administration.project_deleted,
        "deleteAnyProject",
        "Remove a project of any user",
        "admin",
        status=204,
        errors=(Code.INVALID_REQUEST, Code.PROJECT_NOT_FOUND),
    ),
    Operation(
        "GET",
        "/api/v1/admin/audit",
        administration.audit,
        "listAudit",
        "List who changed what about users, keys and projects",
        "admin",
        gives="Audit",
        errors=(Code.INVALID_REQUEST,),
    ),
    Operation("GET", "/health", health.alive, "checkHealth", "Whether the service is alive", gives="Health"),
    Operation(
        "GET",
        "/health/ready",
        health.ready,
        "checkReadiness",
        "Whether the service takes work",
        gives="Readiness",
    ),
    Operation("GET", "/openapi.json", pages.openapi, "", "This document", listed=False),
    Operation("GET", "/docs", pages.docs, "", "Reference page", listed=False),
    Operation("GET", "/docs/viewer.js", pages.viewer, "", "The reference page's program", listed=False),
    Operation("GET", "/", web_files.studio, "", "Studio page", listed=False),
    Operation("GET", "/status", status.page, "", "Operators' page", listed=False),
    Operation("GET", web_files.PATH, web_files.file, "", "Files of the pages", listed=False),
)


def routes() -> list[Route]:
    """One route per path; other methods get a 405."""
    paths: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = operation
    return [Route(path, _dispatcher(methods), methods=list(methods)) for path, methods in paths.items()]


def _dispatcher(methods: dict[str, Operation]) -> Endpoint:
    async def dispatch(request: Request) -> Response:
        operation = methods["GET" if request.method == "HEAD" else request.method]
        request.state.public = operation.public
        return await operation.endpoint(request)

    return dispatch
