"""Snippets run when they are copied, and restore the same picture when they are pasted."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support import ready
from tests.support.live import Live
from tests.support.waiting import PATIENCE_S
from tests.web import modules
from tests.web.conftest import Studio, sample

SETTINGS: dict[str, Any] = {
    "device": "pixel-9-pro",
    "canvas": {"width": 320, "height": 240},
    "screen": {"title": 'it\'s "quoted" `so` \\ $HOME'},
    "shadow": {"enabled": False},
    "postProcessing": {"bloom": True, "grain": {"amount": 0.1}},
}
NAME = "it's mine.png"
SOURCES = {"file": NAME}, {"url": "https://example.com/it's.png"}, {"sample": "http://localhost/s.png"}
WRITTEN = """
    const {SNIPPETS} = await load('snippets/index.js');
    return SNIPPETS.find((one) => one.title === given[0]).write(given[1]);
"""
PROGRAMS = {
    "curl": ["sh", "snippet"],
    "Python": [sys.executable, "snippet"],
    "JavaScript": ["node", "snippet.mjs"],
    "Go": ["go", "run", "snippet.go"],
    "Command line": ["sh", "snippet"],
}


def snippet(server: Live, title: str, source: dict[str, str], settings: dict[str, Any] = SETTINGS) -> str:
    """The snippet for a request with settings and a source."""
    given = {
        "address": f"{server.address}/api/v1/mockup?output=raw",
        "settings": settings,
        "source": source,
        "output": "mockup.png",
    }
    return str(modules.run(WRITTEN, [title, given]))


def executed(key: str, text: str, program: list[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    """Run a program with a snippet as its last argument, in a folder that contains the screenshot."""
    if shutil.which(program[0]) is None:
        pytest.skip(f"{program[0]} is not installed")
    (folder / program[-1]).write_text(text, "utf-8")
    (folder / NAME).write_bytes(sample())
    environ = {**os.environ, **ready.program(folder), "MOCKUP_KEY": key}
    return subprocess.run(
        program, cwd=folder, env=environ, capture_output=True, timeout=PATIENCE_S, check=False
    )


def run(key: str, text: str, program: list[str], folder: Path) -> bytes:
    """The picture that a snippet makes."""
    done = executed(key, text, program, folder)
    assert done.returncode == 0, done.stderr.decode()
    return (folder / "mockup.png").read_bytes()


@pytest.mark.long(seconds=12)
@pytest.mark.parametrize("title", PROGRAMS)
def test_a_snippet_runs_as_pasted(server: Live, key: str, title: str, tmp_path: Path) -> None:
    made = run(key, snippet(server, title, {"file": NAME}), PROGRAMS[title], tmp_path)
    assert made[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(made[16:20]), int.from_bytes(made[20:24])) == (320, 240)


@pytest.mark.long(seconds=12)
@pytest.mark.parametrize("title", PROGRAMS)
def test_a_snippet_makes_a_scene(server: Live, key: str, title: str, tmp_path: Path) -> None:
    given = {
        "address": f"{server.address}/api/v1/mockup?output=raw",
        "settings": {"layout": "row", "canvas": {"width": 160, "height": 90}},
        "devices": [
            {"device": "pixel-9-pro"},
            {"device": "card", "screenshot": {"type": "same", "index": 0}},
            {"device": "ipad-mini"},
        ],
        "sources": [{"file": NAME}, None, {"sample": f"{server.address}/studio/latest/samples/tablet.png"}],
        "output": "mockup.png",
    }
    made = run(key, str(modules.run(WRITTEN, [title, given])), PROGRAMS[title], tmp_path)
    assert (int.from_bytes(made[16:20]), int.from_bytes(made[20:24])) == (160, 90)


# The scenes above fetch the sample in all languages.
@pytest.mark.long(seconds=12)
@pytest.mark.parametrize(
    "title",
    ["curl", *(pytest.param(title, marks=pytest.mark.thorough) for title in ("Python", "JavaScript", "Go"))],
)
def test_a_snippet_fetches_the_sample(server: Live, key: str, title: str, tmp_path: Path) -> None:
    source = {"sample": f"{server.address}/studio/latest/samples/screenshot.png"}
    made = run(key, snippet(server, title, source), PROGRAMS[title], tmp_path)
    assert made[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.long(seconds=8)
@pytest.mark.parametrize("title", ["curl", "Python", "JavaScript", "Go"])
def test_a_snippet_reports_a_refusal(server: Live, key: str, title: str, tmp_path: Path) -> None:
    text = snippet(server, title, {"file": NAME}, {"shadow": {"blur": 99}})
    done = executed(key, text, PROGRAMS[title], tmp_path)
    assert done.returncode != 0
    assert b"shadow.blur" in done.stderr
    assert not (tmp_path / "mockup.png").exists(), "an error is no picture"


@pytest.mark.long(seconds=6)
def test_go_is_formatted_and_vetted(server: Live, tmp_path: Path) -> None:
    for source in SOURCES:
        text = snippet(server, "Go", source)
        for program in (["gofmt", "-d", "snippet.go"], ["go", "vet", "snippet.go"]):
            done = executed("", text, program, tmp_path)
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), source


@pytest.mark.parametrize("title", ["curl", "Command line"])
def test_settings_of_a_link_are_no_commands(title: str) -> None:
    steps = """
        globalThis.location = new URL('http://localhost');
        const {SNIPPETS} = await load('snippets/index.js');
        const {presentRequest} = await load('snippets/request.js');
        const {replaceSettings} = await load('state/store.js');
        replaceSettings({export: {format: 'png; touch owned'}});
        return SNIPPETS.find((one) => one.title === given).write(presentRequest());
    """
    assert "mockup.png; touch owned" in shlex.split(modules.run(steps, title))


@pytest.mark.long(seconds=15)
def test_requests_and_pictures_give_their_settings_back(studio: Studio, tmp_path: Path) -> None:
    studio.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    studio.open()
    page = studio.page
    studio.module("state/store.js", "change(given)", {"shadow.blur": 8, "reflection.enabled": False})
    page.get_by_role("tab", name="Code").click()
    page.get_by_role("radio", name="Python").click()
    page.get_by_role("button", name="Copy Python").click()
    expect(page.locator(".toast")).to_contain_text("Python copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "MOCKUP_KEY" in copied
    page.get_by_role("button", name="Undo").click()
    assert studio.setting("shadow.blur") == 5
    page.get_by_role("textbox", name="Paste a request").fill("nothing")
    page.get_by_role("button", name="Use its settings").click()
    expect(page.locator(".field-fault")).to_contain_text("no settings")
    page.get_by_role("textbox", name="Paste a request").fill(copied)
    page.get_by_role("button", name="Use its settings").click()
    assert studio.setting("shadow.blur") == 8
    assert studio.setting("reflection.enabled") is False
    page.get_by_role("button", name="Undo").click()
    page.locator(".stage").focus()
    page.keyboard.press("Control+v")
    expect(page.locator(".toast").last).to_contain_text("Settings taken")
    assert studio.setting("shadow.blur") == 8
    studio.pictured()

    given = {"canvas.width": 320, "canvas.height": 240, "screen.title": "<a> & b", "shadow.blur": 8}
    studio.module("state/store.js", "change(given)", given)
    page.get_by_role("button", name="Download options").click()
    page.get_by_role("slider", name="Scale").press("ArrowRight")
    page.get_by_role("switch", name="Keep the settings in the file").click()
    with page.expect_download() as download:
        page.locator(".export-actions").get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "mine.png")
    assert int.from_bytes((tmp_path / "mine.png").read_bytes()[16:20]) == 336
    page.goto("about:blank")
    page.goto(f"{studio.server.address}/")
    studio.pictured()
    assert studio.setting("shadow.blur") == 5
    page.get_by_role("tab", name="Image", exact=True).click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose", exact=True).click()
    chooser.value.set_files(tmp_path / "mine.png")
    expect(page.locator(".toast").last).to_contain_text("Settings taken")
    for path, value in {**given, "export.scale": 1.05}.items():
        assert studio.setting(path) == value, path
    studio.pictured()
