"""User journeys on the studio page."""

from __future__ import annotations

import base64
import io
import json
import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Locator, Route, expect

from tests.support.fragments import encoded
from tests.web.axe import PHONE
from tests.web.conftest import Studio, sample

LIMITED = {"success": False, "error": "Too Many Requests", "code": "RATE_LIMITED"}
PREVIEWS = "**/api/v1/previews"
DROP = """([data, name]) => {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    const files = new DataTransfer();
    files.items.add(new File([bytes], name, {type: 'image/png'}));
    const target = document.querySelector('.stage');
    for (const kind of ['dragenter', 'dragover', 'drop'])
        target.dispatchEvent(new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: files}));
}"""
# Whether the page knows how long the server takes, and no preview is under way.
PACED = """async (folder) => {
    const {timing} = await import(folder + 'state/status.js');
    return timing.value.server === 1000 && !window.previews.now;
}"""
LONG_ROUND_TRIPS = "(folder) => import(folder + 'server/live.js').then((it) => (it.roundTrip.value = 10_000))"
TWO_FRAMES = "() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))"
CATEGORY = "(folder) => import(folder + 'state/transform.js').then((it) => it.category.value)"
DROP_ADDRESSES = r"""() => {
    const list = new DataTransfer();
    list.setData('text/uri-list', '# two\r\nhttps://example.com/100%.png\r\nhttps://example.com/b.png\r\n');
    const target = document.querySelector('.stage');
    target.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: list}));
}"""


def drop(studio: Studio) -> None:
    studio.page.evaluate(DROP, [base64.b64encode(sample()).decode(), "tablet.png"])
    expect(studio.page.locator(".shot-name")).to_have_text("tablet.png")


@pytest.mark.long(seconds=15)
def test_turning_by_dragging_is_announced_and_undone(studio: Studio) -> None:
    studio.open()
    told = studio.page.locator("p[role=status] span", has_text="Picture updated")
    expect(told).to_be_attached()
    before = told.element_handle()
    first = studio.drawn()
    studio.drag(80, 40)
    assert studio.setting("deviceTransform.rotationY") > 0
    assert studio.setting("deviceTransform.rotationX") > 0
    studio.pictured()
    assert studio.drawn() != first
    expect(told).to_be_attached()
    assert not before.evaluate("(one) => one.isConnected"), "what does not change is not read out"
    studio.page.keyboard.press("Control+z")
    assert studio.setting("deviceTransform.rotationY") == 0, "a drag is one step"
    studio.pictured()
    studio.page.get_by_role("button", name="Redo").click()
    assert studio.setting("deviceTransform.rotationY") > 0
    studio.drag(0, 0, steps=1)
    studio.page.locator(".stage").dblclick(position={"x": 300, "y": 300})
    assert studio.setting("deviceTransform.rotationY") == 0


@pytest.mark.long(seconds=10)
def test_previews_are_few_paced_and_the_latest_wins(studio: Studio) -> None:
    studio.open()
    before = studio.page.evaluate("window.previews.sent")
    studio.drag(150, 60, steps=40)
    studio.pictured()
    previews = studio.page.evaluate("window.previews")
    assert previews["most"] <= 2, "one at the server, and one that travels"
    assert previews["aborted"] == 0
    assert previews["sent"] - before >= 2, "one while it moves, and one at the size that is shown"
    transform = previews["last"]["settings"]["deviceTransform"]
    assert transform["rotationY"] == studio.setting("deviceTransform.rotationY")
    box = studio.page.locator(".picture").bounding_box()
    assert box is not None
    width = studio.page.evaluate("document.querySelector('.canvas').width")
    assert width == pytest.approx(box["width"], abs=2)

    angles = angles_of_held_requests(studio)
    assert angles[1] > 2 * angles[0], "the latest pointer position is in the request"

    # Little time is left for previews.
    page = studio.page

    def scarce(route: Route) -> None:
        answer = route.fetch()
        told = {"x-duration-ms": "1000", "x-preview-remaining-ms": "10000", "x-preview-reset-s": "24000"}
        route.fulfill(response=answer, headers={**answer.headers, **told})

    page.route(PREVIEWS, scarce)
    studio.drag(30, 0)
    page.wait_for_function(PACED, arg=studio.folder)
    before = page.evaluate("window.previews.sent")
    studio.drag(90, 30, steps=30)
    assert page.evaluate("window.previews.sent") == before, "the next is due in 50 minutes"
    page.unroute(PREVIEWS)
    studio.module("server/live.js", "retry()")
    studio.pictured()


@pytest.mark.parametrize("accelerated", [True, False])
def test_a_proxy_bridges_long_round_trips_if_a_graphics_processor_draws_it(
    studio: Studio, accelerated: bool
) -> None:
    page = studio.page
    module = f"export const isAccelerated = () => {json.dumps(accelerated)};"
    page.route(
        "**/browser/compositing.js", lambda route: route.fulfill(body=module, content_type="text/javascript")
    )
    studio.open()
    page.evaluate(LONG_ROUND_TRIPS, studio.folder)
    held = list[Route]()
    page.route(PREVIEWS, lambda route: held.append(route))
    studio.drag(80, 30)
    page.evaluate(TWO_FRAMES)
    warped = page.locator(".canvas[style*=matrix3d]")
    expect(warped).to_have_count(int(accelerated))
    page.route(PREVIEWS, lambda route: route.continue_())
    for route in held:
        route.continue_()
    studio.pictured()
    expect(warped).to_have_count(0)


def angles_of_held_requests(studio: Studio) -> list[float]:
    """The angles in two requests: the pointer moves on before the browser reports it, and the first is held
    until then."""
    page, mouse, held = studio.page, studio.page.mouse, list[Route]()
    box = page.locator(".stage").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.evaluate("addEventListener('pointerdown', (event) => (window.id = event.pointerId), true)")
    start = studio.setting("deviceTransform.rotationY")
    mouse.move(x, y)
    mouse.down()
    page.route(PREVIEWS, lambda route: held.append(route), times=1)
    with page.expect_request(PREVIEWS) as first:
        mouse.move(x + 30, y)
    while not held:
        page.wait_for_timeout(10)
    # A second move is still pending in the browser, which would report it with the next frame.
    page.evaluate(
        """([clientX, clientY]) => document.querySelector('.stage').dispatchEvent(
            new PointerEvent('pointerrawupdate', {pointerId: window.id, clientX, clientY, bubbles: true}))""",
        [x + 90, y],
    )
    with page.expect_request(PREVIEWS) as second:
        held[0].continue_()
    asked = [json.loads(sent.value.post_data or "{}")["settings"] for sent in (first, second)]
    mouse.up()
    studio.pictured()
    return [settings["deviceTransform"]["rotationY"] - start for settings in asked]


@pytest.mark.long(seconds=15)
def test_the_document_survives_a_reload(studio: Studio) -> None:
    studio.page.emulate_media(reduced_motion="no-preference")
    studio.open()
    assert studio.page.url == f"{studio.server.address}/", "the key is moved out of the address"
    drop(studio)
    studio.pictured()
    assert studio.page.evaluate(CATEGORY, studio.folder) == "tablet", "the device suits the screenshot"
    studio.drag(-60, 0)
    turned = studio.setting("deviceTransform.rotationY")
    studio.pictured()
    expect(studio.page).to_have_url(re.compile(r"/#settings=[\w-]+$"))
    seen = studio.drawn()
    studio.page.reload()
    studio.pictured()
    expect(studio.page.locator(".shot-name")).to_have_text("tablet.png")
    assert studio.setting("deviceTransform.rotationY") == turned
    assert studio.drawn() == seen


@pytest.mark.long(seconds=15)
def test_dropped_screenshots_are_mended_and_sent_again(studio: Studio) -> None:
    """A button fixes a warning; an upload that has expired is sent again; the first of several addresses is
    used."""
    studio.open("settings=" + encoded({"device": "iphone-16-pro"}))
    drop(studio)
    page, warnings = studio.page, studio.page.locator(".warnings")
    expect(warnings.locator("summary")).to_contain_text(re.compile(r"Cropped \d\d %"))
    warnings.locator("summary").click()
    warnings.get_by_role("button", name=re.compile("^(Use|Choose) ")).click()
    expect(warnings).to_have_count(0)
    assert page.evaluate(CATEGORY, studio.folder) == "tablet"
    studio.pictured()

    uploads = studio.server.accounts.uploads
    user = studio.server.accounts.authenticate(studio.key)
    assert user is not None
    with page.expect_request("**/api/v1/previews") as sent:
        studio.drag(-60, 0)
    source = json.loads(sent.value.post_data or "")["screenshot"]["src"]
    studio.pictured()
    assert uploads.remove(user.user_id, source)
    studio.failing = True
    with page.expect_response(lambda answer: answer.status == 201):
        studio.drag(-60, 0)
    studio.pictured()

    upload = {"id": "1", "width": 10, "height": 10, "expiresAt": "2099-01-01T00:00:00Z"}
    # The fake upload does not exist.
    page.route("**/api/v1/screenshots", lambda route: route.fulfill(status=201, json=upload))
    with page.expect_request("**/api/v1/screenshots") as sent:
        page.evaluate(DROP_ADDRESSES)
    assert json.loads(sent.value.post_data or "") == {"url": "https://example.com/100%.png"}
    expect(page.locator(".shot-name")).to_have_text("100%.png")


@pytest.mark.long(seconds=12)
@pytest.mark.parametrize("options", [PHONE], indirect=True)
def test_touch_and_poses_on_a_phone(studio: Studio) -> None:
    """A pose is taken by the keyboard that a phone may have, too."""
    studio.open()
    box = studio.page.locator(".stage").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = studio.page.context.new_cdp_session(studio.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        where = [{"x": x + dx, "y": y + dy, "id": number} for number, (dx, dy) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": where})

    touch("touchStart", (0, 0))
    touch("touchMove", (30, 0))
    touch("touchMove", (60, 0))
    touch("touchEnd")
    assert studio.setting("deviceTransform.rotationY") > 0
    touch("touchStart", (-40, 0))
    touch("touchStart", (-40, 0), (40, 0))
    touch("touchMove", (-60, 0), (60, 0))
    touch("touchMove", (-60, -20), (60, 20))
    touch("touchEnd")
    assert studio.setting("deviceTransform.scale") > 1.3
    assert studio.setting("deviceTransform.rotationZ") < -10, "two fingers roll"
    studio.pictured()
    wide = "document.documentElement.scrollWidth"
    assert studio.page.evaluate(wide) == 390, "nothing is wider than the phone"

    studio.page.get_by_role("tab", name="Pose").click()
    poses = studio.page.get_by_role("radiogroup", name="Poses").get_by_role("radio")
    assert poses.count() >= 16
    poses.first.focus()
    studio.page.keyboard.press("ArrowDown")
    studio.page.keyboard.press("Enter")
    assert studio.setting("deviceTransform.pose") is not None
    expect(poses.nth(3)).to_have_attribute("aria-checked", "true")
    studio.pictured()
    assert studio.page.evaluate(wide) == 390


@pytest.mark.long(seconds=8)
def test_a_wrong_setting_is_named_beside_its_field(studio: Studio) -> None:
    studio.open()
    studio.failing = True
    studio.module("state/store.js", "change(given)", {"shadow.blur": 99})
    expect(studio.page.locator(".notice-refused")).to_contain_text("shadow.blur")
    before = studio.page.locator(".picture").bounding_box()
    studio.page.get_by_role("tab", name="Device").click()
    studio.module("state/store.js", "change(given)", {"orientation": "sideways"})
    field = studio.page.locator(".field-faulty select")
    expect(field).to_have_accessible_description(re.compile("portrait"))
    studio.module("state/store.js", "change(given)", {"orientation": "auto", "canvas.width": 9})
    expect(studio.page.locator(".notice-refused")).to_contain_text("canvas.width")
    assert studio.page.locator(".picture").bounding_box() == before, "the stage stays in shape"


@pytest.mark.long(seconds=15)
@pytest.mark.parametrize(
    "settings",
    [
        {"device": {"kind": "phone"}},
        pytest.param({"appearance": None}, marks=pytest.mark.thorough),
        pytest.param({"appearance": {"deviceColor": 5}}, marks=pytest.mark.thorough),
    ],
    ids=["no-screen", "null", "number"],
)
def test_a_link_with_odd_settings_opens(studio: Studio, settings: object) -> None:
    """All panels still work, so the visitor can correct the settings."""
    studio.failing = True
    studio.page.goto(f"{studio.server.address}/#key={studio.key}&settings={encoded(settings)}")
    studio.page.get_by_role("button", name="Use this key").click()
    tabs = studio.page.get_by_role("tab")
    expect(tabs).to_have_count(11)
    for tab in tabs.all()[1:]:
        tab.click()
        expect(studio.page.get_by_role("tabpanel", name=tab.inner_text())).to_be_visible()


@pytest.mark.long(seconds=8)
def test_waits_are_counted_down_and_end(studio: Studio) -> None:
    """Previews and outlines wait for their time, and if a picture is refused, its preview stays on the
    stage."""
    studio.open()
    studio.failing = True
    page, notice = studio.page, studio.page.locator(".notice")

    def limit(seconds: int, told: str) -> None:
        # Two previews may be under way. If a later one is drawn, the page stops waiting.
        headers = {"Retry-After": str(seconds)}
        page.route(PREVIEWS, lambda route: route.fulfill(status=429, json=LIMITED, headers=headers))
        studio.drag(50, 0)
        expect(notice).to_contain_text(re.compile(told))
        page.unroute(PREVIEWS)

    limit(600, r"Trying again in 5\d\d s")
    page.get_by_role("button", name="Try now").click()
    studio.pictured()
    expect(notice).to_have_count(0)
    limit(1, "Trying again in")
    studio.pictured()
    page.route(PREVIEWS, lambda route: route.abort())
    studio.drag(50, 0)
    expect(notice).to_contain_text("cannot be reached")
    page.unroute(PREVIEWS)
    studio.pictured()

    page.evaluate(
        """() => {
            const wait = window.setTimeout;
            window.waits = [];
            window.setTimeout = (task, ms) => (window.waits.push(ms), wait(task, ms));
        }"""
    )
    headers = {"Retry-After": "3600"}
    page.route("**/api/v1/geometry", lambda route: route.fulfill(status=429, json=LIMITED, headers=headers))
    studio.module("state/store.js", "change(given)", {"orientation": "landscape"})
    while 3600_000 not in page.evaluate("window.waits"):
        page.wait_for_timeout(20)
    page.unroute("**/api/v1/geometry")
    studio.pictured()

    page.route("**/api/v1/mockup?*", lambda route: route.fulfill(status=429, json=LIMITED))
    page.get_by_role("button", name="Zoom in").click()
    expect(page.locator(".picture-label")).to_contain_text("a preview")
    expect(page.locator(".exact")).to_have_count(0)


@pytest.mark.long(seconds=15)
def test_keys_are_asked_for_and_no_link_gives_or_changes_one(studio: Studio) -> None:
    page, kept = studio.page, "localStorage.getItem('mockup.key')"
    page.goto(f"{studio.server.address}/#key={studio.key}")
    question = page.get_by_role("dialog", name="A key in the address")
    expect(question).to_contain_text(studio.server.address.removeprefix("http://"))
    expect(question).to_contain_text(studio.key[:12])
    assert page.evaluate(kept) is None
    assert studio.key not in page.url
    question.get_by_role("button", name="Do not use it").click()
    expect(page.locator(".key-form")).to_be_visible()
    assert page.evaluate(kept) is None
    assert page.evaluate("window.previews.sent") == 0

    studio.failing = True
    page.get_by_role("textbox", name="API key").fill("sk_live_" + "x" * 43)
    page.get_by_role("button", name="Continue").click()
    expect(page.locator(".key-form .field-fault")).to_contain_text("invalid")
    page.get_by_role("textbox", name="API key").fill(studio.key)
    page.get_by_role("button", name="Continue").click()
    studio.pictured()
    assert page.evaluate("window.previews.sent") < 6, "a key that is refused is not tried again"
    assert studio.key not in page.url
    studio.failing = False

    other, question = studio.server.key(), page.get_by_role("dialog", name="Another API key")
    for choice, expected in (("Keep the key in use", studio.key), ("Use the other key", other)):
        page.goto("about:blank")
        page.goto(f"{studio.server.address}/#key={other}")
        expect(question).to_contain_text(other[:12])
        assert page.evaluate(kept) == studio.key
        assert other not in page.url
        question.get_by_role("button", name=choice).click()
        expect(question).to_have_count(0)
        studio.pictured()
        assert page.evaluate(kept) == expected


@pytest.mark.long(seconds=10)
def test_a_download_renews_expired_uploads_or_tells_the_failure(studio: Studio) -> None:
    studio.open("settings=" + encoded({"canvas": {"width": 320, "height": 240}}))
    studio.failing = True
    page = studio.page
    page.route("**/samples/screenshot.png", lambda route: route.abort())
    page.get_by_role("button", name="Download", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("cannot be reached")
    page.unroute("**/samples/screenshot.png")
    page.get_by_role("button", name="Download options").click()
    page.get_by_role("radio", name="WebP").click()
    page.get_by_role("radio", name="2×").click()

    def downloaded(button: Locator) -> str:
        """The upload that the picture is made of."""
        with page.expect_request("**/api/v1/mockup?*") as sent, page.expect_download() as download:
            button.click()
        assert download.value.suggested_filename == "sample-mockup.webp"
        data = download.value.path().read_bytes()
        assert data[:4] + data[8:12] == b"RIFFWEBP"
        return str(json.loads(sent.value.post_data or "")["screenshot"]["src"])

    source = downloaded(page.locator(".export-actions").get_by_role("button", name="Download"))
    user = studio.server.accounts.authenticate(studio.key)
    assert user is not None
    assert studio.server.accounts.uploads.remove(user.user_id, source)
    # Without this change, the page would not request the picture again.
    studio.module("state/store.js", "change(given)", {"shadow.blur": 8})
    downloaded(page.get_by_role("button", name="Download", exact=True))


@pytest.mark.long(seconds=15)
def test_every_pixel_of_the_file_is_seen_at_100_percent(studio: Studio, tmp_path: Path) -> None:
    canvas = {"width": 1000, "height": 1400}
    studio.open("settings=" + encoded({"canvas": canvas, "export": {"scale": 1.5}}))
    page, stage = studio.page, studio.page.locator(".stage")
    place = page.locator(".picture").bounding_box()
    assert place is not None
    assert place["width"] / place["height"] == pytest.approx(1000 / 1400, abs=0.01), "the shape of the file"
    expect(page.locator(".picture-label")).to_contain_text("1500 × 2100")
    page.keyboard.press("1")
    expect(page.get_by_role("button", name="100 %: fit the stage")).to_be_visible()
    expect(page.locator(".exact")).to_be_visible()
    stage.focus()
    page.get_by_role("radio", name="Pan").click()
    stage.focus()
    page.keyboard.press("Shift+ArrowRight")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download", exact=True).click()
    download.value.save_as(tmp_path / "made.png")
    whole, box = page.locator(".exact").bounding_box(), stage.bounding_box()
    assert whole is not None
    assert box is not None
    assert (whole["width"], whole["height"]) == (1500, 2100)
    x, y = int(box["x"] + box["width"] / 2), int(box["y"] + box["height"] / 2)
    clip = {"x": x - 100, "y": y - 100, "width": 200, "height": 200, "scale": 1}
    session = page.context.new_cdp_session(page)
    seen = session.send("Page.captureScreenshot", {"format": "png", "clip": clip})["data"]
    session.detach()
    left, top = x - 100 - int(whole["x"]), y - 100 - int(whole["y"])
    made = Image.open(tmp_path / "made.png").convert("RGB").crop((left, top, left + 200, top + 200))
    assert Image.open(io.BytesIO(base64.b64decode(seen))).convert("RGB").tobytes() == made.tobytes()
    studio.module("state/store.js", "change(given)", {"shadow.blur": 8})
    expect(page.locator(".exact")).to_have_count(0)
    page.keyboard.press("f")
    studio.pictured()
    assert page.locator(".picture").bounding_box() == place


@pytest.mark.long(seconds=8)
def test_the_wheel_zooms_and_pans(studio: Studio) -> None:
    studio.open()
    page, mouse = studio.page, studio.page.mouse
    zooms = []

    def look() -> tuple[float, float]:
        """The left edge of the picture, and its width."""
        page.evaluate("new Promise(requestAnimationFrame)")
        box = page.locator(".picture").bounding_box()
        assert box is not None
        return box["x"], box["width"]

    left, width = look()
    at = left + width / 4
    mouse.move(at, 300)
    page.keyboard.down("Control")
    mouse.wheel(0, -300)
    page.keyboard.up("Control")
    nearer, wider = look()
    assert wider > 2 * width
    assert (at - nearer) / wider == pytest.approx((at - left) / width, abs=0.01), (
        "the pointer stays where it is"
    )
    mouse.wheel(60, 0)
    assert look() == pytest.approx((nearer - 60, wider), abs=1)
    page.locator(".stage").focus()
    page.keyboard.down("Space")
    studio.drag(100, 0)
    page.keyboard.up("Space")
    assert look()[0] == pytest.approx(nearer + 40, abs=1)
    assert studio.setting("deviceTransform") is None, "the device has not been touched"
    for name in ("Zoom in", "Zoom out", "Zoom out"):
        page.get_by_role("button", name=name).click()
        zooms.append(look()[1])
    assert zooms[0] > wider > zooms[2]
    studio.module("state/zoom.js", "panBy(given, 0)", 1e6)
    assert look()[0] < 900, "some of it stays on the stage"
