"""The whole page works with the keyboard alone, and without drags."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from service.settings.looks import LOOKS
from tests.web.conftest import Studio

FAR = 60  # more presses of Tab than lie between any two elements
FOCUSED = """() => {
    const {activeElement: at} = document;
    const labels = [...(at.labels ?? [])].map((one) => one.textContent.trim());
    return {
        name: at.getAttribute('aria-label') ?? labels[0] ?? at.textContent.trim(),
        role: at.getAttribute('role') ?? at.type ?? at.tagName.toLowerCase(),
        seen: at.matches(':focus-visible'),
    };
}"""


def go(studio: Studio, name: str, role: str = "", key: str = "Tab") -> None:
    """Press Tab until an element with that name has the focus, and check that the focus is visible."""
    seen = []
    for _ in range(FAR):
        studio.page.keyboard.press(key)
        at = studio.page.evaluate(FOCUSED)
        if re.search(name, at["name"]) and role in at["role"]:
            assert at["seen"], f"{name} does not show that it has the focus"
            return
        seen.append(at["name"][:30])
    raise AssertionError(f"no Tab leads to {name}, only to {seen}")


def panel(studio: Studio, name: str) -> None:
    """Select a panel's tab with the arrow keys."""
    tab = studio.page.get_by_role("tab", name=name)
    if not studio.page.evaluate("document.activeElement.matches('[role=tab]')"):
        go(studio, "^(Image|Device|Pose|Looks|Settings|Code|Projects)$", "tab", "Shift+Tab")
    focused = studio.page.locator("[role=tab]:focus")
    for _ in range(FAR):
        # A key pressed too early would skip the tab, so wait.
        expect(focused).to_have_attribute("aria-selected", "true")
        if tab.get_attribute("aria-selected") == "true":
            break
        studio.page.keyboard.press("ArrowDown")
    expect(tab).to_be_focused()
    expect(studio.page.get_by_role("tabpanel", name=name)).to_be_visible()


@pytest.mark.long(seconds=4)
def test_single_keys_can_be_turned_off(studio: Studio) -> None:
    """WCAG 2.1.4 requires this, because speech input may trigger single keys."""
    studio.open()
    page, keys = studio.page, studio.page.keyboard
    single = page.get_by_role("switch", name="Shortcuts of a single key")
    tools = {name: page.get_by_role("radio", name=name) for name in ("Turn", "Move", "Size")}
    keys.press("m")
    expect(tools["Move"]).to_be_checked()
    keys.press("?")
    single.uncheck()
    keys.press("Escape")
    expect(single).to_have_count(0)
    keys.press("s")
    page.reload()
    expect(tools["Turn"]).to_be_checked()
    keys.press("s")
    keys.press("?")
    expect(tools["Turn"]).to_be_checked()
    expect(single).to_have_count(0)
    page.get_by_role("button", name="Shortcuts").click()
    single.check()
    keys.press("Escape")
    expect(single).to_have_count(0)
    keys.press("s")
    expect(tools["Size"]).to_be_checked()


@pytest.mark.long(seconds=40)
def test_every_panel_works_by_keyboard(studio: Studio) -> None:
    studio.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    studio.open()
    page, keys = studio.page, studio.page.keyboard
    go(studio, "Device on the stage")
    keys.press("ArrowRight")
    assert studio.setting("deviceTransform.rotationY") == 5
    go(studio, "^Turn$", "radio")
    keys.press("ArrowRight")
    go(studio, "Move right")
    keys.press("Enter")
    assert studio.setting("deviceTransform.positionX") > 0

    go(studio, "^Image$", "tab")
    panel(studio, "Device")
    go(studio, "Search devices")
    keys.type("pixel 9 pro")
    go(studio, "^Auto$", "radio")
    keys.press("ArrowRight")
    keys.press("Enter")
    assert str(studio.setting("device")).startswith("pixel-9")

    panel(studio, "Pose")
    go(studio, ".", "radio")
    keys.press("ArrowRight")
    keys.press("Enter")
    assert studio.setting("deviceTransform.pose") is not None

    panel(studio, "Looks")
    looks = page.get_by_role("radiogroup", name="Looks", exact=True).get_by_role("radio")
    expect(looks).to_have_count(len(LOOKS))
    go(studio, "Save the present look")
    keys.type("Mine")
    keys.press("Enter")
    expect(page.get_by_role("radio", name="Mine")).to_be_visible()

    panel(studio, "Settings")
    go(studio, "Search settings")
    keys.type("shadow.blur")
    go(studio, "^Blur", "range")
    keys.press("ArrowRight")
    assert studio.setting("shadow.blur") > 5

    panel(studio, "Code")
    go(studio, "^curl$", "radio")
    keys.press("ArrowRight")
    go(studio, "^Copy Python$")
    keys.press("Enter")
    expect(page.locator(".toast").last).to_contain_text("Python copied")

    panel(studio, "Projects")
    go(studio, "Name|Save")
    keys.press("Escape")

    go(studio, "Download options", key="Shift+Tab")
    keys.press("Enter")
    go(studio, "^PNG$", "radio")
    keys.press("Escape")
    keys.press("Control+z")
    assert studio.setting("shadow.blur") == 5
    studio.pictured()


@pytest.mark.long(seconds=15)
def test_nothing_needs_a_drag(studio: Studio) -> None:
    """Keys turn the device. Single clicks are enough to turn, move, resize and roll it, to set a slider and a
    colour, and to undo."""
    studio.open()
    page = studio.page
    page.locator(".stage").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert studio.setting("deviceTransform.rotationY") == 5
    assert studio.setting("deviceTransform.rotationX") == 1

    def click(role: str, name: str) -> None:
        page.get_by_role(role, name=name, exact=True).click()  # type: ignore[arg-type]

    for tool, button, path in (
        ("Turn", "Turn left", "rotationY"),
        ("Turn", "Turn up", "rotationX"),
        ("Move", "Move left", "positionX"),
        ("Move", "Move up", "positionY"),
        ("Size", "Larger", "scale"),
        ("Roll", "Roll clockwise", "rotationZ"),
    ):
        click("radio", tool)
        before = studio.setting(f"deviceTransform.{path}")
        click("button", button)
        assert studio.setting(f"deviceTransform.{path}") != before, button
    assert studio.setting("deviceTransform.rotationZ") == -5
    assert studio.setting("deviceTransform.positionY") == pytest.approx(0.02)
    click("button", "Reset the device")
    assert studio.setting("deviceTransform.rotationZ") == 0
    click("tab", "Settings")
    page.get_by_role("searchbox", name="Search settings").fill("shadow")
    page.get_by_role("spinbutton", name="Opacity").first.fill("0.9")
    page.get_by_role("spinbutton", name="Opacity").first.press("Enter")
    assert studio.setting("shadow.opacity") == 0.9
    slider = page.get_by_role("slider", name="Blur")
    box = slider.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2)
    assert studio.setting("shadow.blur") > 10
    page.get_by_role("textbox", name="Color", exact=True).fill("#223344")
    page.get_by_role("textbox", name="Color", exact=True).press("Enter")
    assert studio.setting("shadow.color") == "#223344"
    click("button", "Undo")
    assert studio.setting("shadow.color") != "#223344"
    studio.pictured()
    shortcuts = page.get_by_role("dialog", name="Shortcuts")
    page.locator(".stage").focus()
    page.keyboard.press("?")
    expect(shortcuts).to_be_visible()
    page.keyboard.press("Escape")
    expect(shortcuts).to_have_count(0)
    opener = page.get_by_role("button", name="API key")
    opener.click()
    page.get_by_role("dialog", name="API key").get_by_role("button", name="Close").click()
    expect(opener).to_be_focused()
