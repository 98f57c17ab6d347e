"""`mockup render` with a studio that paints nothing: files, formats, settings and exit codes."""

import asyncio
import io
import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from service import cli
from service.clock import Clock
from service.commands import picture_file
from service.config import Config
from service.engine.request import RenderRequest
from service.settings.formats import BY_SUFFIX, WRITTEN
from service.settings.metadata import packet
from service.settings.rendering import Rendering
from service.settings.scene import Scene
from service.settings.schema import Settings
from service.settings.warnings import Warning
from service.workers.pool import Pool
from tests.support.pictures import png

SHOTS = {name: png(40, 80 + number) for number, name in enumerate("abc")}


@pytest.fixture(autouse=True)
def studio(monkeypatch: pytest.MonkeyPatch, place: Path) -> list[Scene]:
    """The scene of every call. A screenshot 10 px wide causes the warning that it was enlarged."""
    calls: list[Scene] = []

    async def render(self: Any, wanted: RenderRequest, clock: Clock) -> Rendering:
        calls.append(wanted.scene)
        small = wanted.files[0].header.width == 10
        warnings = (Warning("UPSCALED", "the screenshot was enlarged"),) if small else ()
        made = bytes(wanted.files[0].data) + b" rendered"
        return Rendering(made, "image/png", 1, 1, wanted.scene.device.id, warnings)

    monkeypatch.setattr(Pool, "render", render)
    for name, data in SHOTS.items():
        (place / f"{name}.png").write_bytes(data)
    return calls


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as left:
        cli.main(["render", *arguments])
    out, err = capsys.readouterr()
    assert out == ""
    code = left.value.code or 0
    assert isinstance(code, int)
    return code, err


def test_a_device_may_be_described(capsys: pytest.CaptureFixture[str], studio: list[Scene]) -> None:
    device = '{"kind": "phone", "screen": {"width": 1080, "height": 2400}}'
    assert run(capsys, "a.png", "-o", "x.png", "--device", device) == (0, "")
    assert studio[0].device.screen.px == (1080, 2400)
    code, said = run(capsys, "a.png", "-o", "x.png", "--device", device, "--set", "device.bezel=-1")
    assert code == 1
    assert "settings.device.bezel: expected a number from 0 to 300 or an object" in said


def test_slices_are_numbered(capsys: pytest.CaptureFixture[str], studio: list[Scene]) -> None:
    assert picture_file.numbered("a/b.c.png", 2) == ["a/b.c-1.png", "a/b.c-2.png"]
    Path("x-2.png").mkdir()
    code, said = run(capsys, "a.png", "-o", "x.png", "--set", "canvas.slices=2")
    assert (code, said) == (1, "mockup: x-2.png: is a folder\n")
    code, said = run(capsys, "a.png", "-o", "-", "--set", "canvas.slices=2")
    assert (code, said) == (
        1,
        "mockup: -: stdout takes one picture, but canvas.slices makes 2; name a file\n",
    )


@pytest.mark.parametrize(
    ("name", "format_"),
    [("x.JPEG", "jpeg"), *((f"x{suffix}", name) for suffix, name in BY_SUFFIX.items())],
)
def test_the_suffix_of_a_picture_determines_its_format(
    capsys: pytest.CaptureFixture[str], studio: list[Scene], name: str, format_: str
) -> None:
    assert run(capsys, "a.png", "-o", f"new/folder/{name}") == (0, "")
    assert Path("new/folder", name).read_bytes() == SHOTS["a"] + b" rendered"
    assert studio[0].output.format == format_
    assert len(list(Path("new/folder").iterdir())) == 1, "nothing half made is left"


def test_settings_come_from_file_and_line(capsys: pytest.CaptureFixture[str], studio: list[Scene]) -> None:
    settings = {"shadow": {"enabled": False, "blur": 3}, "deviceTransform": {"rotationY": 5}}
    Path("s.json").write_text(json.dumps(settings))
    arguments = ["--settings", "s.json", "--device", "pixel-9-pro", "--fast"]
    assignments = ["deviceTransform.rotationY=-20", "appearance.backgroundColor=#123456", "shadow.blur=null"]
    for assignment in assignments:
        arguments += ["--set", assignment]
    assert run(capsys, "a.png", "-o", "x.png", *arguments) == (0, "")
    (used,) = studio
    assert used.spec.fast
    assert used.device.id == "pixel-9-pro"
    assert used.spec.shadow is None
    assert used.spec.transform.ry == -20
    assert used.spec.background.stops[0].color == (0x12, 0x34, 0x56, 255)


def test_a_look_lies_between_a_template_and_other_settings(
    capsys: pytest.CaptureFixture[str], studio: list[Scene]
) -> None:
    Path("tablet.png").write_bytes(png(2360, 1640))
    Path("s.json").write_text(json.dumps({"appearance": {"backgroundColor": "#123456"}}))
    arguments = ["tablet.png", "-o", "x.png", "--look", "Mid Night"]
    assert run(capsys, *arguments) == (0, "")
    given = ["--settings", "s.json", "--device", "ipad-air-11", "--set", "deviceTransform.rotationY=7"]
    assert run(capsys, *arguments, *given) == (0, "")
    plain, changed = studio
    assert plain.device.id == "ipad-air-11", "the screenshot still chooses the device"
    assert plain.spec.environment == changed.spec.environment == "strip"
    assert plain.spec.transform != changed.spec.transform
    assert changed.spec.transform.ry == 7
    assert changed.spec.background.stops[0].color == (0x12, 0x34, 0x56, 255)
    for name in ("play-phone", "store-tilted", "window-blur"):
        studio.clear()
        for look in ("paper", "midnight"):
            over = ["--look", look, "--set", "device=ipad-air-11", "--set", "captions=[]"]
            assert run(capsys, *arguments[:3], *over)[0] == 0
            assert run(capsys, *arguments[:3], *over, "--template", name)[0] == 0
        for alone, both in zip(studio[::2], studio[1::2], strict=True):
            assert both.spec.background == alone.spec.background, name
        assert not any(one.backdrop for one in studio)
    studio.clear()
    assert run(capsys, "a.png", "-o", "x.png", "--template", "play-phone", "--look", "midnight")[0] == 0
    assert studio[0].captions
    assert run(capsys, "a.png", "-o", "x.png", "--look", "midnigt") == (
        1,
        'mockup: --look: unknown look "midnigt"; did you mean midnight?\n',
    )


def test_settings_come_from_a_picture(capsys: pytest.CaptureFixture[str], studio: list[Scene]) -> None:
    given = Settings.model_validate({"device": "pixel-9-pro", "export": {"metadata": True}})
    Path("made.png").write_bytes(SHOTS["a"] + packet(given))
    assert run(capsys, "a.png", "-o", "x.png", "--settings", "made.png") == (0, "")
    assert studio[0].device.id == "pixel-9-pro"
    code, err = run(capsys, "a.png", "-o", "x.png", "--settings", "b.png")
    assert code == 1
    assert "b.png: this picture has no settings in it; see export.metadata" in err


def test_many_screenshots_go_into_a_folder(capsys: pytest.CaptureFixture[str], studio: list[Scene]) -> None:
    code, err = run(capsys, "a.png", "b.png", "c.png", "-o", "out", "--set", "export.format=jpg")
    assert code == 0
    assert err == "", "no progress bar in a log"
    assert {file.name: file.read_bytes() for file in Path("out").iterdir()} == {
        f"{name}.jpg": data + b" rendered" for name, data in SHOTS.items()
    }


def test_a_terminal_shows_progress(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert "3/3" in run(capsys, "a.png", "b.png", "c.png", "-o", "out")[1]
    assert run(capsys, "a.png", "b.png", "c.png", "-o", "out", "--quiet") == (0, "")


def test_one_screenshot_goes_into_an_existing_folder(capsys: pytest.CaptureFixture[str]) -> None:
    Path("out").mkdir()
    assert run(capsys, "a.png", "-o", "out") == (0, "")
    assert Path("out/a.png").exists()


def test_a_failure_names_its_file_and_other_pictures_are_rendered(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.png").write_bytes(b"bad")
    Path("small.png").write_bytes(png(10, 20))
    code, err = run(capsys, "a.png", "bad.png", "absent.png", "small.png", "-o", "out")
    assert code == 1
    assert "mockup: bad.png: The screenshot is plain text; PNG, JPEG" in err
    assert "mockup: absent.png: No such file or directory" in err
    assert "mockup: small.png: warning: the screenshot was enlarged" in err
    assert "2 of 4 pictures could not be rendered" in err
    assert {file.name for file in Path("out").iterdir()} == {"a.png", "small.png"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["a.png", "-o", "x.gif"],
            f"x.gif: a picture's name must end in one of {', '.join(BY_SUFFIX)}",
        ),
        (["a.png", "-o", "x.png", "--set", "export.format=webp"], "the settings say webp"),
        (["a.png", "-o", "a.png"], "a.png: would overwrite a screenshot"),
        (["a.png", "b.png", "-o", "."], "would overwrite a screenshot"),
        (["a.png", "sub/a.png", "-o", "out"], "out/a.png: would be written for both a.png and sub/a.png"),
        (["a.png", "-o", "x.png", "--set", "shadow"], "--set shadow: expected path=value"),
        (["a.png", "-o", "x.png", "--set", ".=1"], "--set .=1: expected path=value"),
        (["a.png", "-o", "x.png", "--set", "shadow.blurr=1"], "settings.shadow.blurr"),
        (["a.png", "-o", "x.png", "--set", "export=1"], "settings.export"),
        (["a.png", "-o", "x.png", "--device", "iphon-16-pro"], "did you mean iphone-16-pro"),
        (["a.png", "-o", "x.png", "--settings", "nope.json"], "nope.json: cannot be read"),
    ],
)
def test_mistakes_are_reported_before_rendering(
    capsys: pytest.CaptureFixture[str],
    studio: list[Scene],
    arguments: list[str],
    said: str,
) -> None:
    code, err = run(capsys, *arguments)
    assert code == 1
    assert said in err
    assert studio == []
    assert sorted(path.name for path in Path().iterdir()) == ["a.png", "b.png", "c.png"]


def test_every_wrong_setting_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    _, err = run(capsys, "a.png", "-o", "x.png", "--set", "shadow.blur=99", "--set", "export.scale=9")
    assert "settings.shadow.blur" in err
    assert "settings.export.scale" in err


def test_a_background_may_be_a_file_and_starts_no_fetcher(
    capsys: pytest.CaptureFixture[str], studio: list[Scene], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Config] = []
    monkeypatch.setattr("service.commands.render.fetcher_of", started.append)
    image = 'appearance.backgroundImage={"type": "url", "src": "%s"}'
    assert run(capsys, "a.png", "-o", "x.png", "--set", image % "b.png")[0] == 0
    assert started == []
    code, err = run(capsys, "a.png", "-o", "y.png", "--set", image % "absent.png")
    assert code == 1
    assert "a.png: settings.appearance.backgroundImage.src: absent.png: No such file or directory" in err
    assert len(studio) == 1


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("ftp://example.com/b.png", "ftp:// is not known"),
        ("file://host/b.png", "expected file:///PATH"),
        ("s3://bucket", "expected s3://BUCKET/KEY"),
        ("s3://bucket/b.png", "only manifests and sets read object stores"),
        ("b\\u0000.png", "expected a path or a URL"),
        ("-", "-: No such file or directory"),
        ("large.png", "large.png: is larger than 100000 bytes"),
    ],
)
def test_wrong_backgrounds_are_named(
    capsys: pytest.CaptureFixture[str],
    studio: list[Scene],
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    reason: str,
) -> None:
    monkeypatch.setenv("MOCKUP_MAX_SOURCE_BYTES", "100000")
    Path("large.png").write_bytes(bytes(100_001))
    image = f'appearance.backgroundImage={{"type": "url", "src": "{source}"}}'
    code, err = run(capsys, "a.png", "-o", "x.png", "--set", image)
    assert code == 1
    assert f"a.png: settings.appearance.backgroundImage.src: {reason}" in err
    assert studio == []


def test_every_output_that_two_screenshots_share_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    code, err = run(capsys, "a.png", "b.png", "sub/a.png", "sub/b.png", "-o", "out")
    assert code == 1
    for name in ("a.png", "b.png"):
        assert f"out/{name}: would be written for both {name} and sub/{name}" in err


def test_each_mistake_in_the_options_is_reported_once(
    capsys: pytest.CaptureFixture[str], studio: list[Scene]
) -> None:
    wrong = ["export.format=tiff", "shadow.blr=3", "deviceTransform.rotationY=abc", "fast"]
    _, err = run(capsys, "a.png", "-o", "x.png", *(part for one in wrong for part in ("--set", one)))
    assert err.splitlines() == [
        "mockup: 4 mistakes:",
        "  --set fast: expected path=value such as deviceTransform.rotationY=-20",
        '  settings.deviceTransform.rotationY: expected a number from -180 to 180, got "abc"',
        "  settings.shadow.blr: unknown member; did you mean blur?",
        f'  settings.export.format: expected one of {", ".join(one.name for one in WRITTEN)}, got "tiff"',
    ]
    _, err = run(capsys, "a.png", "-o", "x.png", "--set", "shadow.blr=3")
    assert err == "mockup: settings.shadow.blr: unknown member; did you mean blur?\n"
    _, err = run(capsys, "a.png", "-o", "x.png", "--set", "export.format=webp", "--set", "shadow.blr=3")
    assert "  x.png: the settings say webp, the file name says png\n  settings.shadow.blr: " in err
    assert studio == []


def test_messages_name_the_commands_that_list_names(capsys: pytest.CaptureFixture[str]) -> None:
    _, err = run(capsys, "a.png", "-o", "x.png", "--set", "deviceTransform.pose=qqqq")
    assert err == 'mockup: settings.deviceTransform.pose: unknown pose "qqqq"; see mockup poses\n'
    _, err = run(capsys, "a.png", "-o", "x.png", "--template", "qqqq")
    assert err == 'mockup: --template: unknown template "qqqq"; see mockup templates\n'


@pytest.mark.parametrize("text", ["-20", '"-20"', "-20.0", "-2e1", "-020"])
def test_numbers_need_not_be_written_as_in_json(
    capsys: pytest.CaptureFixture[str], studio: list[Scene], text: str
) -> None:
    assert run(capsys, "a.png", "-o", "x.png", "--set", f"deviceTransform.rotationY={text}") == (0, "")
    assert studio[0].spec.transform.ry == -20


def test_texts_may_look_like_json(capsys: pytest.CaptureFixture[str], studio: list[Scene]) -> None:
    arguments = ["--device", "window-macos", "--set", "screen.title=2026"]
    assert run(capsys, "a.png", "-o", "x.png", *arguments) == (0, "")
    assert "2026" in repr(studio[0].spec)


def test_the_screenshot_chooses_the_device_unless_settings_are_given(
    capsys: pytest.CaptureFixture[str], studio: list[Scene]
) -> None:
    Path("tablet.png").write_bytes(png(2360, 1640))
    Path("none.json").write_text("{}")
    for more in ([], ["--settings", "none.json"], ["--device", "pixel-9-pro"]):
        code, _ = run(capsys, "tablet.png", "-o", "x.png", *more)
        assert code == 0
    assert [scene.spec.device.id for scene in studio] == ["ipad-air-11", "iphone-16-pro", "pixel-9-pro"]


def test_results_are_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.png").write_bytes(b"bad")
    Path("small.png").write_bytes(png(10, 20))
    with pytest.raises(SystemExit):
        cli.main(["render", "small.png", "bad.png", "-o", "out", "--json", "-q", "--device", "iphone-16-pro"])
    out, err = capsys.readouterr()
    made, failed = sorted(map(json.loads, out.splitlines()), key=lambda one: "error" in one)
    assert made == {
        "screenshot": "small.png",
        "output": "out/small.png",
        "bytes": Path("out/small.png").stat().st_size,
        "mimeType": "image/png",
        "width": 1,
        "height": 1,
        "device": "iphone-16-pro",
        "warnings": [{"code": "UPSCALED", "message": "the screenshot was enlarged"}],
    }
    assert failed["screenshot"] == "bad.png"
    assert failed["error"].startswith("bad.png: The screenshot is plain text")
    assert "warning" not in err, "nothing but errors"
    assert err.startswith("mockup: bad.png: ")
    with pytest.raises(SystemExit) as left:
        cli.main(["render", "a.png", "-o", "-", "--json"])
    assert left.value.code == 2


def test_files_that_are_too_large_are_not_read(
    capsys: pytest.CaptureFixture[str],
    studio: list[Scene],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MOCKUP_MAX_SOURCE_BYTES", "1024")
    Path("large.png").write_bytes(bytes(1025))
    code, err = run(capsys, "large.png", "-o", "x.png")
    assert (code, err) == (1, "mockup: large.png: The screenshot is larger than 1024 bytes\n")
    assert studio == []


def test_a_picture_that_cannot_be_written_leaves_the_old_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("x.png").write_bytes(b"old")

    def full(self: Path, data: io.BytesIO) -> int:
        self.touch()
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_bytes", full)
    code, err = run(capsys, "a.png", "-o", "x.png")
    assert code == 1
    assert err == "mockup: x.png: No space left on device\n", "not the name it has meanwhile"
    assert Path("x.png").read_bytes() == b"old"
    assert sorted(path.name for path in Path().iterdir()) == ["a.png", "b.png", "c.png", "x.png"]


def test_ctrl_c_stops_what_is_running(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[bytes] = []

    async def render(self: Any, wanted: RenderRequest, clock: Clock) -> Rendering:
        data = bytes(wanted.files[0].data)
        if data == SHOTS["c"]:
            signal.raise_signal(signal.SIGINT)
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(data)
        raise AssertionError

    monkeypatch.setattr(Pool, "render", render)
    monkeypatch.setenv("MOCKUP_RENDER_THREADS", "2")
    # Shells make background processes ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        code, err = run(capsys, "a.png", "b.png", "c.png", "-o", "out")
    finally:
        signal.signal(signal.SIGINT, before)
    assert code == 130
    assert sorted(ended) == sorted(SHOTS.values())
    assert "Traceback" not in err
    assert not Path("out").exists() or list(Path("out").iterdir()) == []
