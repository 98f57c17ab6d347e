from __future__ import annotations

from typing import get_args

import pytest

from service.models.devices import Category, catalogue
from service.models.messages import choices
from service.models.poses import POSES
from service.models.settings import DeviceTransform, Reflection
from tests.support import pictures
from tests.support.live import Live


def test_devices(server: Live) -> None:
    listed = server.send("GET", "/api/v1/devices").json["devices"]
    assert [device["id"] for device in listed] == list(catalogue())
    phone = next(device for device in listed if device["id"] == "iphone-16-pro")
    assert phone["name"] == "iPhone 16 Pro"
    assert phone["category"] == "phone"
    assert phone["screen"] == {"width": 1206, "height": 2622}
    assert phone["orientations"] == ["portrait", "landscape"]
    assert set(phone["finishes"][0]) == {"name", "hex"}


def test_device(server: Live) -> None:
    listed = server.send("GET", "/api/v1/devices").json["devices"]
    for device in listed:
        assert server.send("GET", f"/api/v1/devices/{device['id']}").json == device


@pytest.mark.parametrize("path", ["iphone-16-por", "iphone-16-por/preview.png", "%2e%2e%2fconfig"])
def test_unknown_device(server: Live, path: str) -> None:
    answer = server.send("GET", f"/api/v1/devices/{path}")
    assert (answer.status, answer.code) == (404, "NOT_FOUND")
    if "iphone" in path:
        assert "did you mean iphone-16-pro?" in answer.json["error"]["message"]


def test_preview(server: Live) -> None:
    answer = server.send("GET", "/api/v1/devices/iphone-16-pro/preview.png")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "image/png")
    assert min(pictures.size(answer.body)) >= 200
    again = server.send(
        "GET", "/api/v1/devices/iphone-16-pro/preview.png", headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert (again.status, again.body) == (304, b"")


def test_poses(server: Live) -> None:
    listed = server.send("GET", "/api/v1/poses").json["poses"]
    assert [pose["id"] for pose in listed] == list(POSES)
    hero = next(pose for pose in listed if pose["id"] == "hero-left")
    assert set(hero["views"]) == set(get_args(Category))
    # What is listed can be sent as it is, and gives the same.
    for pose in listed:
        sent = DeviceTransform.model_validate(pose["views"]["laptop"])
        named = DeviceTransform.model_validate({"pose": pose["id"]})
        assert sent.view("phone") == named.view("laptop")


def test_poses_in_the_document(server: Live) -> None:
    schemas = server.send("GET", "/openapi.json").json["components"]["schemas"]
    forms = schemas["DeviceTransform"]["properties"]["pose"]["anyOf"]
    assert next(form["enum"] for form in forms if "enum" in form) == list(POSES)


def test_environments(server: Live) -> None:
    listed = server.send("GET", "/api/v1/environments").json["environments"]
    names = [environment["id"] for environment in listed]
    assert names == choices(Reflection.model_fields["environment"])
    assert all(environment["description"] != environment["id"] for environment in listed)
