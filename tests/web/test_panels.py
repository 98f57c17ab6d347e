"""The studio's panels: choices, and their effects."""

from __future__ import annotations

import re
import zipfile
from typing import Any

import pytest
from playwright.sync_api import expect

from service.settings.looks import LOOKS
from tests.films.recordings import animation
from tests.web.conftest import Studio, sample


def show(studio: Studio, panel: str) -> None:
    studio.page.get_by_role("tab", name=panel).click()


@pytest.mark.long(seconds=15)
def test_a_device_is_found_given_a_finish_and_described(studio: Studio) -> None:
    studio.open()
    page = studio.page
    first = studio.drawn()
    show(studio, "Device")
    expect(page.get_by_role("textbox", name="Device color", exact=True)).to_be_visible()
    page.get_by_role("searchbox", name="Search devices").fill("pixel 9 pro")
    page.get_by_role("radio", name="Pixel 9 Pro", exact=True).click()
    assert studio.setting("device") == "pixel-9-pro"
    page.get_by_role("radio", name="Porcelain").click()
    assert studio.setting("appearance.deviceColor") == "Porcelain"
    studio.pictured()
    assert studio.drawn() != first
    expect(page.locator(".tile img").first).to_be_visible()
    expect(page.locator(".tile img").first).to_have_attribute("src", re.compile("view=back"))
    page.get_by_role("searchbox", name="Search devices").fill("iphone 16 pro")
    page.get_by_role("radio", name="iPhone 16 Pro", exact=True).click()
    assert studio.setting("appearance.deviceColor") is None, "the other device has no such finish"

    studio.failing = True  # the server refuses values out of range
    page.get_by_role("radio", name="Custom").click()
    page.get_by_label("Screen width", exact=True).fill("1000")
    page.get_by_label("Screen height", exact=True).fill("2000")
    page.get_by_label("Screen height", exact=True).press("Enter")
    page.get_by_role("radio", name="Island").click()
    studio.pictured()
    device = studio.setting("device")
    assert (device["screen"]["width"], device["screen"]["height"]) == (1000, 2000)
    assert page.locator(".notice-refused").count() == 0
    page.get_by_label("Density", exact=True).fill("9")
    page.get_by_label("Density", exact=True).press("Enter")
    expect(page.locator(".field-fault")).to_contain_text("20")
    page.get_by_role("button", name="Reset Density").click()
    page.get_by_label("Middle from top", exact=True).fill("120")
    page.get_by_label("Middle from top", exact=True).press("Enter")
    sizes = page.get_by_role("radiogroup", name="Size by")
    sizes.get_by_role("radio", name="Body").click()
    page.get_by_label("Body depth", exact=True).fill("9")
    page.get_by_label("Body depth", exact=True).press("Enter")
    page.get_by_role("radio", name="Each side").click()
    page.get_by_label("Bezel bottom", exact=True).fill("9")
    page.get_by_label("Bezel bottom", exact=True).press("Enter")
    studio.pictured()
    device = studio.setting("device")
    assert device["screen"]["cutout"]["y"] == 120
    assert device["body"]["depth"] == 9
    assert device["bezel"] == {"top": 4, "right": 4, "bottom": 9, "left": 4}
    expect(page.locator(".field-fault")).to_have_count(0)
    page.get_by_label("Kind", exact=True).select_option(label="Window")
    page.get_by_label("Window title").fill("Notes")
    studio.pictured()
    assert studio.setting("screen.title") == "Notes"


WELL = "document.querySelector('.color-well').style.getPropertyValue('--color')"


@pytest.mark.long(seconds=10)
def test_nothing_is_broken_or_covered_in_a_small_window(studio: Studio) -> None:
    studio.page.set_viewport_size({"width": 1024, "height": 768})
    studio.open()
    page = studio.page
    hint, label = page.locator(".hint").bounding_box(), page.locator(".picture-label").bounding_box()
    assert hint is not None
    assert label is not None
    assert hint["y"] > label["y"] + label["height"], "the hint leaves the label free"
    studio.module("state/store.js", "change(given)", {"device": "iphone-16"})
    show(studio, "Device")
    finish = page.get_by_role("radio", name="Ultramarine")
    finish.click()
    assert finish.locator(".tile-label").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert finish.locator(".tile-label").bounding_box()["height"] < 20, "on one line"  # type: ignore[index]
    for name, well in (("ULTRA-marine", "#"), ("rebeccapurple", "rebeccapurple")):
        studio.failing = True  # the server may not know this name
        studio.module("state/store.js", "change(given)", {"appearance.deviceColor": name})
        page.wait_for_function(f"name => {WELL}.startsWith(name)", arg=well)
        assert len(page.evaluate(WELL)) in (7, 13), "opaque"
    expect(finish).to_have_attribute("aria-checked", "false")
    page.get_by_role("searchbox", name="Search devices").fill("fairphone")
    page.get_by_role("button", name="Custom device").click()
    assert studio.setting("device")["kind"] == "phone"
    show(studio, "Code")
    boxes = [
        one.evaluate("(one) => [one.scrollWidth, one.clientWidth]") for one in page.locator(".segment").all()
    ]
    assert all(inner <= outer for inner, outer in boxes), "no text runs into its neighbour"


@pytest.mark.long(seconds=15)
def test_looks_are_shown_on_the_device_and_kept(studio: Studio) -> None:
    studio.open()
    page = studio.page
    studio.module("state/store.js", "change(given)", {"device": "pixel-9-pro", "screen.fit": "contain"})
    show(studio, "Looks")
    looks = page.get_by_role("radiogroup", name="Looks", exact=True).get_by_role("radio")
    expect(looks).to_have_count(len(LOOKS))
    expect(page.locator(".fitting").first).to_be_visible()
    page.get_by_role("radio", name="Midnight").click()
    expect(page.get_by_role("radio", name="Midnight")).to_have_attribute("aria-checked", "true")
    assert studio.setting("device") == "pixel-9-pro"
    studio.module("state/store.js", "change(given)", {"shadow.blur": 11})
    page.get_by_role("textbox", name="Save the present look").fill("Mine")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("radio", name="Paper").click()
    assert studio.setting("postProcessing.vignette") is False, "a look leaves nothing of another"
    page.reload()
    studio.pictured()
    page.get_by_role("radio", name="Mine").click()
    assert studio.setting("shadow.blur") == 11
    assert studio.setting("screen.fit") == "contain"
    page.get_by_text("Remove a look").click()
    page.get_by_role("button", name="Remove Mine").click()
    expect(page.get_by_role("radio", name="Mine")).to_have_count(0)


@pytest.mark.long(seconds=15)
def test_every_setting_has_a_control(studio: Studio) -> None:
    studio.failing = True  # the server refuses values out of range
    studio.open()
    page = studio.page
    show(studio, "Settings")
    search = page.get_by_role("searchbox", name="Search settings")
    search.fill("blur")
    page.get_by_role("spinbutton", name="Blur").fill("8")
    page.get_by_role("spinbutton", name="Blur").press("Enter")
    assert studio.setting("shadow.blur") == 8
    page.get_by_role("spinbutton", name="Blur").fill("99")
    page.get_by_role("spinbutton", name="Blur").press("Enter")
    expect(page.locator(".field-fault")).to_contain_text("20")
    page.get_by_role("button", name="Reset Blur").click()
    expect(page.locator(".field-fault")).to_have_count(0)
    assert studio.setting("shadow.blur") == 5
    search.fill("bloom")
    expect(page.get_by_role("slider", name="Threshold")).to_have_count(0)
    page.get_by_role("switch", name="Bloom").click()
    page.get_by_role("slider", name="Threshold").press("ArrowLeft")
    assert studio.setting("postProcessing.bloom")["threshold"] == pytest.approx(0.79)
    page.get_by_role("slider", name="Threshold").press("ArrowRight")
    assert studio.setting("postProcessing.bloom") is True, "it stays on with its defaults"
    search.fill("backgroundColor")
    page.get_by_role("textbox", name="Background", exact=True).fill("#336")
    page.get_by_role("spinbutton", name="Background: opacity in percent").fill("50")
    assert studio.setting("appearance.backgroundColor") == "#33336680"
    page.get_by_role("button", name="transparent").click()
    assert studio.setting("appearance.backgroundColor") == "transparent"
    search.fill("environment")
    page.get_by_role("radio", name="Sunset").click()
    assert studio.setting("reflection.environment") == "sunset"
    search.fill("preset")
    page.get_by_role("radio", name="Story 1080 × 1920").click()
    assert studio.setting("canvas.preset") == "story"
    studio.pictured()
    search.fill("")
    shown = page.locator(".group .field").count()
    paths = page.evaluate(
        """async (folder) => {
            const {form} = await import(folder + 'state/schema.js');
            const {applies} = await import(folder + 'panels/settings.js');
            return form.value.settings.filter((one) => applies(one)).length;
        }""",
        studio.folder,
    )
    assert shown == paths - 1, "all but the device, which has a panel"


@pytest.mark.long(seconds=15)
def test_a_scene_is_composed(studio: Studio) -> None:
    studio.open()
    page = studio.page
    show(studio, "Layers")
    page.get_by_role("button", name="Add a device").click()
    page.get_by_role("searchbox", name="Search devices").fill("ipad mini")
    page.get_by_role("radio", name="iPad mini (A17 Pro)", exact=True).click()
    studio.pictured()
    expect(page.locator(".outline-chosen")).to_have_attribute("d", re.compile("^M"))
    assert page.evaluate("window.previews.last")["devices"][1]["device"] == "ipad-mini"
    studio.drag(60, 0)  # drags the tablet, which is in the middle
    assert page.evaluate("window.previews.last")["devices"][1]["deviceTransform"]["rotationY"] > 0
    page.keyboard.press("n")
    page.keyboard.press("n")
    page.keyboard.press("ArrowRight")
    show(studio, "Layers")
    rows = page.get_by_role("list", name="Layers").get_by_role("listitem")
    expect(rows.nth(0).get_by_role("button").first).to_have_attribute("aria-pressed", "true")
    before = page.evaluate("location.hash")
    page.get_by_role("button", name="Hide iPad mini (A17 Pro)").click()
    page.wait_for_function("(before) => location.hash !== before", arg=before)
    studio.pictured()
    assert [one.get("device") for one in page.evaluate("window.previews.last")["devices"]] == ["auto"]
    page.reload()
    studio.pictured()
    page.get_by_role("button", name="Show iPad mini (A17 Pro)").click()
    rows.nth(0).get_by_role("button").first.click()
    assert studio.setting("deviceTransform.rotationY") == 5, "the address holds the scene"
    page.locator(".stage").focus()
    page.keyboard.press("Delete")
    studio.pictured()
    expect(rows).to_have_count(2)
    assert studio.setting("device") == "ipad-mini"


@pytest.mark.long(seconds=15)
def test_a_caption_is_typed_and_a_picture_is_the_background(studio: Studio) -> None:
    studio.open()
    page = studio.page
    show(studio, "Layers")
    page.get_by_role("button", name="Add a caption").click()
    studio.pictured()
    caption = page.locator(".stage .caption")
    caption.click()
    page.keyboard.type("Plan your day")
    page.keyboard.press("Escape")
    studio.pictured()
    assert page.evaluate("window.previews.last")["settings"]["captions"][0]["text"] == "Plan your day"
    expect(caption).to_have_text("Plan your day")
    box = caption.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 80, box["y"] + 60, steps=4)
    page.mouse.up()
    assert studio.setting("captions[0].x") > 0.52
    tools = page.get_by_role("toolbar", name="Caption")
    tools.get_by_role("button", name="Larger").click()
    tools.get_by_role("radio", name="Align right").click()
    assert studio.setting("captions[0].font.size") == 0.065
    assert studio.setting("captions[0].align") == "right"
    studio.failing = True  # the server refuses values out of range
    size = page.get_by_role("region", name="Caption").get_by_role("spinbutton", name="Size")
    size.fill("7")
    size.press("Enter")
    expect(page.locator(".field-fault")).to_contain_text("from 0.005 to 1")
    caption.focus()
    page.keyboard.press("Delete")
    studio.pictured()
    expect(caption).to_have_count(0)
    expect(page.get_by_role("toolbar", name="Device")).to_be_visible()
    studio.failing = False

    page.get_by_role("button", name="Background", exact=True).click()
    page.get_by_role("radio", name="Gradient").click()
    page.get_by_role("button", name="Add a stop").click()
    page.get_by_role("slider", name="Stop 2: place").press("ArrowRight")
    studio.pictured()
    assert page.evaluate("window.previews.last")["settings"]["appearance"]["gradientStops"][1]["at"] == 0.51
    page.get_by_role("radio", name="Picture").click()
    page.get_by_role("radio", name="File").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a picture…").click()
    chooser.value.set_files({"name": "wall.png", "mimeType": "image/png", "buffer": sample()})
    expect(page.get_by_role("button", name="wall.png")).to_be_visible()
    studio.pictured()
    assert (
        page.evaluate("window.previews.last")["settings"]["appearance"]["backgroundImage"]["type"] == "upload"
    )
    page.get_by_role("button", name="Hide Background").click()
    expect(page.locator(".picture-transparent")).to_be_visible()
    studio.pictured()
    assert page.evaluate("window.previews.last")["settings"]["appearance"] == {
        "backgroundColor": "transparent"
    }


@pytest.mark.long(seconds=20)
def test_a_whole_set_is_downloaded(studio: Studio) -> None:
    studio.open()
    page = studio.page
    small = {"canvas.width": 64, "canvas.height": 64, "captions": [{"text": "Day"}]}
    studio.module("state/store.js", "change(given)", small)
    page.get_by_role("tab", name="Set", exact=True).click()
    for locale in ("en", "de"):
        page.get_by_role("textbox", name="Locale").or_(page.get_by_role("combobox", name="Locale")).fill(
            locale
        )
        page.get_by_role("region", name="Locales").get_by_role("button", name="Add").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add screenshots…").click()
    chooser.value.set_files({"name": "list.png", "mimeType": "image/png", "buffer": sample()})
    page.get_by_role("tab", name="de", exact=True).click()
    page.locator(".stage .caption").click()
    page.keyboard.type("Tag")
    page.keyboard.press("Escape")
    studio.pictured()
    page.get_by_text("The set as a file for").click()
    expect(page.get_by_role("region", name="set.toml")).to_contain_text(
        'captions = [{ en = "Day", de = "Tag" }]'
    )
    page.reload()
    studio.pictured()
    assert studio.setting("language") == "de"
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as ZIP").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        names = archive.namelist()
        different = {archive.read(name) for name in names}
    assert names == [
        f"{locale}_picture_{number}_{screen}.png"
        for number, screen in ((1, "home"), (2, "list"))
        for locale in ("en", "de")
    ]
    assert len(different) >= 3, "screens and texts differ"


@pytest.mark.long(seconds=25)
def test_a_film_is_moved_scrubbed_and_made(studio: Studio) -> None:
    studio.open()
    page = studio.page
    studio.module("state/store.js", "change(given)", {"canvas.width": 64, "canvas.height": 64})
    page.get_by_role("tab", name="Film").click()
    page.get_by_role("combobox", name="Move").select_option(label="Tilt in")
    page.get_by_label("Length", exact=True).fill("0.1")
    page.get_by_label("Length", exact=True).press("Enter")
    page.get_by_role("combobox", name="Format").select_option(label="PNG files")
    head = page.get_by_role("slider", name="Time")
    head.press("ArrowRight")
    expect(page.locator(".picture .exact")).to_be_visible()
    page.get_by_role("radio", name="Keyframes").click()
    page.get_by_role("button", name="Add a keyframe").click()
    mark = page.get_by_role("button", name=re.compile("^Keyframe at"))
    expect(mark).to_have_attribute("aria-pressed", "true")
    mark.press("ArrowLeft")
    expect(mark).to_have_accessible_name("Keyframe at 0 s")
    with page.expect_download() as download:
        page.get_by_role("button", name="Make and download the film").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert len(archive.namelist()) == 3
    page.reload()
    studio.pictured()
    expect(mark).to_have_count(1)
    studio.failing = True  # the server refuses values out of range
    page.get_by_label("Length", exact=True).fill("99")
    page.get_by_label("Length", exact=True).press("Enter")
    expect(page.locator(".field-fault")).to_contain_text("60")


@pytest.mark.long(seconds=25)
def test_a_device_of_a_filmed_scene_shows_its_own_recording(studio: Studio) -> None:
    studio.open()
    page = studio.page
    devices = [{"device": "iphone-16-pro"}, {"device": "pixel-9-pro"}]
    scene = {"settings": {"layout": "row"}, "devices": devices}
    studio.module("state/store.js", "replaceRequest(given)", scene)
    studio.pictured()
    show(studio, "Film")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Its own recording… 2. Pixel 9 Pro").click()
    chooser.value.set_files({"name": "own.gif", "mimeType": "image/gif", "buffer": animation("gif")})
    expect(page.get_by_role("combobox", name="2. Pixel 9 Pro")).to_have_value("1")
    page.get_by_label("Shutter angle").fill("180")
    page.get_by_label("From").fill("0.04")
    # The page may still be requesting stills without a start, from before.
    with page.expect_request(lambda one: '"start":0.04' in (one.post_data or "")) as asked:
        page.get_by_label("From").press("Enter")
    sent: Any = asked.value.post_data_json
    assert sent["motion"] == {"shutterAngle": 180}
    own = sent["devices"][1]["recording"]
    assert (own["type"], own["start"]) == ("upload", 0.04)
    assert "screenshot" in sent["devices"][0], "without a recording, devices show their screenshots"
    assert not sent.keys() & {"recording", "screenshot"}
    expect(page.locator(".picture .exact")).to_be_visible()
    page.reload()
    studio.pictured()
    expect(page.get_by_role("combobox", name="2. Pixel 9 Pro")).to_have_value("1")
    page.get_by_role("combobox", name="2. Pixel 9 Pro").select_option(label="Its screenshot")
    expect(page.get_by_label("From")).to_have_count(0)
