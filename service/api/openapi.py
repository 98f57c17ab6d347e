"""Generates the OpenAPI 3.1 document from the operations and their models."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from ..devices.device import catalogue
from ..errors import STATUS, Code
from ..settings.poses import POSES
from ..settings.schema import PRESETS, Settings
from ..settings.templates import templates
from ..version import version
from . import answers
from .operation import TAGS, Operation
from .operations import OPERATIONS
from .query import Query
from .response_model import Answer, example
from .schema import Screenshot

Schema = dict[str, Any]
_UUID = {"type": "string", "format": "uuid"}
_REFERENCE = "#/components/schemas/{model}"
_TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
_RANGES = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
# Members that exclude each other: a request has exactly one of them.
_SHOWN = frozenset({"screenshot", "screenshot_url", "screenshot_base64", "devices"})
# OpenAPI 3.1 needs no schema for a file, but client generators recognise files by this schema of 3.0.
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_TITLES = {
    400: "Invalid request",
    401: "No or no valid API key",
    403: "Not allowed",
    404: "Not found",
    409: "In conflict with another request",
    413: "Body too large",
    415: "Wrong Content-Type",
    416: "Range beyond the end",
    429: "Rate limit exceeded",
    500: "Internal error",
    501: "Not available here",
    503: "Busy",
    504: "Timed out",
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
        "tags": [{"name": one.name, "description": one.description} for one in TAGS],
        "paths": paths,
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "An API key"}},
        },
    }


def _operation(operation: Operation) -> Schema:
    key: list[Schema] = [{"key": []}] if operation.access.codes else []
    made: Schema = {
        "operationId": operation.name,
        "tags": [operation.tag.name],
        "summary": operation.summary,
        "responses": _responses(operation),
        # An empty requirement makes the others optional.
        "security": [*key, {}] if operation.access.optional else key,
    }
    if parameters := _parameters(operation):
        made["parameters"] = parameters
    if operation.takes:
        files = {kind: dict(media) or _BINARY for kind, media in operation.takes_files.items()}
        made["requestBody"] = {"required": True, "content": files | _json(operation.takes)}
    return made


def _parameters(operation: Operation) -> list[Schema]:
    made: list[Schema] = []
    if operation.id is not None:
        made.append({"name": "id", "in": "path", "required": True, "schema": operation.id.schema()})
    for name, schema in _query(operation.query or Query).items():
        about = schema.pop("description")
        made.append({"name": name, "in": "query", "schema": schema, "description": about})
    for one in operation.headers:
        schema = dict(one.schema)
        made.append({"name": one.name, "in": "header", "schema": schema, "description": one.about})
    return made


def _query(model: type[Query]) -> dict[str, Schema]:
    """The schema of each parameter; a missing parameter is not null."""
    properties: dict[str, Schema] = _bare(model.model_json_schema())["properties"]
    for name, schema in properties.items():
        if "anyOf" in schema:
            properties[name] = {**schema.pop("anyOf")[0], **schema}
    return properties


def _responses(operation: Operation) -> Schema:
    content: Schema = dict.fromkeys(operation.gives_files, _BINARY)
    if operation.gives is not None:
        content = _json(operation.gives) | content
    success: Schema = {"description": operation.summary}
    made: dict[str, Schema] = {str(operation.status): success | ({"content": content} if content else {})}
    codes = operation.codes
    for status in sorted({STATUS[code] for code in codes}):
        names = sorted(code for code in codes if STATUS[code] == status)
        content = _json(answers.RateLimited)
        if status != 429:
            shown = {code.value: {"value": _error(code)} for code in names}
            content = {"application/json": {"schema": _reference(answers.Error), "examples": shown}}
        made[str(status)] = {"description": f"{_TITLES[status]}: {', '.join(names)}", "content": content}
    for status, (about, model) in operation.otherwise.items():
        made[str(status)] = {"description": about, "content": _json(model)}
    if operation.path.startswith("/api/v1/"):
        for response in made.values():
            response["headers"] = dict(_LIMIT_HEADERS)
    return made


def _error(code: Code) -> Schema:
    """An example of a response with an error."""
    shown: Schema = {"code": code, "message": "What is wrong, and what can be done"}
    if code is Code.INVALID_REQUEST:
        detail = {"path": "settings.shadow.blr", "message": "unknown member; did you mean blur?"}
        shown = {"code": code, "message": f"{detail['path']}: {detail['message']}", "details": [detail]}
    return {"success": False, "error": shown}


def _json(model: type[BaseModel]) -> Schema:
    return {"application/json": {"schema": _reference(model), "example": example(model)}}


def _reference(model: type[BaseModel]) -> Schema:
    return _named(model.__name__)


def _named(model: str) -> Schema:
    return {"$ref": _REFERENCE.format(model=model)}


def _bare(schema: Any) -> Any:
    """A schema without titles, examples and defaults that have no meaning.

    `x-schema` names a model of requests, whose schema is in the same document.
    """
    if isinstance(schema, list):
        return [_bare(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "x-schema" in schema:
        return _named(schema["x-schema"])
    left = {
        key: {name: _bare(item) for name, item in value.items()}
        if key in ("properties", "$defs")
        else _bare(value)
        for key, value in schema.items()
        if key not in ("title", "examples") and (key, value) != ("default", None)
    }
    return left


def _ranged(schema: Any) -> Any:
    """A copy of a schema whose ranges have JSON Schema's names.

    For values with validators, in lists and for optional values, Pydantic uses Python's names.
    """
    if isinstance(schema, list):
        return [_ranged(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {_RANGES.get(name, name): _ranged(value) for name, value in schema.items()}


def _answers() -> dict[str, Schema]:
    """The schemas of all responses."""
    given = [one.gives for one in OPERATIONS if one.gives]
    given += [model for one in OPERATIONS for _, model in one.otherwise.values()]
    models: list[type[Answer]] = [answers.Error, answers.RateLimited, *given]
    _, made = models_json_schema(
        [(model, "serialization") for model in dict.fromkeys(models)], ref_template=_REFERENCE
    )
    schemas: dict[str, Schema] = _bare(made)["$defs"]
    return schemas


def _schemas() -> dict[str, Any]:
    models = dict.fromkeys(one.takes for one in OPERATIONS if one.takes) | {Settings: None}
    _, made = models_json_schema([(model, "validation") for model in models], ref_template=_REFERENCE)
    schemas: dict[str, Any] = _ranged(made["$defs"])
    settings = _reference(Settings)
    rendered = ("MockupRequest", "PreviewRequest", "FilmBody", "FilmStillsBody")
    for name in ("ProjectBody", *rendered):
        schemas[name]["properties"]["settings"] = settings
    for name in rendered:
        schemas[name]["properties"]["projectId"]["anyOf"] = [_UUID, {"type": "null"}]
    for name in ("FilmBody", "FilmStillsBody"):
        schemas[name]["oneOf"] = [_only("recording", "screenshot"), _only("screenshot", "recording")]
    schemas["UploadedScreenshot"]["properties"]["src"] |= _UUID
    schemas["BackgroundImage"] |= _by_type("screenshot", has=(), lacks=("src",))
    for name in ("SceneScreenshot", "PreviewedScreenshot"):
        schemas[name] |= _by_type("same", has=("index",), lacks=("src",))
    mockup, preview = schemas.pop("MockupRequest"), schemas.pop("PreviewRequest")
    shot, single = _reference(Screenshot), _constant("screenshot")
    forms = {
        "MockupRequest": {
            "ScreenshotRequest": _form(mockup, "screenshot", screenshot=shot, type=single),
            "UrlRequest": _form(mockup, "screenshot_url", screenshot_url=_TEXT),
            "Base64Request": _form(mockup, "screenshot_base64", screenshot_base64=_TEXT),
            "SceneRequest": _scene(mockup),
        },
        "PreviewRequest": {
            "ScreenshotPreview": _form(preview, "screenshot"),
            "ScenePreview": _scene(preview),
        },
    }
    requests = {
        name: {"description": whole["description"], "oneOf": [_named(form) for form in forms[name]]}
        for name, whole in (("MockupRequest", mockup), ("PreviewRequest", preview))
    }
    for name in ("Settings", "ShownDevice", "PreviewedDevice", "FilmedDevice", "FilmedStillDevice"):
        device = schemas[name]["properties"]["device"]
        named, described = device.pop("oneOf")
        device["anyOf"] = [{**named, "enum": [*catalogue(), "auto"]}, described, {"type": "null"}]
    schemas["Canvas"]["properties"]["preset"]["anyOf"][0]["enum"] = list(PRESETS)
    for name in ("DeviceTransform", "OwnTransform"):
        schemas[name]["properties"]["pose"]["anyOf"][0]["enum"] = list(POSES)
    for name, schema in schemas.items():
        if name not in {"ProjectBody", "Screenshot", "UploadBody", "UploadedScreenshot"}:
            required = schema.get("required", ())
            schema["properties"] = {
                key: value if key in required else _nullable(value)
                for key, value in schema["properties"].items()
            }
    return {**requests, **forms["MockupRequest"], **forms["PreviewRequest"], **schemas, **_answers()}


def _form(whole: Schema, shown: str, **required: Schema) -> Schema:
    """One form of a request: the member `shown` is required, those of other forms are null or missing.

    Each form is a complete schema, since client generators do not combine a schema from parts.
    """
    common = {name: _nullable(deepcopy(schema)) for name, schema in whole["properties"].items()}
    common["type"] |= {"anyOf": [_constant("screenshot"), {"type": "null"}]}
    nulls: dict[str, Schema] = {name: {"type": "null"} for name in sorted(_SHOWN & set(common) - {shown})}
    about = {
        name: {**schema, "description": whole["properties"][name]["description"]}
        for name, schema in required.items()
        if "$ref" not in schema
    }
    made: Schema = {
        "type": "object",
        "additionalProperties": False,
        "properties": common | nulls | required | about,
    }
    return made | ({"required": list(required)} if required else {})


def _scene(whole: Schema) -> Schema:
    """The form of a request for a scene, which says that it is one, or has a template."""
    devices, text = whole["properties"]["devices"]["anyOf"][0], whole["properties"]["type"]["description"]
    made = _form(whole, "devices", devices=devices)
    made["properties"]["type"] = {"anyOf": [_constant("scene"), {"type": "null"}], "description": text}
    said = {"required": ["type"], "properties": {"type": _constant("scene")}}
    laid = {"required": ["template"], "properties": {"template": {"enum": list(templates())}}}
    return made | {"anyOf": [said, laid]}


def _constant(text: str) -> Schema:
    return {"type": "string", "const": text}


def _only(required: str, missing: str) -> Schema:
    """An object with one of two members; the other is null or missing."""
    properties = {required: {"not": {"type": "null"}}, missing: {"type": "null"}}
    return {"required": [required], "properties": properties}


def _by_type(type: str, has: tuple[str, ...], lacks: tuple[str, ...]) -> Schema:
    """The condition that an object has the members `has` and not `lacks` if its type is `type`, and the
    reverse otherwise."""

    def members(has: tuple[str, ...], lacks: tuple[str, ...]) -> Schema:
        given: Schema = {name: {"not": {"type": "null"}} for name in has}
        return {"required": list(has), "properties": given | {name: {"type": "null"} for name in lacks}}

    return {
        "if": {"properties": {"type": {"const": type}}},
        "then": members(has, lacks),
        "else": members(lacks, has),
    }


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """A copy of the schema that allows null to restore the default.

    A group's default is left out: it follows from its members, and client generators cannot express it.
    """
    if isinstance(schema.get("default"), dict):
        del schema["default"]
    if {"type": "null"} in schema.get("anyOf", []):
        return schema
    outer: dict[str, Any] = {
        key: schema.pop(key) for key in ("title", "description", "default") if key in schema
    }
    return {**outer, "anyOf": [schema, {"type": "null"}]}
