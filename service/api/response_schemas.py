"""JSON Schemas of the responses."""

from __future__ import annotations

from typing import Any, get_args

from pydantic.alias_generators import to_camel

from service.api.settings_form import KINDS
from service.devices.device import Category
from service.errors import Code
from service.settings.formats import WRITTEN
from service.settings.poses import Framing, Turn
from service.settings.warnings import CODES

Schema = dict[str, Any]
_TEXT: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer"}
_FLAG: Schema = {"type": "boolean"}


def _object(properties: dict[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


_VIEW = _object(
    {to_camel(name): {"type": "number"} for name in Turn._fields if name != "framing"}
    | {"framing": {"enum": list(get_args(Framing))}}
)
_NUMBER: Schema = {"type": "number"}
_UUID: Schema = {"type": "string", "format": "uuid"}
_MOMENT: Schema = {"type": "string", "format": "date-time"}
_MOMENT_OR_NULL: Schema = {"type": ["string", "null"], "format": "date-time"}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_NEXT: Schema = {"type": ["string", "null"], "description": "The value of `after` for the next page"}
_PROJECT: dict[str, Schema] = {
    "id": _UUID,
    "name": _TEXT,
    "settings": {"type": "object"},
    "createdAt": _MOMENT,
    "updatedAt": _MOMENT,
}
_KEY: dict[str, Schema] = {
    "id": _TEXT | {"description": "Its first 16 characters"},
    "userId": _UUID,
    "name": _TEXT_OR_NULL,
    "valid": _FLAG | {"description": "Neither revoked nor expired"},
    "createdAt": _MOMENT,
    "expiresAt": _MOMENT_OR_NULL,
    "revokedAt": _MOMENT_OR_NULL,
    "lastUsedAt": _MOMENT_OR_NULL | {"description": "To within a minute"},
}


def _tuple(items: Schema, count: int) -> Schema:
    return {"type": "array", "items": items, "minItems": count, "maxItems": count}


_POINT, _VECTOR = _tuple(_NUMBER, 2), _tuple(_NUMBER, 3)
_DETAIL = _object({"path": _TEXT, "message": _TEXT})
_CODES = [code for code in Code if code is not Code.RATE_LIMITED]

SCHEMAS: dict[str, Schema] = {
    "Mockup": _object(
        {
            "success": {"const": True},
            "image": _object(
                {
                    "data": {"type": "string", "contentEncoding": "base64"},
                    "mimeType": {"enum": [one.mime for one in WRITTEN]},
                    "width": _WHOLE,
                    "height": _WHOLE,
                }
            ),
            "duration": {"type": "integer", "description": "Render time in milliseconds"},
            "device": {"type": "string", "description": "The id of the device used"},
            "warnings": _list(_object({"code": {"enum": list(CODES)}, "message": _TEXT})),
            "geometry": _reference("Geometry"),
        },
        ("geometry",),
    ),
    "Project": _object(_PROJECT),
    "Projects": _object({"projects": _list(_reference("Project")), "next": _NEXT}),
    "OwnedProject": _object(_PROJECT | {"userId": _UUID}),
    "OwnedProjects": _object({"projects": _list(_reference("OwnedProject")), "next": _NEXT}),
    "User": _object(
        {
            "id": _UUID,
            "email": _TEXT,
            "plan": _TEXT,
            "until": _MOMENT_OR_NULL,
            "active": _FLAG | {"description": "Whether the user may render"},
            "createdAt": _MOMENT,
        }
    ),
    "Users": _object({"users": _list(_reference("User")), "next": _NEXT}),
    "Key": _object(_KEY),
    "Keys": _object({"keys": _list(_reference("Key")), "next": _NEXT}),
    "IssuedKey": _object(_KEY | {"key": _TEXT | {"description": "The key itself, shown this once"}}),
    "RotatedKey": _object({"issued": _reference("IssuedKey"), "replaced": _reference("Key")}),
    "Audit": _object({"events": _list(_reference("AuditEvent")), "next": _NEXT}),
    "AuditEvent": _object(
        {
            "id": _UUID,
            "at": _MOMENT,
            "actor": _TEXT | {"description": "An administrator's e-mail address, or the command line's user"},
            "keyPrefix": _TEXT_OR_NULL,
            "requestId": _TEXT_OR_NULL,
            "action": _TEXT | {"description": "Such as keys.issue"},
            "target": _TEXT | {"description": "An e-mail address, a key's first 16 characters or an id"},
            "details": {"type": "object"},
        }
    ),
    "Upload": _object(
        {
            "id": {"type": "string", "format": "uuid"},
            "width": _WHOLE,
            "height": _WHOLE,
            "expiresAt": {"type": "string", "format": "date-time"},
        }
    ),
    "Device": _object(
        {
            "id": _TEXT,
            "name": _TEXT,
            "aliases": _list(_TEXT),
            "brand": {"type": ["string", "null"]},
            "category": _TEXT,
            "year": {"type": ["integer", "null"]},
            "screen": _reference("ScreenSize"),
            "finishes": _list(_object({"name": _TEXT, "hex": _TEXT, "preview": _TEXT})),
            "orientations": _list({"enum": ["portrait", "landscape"]}),
            "approximate": {
                "type": "array",
                "items": _TEXT,
                "description": "What is estimated rather than measured, such as body",
            },
            "preview": _TEXT,
        }
    ),
    "ScreenSize": _object(
        {
            "width": _WHOLE,
            "height": _WHOLE,
            "fitted": {
                "type": "boolean",
                "description": "Whether it takes the screenshot's shape, and the size is an example",
            },
        }
    ),
    "Devices": _object({"devices": _list(_reference("Device"))}),
    "Environments": _object(
        {
            "environments": _list(
                _object({"id": _TEXT, "description": _TEXT, "preview": {"type": ["string", "null"]}})
            )
        }
    ),
    "Looks": _object(
        {
            "looks": _list(
                _object(
                    {
                        "id": _TEXT,
                        "name": _TEXT,
                        "description": _TEXT,
                        "settings": _reference("Settings"),
                        "preview": _TEXT,
                    }
                )
            )
        }
    ),
    "Presets": _object({"presets": _list(_object({"id": _TEXT, "width": _WHOLE, "height": _WHOLE}))}),
    "Poses": _object(
        {
            "poses": _list(
                _object(
                    {
                        "id": _TEXT,
                        "description": _TEXT,
                        "preview": _TEXT,
                        "views": _object(dict.fromkeys(get_args(Category), _VIEW)),
                    }
                )
            )
        }
    ),
    "Geometry": _object(
        {
            "width": _WHOLE | {"description": "Of the picture, px; all px count from its top left corner"},
            "height": _WHOLE,
            "k": _NUMBER | {"description": "px per mm at the pivot, the middle of the device"},
            "D": _NUMBER | {"description": "Distance of the camera from the pivot, mm"},
            "center": _POINT | {"description": "The pivot, px"},
            "turn": _tuple(_NUMBER, 9) | {"description": "From mm of the device to view mm, row by row"},
            "body": _tuple(_POINT, 8)
            | {
                "description": "Corners of the body's box, px: of the front clockwise from the top left, "
                "then of the back"
            },
            "box": _tuple(_NUMBER, 4)
            | {"description": "Box of the silhouette: left, top, width, height, px"},
            "screens": _list(
                _object(
                    {
                        "corners": _tuple(_POINT, 4)
                        | {"description": "px, clockwise from the screenshot's top left"},
                        "homography": _tuple(_NUMBER, 9)
                        | {
                            "description": "From fractions of the whole screen (right, down, 1) to px, row "
                            "by row"
                        },
                        "hidden": _NUMBER | {"description": "Share of the screen that is not seen"},
                    }
                )
            ),
        }
    ),
    "Shape": _object(
        {
            "body": _VECTOR | {"description": "Width, height and depth, mm"},
            "portrait": _FLAG | {"description": "Whether the device naturally stands upright"},
            "turned": _FLAG | {"description": "Whether the picture has it turned by a quarter"},
            "points": _list(_VECTOR) | {"description": "Points whose convex hull is the body's, mm"},
            "screens": _list(_object({"corners": _tuple(_VECTOR, 4)})),
        }
    ),
    "Placement": _object({"geometry": _reference("Geometry"), "shape": _reference("Shape")}),
    "Form": _object(
        {
            "groups": _list(_object({"id": _TEXT, "title": _TEXT, "description": _TEXT})),
            "settings": _list(_reference("FormSetting")),
        }
    ),
    "FormSetting": _object(
        {
            "path": _TEXT | {"description": "The member of settings, such as shadow.blur"},
            "group": _TEXT,
            "title": _TEXT,
            "description": _TEXT,
            "kind": {"enum": list(KINDS)},
            "default": {"description": "null if it has none"},
            "minimum": _NUMBER,
            "maximum": _NUMBER,
            "step": _NUMBER | {"description": "What an arrow key changes"},
            "unit": {"type": ["string", "null"], "description": "What stands behind the number"},
            "alpha": _FLAG | {"description": "Whether the colour may be translucent"},
            "keywords": _list(_TEXT) | {"description": "What a colour may be besides hex"},
            "options": _list(_object({"value": _TEXT, "title": _TEXT})),
            "maxLength": _WHOLE,
            "list": _TEXT | {"description": "Where names are listed; finishes are those of the device"},
            "described": _list(_reference("FormSetting"))
            | {"description": "The members of the object that it may also be, which describes a device"},
            "required": _FLAG | {"description": "Whether such an object must have it"},
            "when": {
                "type": "object",
                "additionalProperties": {"type": "array", "items": {}},
                "description": "Other settings, and the values that they must have for this to matter",
            },
            "categories": _list({"enum": list(get_args(Category))})
            | {"description": "Device categories that it matters for; default: all"},
        },
        (
            *("minimum", "maximum", "step", "unit", "alpha", "keywords", "options", "maxLength"),
            *("list", "described", "required", "when", "categories"),
        ),
    ),
    "Health": _object({"status": {"const": "ok"}, "version": _TEXT}),
    "Status": _object(
        {
            "versions": {"type": "object", "additionalProperties": _TEXT},
            "metrics": _list(
                _object(
                    {
                        "name": _TEXT,
                        "type": _TEXT,
                        "help": _TEXT,
                        "samples": _list(
                            _object(
                                {
                                    "name": _TEXT,
                                    "labels": {"type": "object", "additionalProperties": _TEXT},
                                    "value": _NUMBER | {"description": "As in Prometheus' format"},
                                }
                            )
                        ),
                    }
                )
            ),
        }
    ),
    "Readiness": _object(
        {
            "status": {"enum": ["ready", "unavailable"]},
            "checks": {"type": "object", "additionalProperties": _FLAG},
            "degraded": _list({"enum": ["sharedLimits"]})
            | {"description": "What works less well; sharedLimits: each instance counts requests for itself"},
        }
    ),
    "Error": _object(
        {
            "success": {"const": False},
            "error": _object(
                {"code": {"enum": _CODES}, "message": _TEXT, "details": _list(_DETAIL)}, ("details",)
            ),
        }
    ),
    "RateLimited": _object(
        {
            "success": {"const": False},
            "error": {"const": "Too Many Requests"},
            "code": {"const": Code.RATE_LIMITED},
            "message": _TEXT,
            "retryAfter": {"type": "integer", "minimum": 1},
        }
    ),
}
