"""Framefiles of frameit: options with an equivalent give frameit's layout, and notes list the options without
one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("icu")
pytest.importorskip("uharfbuzz")

from service.commands import store_set as command
from service.commands.bulk import strings_file
from service.commands.bulk.framefile import Framefile
from service.commands.bulk.store_set import SetRow
from service.config import Config
from service.devices.device import catalogue
from service.errors import MockupError
from service.fonts.collection import SHIPPED
from service.settings.merge import MergedSettings
from tests.support.pictures import png
from tests.support.shared_forks import SharedForks

PHONE = "iphone-16-pro"
SIZE = (1206, 2622)
DEFAULT: dict[str, Any] = {
    "background": "#DCE6F5",
    "keyword": {"text": "Plan", "color": "#2446C8"},
    "title": {"text": "your day"},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for locale in ("en-US", "ar"):
        (tmp_path / locale).mkdir()
        (tmp_path / locale / "iPhone 16 Pro-Home.png").write_bytes(png(*SIZE))
    return tmp_path


def read(folder: Path, default: dict[str, Any], *data: dict[str, Any], **top: Any) -> Framefile:
    file = folder / "Framefile.json"
    file.write_text(json.dumps({"default": {**DEFAULT, **default}, "data": data, **top}))
    return Framefile(file)


def row(found: Framefile, id: str = "en-US/iPhone 16 Pro-Home") -> SetRow:
    one = next(row for row in found.rows({}) if row.id == id)
    # This raises an error if the service would not accept the settings.
    MergedSettings(one.settings).resolve()
    return one


def device_px(settings: dict[str, Any]) -> tuple[float, float, float]:
    """The device's width, and the positions of its upper and lower end, in px."""
    width, height, _ = catalogue()[PHONE].body
    unit = min(0.78 * SIZE[1] / height, 0.78 * SIZE[0] / width)
    k = settings["deviceTransform"]["scale"] * unit
    middle = SIZE[1] / 2 * (1 - settings["deviceTransform"]["positionY"])
    return k * width, middle - k * height / 2, middle + k * height / 2


def test_pictures_lie_beside_their_screenshots(folder: Path) -> None:
    (folder / "en-US" / "iPhone 16 Pro-Home_framed.png").write_bytes(png(10, 10))
    found = list(read(folder, {}).rows({"export": {"scale": 0.5}}))
    assert [one.output for one in found] == [
        "ar/iPhone 16 Pro-Home_framed.png",
        "en-US/iPhone 16 Pro-Home_framed.png",
    ]
    settings = found[1].settings
    assert found[1].screenshots == ("en-US/iPhone 16 Pro-Home.png",)
    assert settings["device"] == PHONE
    assert settings["language"] == "en-US"
    assert settings["canvas"] == {"width": SIZE[0], "height": SIZE[1]}
    assert settings["appearance"] == {"backgroundColor": "#DCE6F5"}
    assert settings["export"] == {"scale": 0.5}


def test_the_device_keeps_the_padding_below_the_texts(folder: Path) -> None:
    """On a screen this dense, frameit multiplies the padding by 1.7. It pads above and below the text, whose
    font is a tenth of the width."""
    width, top, bottom = device_px(row(read(folder, {"padding": "50x80"})).settings)
    assert width == pytest.approx(SIZE[0] - 2 * 1.7 * 50, abs=1)
    assert top == pytest.approx(2 * 1.7 * 80 + 0.1 * SIZE[0], abs=1)
    assert bottom < SIZE[1]
    wide, top, bottom = device_px(row(read(folder, {"padding": "2%", "title_min_height": "60%"})).settings)
    assert (wide, top) == pytest.approx((SIZE[0] * (1 - 0.04 * 1.7), 0.6 * SIZE[0]), abs=1.5)
    assert bottom > SIZE[1]
    *_, bottom = device_px(row(read(folder, {"title_min_height": 900, "show_complete_frame": True})).settings)
    assert bottom == pytest.approx(SIZE[1] - 1.7 * 50, abs=1)
    below = row(read(folder, {"title_below_image": True})).settings
    assert device_px(below)[2] == pytest.approx(SIZE[1] - 2 * 1.7 * 50 - 0.1 * SIZE[0], abs=1)
    assert below["captions"][0]["y"] == pytest.approx(1 - (1.7 * 50 + 0.05 * SIZE[0]) / SIZE[1], abs=1e-3)


def test_keyword_and_title_stand_beside_or_above_each_other(folder: Path) -> None:
    keyword, title = row(read(folder, {})).settings["captions"]
    assert (keyword["text"], keyword["color"]) == ("Plan", "#2446C8")
    assert (title["text"], title["color"]) == ("your day", "#000000")
    assert keyword["y"] == title["y"]
    assert keyword["x"] < title["x"]
    assert keyword["font"]["size"] == pytest.approx(0.1)
    upper, lower = row(read(folder, {"stack_title": True})).settings["captions"]
    assert upper["x"] == lower["x"] == 0.5
    assert upper["y"] < lower["y"]
    long = row(read(folder, {"title": {"text": "your day in a minute, " * 3}})).settings["captions"]
    assert long[0]["font"]["size"] == long[1]["font"]["size"] < 0.05


def test_texts_come_from_strings_by_locale(folder: Path) -> None:
    (folder / "ar" / "title.strings").write_bytes('"home" = "يومك في دقيقة";'.encode("utf-16"))
    (folder / "ar" / "keyword.strings").write_text('"Home" = "خطط";', encoding="utf-8")
    found = read(folder, {})
    keyword, title = row(found, "ar/iPhone 16 Pro-Home").settings["captions"][::-1]
    assert (keyword["text"], title["text"]) == ("خطط", "يومك في دقيقة")
    assert keyword["x"] > title["x"], "what is read first stands to the right"
    assert row(found).settings["captions"][1]["text"] == "your day"


def test_strings_have_comments_and_escapes(tmp_path: Path) -> None:
    file = tmp_path / "title.strings"
    file.write_text('/* "a" = "b"; */\n// "c" = "d";\n"e" = "say \\"hi\\"\\nto \\U00e9";\n"f"="";\n')
    assert strings_file.read(file) == {"e": 'say "hi"\nto é', "f": ""}
    file.write_bytes(b"\xff\xfeA")
    with pytest.raises(MockupError, match="cannot be read"):
        strings_file.read(file)


def test_data_lies_over_the_defaults_where_its_filter_is_part_of_the_name(folder: Path) -> None:
    found = read(
        folder,
        {"frame": "GOLD"},
        {"filter": "Home", "title": {"color": "#112233"}, "frame": "NATURAL_TITANIUM"},
        {"filter": "Pro-Home", "background": "wall.jpg"},
        {"filter": "Other", "keyword": {"text": "no"}},
    )
    settings = row(found).settings
    assert settings["captions"][1]["color"] == "#112233"
    assert settings["captions"][1]["text"] == "your day"
    assert settings["appearance"]["deviceColor"] == "Natural Titanium"
    assert settings["appearance"]["backgroundImage"]["src"] == "wall.jpg"
    assert found.notes == []


def test_the_device_is_forced_named_or_found_by_size(folder: Path) -> None:
    for name in ("Pixel 9 Pro-b", "Pixel 9 Pro XL-b"):
        (folder / "en-US" / f"{name}.png").write_bytes(png(1344, 2992))
    (folder / "en-US" / "c.png").write_bytes(png(2752, 2064))
    found = read(folder, {}, {"filter": "Home", "force_device_type": "iPhone 15"})
    devices = {one.id: one.settings["device"] for one in found.rows({})}
    assert devices["en-US/iPhone 16 Pro-Home"] == "iphone-15"
    assert devices["en-US/Pixel 9 Pro-b"] == "pixel-9-pro"
    assert devices["en-US/Pixel 9 Pro XL-b"] == "pixel-8-pro"
    assert devices["en-US/c"] == "ipad-pro-13-m4"


@pytest.mark.parametrize(
    ("default", "note"),
    [
        ({"offset": {"offset": "+1+2"}}, "default.offset: devices are drawn here"),
        ({"use_platform": "IOS"}, "default.use_platform: "),
        ({"title": {"text": "a", "font_size": 128}}, "default.title.font_size: "),
        ({"tilte": {}}, "default.tilte: this key is not known"),
        ({"frame": "ROSE_GOLD"}, "frame: iphone-16-pro has no ROSE_GOLD; it has Black Titanium, "),
        ({"force_device_type": "Nexus 4"}, "force_device_type: no device 'Nexus 4'"),
        ({"background": None}, "no background, so there are no texts"),
        ({"title": {"text": "a", "font": "none.otf"}}, "title.font: none.otf is not a font that can be read"),
    ],
)
def test_options_without_equivalent_are_noted(folder: Path, default: dict[str, Any], note: str) -> None:
    found = read(folder, default)
    row(found)
    assert len(found.notes) >= 1
    assert any(note in one for one in found.notes), found.notes
    assert len(set(found.notes)) == len(found.notes)


def test_a_font_is_taken_by_its_file(folder: Path) -> None:
    font = folder / "bold.otf"
    font.write_bytes((SHIPPED / "Inter-SemiBold.otf").read_bytes())
    (folder / "fake.ttf").write_bytes(b"no font" * 100)
    fonts = [{"font": "fake.ttf", "supported": ["ar"]}, {"font": "bold.otf"}]
    found = read(folder, {"title": {"text": "a", "fonts": fonts}})
    assert row(found).settings["captions"][1]["font"]["weight"] == 600
    assert found.notes == ["title.font: fake.ttf is not a font that can be read; Inter is used"]


@pytest.mark.parametrize(
    ("default", "path"),
    [
        ({"padding": "wide"}, "padding"),
        ({"padding": "-5x3"}, "padding"),
        ({"padding": "nan"}, "padding"),
        ({"title_min_height": "1e999"}, "title_min_height"),
        ({"font_scale_factor": 0}, "font_scale_factor"),
        ({"interline_spacing": "much"}, "interline_spacing"),
        ({"title": "a"}, "default.title"),
        ({"title": {"text": "a", "color": "blueish"}}, "title.color"),
    ],
)
def test_faults_are_named(folder: Path, default: dict[str, Any], path: str) -> None:
    with pytest.raises(MockupError) as caught:
        row(read(folder, default))
    assert [one.path for one in caught.value.details] == [path]


@pytest.mark.parametrize("text", ["[]", "{", '{"data": {}}', '{"data": [{"title": {}}]}', '{"default": 1}'])
def test_other_files_are_refused_as_framefiles(folder: Path, text: str) -> None:
    (folder / "Framefile.json").write_text(text)
    with pytest.raises(MockupError):
        list(Framefile(folder / "Framefile.json").rows({}))


def test_strict_refuses_options_without_equivalent(
    folder: Path, fork_server: SharedForks, capsys: pytest.CaptureFixture[str]
) -> None:
    found = read(folder, {"use_platform": "IOS"}, device_frame_version="latest")
    reporter = command.Counting(json=True)
    with pytest.raises(MockupError, match="2 of its parts have no equivalent"):
        command.draw(found.file, {}, Config(), fork_server, reporter, strict=True)
    assert command.draw(found.file, {}, Config(), fork_server, reporter, dry=True) == (0, 2)
    assert "device_frame_version: devices are drawn here" in capsys.readouterr().err
    assert {path.name for path in found.watched()} == {"Framefile.json", "iPhone 16 Pro-Home.png"}
