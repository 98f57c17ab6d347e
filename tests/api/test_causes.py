"""The message of a refusal names the cause, so callers need not read the details to learn it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import pictures
from tests.support.live import Live


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            {"settings": {"appearance": {"deviceColor": "red"}}},
            "settings.appearance.deviceColor: expected a hex colour or a finish of iphone-16-pro (",
        ),
        (
            {"settings": {"device": "macbook-pro-14", "orientation": "portrait"}},
            "settings.orientation: macbook-pro-14 can only be landscape",
        ),
        (
            {"screenshot_url": "file:///home/me/a.png"},
            "The screenshot's URL points to a file on your own",
        ),
        (
            {"screenshot_url": "ftp://example.com/a.png"},
            "The screenshot's URL has a scheme other than http and",
        ),
        (
            {"screenshot_base64": "file:///home/me/a.png"},
            "The screenshot is a file URL, which only",
        ),
        (
            {"screenshot_base64": "https://example.com/a.png"},
            "The screenshot looks like a URL; use screenshot_url for it",
        ),
        (
            {"screenshot_base64": "data:image/png;base64,data:image/png;base64," + pictures.text()},
            "The screenshot has a data-URI prefix twice",
        ),
    ],
)
def test_the_cause_is_in_the_message(server: Live, key: str, body: dict[str, Any], told: str) -> None:
    answer = server.mockup(key, **body)
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert answer.message.startswith(told)
    assert len(answer.details) == 1


def test_the_cause_mentions_the_saved_project(server: Live, key: str) -> None:
    settings = {"device": "macbook-pro-14", "orientation": "portrait"}
    made = server.send("POST", "/api/v1/projects", {"name": "x", "settings": settings}, key=key).json
    answer = server.mockup(key, projectId=made["id"])
    told = "settings.orientation: macbook-pro-14 can only be landscape (set by the saved project)"
    assert answer.message == told
