"""An example of every request body and response, by the name of its schema."""

from __future__ import annotations

from functools import cache
from typing import Any

from service.api import catalogue, gallery
from service.api.settings_form import form
from service.devices.device import catalogue as devices
from service.errors import Code
from service.settings.looks import LOOKS
from service.settings.poses import POSES
from service.settings.schema import PRESETS
from service.version import version

Example = dict[str, Any]
_ID = "3f2b8c1e-7a4d-4f0e-9c55-2d1b6a7e8f90"
_TIME = "2026-11-22T10:00:00+00:00"
# A white pixel.
_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC"
_SETTINGS: Example = {
    "device": "pixel-9-pro",
    "deviceTransform": {"pose": "hero-left"},
    "appearance": {"backgroundColor": "#E8EDF6"},
}
_GEOMETRY: Example = {
    "width": 960,
    "height": 540,
    "k": 2.815508,
    "D": 357.894,
    "center": [480.0, 270.0],
    "turn": [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    "body": [
        *([378.17, 56.94], [581.83, 56.94], [581.83, 483.06], [378.17, 483.06]),
        *([380.49, 61.8], [579.51, 61.8], [579.51, 478.2], [380.49, 478.2]),
    ],
    "box": [377.76, 57.56, 204.49, 424.87],
    "screens": [
        {
            "corners": [[385.19, 63.88], [574.81, 63.88], [574.81, 476.12], [385.19, 476.12]],
            "homography": [189.614, 0.0, 385.193, 0.0, 412.24, 63.8801, 0.0, 0.0, 1.0],
            "hidden": 0.0,
        }
    ],
}
_SHAPE: Example = {
    "body": [71.5, 149.6, 8.25],
    "portrait": True,
    "turned": False,
    "points": [[35.75, 0.0, 0.0], [-35.75, 0.0, 0.0], [0.0, 74.8, 0.0], [0.0, -74.8, 0.0]],
    "screens": [
        {"corners": [[-33.2, 72.2, 4.1], [33.2, 72.2, 4.1], [33.2, -72.2, 4.1], [-33.2, -72.2, 4.1]]}
    ],
}
_EMAIL, _PREFIX = "ada@example.com", "sk_live_Zk3v9QaL"
_USER: Example = {
    "id": _ID,
    "email": _EMAIL,
    "plan": "pro",
    "until": None,
    "active": True,
    "createdAt": _TIME,
}
_KEY: Example = {
    "id": _PREFIX,
    "userId": _ID,
    "name": "build server",
    "valid": True,
    "createdAt": _TIME,
    "expiresAt": None,
    "revokedAt": None,
    "lastUsedAt": None,
}
_EVENT: Example = {
    "id": _ID,
    "at": _TIME,
    "actor": "ops@example.com",
    "keyPrefix": "sk_live_tQ81mZpd",
    "requestId": "1f0c6c1d8e5b4a0f9c7d2b3a4e5f6071",
    "action": "keys.issue",
    "target": _PREFIX,
    "details": {"user": _EMAIL, "name": "build server"},
}
_PROJECT = {"id": _ID, "name": "Launch", "settings": _SETTINGS, "createdAt": _TIME, "updatedAt": _TIME}


@cache
def examples() -> dict[str, Example]:
    """All of them."""
    device = catalogue.record(devices().entries["pixel-9-pro"])
    look, pose = next(iter(LOOKS)), "hero-left"
    width, height = PRESETS["og"]
    shown = form()
    issued = _KEY | {"key": _PREFIX + 35 * "0"}
    return {
        "MockupRequest": {
            "type": "screenshot",
            "screenshot": {"type": "base64", "src": _PIXEL},
            "settings": _SETTINGS,
        },
        "PreviewRequest": {"settings": _SETTINGS, "maxPixels": 230400},
        "ProjectBody": {"name": "Launch", "settings": _SETTINGS},
        "UploadBody": {"url": "https://example.com/screen.png"},
        "Mockup": {
            "success": True,
            "image": {"data": _PIXEL, "mimeType": "image/png", "width": 1920, "height": 1080},
            "duration": 84,
            "device": "pixel-9-pro",
            "warnings": [],
        },
        "Placement": {"geometry": _GEOMETRY, "shape": _SHAPE},
        "Project": _PROJECT,
        "Projects": {"projects": [_PROJECT], "next": None},
        "OwnedProject": _PROJECT | {"userId": _ID},
        "OwnedProjects": {"projects": [_PROJECT | {"userId": _ID}], "next": None},
        "NewUser": {"email": _EMAIL, "plan": "pro"},
        "Subscription": {"plan": "pro", "until": "2099-12-31T00:00:00Z"},
        "User": _USER,
        "Users": {"users": [_USER], "next": None},
        "NewKey": {"userId": _ID, "name": "build server"},
        "Rotation": {"overlapSeconds": 3600},
        "Key": _KEY,
        "Keys": {"keys": [_KEY], "next": None},
        "IssuedKey": issued,
        "RotatedKey": {"issued": issued, "replaced": _KEY},
        "Audit": {"events": [_EVENT], "next": None},
        "Upload": {"id": _ID, "width": 1206, "height": 2622, "expiresAt": _TIME},
        "Device": device,
        "Devices": {"devices": [device]},
        "Environments": {"environments": [catalogue.environment_record("studio")]},
        "Presets": {"presets": [{"id": "og", "width": width, "height": height}]},
        "Poses": {"poses": [gallery.pose_record(pose, POSES[pose])]},
        "Looks": {"looks": [gallery.look_record(look, LOOKS[look])]},
        "Form": {"groups": shown["groups"][:1], "settings": shown["settings"][:2]},
        "Health": {"status": "ok", "version": version()},
        "Readiness": {
            "status": "ready",
            "checks": {"accepting": True, "queue": True, "database": True},
            "degraded": [],
        },
        "Status": {
            "versions": {"service": version(), "python": "3.12.8"},
            "metrics": [
                {
                    "name": "mockup_renders_held",
                    "type": "gauge",
                    "help": "Renders that wait or run",
                    "samples": [{"name": "mockup_renders_held", "labels": {}, "value": 2.0}],
                }
            ],
        },
        "RateLimited": {
            "success": False,
            "error": "Too Many Requests",
            "code": Code.RATE_LIMITED,
            "message": "Rate limit exceeded. Try again in 42 seconds",
            "retryAfter": 42,
        },
    }


def error(code: Code) -> Example:
    """An example of a response with an error."""
    example: Example = {"code": code, "message": "What is wrong, and what can be done"}
    if code is Code.INVALID_REQUEST:
        detail = {"path": "settings.shadow.blr", "message": "unknown member; did you mean blur?"}
        example = {"code": code, "message": f"{detail['path']}: {detail['message']}", "details": [detail]}
    return {"success": False, "error": example}
