"""The rendering operation end to end, with real parts."""

from __future__ import annotations

import base64
import io
import threading
import zipfile
from typing import Any

import pytest

from service.settings.metadata import settings_in
from tests.support import pictures
from tests.support.live import SMALL, Live

MARKS = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
    "image/webp": b"RIFF",
    "image/avif": b"\0\0\0 ftypavif",
}


def test_json_answer(server: Live) -> None:
    answer = server.mockup()
    assert answer.status == 200, answer.body
    assert answer.headers["Content-Type"] == "application/json"
    body = answer.json
    assert body["success"] is True
    assert set(body) == {"success", "image", "duration", "device", "warnings"}
    assert set(body["image"]) == {"data", "mimeType", "width", "height"}
    assert (body["image"]["mimeType"], body["image"]["width"], body["image"]["height"]) == (
        "image/png",
        320,
        240,
    )
    assert pictures.size(base64.b64decode(body["image"]["data"], validate=True)) == (320, 240)
    assert isinstance(body["duration"], int)
    assert body["device"] == "iphone-16-pro"
    assert all(set(warning) == {"code", "message"} for warning in body["warnings"])
    assert answer.headers["X-RateLimit-Remaining"] == "59"


@pytest.mark.parametrize(
    ("format_", "mime"),
    [
        ("png", "image/png"),
        ("jpeg", "image/jpeg"),
        ("jpg", "image/jpeg"),
        ("webp", "image/webp"),
        ("AVIF", "image/avif"),
    ],
)
def test_raw_answer(server: Live, format_: str, mime: str) -> None:
    answer = server.mockup(query="?output=raw", settings={**SMALL, "export": {"format": format_}})
    assert answer.status == 200, answer.body
    assert answer.headers["Content-Type"] == mime
    assert answer.body.startswith(MARKS[mime])
    assert int(answer.headers["X-Duration-Ms"]) >= 0
    assert "source;dur=" in answer.headers["Server-Timing"]
    assert len(answer.headers["Server-Timing"].split(", ")) >= 4


def test_output_json_is_the_default(server: Live, key: str) -> None:
    told, silent = server.mockup(key, "?output=json").json, server.mockup(key).json
    assert told["image"] == silent["image"]


def test_slices_are_images_or_a_zip_file(server: Live) -> None:
    settings = {**SMALL, "canvas": {"width": 120, "height": 200, "slices": 2, "gap": 10}}
    body = server.mockup(settings=settings).json
    assert set(body) == {"success", "images", "duration", "device", "warnings"}
    assert [(one["width"], one["height"]) for one in body["images"]] == [(120, 200)] * 2
    answer = server.mockup(query="?output=raw", settings=settings)
    assert answer.headers["Content-Type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.body)) as archive:
        names = archive.namelist()
        assert names == ["1.png", "2.png"]
        assert [base64.b64encode(archive.read(name)).decode() for name in names] == [
            one["data"] for one in body["images"]
        ]


@pytest.mark.parametrize("prefix", ["", "data:image/png;base64,"])
@pytest.mark.parametrize("flat", [True, False])
def test_base64_forms(server: Live, prefix: str, flat: bool) -> None:
    text = prefix + pictures.text()
    body: dict[str, Any] = {"screenshot_base64": text}
    if not flat:
        body = {"type": "screenshot", "screenshot": {"type": "base64", "src": text}}
    assert server.mockup(**body).status == 200


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("path", ["/shot.png", "/moved"])
def test_url_forms(server: Live, website: str, path: str, flat: bool) -> None:
    body: dict[str, Any] = {"screenshot_url": website + path}
    if not flat:
        body = {"type": "screenshot", "screenshot": {"type": "url", "src": website + path}}
    answer = server.mockup(**body)
    assert answer.status == 200, answer.body
    # A screenshot from a URL gives the same picture as one that is sent inline.
    assert answer.json["image"] == server.mockup().json["image"]


@pytest.mark.parametrize("path", ["/page", "/missing"])
def test_urls_of_other_files_are_refused(server: Live, website: str, path: str) -> None:
    answer = server.mockup(screenshot_url=website + path)
    assert (answer.status, answer.code, list(answer.details)) == (400, "INVALID_REQUEST", ["screenshot_url"])


def test_flat_form_with_its_type(server: Live) -> None:
    assert server.mockup(type="screenshot", screenshot_base64=pictures.text()).status == 200


def test_fast_has_the_same_size(server: Live) -> None:
    answer = server.mockup(fast=True)
    assert answer.status == 200
    assert (answer.json["image"]["width"], answer.json["image"]["height"]) == (320, 240)


def test_scale_multiplies_the_canvas(server: Live) -> None:
    image = server.mockup(settings={**SMALL, "export": {"scale": 1.5}}).json["image"]
    assert (image["width"], image["height"]) == (480, 360)


def test_automatic_device(server: Live) -> None:
    shot = pictures.text(pictures.png(1344, 2992))
    answer = server.mockup(screenshot_base64=shot, settings={**SMALL, "device": "auto"})
    assert answer.json["device"] == "pixel-8-pro"


@pytest.mark.parametrize(
    "settings",
    [
        {"orientation": "portrait", "device": "macbook-pro-14"},
        {"appearance": {"deviceColor": "chartreuse glitter"}},
    ],
)
def test_settings_that_do_not_suit_the_device(server: Live, settings: dict[str, Any]) -> None:
    answer = server.mockup(settings={**SMALL, **settings})
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert len(answer.details) == 1
    assert next(iter(answer.details)).startswith("settings.")


def test_warning_of_an_upscaled_screenshot(server: Live) -> None:
    shot = pictures.text(pictures.png(16, 34))
    warnings = server.mockup(screenshot_base64=shot, settings={"canvas": {"width": 640, "height": 640}})
    assert warnings.status == 200
    assert warnings.json["warnings"]


def test_large_screenshot_texts(server: Live) -> None:
    """A body of several megabytes is parsed outside of the event loop."""
    shot = pictures.png(64, 128) + b"\0" * 3_000_000
    assert server.mockup(screenshot_base64=pictures.text(shot)).status in {200, 400}


def test_concurrent_users_get_their_own_pictures(server: Live) -> None:
    """Several users render at once, and each gets the picture that they requested."""
    found: dict[int, Any] = {}

    def ask(number: int) -> None:
        canvas = {"width": 200 + number, "height": 150}
        found[number] = server.mockup(settings={"canvas": canvas}).json["image"]["width"]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: 200 + number for number in range(6)}


@pytest.mark.parametrize("query", ["?output=raw", ""])
def test_pictures_carry_their_settings_if_asked(server: Live, key: str, query: str) -> None:
    saved = {"appearance": {"backgroundColor": "#123456"}}
    project = server.send("POST", "/api/v1/projects", {"name": "One", "settings": saved}, key=key).json
    settings = {**SMALL, "device": "Pixel 9 Pro", "export": {"metadata": True, "format": "webp"}}
    answer = server.mockup(key, query, settings=settings, projectId=project["id"])
    file = answer.body if query else base64.b64decode(answer.json["image"]["data"])
    assert settings_in(file) == saved | settings | {"device": "pixel-9-pro"}
    assert key.encode() not in file
    assert project["id"].encode() not in file


def test_a_background_image_has_the_same_sources_as_a_screenshot(
    server: Live, website: str, key: str
) -> None:
    """A background image looks the same whether it comes by URL, in base64 or as an upload; errors name its
    path."""
    wide = pictures.text() + " " * 5000
    stored = server.send("POST", "/api/v1/screenshots", {"url": website + "/shot.png"}, key=key)
    upload = stored.json["id"]
    sources = (("base64", wide), ("url", website + "/shot.png"), ("upload", upload))

    def image(**given: Any) -> dict[str, Any]:
        return {**SMALL, "appearance": {"backgroundImage": given}}

    made = [server.mockup(key, settings=image(type=type, src=src)) for type, src in sources]
    assert [answer.status for answer in made] == [200] * 3, made[-1].body
    assert len({answer.json["image"]["data"] for answer in made}) == 1
    assert made[0].json["image"] != server.mockup().json["image"]
    own = server.mockup(settings=image(type="screenshot"))
    assert own.status == 200
    faults = (
        ("url", "file:///wall.png", "The background image's URL points to a file on your own"),
        ("url", website + "/absent.png", "The background image could not be fetched from its URL"),
        ("url", website + "/page", "The background image is "),
        ("base64", "YWJj", "The background image is "),
        ("base64", "!", "The background image is not base64"),
        ("upload", "none", ""),
    )
    for type, src, told in faults:
        answer = server.mockup(settings=image(type=type, src=src))
        assert answer.status == 400
        paths = [one["path"] for one in answer.json["error"]["details"]]
        assert paths == ["settings.appearance.backgroundImage.src"], src
        assert answer.message.startswith(told), (src, answer.message)
        assert "screenshot" not in answer.message, src
