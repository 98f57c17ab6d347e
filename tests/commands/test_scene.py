"""`mockup scene` with a studio that paints nothing: the sources of screenshots, and errors."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, cast

import pytest

from service import cli
from service.clock import Clock
from service.commands import scene as scenes
from service.commands.environment import load_config
from service.commands.render import Destination
from service.config import Config
from service.engine.request import RenderRequest
from service.errors import MockupError
from service.settings.merge import MergedSettings
from service.settings.rendering import Rendering
from service.settings.scene_device import SceneSettings
from service.workers.pool import Pool
from service.workers.renderers import Renderers
from tests.support.pictures import png


@pytest.fixture(autouse=True)
def studio(monkeypatch: pytest.MonkeyPatch, place: Path) -> list[RenderRequest]:
    """The request of every call."""
    calls: list[RenderRequest] = []

    async def render(self: Any, wanted: RenderRequest, clock: Clock) -> Rendering:
        calls.append(wanted)
        devices = wanted.scene.named_devices
        return Rendering(b"rendered", "image/png", 1, 1, wanted.scene.device.id, (), devices=devices)

    monkeypatch.setattr(Pool, "render", render)
    for number, name in enumerate(("a", "b", "below/c")):
        file = place / f"{name}.png"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(png(40, 80 + number))
    return calls


def run(capsys: pytest.CaptureFixture[str], scene: Any, *arguments: str) -> tuple[int, str, str]:
    Path("below/scene.json").write_text(json.dumps(scene))
    with pytest.raises(SystemExit) as left:
        cli.main(["scene", "below/scene.json", *arguments])
    out, err = capsys.readouterr()
    code = left.value.code or 0
    assert isinstance(code, int)
    return code, out, err


def test_screenshots_come_from_the_file_and_the_command(
    capsys: pytest.CaptureFixture[str], studio: list[RenderRequest]
) -> None:
    scene = {
        "devices": [
            {"device": "macbook-air-13"},
            {"device": "pixel-9-pro", "screenshot": "c.png"},
            {"screenshot": {"type": "same", "index": 0}},
            {},
        ],
        "settings": {"layout": "desk"},
    }
    given = ("a.png", "b.png", "-o", "x.webp", "--set", "layout=row", "--set", "canvas.width=640", "--json")
    code, out, err = run(capsys, scene, *given)
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert told["devices"] == ["macbook-air-13-m3", "pixel-9-pro", "iphone-16-pro", "iphone-16-pro"]
    (wanted,) = studio
    # Paths in the scene's file are relative to its folder, those on the command line to the working
    # directory.
    assert [file.header.height for file in wanted.files] == [80, 82, 81]
    assert [one.source for one in wanted.scene.shown] == [0, 1, 0, 2]
    assert (wanted.scene.spec.layout, wanted.scene.spec.width) == ("row", 640)
    assert wanted.scene.output.format == "webp"
    assert Path("x.webp").read_bytes() == b"rendered"


def test_the_background_may_be_a_file_in_the_folder_of_the_scene(
    capsys: pytest.CaptureFixture[str], studio: list[RenderRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Config] = []
    monkeypatch.setattr(scenes, "fetcher_of", started.append)

    def shown(place: str) -> dict[str, Any]:
        image = {"type": "url", "src": place}
        return {"devices": [{"screenshot": "c.png"}], "settings": {"appearance": {"backgroundImage": image}}}

    assert run(capsys, shown("../b.png"), "-o", "x.png")[0] == 0
    (wanted,) = studio
    assert wanted.backdrop is not None
    assert started == [], "a file needs no fetcher"
    code, _, err = run(capsys, shown("b.png"), "-o", "y.png")
    assert code == 1
    assert "settings.appearance.backgroundImage.src: below/b.png: No such file" in err


def test_agents_cannot_name_files_as_backgrounds(place: Path) -> None:
    image = {"type": "url", "src": str(place / "a.png")}
    wanted = SceneSettings(MergedSettings({"appearance": {"backgroundImage": image}}).resolve())
    task = scenes.SceneTask("scene", wanted, (), Destination("x.png", is_folder=False), place)
    with pytest.raises(MockupError, match="URL"):
        asyncio.run(scenes.rendered(task, load_config(), cast(Renderers, None)))


def test_missing_parts_of_a_scene_are_named(
    capsys: pytest.CaptureFixture[str], studio: list[RenderRequest]
) -> None:
    to, shown = ("-o", "x.png"), {"screenshot": "c.png"}
    cases: list[tuple[Any, tuple[str, ...], str]] = [
        ({"devices": [{}]}, to, "devices[0].screenshot: missing; give another file"),
        ({"devices": [{}, {}, {}]}, ("a.png", *to), "devices[2].screenshot: missing; give another file"),
        ({"devices": []}, to, "devices: "),
        ({"devices": [{}]}, ("a.png", "b.png", *to), "b.png: no device is left"),
        ({"devices": [{"screenshot": "d.png"}]}, to, "devices[0].screenshot.src: below/d.png: No"),
        ({"devices": [{**shown, "depth": "far"}]}, to, "devices[0].depth: expected"),
        ({"devices": [{"screenshot": {"type": "same", "index": 0}}]}, to, "devices[0] leads back"),
        ({"devices": [shown]}, ("-o", "folder/"), "folder/: names a folder"),
        ({"devices": [shown], "settings": {"layout": "ring"}}, to, "settings.layout"),
        ({"devices": [shown]}, (), "Missing option"),
    ]
    for scene, arguments, said in cases:
        code, _, err = run(capsys, scene, *arguments)
        assert code, scene
        assert said in err, (scene, err)
    assert not studio


def test_a_picture_is_refused_as_a_scene(
    capsys: pytest.CaptureFixture[str], studio: list[RenderRequest]
) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["scene", "a.png", "b.png", "-o", "x.webp"])
    said = "a.png: a picture; the first file describes the scene, or --template ID takes screenshots alone"
    assert (left.value.code, capsys.readouterr().err.strip()) == (1, f"mockup: {said}")
    assert studio == []


def test_a_template_takes_the_place_of_the_file(
    capsys: pytest.CaptureFixture[str], studio: list[RenderRequest]
) -> None:
    """The command takes a screenshot for each device of the template. If that is one device, the picture is
    that of `render`."""

    def called(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as left:
            cli.main([*arguments, "--quiet"])
        return int(left.value.code or 0), capsys.readouterr().err

    assert called("scene", "a.png", "b.png", "-o", "x.png", "--template", "store-duo", "--text", "Hi")[0] == 0
    (duo,) = studio
    assert [one.size for one in duo.files] == [(40, 80), (40, 81)]
    assert [one.text for one in duo.scene.captions] == ["Hi"]
    assert (
        "devices[1].screenshot: missing"
        in called("scene", "a.png", "-o", "x.png", "--template", "store-duo")[1]
    )
    studio.clear()
    for command in ("scene", "render"):
        assert called(command, "a.png", "-o", "x.png", "--template", "Play Phone", "--text", "Hi")[0] == 0
    alone, same = studio
    assert alone.scene.spec == same.scene.spec
    assert alone.scene.captions == same.scene.captions
    code, said = called("render", "a.png", "-o", "x.png", "--template", "store-duo")
    assert code == 1
    assert "use mockup scene --template store-duo" in said
    assert (
        "did you mean play-phone?" in called("render", "a.png", "-o", "x.png", "--template", "play-fone")[1]
    )


def test_several_devices_may_show_the_same_file(
    capsys: pytest.CaptureFixture[str], studio: list[RenderRequest]
) -> None:
    code, _, err = run(capsys, {"devices": [{}, {}, {}]}, "a.png", "b.png", "a.png", "-o", "x.png")
    assert (code, err) == (0, "")
    (wanted,) = studio
    assert [file.header.height for file in wanted.files] == [80, 81, 80]
