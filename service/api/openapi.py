"""Generates the OpenAPI 3.1 document from the table of operations and the models."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from service.accounts.keys import PREFIX
from service.accounts.pages import NEXT, PAGE
from service.api.account_bodies import NewKey, NewUser, Rotation, Subscription
from service.api.catalogue import FILTERS, MOST_PIXELS, SIZES, VIEWS, brands, categories
from service.api.examples import error, examples
from service.api.multipart import NAME
from service.api.operations import OPERATIONS, Operation
from service.api.response_schemas import SCHEMAS
from service.api.schema import PREVIEWS, MockupRequest, PreviewRequest, ProjectBody, UploadBody
from service.devices.device import catalogue
from service.errors import STATUS, Code
from service.settings.formats import FORMATS, READ, WRITTEN
from service.settings.looks import LOOKS
from service.settings.poses import POSES
from service.settings.schema import ENVIRONMENTS, PRESETS, Settings
from service.validation.names import LONGEST
from service.version import version

_UUID = {"type": "string", "format": "uuid"}
_FILE = {"type": "string", "contentMediaType": "application/octet-stream"}
# OpenAPI 3.1 needs no schema for a file, but generators of clients know files by this one of 3.0.
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_FORM_FILE = {"type": "object", "properties": {NAME: _FILE}, "required": [NAME]}
_PICTURES = {
    **{one.mime: _BINARY for one in READ},
    "application/octet-stream": _BINARY,
    "multipart/form-data": {"schema": _FORM_FILE},
}
_TITLES = {
    400: "Invalid request",
    401: "No or no valid API key",
    403: "Not allowed",
    404: "Not found",
    409: "Superseded by a newer request",
    413: "Body too large",
    415: "Wrong Content-Type",
    429: "Rate limit exceeded",
    500: "Internal error",
    503: "Busy",
    504: "Timed out",
}
# Lists that come in pages, and what limits them besides their number of items.
_PAGES = {
    "Projects": "; fewer if their settings are large",
    "OwnedProjects": "; fewer if their settings are large",
    "Users": "",
    "Keys": "",
    "Audit": "",
}
# An empty requirement makes the others optional.
_SECURITY: dict[str, list[dict[str, Any]]] = {"public": [], "local": [{"key": []}, {}]}
# What operations are about, and where their paths begin.
_TAGS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Mockups": (
        "Pictures of screenshots on devices",
        ("/api/v1/mockup", "/api/v1/previews", "/api/v1/geometry"),
    ),
    "Screenshots": ("Uploads that several pictures are made of", ("/api/v1/screenshots",)),
    "Projects": ("Saved settings", ("/api/v1/projects",)),
    "Catalogue": ("Devices, poses, looks and everything else to choose from; public", ("/api/v1/",)),
    "Administration": ("Users, keys and projects of all, for administrators", ("/api/v1/admin",)),
    "Operation": ("For those who run the service", ("/health", "/api/v1/health", "/api/v1/status")),
}
_LIMIT_HEADERS = {
    name: {"description": text, "schema": {"type": "integer"}}
    for name, text in {
        "X-RateLimit-Limit": "Maximum requests per window",
        "X-RateLimit-Remaining": "Requests left in the current window",
        "X-RateLimit-Reset": "Unix seconds at which the limit resets",
    }.items()
}


def document() -> dict[str, Any]:
    """The document as a JSON object."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        if operation.listed:
            paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Device mockups",
            "version": version(),
            "description": "Renders a screenshot inside a device frame.",
        },
        "servers": [{"url": "/", "description": "The server that this document came from"}],
        "tags": [{"name": name, "description": text} for name, (text, _) in _TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "An API key"}},
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    made: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [_tag(operation.path)],
        "summary": operation.summary,
        "responses": _responses(operation),
    }
    made["security"] = _SECURITY.get(operation.access, [{"key": []}])
    if parameters := _parameters(operation):
        made["parameters"] = parameters
    if operation.takes:
        content = _PICTURES | _json("UploadBody") if operation.takes == "Picture" else _json(operation.takes)
        made["requestBody"] = {"required": True, "content": content}
    return made


def _tag(path: str) -> str:
    """The tag whose beginning fits a path best."""
    fitting = {name: [one for one in begins if path.startswith(one)] for name, (_, begins) in _TAGS.items()}
    return max(fitting, key=lambda name: max(map(len, fitting[name]), default=0))


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    schema: dict[str, Any]
    if "{id}" in operation.path:
        schema = _names_in(operation.path) or _UUID
        made.append({"name": "id", "in": "path", "required": True, "schema": schema})
    if operation.gives == "Mockup":
        schema = {"type": "string", "enum": ["json", "raw"], "default": "json"}
        text = "json for a JSON response, raw for the image itself"
        made.append({"name": "output", "in": "query", "schema": schema, "description": text})
    if operation.gives == "Devices":
        number = {"type": "integer", "minimum": 1, "maximum": MOST_PIXELS}
        schemas: dict[str, dict[str, Any]] = {
            "category": {"type": "string", "enum": list(categories())},
            "brand": {"type": "string", "enum": list(brands())},
            "q": {"type": "string", "minLength": 1, "maxLength": LONGEST},
            "width": number,
            "height": number,
        }
        for name, text in FILTERS.items():
            made.append({"name": name, "in": "query", "schema": schemas[name], "description": text})
    if operation.gives == "Picture":
        text = "the name of one of the device's finishes; its first by default"
        made.append({"name": "finish", "in": "query", "schema": {"type": "string"}, "description": text})
        schema = {"type": "integer", "enum": list(SIZES), "default": SIZES[-1]}
        made.append({"name": "size", "in": "query", "schema": schema, "description": "pixels a side"})
        schema = {"type": "string", "enum": list(VIEWS), "default": VIEWS[0]}
        made.append({"name": "view", "in": "query", "schema": schema, "description": "the side that is seen"})
    if "/poses/" in operation.path:
        schema = {"type": "string", "enum": list(categories()), "default": "phone"}
        text = "the category of the device that is shown"
        made.append({"name": "category", "in": "query", "schema": schema, "description": text})
    if operation.gives in _PAGES:
        number = {"type": "integer", "minimum": 1, "maximum": PAGE, "default": PAGE}
        text = "maximum number of items" + _PAGES[operation.gives]
        made.append({"name": "limit", "in": "query", "schema": number, "description": text})
        cursor = {"type": "string", "pattern": f"^{NEXT}$"}
        text = "`next` of the previous page"
        made.append({"name": "after", "in": "query", "schema": cursor, "description": text})
    if operation.gives == "Users":
        schema = {"type": "string"}
        text = "only the user with this e-mail address"
        made.append({"name": "email", "in": "query", "schema": schema, "description": text})
    if operation.gives in ("Keys", "OwnedProjects"):
        text = "only those of the user with this id"
        made.append({"name": "userId", "in": "query", "schema": _UUID, "description": text})
    return made


def _names_in(path: str) -> dict[str, Any] | None:
    """The schema of the name in a path, or None if it has an id."""
    if "/keys/" in path:
        return {"type": "string", "pattern": f"^{PREFIX}$"}
    listed = {"/devices/": catalogue(), "/environments/": ENVIRONMENTS, "/poses/": POSES, "/looks/": LOOKS}
    names = next((list(names) for part, names in listed.items() if part in path), None)
    return None if names is None else {"type": "string", "examples": names}


def _responses(operation: Operation) -> dict[str, Any]:
    success: dict[str, Any] = {"description": operation.summary}
    if operation.gives == "Picture":
        success["content"] = {"image/png": _BINARY}
    elif operation.gives == "Thumbnail":
        success["content"] = {"image/webp": _BINARY}
    elif operation.gives == "Preview":
        success["content"] = {FORMATS[name].mime: _BINARY for name in PREVIEWS}
    elif operation.gives:
        success["content"] = _json(operation.gives)
    if operation.gives == "Mockup":
        success["content"] |= {one.mime: _BINARY for one in WRITTEN}
    made = {str(operation.status): success}
    codes = set(operation.errors)
    if operation.access != "public":
        codes |= {Code.MISSING_AUTH, Code.INVALID_API_KEY}
    if operation.access == "admin":
        codes |= {Code.NOT_ALLOWED, Code.RATE_LIMITED}
    if operation.access == "pro":
        codes |= {Code.RATE_LIMITED, Code.SUBSCRIPTION_REQUIRED}
    if operation.takes in ("ProjectBody", "Picture"):
        codes.add(Code.RATE_LIMITED)
    for status in sorted({STATUS[code] for code in codes}):
        names = sorted(code for code in codes if STATUS[code] == status)
        content = _json("RateLimited")
        if status != 429:
            shown = {code.value: {"value": error(code)} for code in names}
            content = {"application/json": {"schema": _reference("Error"), "examples": shown}}
        made[str(status)] = {"description": f"{_TITLES[status]}: {', '.join(names)}", "content": content}
    if operation.gives == "Readiness":
        made["503"] = {"description": "Not ready", "content": _json("Readiness")}
    if operation.path.startswith("/api/v1/"):
        for response in made.values():
            response["headers"] = dict(_LIMIT_HEADERS)
    return made


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": _reference(name), "example": examples()[name]}}


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _schemas() -> dict[str, Any]:
    models: list[type[BaseModel]] = [MockupRequest, PreviewRequest, ProjectBody, UploadBody, Settings]
    models += [NewUser, Subscription, NewKey, Rotation]
    _, made = models_json_schema(
        [(model, "validation") for model in models], ref_template="#/components/schemas/{model}"
    )
    schemas: dict[str, Any] = deepcopy(made["$defs"])
    settings = {"$ref": "#/components/schemas/Settings"}
    schemas["MockupRequest"]["properties"]["settings"] = settings
    schemas["ProjectBody"]["properties"]["settings"] = settings
    schemas["PreviewRequest"]["properties"]["settings"] = settings
    for name in ("MockupRequest", "PreviewRequest"):
        schemas[name]["properties"]["projectId"]["anyOf"] = [_UUID, {"type": "null"}]
    schemas["UploadedScreenshot"]["properties"]["src"] |= _UUID
    whole = schemas.pop("MockupRequest")
    text, kind = {"type": "string", "minLength": 1}, {"type": "string", "const": "screenshot"}
    forms = {
        "ScreenshotRequest": _form(whole, screenshot=_reference("Screenshot"), type=kind),
        "UrlRequest": _form(whole, screenshot_url=text),
        "Base64Request": _form(whole, screenshot_base64=text),
    }
    request = {"description": whole["description"], "oneOf": [_reference(name) for name in forms]}
    device = schemas["Settings"]["properties"]["device"]
    named, described = device.pop("oneOf")
    device["anyOf"] = [{**named, "enum": [*catalogue(), "auto"]}, described, {"type": "null"}]
    schemas["Canvas"]["properties"]["preset"]["anyOf"][0]["enum"] = list(PRESETS)
    schemas["DeviceTransform"]["properties"]["pose"]["anyOf"][0]["enum"] = list(POSES)
    for name, schema in schemas.items():
        if name not in {"ProjectBody", "Screenshot", "UploadBody", "UploadedScreenshot"}:
            required = schema.get("required", ())
            schema["properties"] = {
                key: value if key in required else _nullable(value)
                for key, value in schema["properties"].items()
            }
    return {"MockupRequest": request, **forms, **schemas, **SCHEMAS}


def _form(whole: dict[str, Any], **required: dict[str, Any]) -> dict[str, Any]:
    """One form of a request for a mockup: its members required, the other forms' members null or missing.

    Each is whole, since generators of clients do not put a schema together from parts.
    """
    others = {"screenshot", "screenshot_url", "screenshot_base64"} - set(required)
    nulls: dict[str, Any] = {name: {"type": "null"} for name in sorted(others)}
    common = {name: _nullable(deepcopy(schema)) for name, schema in whole["properties"].items()}
    about = {
        name: {**schema, "description": whole["properties"][name]["description"]}
        for name, schema in required.items()
        if "$ref" not in schema
    }
    properties = common | nulls | required | about
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": list(required),
    }


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """The same schema, allowing null to restore the default.

    A group's default is left out: it is that of its members, and generators of clients cannot make it.
    """
    if isinstance(schema.get("default"), dict):
        del schema["default"]
    if {"type": "null"} in schema.get("anyOf", []):
        return schema
    outer: dict[str, Any] = {
        key: schema.pop(key) for key in ("title", "description", "default") if key in schema
    }
    return {**outer, "anyOf": [schema, {"type": "null"}]}
