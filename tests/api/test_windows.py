"""Window devices and their texts over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.live import SMALL, Live


@pytest.mark.parametrize("device", ["window-macos", "browser-firefox", "card", "terminal"])
def test_a_window_takes_the_screenshots_shape(server: Live, device: str) -> None:
    answer = server.mockup(settings={**SMALL, "device": device, "appearance": {"theme": "dark"}})
    assert answer.status == 200, answer.body
    assert answer.json["device"] == device
    found = {warning["code"] for warning in answer.json["warnings"]}
    assert not {"CROPPED", "LETTERBOXED", "STRETCHED", "NO_EFFECT"} & found


def test_unused_texts_are_reported(server: Live) -> None:
    screen = {"title": "Notes 🗒", "url": "a.example"}
    answer = server.mockup(settings={**SMALL, "device": "window-macos", "screen": screen})
    found = {warning["code"]: warning["message"] for warning in answer.json["warnings"]}
    assert found["NO_EFFECT"] == "screen.url has no effect on window-macos"
    assert found["MISSING_GLYPHS"].startswith("screen.title has")


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("screen.title", "a" * 501, "a string of 0 to 500 characters"),
        ("screen.title", "a" * 10_000, "a shorter text, got 10000 bytes"),
        ("screen.url", "a" * 2049, "a string of 0 to 2048 characters"),
        ("screen.title", "two\nlines", "none of them a control character"),
        ("screen.title", "\u0000", "none of them a control character"),
        ("screen.url", "a\u009b", "none of them a control character"),
        ("screen.title", 7, "a string"),
        ("screen.url", ["a"], "a string"),
        ("appearance.theme", "dim", "one of light, dark"),
        ("appearance.theme", True, "one of light, dark"),
    ],
)
def test_refused_texts(server: Live, path: str, value: Any, said: str) -> None:
    group, name = path.split(".")
    answer = server.mockup(settings={**SMALL, "device": "browser-chrome", group: {name: value}})
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert list(answer.details) == [f"settings.{path}"]
    assert said in answer.details[f"settings.{path}"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\u200b\u200d\ufeff\u202e\u2066",
        "🚀👩\u200d👩\u200d👧\U000e0001",
        "a" + "\u0301" * 400,
        "שלום ( abc ) עולם" * 20,
        "\u2028\u2029\u0085"[:2],
        "\uffff\ufffe\U0010ffff",
        "％s%n%x {0} <b>&amp;</b> \\u0000",
        "日本語" * 150,
    ],
)
def test_hostile_texts_give_a_picture_and_warnings(server: Live, text: str) -> None:
    screen = {"title": text, "url": text}
    answer = server.mockup(settings={**SMALL, "device": "browser-chrome", "screen": screen})
    assert answer.status == 200, answer.body


def test_half_a_surrogate_pair_is_refused(server: Live) -> None:
    body = (
        b'{"settings": {"device": "terminal", "screen": {"title": "\\ud800"}}, "screenshot_base64": "QQ=="}'
    )
    answer = server.send("POST", "/api/v1/mockup", body, key=server.key())
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
