"""Nearly correct names and members: the server accepts them or suggests the correct one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import pictures
from tests.support.live import SMALL, Live

MOCKUP = "/api/v1/mockup"


@pytest.mark.parametrize(
    ("body", "path", "hint"),
    [
        ({"output": "raw"}, "output", "output is a query parameter, as in /api/v1/mockup?output=raw"),
        ({"device": "auto"}, "device", "did you mean settings.device?"),
        ({"background": "#fff"}, "background", "did you mean settings.appearance.backgroundColor?"),
        ({"format": "png"}, "format", "did you mean settings.export.format?"),
        ({"project_id": "x"}, "project_id", "did you mean projectId?"),
        ({"settings": {"fast": True}}, "settings.fast", "it belongs beside settings, not inside"),
    ],
)
def test_members_in_the_wrong_place(
    server: Live, key: str, body: dict[str, Any], path: str, hint: str
) -> None:
    answer = server.send("POST", MOCKUP, {"screenshot_base64": pictures.text(), **body}, key=key)
    assert answer.details == {path: f"unknown member; {hint}"}
    assert answer.message == f"{path}: unknown member; {hint}"


def test_members_in_the_query(server: Live, key: str) -> None:
    answer = server.mockup(key, "?fast=true&format=png")
    assert answer.details == {
        "fast": "unknown query parameter; it belongs in the body",
        "format": "unknown query parameter; known: output",
    }


@pytest.mark.parametrize("query", ["?output=RAW", "?output=Raw&output=raw"])
def test_output_in_any_case(server: Live, query: str) -> None:
    assert server.mockup(query=query).headers["Content-Type"] == "image/png"


def test_names_in_any_form_are_returned_in_canonical_form(server: Live, key: str) -> None:
    settings = {**SMALL, "device": "iPhone 16 Pro", "export": {"format": "JPG"}}
    answer = server.mockup(
        key, settings=settings, type="Screenshot", screenshot={"type": "BASE64", "src": pictures.text()}
    )
    assert (answer.json["device"], answer.json["image"]["mimeType"]) == ("iphone-16-pro", "image/jpeg")
    made = server.send("POST", "/api/v1/projects", {"name": "x", "settings": settings}, key=key).json
    canonical = {**SMALL, "device": "iphone-16-pro", "export": {"format": "jpeg"}}
    assert made["settings"] == canonical
    path = f"/api/v1/projects/{made['id']}"
    assert server.send("GET", path, key=key).json["settings"] == canonical
    changed = server.send("PUT", path, {"name": "x", "settings": {"device": "PIXEL 9 pro"}}, key=key).json
    assert changed["settings"] == {"device": "pixel-9-pro"}


@pytest.mark.parametrize("name", ["iPhone%2016%20Pro", "IPHONE-16-PRO", "Apple_iPhone_16_Pro"])
def test_the_catalogue_knows_devices_by_their_names(server: Live, name: str) -> None:
    assert server.send("GET", f"/api/v1/devices/{name}").json["id"] == "iphone-16-pro"
    assert server.send("GET", f"/api/v1/devices/{name}/preview.png").headers["Content-Type"] == "image/png"


def test_an_unknown_device_leads_to_the_list(server: Live) -> None:
    answer = server.send("GET", "/api/v1/devices/moto-edge")
    assert (answer.status, answer.code) == (404, "NOT_FOUND")
    assert answer.message == 'unknown device "moto-edge"; see GET /api/v1/devices'


def test_a_described_device_is_rendered_and_saved(server: Live, key: str) -> None:
    device = {"kind": "phone", "screen": {"width": 1080, "height": 2400, "cornerRadius": 96}, "bezel": 3}
    answer = server.mockup(key, settings={**SMALL, "device": device})
    assert (answer.status, answer.json["device"]) == (200, "custom")
    body = {"name": "x", "settings": {**SMALL, "device": {**device, "kind": "Phone"}}}
    made = server.send("POST", "/api/v1/projects", body, key=key).json
    assert made["settings"]["device"] == device
    again = server.mockup(key, projectId=made["id"])
    assert again.json["image"]["data"] == answer.json["image"]["data"]
    wider = server.mockup(
        key, projectId=made["id"], settings={"device": {"screen": {"cutout": {"width": 5}}}}
    )
    assert wider.status == 400
    assert wider.details.keys() == {"settings.device.screen.cutout.width"}
