"""Store sets: the rows that they make, and that unchanged pictures are not drawn again."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from service.clock import Clock
from service.commands import store_set as command
from service.commands.bulk import store_set
from service.config import Config
from service.engine.request import RenderRequest
from service.errors import Detail, MockupError, refusal
from service.settings.rendering import Rendering
from service.settings.warnings import Warning
from service.workers.pool import Pool
from tests.support.pictures import png
from tests.support.shared_forks import SharedForks

SET = """
output = "out"
screenshot = "shots/{locale}/{screen}.png"
locales = ["en-US", "de-DE"]

[settings.canvas]
width = 64
height = 64

[[settings.captions]]
y = 0.1

[[screens]]
name = "home"
captions = [{ "en" = "Plan", "de" = "Planen" }]

[[screens]]
name = "list"
captions = ["Lists"]

[[sizes]]
name = "tablet"
preset = "app-store-ipad-13"

[[sizes]]
name = "android"
preset = "play-phone"
layout = "supply"
"""
TABLET = """
[[sizes]]
name = "tablet"
preset = "app-store-ipad-13"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    for locale in ("en-US", "de-DE"):
        (tmp_path / "shots" / locale).mkdir(parents=True)
        for name in ("home", "list"):
            (tmp_path / "shots" / locale / f"{name}.png").write_bytes(png(10, 20))
    (tmp_path / "set.toml").write_text(SET)
    return tmp_path / "set.toml"


def test_rows_have_their_texts_and_the_names_that_upload_tools_expect(file: Path) -> None:
    rows = list(store_set.rows(store_set.read(file), {"export": {"scale": 1}}))
    assert [row.output for row in rows[:3]] == [
        "out/en-US/1_home_tablet_IPAD_PRO_3GEN_129.png",
        "out/metadata/android/en-US/images/phoneScreenshots/1_home.png",
        "out/de-DE/1_home_tablet_IPAD_PRO_3GEN_129.png",
    ]
    assert rows[3].output == "out/metadata/android/de-DE/images/phoneScreenshots/1_home.png"
    assert rows[3].screenshots == ("shots/de-DE/home.png",)
    assert rows[3].settings == {
        "canvas": {"width": 64, "height": 64, "preset": "play-phone"},
        "captions": [{"y": 0.1, "text": "Planen"}],
        "language": "de-DE",
        "export": {"scale": 1},
    }
    assert len({row.output for row in rows}) == len(rows) == 8


def test_screenshots_are_named_by_the_size_as_it_is_given(file: Path) -> None:
    file.write_text(SET.replace("{locale}/{screen}.png", "{size}/{screen}.png"))
    rows = list(store_set.rows(store_set.read(file), {}))
    assert rows[0].screenshots == ("shots/tablet/home.png",)


@pytest.mark.parametrize(
    ("change", "path", "said"),
    [
        (('name = "list"', 'name = "a/b"'), "screens[1].name", "expected a string"),
        (("{screen}.png", "{page}.png"), "screenshot", "unknown field {page}"),
        (
            ('"Lists"', '"a", "b"'),
            "screens[1].captions",
            "expected at most 1, one for each caption of the settings, got 2",
        ),
        (("output =", "folder ="), "folder", "unknown member"),
        (('["en-US", "de-DE"]', "[]"), "locales", "expected"),
    ],
)
def test_faults_are_named(file: Path, change: tuple[str, str], path: str, said: str) -> None:
    file.write_text(SET.replace(*change))
    with pytest.raises(MockupError) as caught:
        list(store_set.rows(store_set.read(file), {}))
    assert [one.path for one in caught.value.details] == [path]
    assert said in caught.value.details[0].message


def test_only_changed_pictures_are_drawn(
    file: Path, fork_server: SharedForks, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    async def render(self: Pool, wanted: RenderRequest, clock: Clock) -> Rendering:
        drawn.append(wanted.scene.device.id)
        return Rendering(b"picture", "image/png", 1, 1, wanted.scene.device.id, ())

    monkeypatch.setattr(Pool, "render", render)

    def draw(*, dry: bool = False) -> int:
        drawn.clear()
        reporter = command.Counting(quiet=True)
        assert command.draw(file, {}, Config(), fork_server, reporter, dry=dry) == (0, 8)
        assert dry or len(drawn) == len(reporter.ids)
        return len(reporter.ids)

    assert draw(dry=True) == 8
    assert not drawn
    assert draw() == 8
    assert draw() == 0
    (file.parent / "shots/de-DE/home.png").write_bytes(png(12, 20))
    assert draw() == 2
    file.write_text(SET.replace("Planen", "Alles planen"))
    (file.parent / "out/en-US/2_list_tablet_IPAD_PRO_3GEN_129.png").unlink()
    assert draw() == 3


def test_a_template_lies_beneath_a_set(file: Path) -> None:
    given = SET.replace('output = "out"', 'output = "out"\ntemplate = "store-tilted"')
    file.write_text(given.replace("[[settings.captions]]\ny = 0.1\n", ""))
    row = next(store_set.rows(store_set.read(file), {}))
    assert row.settings["appearance"]["deviceColor"] == "#B7AD9F"
    assert row.settings["canvas"] == {"preset": "app-store-ipad-13", "width": 64, "height": 64}
    assert [one["text"] for one in row.settings["captions"]] == ["Plan"]


DUO = SET.replace('output = "out"', 'output = "out"\ntemplate = "store-duo"').replace(
    "[[settings.captions]]\ny = 0.1\n", ""
)
HOME = 'captions = [{ "en" = "Plan", "de" = "Planen" }]'


def test_a_template_of_several_devices_shows_a_screen_on_each(file: Path) -> None:
    given = DUO.replace(HOME, f'{HOME}\nshows = ["list", "home"]')
    given = given.replace('name = "list"', 'name = "list"\ntemplate = "store-tilted"')
    file.write_text(f'{given}\ndevices = [{{device = "pixel-9-pro"}}]\ndevice = "pixel-8"')
    rows = {row.id: row for row in store_set.rows(store_set.read(file), {})}
    assert len(rows) == 8
    tablet, android = (rows[f"de-DE/home/{size}"] for size in ("tablet", "android"))
    assert tablet.screenshots == ("shots/de-DE/list.png", "shots/de-DE/home.png")
    assert [one["device"] for one in tablet.devices] == ["iphone-16-pro", "iphone-16-pro"]
    assert [one["device"] for one in android.devices] == ["pixel-9-pro", "iphone-16-pro"]
    assert android.devices[1]["appearance"] == {"deviceColor": "#F1F1EA"}
    assert tablet.members["type"] == "scene"
    assert tablet.members["devices"][0]["screenshot"] == "shots/de-DE/list.png"
    assert [one["text"] for one in tablet.settings["captions"]] == ["Planen"]
    # A screen with a template of its own shows the single device of the size.
    alone = rows["de-DE/list/android"]
    assert (alone.devices, alone.settings["device"]) == ((), "pixel-8")
    assert alone.members["screenshot"] == "shots/de-DE/list.png"


def test_files_may_be_named_by_the_number_of_the_device(file: Path) -> None:
    given = DUO.replace("{locale}/{screen}.png", "{locale}/{screen}-{device}.png")
    file.write_text(given)
    row = next(store_set.rows(store_set.read(file), {}))
    assert row.screenshots == ("shots/en-US/home-1.png", "shots/en-US/home-2.png")


@pytest.mark.parametrize(
    ("shows", "said"),
    [
        ("", "name what each of the 2 devices shows"),
        ('shows = ["home"]', "expected a name for 2 devices, got 1"),
    ],
)
def test_a_screen_of_several_devices_names_what_they_show(file: Path, shows: str, said: str) -> None:
    file.write_text(DUO.replace(HOME, f"{HOME}\n{shows}"))
    with pytest.raises(MockupError) as caught:
        list(store_set.rows(store_set.read(file), {}))
    assert [one.path for one in caught.value.details] == ["screens[0].shows"]
    assert said in caught.value.details[0].message


def test_a_dry_run_lists_the_screenshots_of_a_picture(
    file: Path, fork_server: SharedForks, capsys: pytest.CaptureFixture[str]
) -> None:
    given = DUO.replace('name = "list"', 'name = "list"\ntemplate = "store-tilted"')
    file.write_text(given.replace(HOME, f'{HOME}\nshows = ["list", "home"]'))
    command.draw(file, {}, Config(), fork_server, command.Counting(json=True), dry=True)
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert told[0]["screenshots"] == ["shots/en-US/list.png", "shots/en-US/home.png"]
    assert [len(one["screenshots"]) for one in told] == [2, 2, 2, 2, 1, 1, 1, 1]


def test_a_background_file_is_read_again_when_it_changes(file: Path, fork_server: SharedForks) -> None:
    wall = file.parent / "shots" / "wall.png"
    wall.write_bytes(png(30, 30))
    image = 'appearance = { backgroundImage = { type = "url", src = "shots/wall.png" } }'
    small = SET.replace('"en-US", "de-DE"', '"en-US"').replace(TABLET, "")
    file.write_text(small.replace("[settings.canvas]", f"[settings]\n{image}\n[settings.canvas]"))

    def draw() -> list[str]:
        reporter = command.Counting(quiet=True)
        assert command.draw(file, {}, Config(), fork_server, reporter)[0] == 0
        return reporter.ids

    assert len(draw()) == 2
    assert draw() == []
    wall.write_bytes(png(31, 30))
    assert len(draw()) == 2
    wall.unlink()
    with pytest.raises(MockupError, match="2 of 2 pictures are invalid"):
        draw()


@pytest.mark.parametrize(
    ("sizes", "said"),
    [(TABLET, "2 of 8 pictures have captions in another"), ("", "1 of 4 pictures has captions in another")],
)
def test_strict_counts_pictures_without_a_text_in_their_language(
    file: Path, fork_server: SharedForks, sizes: str, said: str
) -> None:
    file.write_text(SET.replace(', "de" = "Planen"', "").replace(TABLET, sizes))
    with pytest.raises(MockupError, match=said):
        command.draw(file, {}, Config(), fork_server, command.Counting(quiet=True), strict=True)


def test_a_mistake_in_the_settings_is_reported_once_for_all_pictures(
    file: Path, fork_server: SharedForks, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(SET.replace("[settings.canvas]", "[settings.apearance]\n[settings.canvas]"))
    with pytest.raises(MockupError, match=r"set\.toml: 8 of 8 pictures are invalid"):
        command.draw(file, {}, Config(), fork_server, command.Counting())
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    reason = "and 7 more: settings.apearance: unknown member; did you mean appearance?"
    assert told[0].startswith(f"mockup: {file}: ")
    assert told[0].endswith(reason)


def test_pictures_with_the_same_name_are_refused_by_their_numbers(
    file: Path, fork_server: SharedForks, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text('files = "{locale}-{size}.png"\n' + SET)
    with pytest.raises(MockupError, match="4 of 8 pictures are invalid"):
        command.draw(file, {}, Config(), fork_server, command.Counting())
    assert "is also written by picture 1" in capsys.readouterr().err


def test_warnings_name_their_pictures_and_are_counted(
    file: Path, fork_server: SharedForks, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def render(self: Pool, wanted: RenderRequest, clock: Clock) -> Rendering:
        said = (Warning("CROPPED", "a half is cropped"),)
        return Rendering(b"picture", "image/png", 1, 1, wanted.scene.device.id, said)

    monkeypatch.setattr(Pool, "render", render)
    command.draw(file, {}, Config(), fork_server, command.Counting(json=True))
    out, err = capsys.readouterr()
    told = [json.loads(line) for line in out.splitlines()]
    assert [one["warnings"] for one in told] == [[{"code": "CROPPED", "message": "a half is cropped"}]] * 8
    assert err.count("png: warning: a half is cropped") == 3
    assert "5 more pictures with CROPPED" in err


def test_the_summary_counts_pictures_unless_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    command.Counting(ids=["a.png"]).sum_up(2, 8, dry=False)
    assert capsys.readouterr() == ("", "mockup: 1 drawn, 5 unchanged, 2 failed\n")
    command.Counting(quiet=True, ids=["a.png"]).sum_up(0, 8, dry=True)
    assert capsys.readouterr() == ("a.png\n", "")


def test_watching_draws_after_each_change(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Watching goes on while the set is invalid or a screenshot is missing, and draws after the next
    change."""
    shot, drawn = file.parent / "shots/de-DE/home.png", list[str]()
    now = iter(range(1, 100))

    def touched(path: Path) -> None:
        moment = next(now) * 10**9
        os.utime(path, ns=(moment, moment))

    def broken() -> None:
        file.write_text("oops =")
        touched(file)

    def mended() -> None:
        file.write_text(SET)
        touched(file)

    changes = iter([lambda: None, lambda: touched(shot), lambda: None, broken, mended, shot.unlink])

    def wait(seconds: float) -> None:
        change = next(changes, None)
        if change is None:
            raise KeyboardInterrupt
        change()

    def draw() -> None:
        drawn.append("drawn")
        if len(drawn) == 1:
            raise refusal(Detail("size", "is wrong"), Detail("locales", "is empty"))

    with pytest.raises(KeyboardInterrupt):
        command.watch(file, draw, wait)
    assert len(drawn) == 5
    assert capsys.readouterr().err == (
        "mockup: 2 mistakes:\nmockup:   size: is wrong\nmockup:   locales: is empty\n"
    )
