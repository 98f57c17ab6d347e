from __future__ import annotations

import io
from typing import get_args

import numpy as np
import pytest
from PIL import Image

from service.devices.device import Category, catalogue
from service.settings.poses import POSES
from service.settings.schema import DeviceTransform, Reflection
from service.validation.messages import choices
from tests.support import pictures
from tests.support.live import Live


def test_devices(server: Live) -> None:
    listed = server.send("GET", "/api/v1/devices").json["devices"]
    assert [device["id"] for device in listed] == list(catalogue())
    phone = next(device for device in listed if device["id"] == "iphone-16-pro")
    assert phone["name"] == "iPhone 16 Pro"
    assert phone["category"] == "phone"
    assert phone["screen"] == {"width": 1206, "height": 2622, "fitted": False}
    card = next(device for device in listed if device["id"] == "card")
    assert card["screen"]["fitted"] is True
    assert phone["orientations"] == ["portrait", "landscape"]
    first = phone["finishes"][0]
    assert set(first) == {"name", "hex", "preview"}
    assert first["preview"] == "/api/v1/devices/iphone-16-pro/preview.png?finish=Black%20Titanium"
    assert phone["approximate"] == phone["aliases"] == []


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        ("category=Phone&brand=google", ["pixel-9-pro"]),
        ("q=macbook+14", ["macbook-pro-14"]),
        ("q=16+apple+PRO", ["iphone-16-pro"]),
        ("q=nokia", []),
        ("category=watch&brand=microsoft", []),
        ("width=1206&height=2622", ["iphone-16-pro"]),
        ("width=2622&height=1206", ["iphone-16-pro"]),
        ("width=1964&height=3024", []),
        ("height=1964", ["macbook-pro-14"]),
        ("width=1668&category=tablet&brand=Apple&q=ipad", ["ipad-pro-11-m4"]),
    ],
)
def test_filters_select_devices(server: Live, asked: str, ids: list[str]) -> None:
    listed = server.send("GET", f"/api/v1/devices?{asked}").json["devices"]
    assert set(ids) <= {device["id"] for device in listed}
    if not ids:
        assert listed == []


@pytest.mark.parametrize(
    ("asked", "path", "message"),
    [
        ("category=phon", "category", "did you mean phone?"),
        ("brand=Aple", "brand", "did you mean Apple?"),
        ("width=big", "width", 'expected a whole number from 1 to 100000, got "big"'),
        ("width=0", "width", "from 1 to"),
        ("height=1e3", "height", "from 1 to"),
        ("q=", "q", "1 to 64 characters"),
        (f"q={'a' * 65}", "q", "1 to 64 characters"),
        ("q=a&q=b", "q", "expected one value, got several"),
        ("size=3", "size", "unknown query parameter; known: category, brand, q, width, height"),
    ],
)
def test_invalid_filters_are_refused(server: Live, asked: str, path: str, message: str) -> None:
    answer = server.send("GET", f"/api/v1/devices?{asked}")
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    details = answer.json["error"]["details"]
    assert [detail["path"] for detail in details] == [path]
    assert message in details[0]["message"]


@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "/api/v1/geometry"), ("GET", "/api/v1/poses"), ("GET", "/api/v1/devices/iphone-16-pro")],
)
def test_operations_without_parameters_say_so(server: Live, method: str, path: str) -> None:
    answer = server.send(method, f"{path}?output=json", b"{}" if method == "POST" else b"", key=server.key())
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert answer.details == {"output": "unknown query parameter; this operation takes none"}


def test_pictures_ignore_parameters_that_get_past_caches(server: Live) -> None:
    answer = server.send("GET", "/api/v1/looks/studio/preview.webp?v=2")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "image/webp")


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


def test_previews_show_every_finish(server: Live) -> None:
    device = server.send("GET", "/api/v1/devices/macbook-pro-14").json
    tags = {server.send("GET", finish["preview"]).headers["ETag"] for finish in device["finishes"]}
    assert len(tags) == len(device["finishes"])
    assert server.send("GET", device["preview"]).headers["ETag"] in tags
    loosely = server.send("GET", f"{device['preview']}?finish=SPACE_black")
    assert loosely.headers["ETag"] == server.send("GET", device["preview"]).headers["ETag"]


def test_a_preview_from_behind_shows_no_screen(server: Live) -> None:
    preview = "/api/v1/devices/pixel-9-pro/preview.png?size=160"
    front, back, given = (
        np.asarray(Image.open(io.BytesIO(server.send("GET", preview + view).body)).convert("HSV"))
        for view in ("", "&view=back", "&view=Front")
    )
    assert (front == given).all()
    colourful = [int((one[..., 1] > 100).sum()) for one in (front, back)]
    assert colourful[0] > 20 * max(1, colourful[1]), "the wallpaper is on the front"


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ("finish=Space+Blak", 404, "NOT_FOUND"),
        ("finish=", 404, "NOT_FOUND"),
        ("finish=Silver&finish=Silver", 400, "INVALID_REQUEST"),
        ("color=red", 400, "INVALID_REQUEST"),
        ("view=side", 400, "INVALID_REQUEST"),
    ],
)
def test_no_preview_of_an_unknown_finish(server: Live, asked: str, status: int, code: str) -> None:
    answer = server.send("GET", f"/api/v1/devices/macbook-pro-14/preview.png?{asked}")
    assert (answer.status, answer.code) == (status, code)


def test_poses(server: Live) -> None:
    listed = server.send("GET", "/api/v1/poses").json["poses"]
    assert [pose["id"] for pose in listed] == list(POSES)
    hero = next(pose for pose in listed if pose["id"] == "hero-left")
    assert set(hero["views"]) == set(get_args(Category))
    # Callers can send the listed values as they are, and get what the pose's name would give them.
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
