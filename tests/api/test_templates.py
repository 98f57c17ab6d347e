"""Templates end to end: the lists, and pictures made with a template."""

from __future__ import annotations

from typing import Any

from service.settings.templates import templates
from tests.support import pictures
from tests.support.live import Live

MOCKUP, TEMPLATES = "/api/v1/mockup", "/api/v1/templates"
SMALL: dict[str, Any] = {"canvas": {"preset": None, "width": 96, "height": 72}}
SHOT = {"type": "base64", "src": pictures.text()}


def faults(server: Live, key: str, sent: dict[str, Any], path: str = MOCKUP) -> dict[str, str]:
    answer = server.send("POST", path, sent, key=key)
    assert answer.status == 400, (sent, answer.body)
    return {item["path"]: item["message"] for item in answer.json["error"]["details"]}


def test_templates_are_listed_with_their_slots(server: Live) -> None:
    listed = server.send("GET", TEMPLATES).json["templates"]
    assert [one["id"] for one in listed] == list(templates())
    panorama = next(one for one in listed if one["id"] == "panorama")
    assert panorama["slices"] == 3
    assert panorama["screenshots"] == ["iphone-16-pro"] * 4
    assert len(panorama["texts"]) == 3
    whole = server.send("GET", f"{TEMPLATES}/Panorama").json
    assert whole == {**panorama, "devices": whole["devices"], "settings": whole["settings"]}
    assert len(whole["devices"]) == 4
    assert whole["settings"]["canvas"]["gap"] == 60
    assert server.send("GET", f"{TEMPLATES}/panoramas").status == 404
    picture = server.send("GET", f"{TEMPLATES}/social-square/preview.webp")
    assert picture.status == 200
    assert picture.headers["Content-Type"] == "image/webp"


def test_a_template_lies_beneath_the_request(server: Live, key: str) -> None:
    """A one-device template takes a screenshot, and gives the same picture as its settings in a request."""
    alone = {
        "type": "screenshot",
        "screenshot": SHOT,
        "template": "Store Tilted",
        "texts": [],
        "settings": SMALL,
    }
    given = {**templates()["store-tilted"].settings, **SMALL, "captions": []}
    made = server.send("POST", f"{MOCKUP}?output=raw", alone, key=key)
    same = {"type": "screenshot", "screenshot": SHOT, "settings": given}
    assert (made.status, made.body) == (200, server.send("POST", f"{MOCKUP}?output=raw", same, key=key).body)
    colored = {**SMALL, "appearance": {"gradientStops": None, "gradientEnabled": False}}
    over = server.send("POST", f"{MOCKUP}?output=raw", {**alone, "settings": colored}, key=key)
    assert over.status == 200
    assert over.body != made.body


def test_a_template_of_several_devices_is_a_scene(server: Live, key: str) -> None:
    shots = [{"screenshot": SHOT}, {"screenshot": {"type": "same", "index": 0}, "device": "pixel-9-pro"}]
    sent = {"template": "store-duo", "texts": [], "devices": shots, "settings": SMALL}
    answer = server.send("POST", MOCKUP, sent, key=key)
    assert answer.status == 200, answer.body
    assert [one["device"] for one in answer.json["devices"]] == ["iphone-16-pro", "pixel-9-pro"]
    placed = server.send("POST", "/api/v1/geometry", {"template": "story-fan", "texts": []}, key=key)
    assert placed.status == 200, placed.body
    assert len(placed.json["devices"]) == 3


def test_faults_of_templates_are_named(server: Live, key: str) -> None:
    shown = {"screenshot": SHOT}
    cases: list[tuple[dict[str, Any], set[str]]] = [
        ({"type": "screenshot", **shown, "template": "store-headlines"}, {"template"}),
        ({"template": "store-duo", "devices": [shown]}, {"devices[1].screenshot"}),
        ({"template": "store-duo"}, {"devices[0].screenshot", "devices[1].screenshot"}),
        ({"template": "store-duo", **shown, "devices": [shown, shown]}, {"screenshot"}),
        ({"type": "screenshot", **shown, "template": "play-phone", "texts": ["a", "b"]}, {"texts"}),
        ({"type": "screenshot", **shown, "template": "play-phone", "texts": [""]}, {"texts[0]"}),
        ({"type": "screenshot", **shown, "texts": ["a"]}, {"texts"}),
    ]
    for sent, paths in cases:
        assert set(faults(server, key, sent)) == paths, sent
