"""The tools for agents, called by the SDK's own client."""

from __future__ import annotations

import base64
import io
import json
import os
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import anyio
import pytest
from anyio import to_thread
from PIL import Image

from service.commands import demo
from service.commands.environment import load_config
from tests.commands.script import begun
from tests.commands.web import served
from tests.support import ready
from tests.support.waiting import until

# Each test imports `mcp` itself: an import at the top would add half a second to every process that collects
# tests.
if find_spec("mcp") is None:
    pytest.skip("the extra `mcp` is not installed", allow_module_level=True)

SMALL = {"canvas": {"width": 640, "height": 480}}
SET = """
output = "pictures"
screenshot = "{screen}.png"
locales = ["en-US"]
screens = [{ name = "shot" }]
sizes = [{ name = "small", layout = "flat", settings = { canvas = { width = 320, height = 240 } } },
         { name = "wide", layout = "flat", settings = { canvas = { width = 400, height = 240 } } }]
"""


@asynccontextmanager
async def client(folder: Path) -> AsyncIterator[Any]:
    from mcp import Client

    from service.commands.mcp.server import offer
    from service.commands.mcp.work import Work

    shutil.copy(demo.SAMPLE, folder / "shot.png")
    with closing(Work(folder, load_config(render_threads=1))) as work:
        async with Client(offer(work)) as made:
            yield made
        await work.pages.close()


def shown(result: Any) -> Image.Image:
    """The picture in a result, after checking that it is no larger than the limits allow."""
    assert not result.is_error, result.content
    (data,) = [one.data for one in result.content if one.type == "image"]
    assert len(data) <= 300_000
    image = Image.open(io.BytesIO(base64.b64decode(data)))
    assert max(image.size) <= 1024
    return image


async def refused(agent: Any, tool: str, **arguments: Any) -> str:
    result = await agent.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)


@pytest.mark.anyio
async def test_arguments_that_a_tool_does_not_take_are_refused(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from service.commands.mcp.server import StrictServer

    listed = []
    tools = StrictServer.list_tools

    async def counted(self: StrictServer) -> Any:
        listed.append(self)
        return await tools(self)

    monkeypatch.setattr(StrictServer, "list_tools", counted)
    async with client(place) as agent:
        said = await refused(agent, "search_devices", query="pixel 9")
        assert "query: unknown argument; search_devices takes words, category, width, height" in said
        said = await refused(agent, "film", screenshot="shot.png")
        assert "screenshot: unknown argument, source: missing; film takes source, move" in said
    assert len(listed) == 1


@pytest.mark.anyio
async def test_pictures_and_scenes(place: Path) -> None:
    async with client(place) as agent:
        made = await agent.call_tool("render", {"screenshot": "shot.png", "settings": SMALL})
        assert shown(made).size == (640, 480)
        told = made.structured_content
        assert (told["output"], told["width"], told["mimeType"]) == ("mockups/shot.png", 640, "image/png")
        assert told["devices"] == ["iphone-16-pro"]
        assert told["geometry"][0]["screens"]
        with Image.open(place / "mockups" / "shot.png") as written:
            assert written.size == (640, 480)
        assert [one.uri for one in made.content if one.type == "resource_link"] == [
            (place / "mockups" / "shot.png").as_uri()
        ]
        large = {"device": "macbook-pro-16", "appearance": {"backgroundColor": "transparent"}}
        given = {"screenshot": "shot.png", "settings": large, "output": "hero.webp"}
        made = await agent.call_tool("render", given)
        assert shown(made).format == "WEBP"
        assert made.structured_content["width"] == 1920
        assert {one["code"] for one in made.structured_content["warnings"]}
        again = await agent.call_tool("render", {"screenshot": "shot.png", "settings": SMALL})
        assert again.structured_content["output"] == "mockups/shot-2.png"
        devices = [{"screenshot": "shot.png", "device": name} for name in ("macbook-pro-14", "iPhone 16 Pro")]
        scene = await agent.call_tool("scene", {"devices": devices, "settings": {**SMALL, "layout": "desk"}})
        shown(scene)
        assert scene.structured_content["devices"] == ["macbook-pro-14", "iphone-16-pro"]


def test_pictures_of_noise_fit_the_limits() -> None:
    from service.commands.mcp import previews

    # Noise is slow to encode as WebP and hardly shrinks, so even a picture of small height takes many
    # attempts.
    for mode, height in (("RGB", 800), ("RGBA", 300)):
        size = (1100, height)
        noise = Image.frombytes(mode, size, os.urandom(size[0] * size[1] * len(mode)))
        file = io.BytesIO()
        noise.save(file, "PNG")
        small = previews.of([file.getvalue()])
        assert len(small.data) <= previews.MOST_BYTES
        assert max(small.width, small.height) <= previews.SIDE
    assert previews.of([file.getvalue()] * 3).width <= previews.SIDE


@pytest.mark.anyio
async def test_mistakes_of_agents_are_explained(place: Path) -> None:
    (place / "mockups").mkdir()
    (place / "out").symlink_to("/")
    outside = place.parent / "outside.png"
    shutil.copy(demo.SAMPLE, outside)
    (place / "set.toml").write_text(SET.replace("pictures", "../elsewhere"))
    async with client(place) as agent:
        shot = {"screenshot": "shot.png"}
        wrong = {"shadow": {"blr": 3}}
        assert "did you mean blur" in await refused(agent, "render", **shot, settings=wrong)
        for name in ("../outside.png", str(outside), "out/etc/hostname", "a\0b"):
            assert "file" in await refused(agent, "render", screenshot=name)
            assert "file" in await refused(agent, "render", **shot, output=name + ".png")
            assert "scene" in await refused(agent, "scene", devices=[{"screenshot": name}])
        assert "outside of" in await refused(agent, "set", file="set.toml")
        assert not (place.parent / "elsewhere").exists()
        assert "shot2.png" in await refused(agent, "render", screenshot="shot2.png")
        assert "either" in await refused(agent, "render")
        assert "address" in await refused(agent, "render", page="file:///etc/passwd")
        assert "category" in await refused(agent, "search_devices", category="phne")
        assert "move" in await refused(agent, "film", source="shot.png", move="jump")


@pytest.mark.anyio
async def test_searches_and_descriptions_of_tools(place: Path) -> None:
    async with client(place) as agent:
        tools = {one.name: one for one in (await agent.list_tools()).tools}
        assert set(tools) == {"search_devices", "list_settings", "render", "scene", "set", "film"}
        for name, tool in tools.items():
            reads = name in ("search_devices", "list_settings")
            assert tool.annotations.read_only_hint is reads
            assert tool.output_schema
            assert tool.description
        assert len(json.dumps([one.model_dump(mode="json") for one in tools.values()])) < 16_000
        found = (await agent.call_tool("search_devices", {"words": "iphone 16 pro"})).structured_content
        assert found["devices"][0]["id"] == "iphone-16-pro"
        found = (await agent.call_tool("search_devices", {"width": 1206, "height": 2622})).structured_content
        assert found["devices"][0]["id"] == "iphone-16-pro"
        assert (await agent.call_tool("search_devices", {})).structured_content["found"] > 50
        found = (await agent.call_tool("list_settings", {"words": "shadow blur"})).structured_content
        assert [one["path"] for one in found["settings"]] == ["shadow.blur"]
        assert "preset" in agent.instructions


@pytest.mark.long
@pytest.mark.anyio
async def test_sets_and_films(place: Path) -> None:
    (place / "set.toml").write_text(SET)
    async with client(place) as agent:
        listed = await agent.call_tool("set", {"file": "set.toml", "dry_run": True})
        assert len(listed.structured_content["drawn"]) == 2
        drawn = await agent.call_tool("set", {"file": "set.toml"})
        assert shown(drawn).width > 400
        assert all((place / name).exists() for name in drawn.structured_content["drawn"])
        again = await agent.call_tool("set", {"file": "set.toml"})
        assert again.structured_content == {"drawn": [], "unchanged": 2, "failed": []}
        if shutil.which("ffmpeg") is None:
            return
        given = {"source": "shot.png", "settings": {"canvas": {"width": 320, "height": 240}}, "fps": 25}
        film = await agent.call_tool("film", {**given, "duration": 0.16, "output": "film.mp4"})
        assert shown(film).size == (320, 240)
        assert film.structured_content["frames"] == 4


@pytest.mark.long
@pytest.mark.anyio
async def test_a_browser_opens_pages_at_the_size_of_the_device(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages that are wanted at once share the browser."""
    from service.commands.mcp.pages import PROGRAMS

    path = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if path is None:
        pytest.skip("no Chromium is installed")
    browser = place / "bin" / PROGRAMS[0]
    browser.parent.mkdir()
    browser.write_text(f'#!/bin/sh\necho started >>{place}/starts\nexec {path} "$@"\n')
    browser.chmod(0o755)
    monkeypatch.setenv("PATH", f"{browser.parent}:{os.environ['PATH']}")
    (place / "index.html").write_text(
        "<meta name=viewport content='width=device-width'><style>body{margin:0;background:#c00}"
        "@media (width: 402px) and (height: 874px) {body{background:#0c0}}</style>"
    )
    with served(place) as url:
        async with client(place) as agent:
            given = {"page": f"{url}/index.html", "settings": {**SMALL, "device": "iphone-16-pro"}}
            made = list[Any]()

            async def take() -> None:
                made.append(await agent.call_tool("render", given))

            async with anyio.create_task_group() as group:
                for _ in range(2):
                    group.start_soon(take)
            assert len(made) == 2
            for one in made:
                red, green, _ = shown(one).convert("RGB").getpixel((320, 240))  # type: ignore[misc]
                assert green > 2 * red
            assert [one.name for one in place.glob("mockups/*-page.png")]
            gone = await refused(agent, "render", page=f"{url.replace(url[-1], '1')}:1/")
            assert "ERR" in gone or "address" in gone or "invalid" in gone.lower()
    assert (place / "starts").read_text() == "started\n"


@pytest.mark.anyio
@pytest.mark.parametrize(("told", "times"), [("Unable to capture screenshot", 3), ("Target closed", 1)])
async def test_a_page_that_the_browser_refuses_to_capture_is_tried_again(told: str, times: int) -> None:
    from playwright.async_api import Error

    from service.commands.mcp.pages import captured

    refusing = AsyncMock(**{"screenshot.side_effect": Error(f"Page.captureScreenshot: {told}")})
    with pytest.raises(Error, match=told):
        await captured(refusing)
    assert refusing.screenshot.await_count == times
    refusing.screenshot.side_effect = [Error("Unable to capture screenshot"), b"picture"]
    assert await captured(refusing) == b"picture"


@pytest.mark.long
@pytest.mark.anyio
async def test_standard_input_and_http(place: Path) -> None:
    from mcp import Client, StdioServerParameters, stdio_client

    shutil.copy(demo.SAMPLE, place / "shot.png")
    environment = begun(MOCKUP_RENDER_THREADS="1")
    arguments = ["mcp", "--folder", str(place)]
    program, *code = ready.COMMAND
    parameters = StdioServerParameters(command=program, args=[*code, *arguments], env=environment)
    given = {"screenshot": "shot.png", "settings": SMALL}
    async with Client(stdio_client(parameters)) as agent:
        shown(await agent.call_tool("render", given))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = started([*arguments, "--port", str(port)], environment)
    try:
        await to_thread.run_sync(until, lambda: answers(port) or process.poll() is not None, "the start")
        # Another process may have taken the port meanwhile.
        assert process.poll() is None, (place / "said").read_text()
        async with Client(f"http://127.0.0.1:{port}/mcp") as agent:
            found = await agent.call_tool("search_devices", {"words": "iphone 16 pro"})
            assert found.structured_content["devices"][0]["id"] == "iphone-16-pro"
        stranger = HTTPConnection("127.0.0.1", port)
        stranger.request("POST", "/mcp", "{}", {"Host": "evil.example", "Content-Type": "application/json"})
        assert stranger.getresponse().status == 421
        stranger.close()
    finally:
        process.terminate()
        process.wait(30)


def started(arguments: list[str], environment: dict[str, str]) -> ready.Ready:
    with Path("said").open("wb") as said:
        return ready.start(arguments, environment, said)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
