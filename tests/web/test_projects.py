"""Projects and several screenshots at once, in the studio."""

from __future__ import annotations

import io
import json
from zipfile import ZipFile

import pytest
from playwright.sync_api import FilePayload, expect

from tests.web.conftest import Studio, sample

LISTED = "async ([name]) => (await import(name)).devices.value.length"


@pytest.mark.long(seconds=15)
def test_a_project_is_saved_opened_replaced_and_removed(studio: Studio) -> None:
    studio.open()
    page = studio.page
    hidden = [{"text": "Not in the picture", "hidden": True}]
    studio.module("state/store.js", "change(given)", {"shadow.blur": 8, "captions": hidden})
    page.get_by_role("tab", name="Projects").click()
    expect(page.get_by_text("No projects yet")).to_be_visible()
    page.get_by_role("textbox", name="Save as a project").fill("Launch")
    page.get_by_role("button", name="Save", exact=True).click()
    opened = page.get_by_role("button", name="Open Launch")
    expect(opened).to_be_visible()
    studio.module("state/store.js", "change(given)", {"shadow.blur": 9})
    page.reload()
    studio.pictured()
    opened.click()
    assert studio.setting("shadow.blur") == 8
    studio.module("state/store.js", "change(given)", {"shadow.blur": 3})
    studio.module("state/scene.js", "addDevice(given)", {"device": "ipad-mini"})
    page.get_by_role("button", name="Replace Launch").click()
    expect(page.locator(".toast").last).to_contain_text("replaced")
    expect(opened).to_contain_text("2 devices")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    opened.click()
    assert studio.setting("shadow.blur") == 3
    assert studio.page.evaluate(LISTED, [studio.folder + "state/store.js"]) == 2
    page.get_by_role("button", name="Rename Launch").click()
    page.keyboard.type("Later")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Open Later")).to_be_focused()
    page.get_by_role("button", name="Remove Later").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_text("No projects yet")).to_be_visible()


@pytest.mark.long(seconds=12)
def test_several_screenshots_come_as_a_zip_or_wait_until_they_are_stopped(studio: Studio) -> None:
    studio.open()
    page = studio.page
    settings = {"canvas.width": 320, "canvas.height": 240, "device": "iphone-16-pro"}
    studio.module(
        "state/store.js", "change(given)", {**settings, "appearance.deviceColor": "Desert Titanium"}
    )
    studio.pictured()
    studio.failing = True
    one = FilePayload(name="a.png", mimeType="image/png", buffer=sample())
    damaged = FilePayload(name="b.png", mimeType="image/png", buffer=b"no picture")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose screenshots…").click()
    rendered: list[str] = []
    page.on("request", lambda sent: rendered.append(sent.post_data or "") if "/mockup?" in sent.url else None)
    chooser.value.set_files([damaged, one, one])
    page.get_by_label("Device for a.png").first.select_option(label="iPad mini (A17 Pro)")
    assert rendered == [], "choosing files makes nothing yet"
    with page.expect_download() as download:
        page.get_by_role("button", name="Make 3 pictures").click()
    devices = [json.loads(sent)["settings"].get("device") for sent in rendered]
    assert devices == ["ipad-mini", None], "the phone is the default"
    assert "deviceColor" not in rendered[0], "a finish that this device does not have"
    assert download.value.suggested_filename == "mockups.zip"
    with ZipFile(io.BytesIO(download.value.path().read_bytes())) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["a-mockup.png", "a-mockup-2.png"]
        assert archive.read("a-mockup.png")[:8] == b"\x89PNG\r\n\x1a\n"
    rows = page.get_by_role("list", name="Screenshots").get_by_role("listitem")
    expect(rows.nth(0)).to_contain_text("Failed: b.png")
    expect(rows.nth(0).get_by_role("alert")).to_be_visible()
    expect(rows.nth(1)).not_to_contain_text("cropped")
    expect(rows.nth(2)).to_contain_text("is cropped")

    headers = {"Retry-After": "3600"}
    limited = {"success": False, "error": "Too Many Requests", "code": "RATE_LIMITED"}
    page.route("**/api/v1/mockup?*", lambda route: route.fulfill(status=429, json=limited, headers=headers))
    page.get_by_role("button", name="Make 3 pictures").click()
    expect(page.get_by_text("trying again in 3600 s")).to_be_visible()
    page.get_by_role("tab", name="Device").click()
    page.get_by_role("tab", name="Image").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Add screenshots…")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="Failed: b.png").get_by_role("alert")).to_be_visible()
    page.get_by_role("button", name="Leave out b.png").click()
    expect(page.get_by_role("button", name="Make 2 pictures")).to_be_visible()


@pytest.mark.long(seconds=8)
def test_a_new_key_hides_the_projects_of_the_previous_one(studio: Studio) -> None:
    project = {"name": "Launch", "settings": {}}
    assert studio.server.send("POST", "/api/v1/projects", project, key=studio.key).status == 201
    studio.open()
    page = studio.page
    page.get_by_role("tab", name="Projects").click()
    expect(page.get_by_role("button", name="Open Launch")).to_be_visible()
    studio.failing = True
    page.route("**/api/v1/projects", lambda route: route.abort())
    studio.module("state/key.js", "keepKey(given)", studio.server.key())
    expect(page.get_by_role("button", name="Open Launch")).to_have_count(0)
    page.unroute("**/api/v1/projects")
