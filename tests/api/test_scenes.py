"""Scenes end to end: several devices in one picture, and errors."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

from tests.codec import pngs
from tests.support import pictures
from tests.support.live import SMALL, Live

MOCKUP = "/api/v1/mockup"
GREEN = pictures.png(color=(20, 160, 60))


def shot(data: bytes | None = None) -> dict[str, str]:
    return {"type": "base64", "src": pictures.text(data)}


def body(*devices: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "scene", "devices": [*devices], "settings": SMALL, **more}


def faults(server: Live, key: str, sent: dict[str, Any], path: str = MOCKUP) -> dict[str, str]:
    answer = server.send("POST", path, sent, key=key)
    assert answer.status == 400, (sent, answer.body)
    return {item["path"]: item["message"] for item in answer.json["error"]["details"]}


def test_a_scene_of_one_is_the_picture_of_its_screenshot(server: Live, key: str) -> None:
    """Both pictures are equal byte for byte, whether the settings belong to the scene or to the device."""
    own: list[dict[str, Any]] = [
        {},
        {"device": "pixel-9-pro", "orientation": "landscape", "screen": {"fit": "contain"}},
        {
            "device": "card",
            "appearance": {"deviceColor": "#203040"},
            "deviceTransform": {"pose": "hero-left"},
        },
        {"deviceTransform": {"rotationY": -30, "positionX": 0.2, "positionY": -0.1}, "depth": 40},
        {"device": "macbook-air-13", "appearance": {"style": "clay"}, "deviceTransform": {"rotationX": 10}},
    ]
    for device in own:
        settings = {**SMALL, **{name: value for name, value in device.items() if name != "depth"}}
        if "pose" in settings.get("deviceTransform", {}):
            # A device's pose turns only the device, because the camera belongs to the scene.
            settings["deviceTransform"] = {
                **settings["deviceTransform"],
                "fieldOfView": 30,
                "framing": "auto",
            }
        alone = server.mockup(query="?output=raw", settings=settings)
        scene = server.send("POST", f"{MOCKUP}?output=raw", body({"screenshot": shot(), **device}), key=key)
        assert (alone.status, scene.status) == (200, 200), (alone.body, scene.body)
        assert scene.body == alone.body, device


def test_a_scene_response_describes_each_device(server: Live, key: str) -> None:
    first = {"screenshot": shot(), "device": "iPhone 16 Pro"}
    second = {"screenshot": shot(GREEN), "device": "ipad-pro-11-m4", "deviceTransform": {"positionX": 0.4}}
    third = {"screenshot": {"type": "same", "index": 1}, "device": "pixel-9-pro", "depth": -40}
    sent = body(first, second, third, include=["geometry"])
    answer = server.send("POST", MOCKUP, sent, key=key)
    assert answer.status == 200, answer.body
    told = answer.json
    assert told["device"] == "iphone-16-pro"
    assert [one["device"] for one in told["devices"]] == ["iphone-16-pro", "ipad-pro-11-m4", "pixel-9-pro"]
    assert told["geometry"] == told["devices"][0]["geometry"]
    places = [one["geometry"] for one in told["devices"]]
    assert places[1]["screens"][0]["corners"][0][0] > places[0]["screens"][0]["corners"][0][0]
    assert places[2]["D"] > places[0]["D"]
    assert any(warning["message"].startswith("devices[1]: ") for warning in told["warnings"])
    # The scene counts as one render.
    again = server.send("POST", f"{MOCKUP}?output=raw", sent, key=key)
    assert int(again.headers["X-RateLimit-Remaining"]) == int(answer.headers["X-RateLimit-Remaining"]) - 1
    assert again.body == base64.b64decode(told["image"]["data"])
    assert json.loads(again.headers["X-Mockup-Geometry"]) == places
    # A different screenshot on one of the devices gives a different picture.
    other = server.send(
        "POST", f"{MOCKUP}?output=raw", body({**first, "screenshot": shot(GREEN)}, second, third)
    )
    assert other.body != again.body


def test_faults_of_scenes_are_named(server: Live, key: str) -> None:
    one = {"screenshot": shot()}
    same = {"screenshot": {"type": "same", "index": 0}}
    cases: list[tuple[dict[str, Any], set[str]]] = [
        (body(), {"devices"}),
        (body(*[one] * 9), {"devices"}),
        ({"type": "scene", "settings": SMALL}, {"devices"}),
        ({"devices": [one]}, {"type"}),
        (body(one, **one), {"screenshot"}),
        (body(one, {}), {"devices[1].screenshot"}),
        (body(one, {"screenshot": {"type": "same"}}), {"devices[1].screenshot.index"}),
        (body(one, {"screenshot": {"type": "same", "index": 2}}), {"devices[1].screenshot.index"}),
        (body(one, {"screenshot": {"type": "same", "index": 0, "src": "x"}}), {"devices[1].screenshot.src"}),
        (body(same), {"devices[0].screenshot.index"}),
        (
            body({"screenshot": {"type": "same", "index": 1}}, same, one),
            {"devices[0].screenshot.index", "devices[1].screenshot.index"},
        ),
        (body(one, {"screenshot": {"type": "base64", "src": "AAAA"}}), {"devices[1].screenshot.src"}),
        (
            body(one, {**one, "device": "iphone-99", "depth": 9000, "deviceTransform": {"scale": 2}}),
            {"devices[1].device", "devices[1].depth", "devices[1].deviceTransform.scale"},
        ),
        (
            body(one, {**one, "device": "macbook-air-13", "orientation": "portrait"}),
            {"devices[1].orientation"},
        ),
        (body(one, {**one, "appearance": {"deviceColor": "mud"}}), {"devices[1].appearance.deviceColor"}),
        (body(one, {**one, "appearance": {"style": "outline"}}), {"devices[1].appearance.style"}),
        (body(one, one, settings={"appearance": {"style": "outline"}}), {"settings.appearance.style"}),
        (body(one, settings={"layout": "circle"}), {"settings.layout"}),
        (
            body(one, one, settings={"canvas": {"width": 4096, "height": 64, "slices": 10}}),
            {"settings.canvas.slices"},
        ),
        (body(one, settings={"captions": [{"text": "a" + "\u0300" * 499}]}), {"settings.captions[0].text"}),
    ]
    for sent, paths in cases:
        assert set(faults(server, key, sent)) == paths, sent


def test_all_screenshots_count_as_one_in_the_limit_of_pixels(server: Live, key: str) -> None:
    rows = pngs.chunk(b"IDAT", zlib.compress((b"\0" + b"\xff" * 1000) * 5000))
    large = pngs.SIGNATURE + pngs.ihdr(8000, 5000, depth=1, kind=0) + rows + pngs.chunk(b"IEND")
    found = faults(server, key, body(*[{"screenshot": shot(large)}] * 8))
    assert len(found) == 1, found
    ((path, message),) = found.items()
    assert path == "devices[0].screenshot.src"
    assert message.startswith("the scene's screenshots have 320.0 megapixels in all")


def test_a_scene_is_previewed(server: Live, key: str) -> None:
    sent = {
        "type": "scene",
        "devices": [{}, {"device": "macbook-air-13", "depth": -100}],
        "maxPixels": 40_000,
    }
    answer = server.send("POST", "/api/v1/previews", sent, key=key)
    assert answer.status == 200, answer.body
    assert len(json.loads(answer.headers["X-Mockup-Geometry"])) == 2
    placed = server.send("POST", "/api/v1/geometry", sent, key=key)
    assert placed.status == 200, placed.body
    assert [one["device"] for one in placed.json["devices"]] == ["iphone-16-pro", "macbook-air-13-m3"]
    assert placed.json["devices"][0]["geometry"] == placed.json["geometry"]
    assert set(
        faults(server, key, {**sent, "screenshot": {"type": "upload", "src": "x"}}, "/api/v1/previews")
    ) == {"screenshot"}


def test_devices_far_before_and_behind_the_camera_are_seen(server: Live, key: str) -> None:
    """The camera moves back until all devices are in front of it, and a warning says so."""
    one = {"screenshot": shot(), "device": "iphone-16-pro"}
    watch = {"screenshot": {"type": "same", "index": 0}, "device": "apple-watch-series-10-46"}
    sent = body(watch | one, {**watch, "depth": 2000}, {**watch, "depth": -2000}, fast=True)
    answer = server.send("POST", MOCKUP, sent, key=key)
    assert answer.status == 200, answer.body
    assert "FIELD_OF_VIEW_LIMITED" in {warning["code"] for warning in answer.json["warnings"]}
