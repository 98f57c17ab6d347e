"""Functions of the page that need no page, in Node.js; `node/` has their tests."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from service.api.web_files import WEB
from service.commands.bulk import store_set
from service.devices.categories import CATEGORIES, STANDING
from service.devices.device import catalogue
from service.settings import motion
from service.settings.captions import chosen
from service.settings.layouts import LAYOUTS, STANDING_ISOMETRIC
from service.settings.moves import MOVES
from service.settings.schema import DEFAULT_DEVICE, Settings
from service.shipped import FRAMES
from service.sources.samples import sample
from tests.support.live import Live
from tests.support.waiting import PATIENCE_S
from tests.web import modules

TESTS = sorted((Path(__file__).parent / "node").glob("*.test.mjs"))

SAMPLED: tuple[dict[str, Any], ...] = (
    {},
    {"device": "auto"},
    {"device": "macbook-pro-14"},
    {"device": "ipad-mini", "orientation": "landscape"},
    {"device": "ipad-mini"},
    {"device": "pixel-9-pro", "orientation": "landscape"},
    {"device": "surface-pro-11"},
    {"device": "galaxy-z-fold-7"},
    {"device": "iphone-16-pro", "orientation": "landscape-right"},
    {"device": "surface-pro-11", "orientation": "natural"},
    {"device": "pixel-9-pro", "orientation": "natural"},
    *({"device": facts.example} for facts in CATEGORIES.values()),
    {"device": {"kind": "monitor", "screen": {"width": 1920, "height": 1080}}},
    {"device": {"kind": "tablet", "screen": {"width": 1920, "height": 1080}}},
)


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.name.partition(".")[0])
def test_modules(file: Path, server: Live, key: str) -> None:
    done = subprocess.run(
        [modules.node(), file],
        env=os.environ | {"SERVER": server.address, "KEY": key},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^\S pass [1-9]", done.stdout, re.MULTILINE), "no test was run"


def test_no_module_needs_tls() -> None:
    """Browsers withhold these interfaces from pages that come neither over TLS nor from the same machine."""
    for file in WEB.rglob("*.js"):
        assert not re.search(r"randomUUID|crypto\.subtle", file.read_text("utf-8")), file.name


def test_the_sample_is_the_servers() -> None:
    given, expected = [], []
    for settings in SAMPLED:
        whole = Settings.model_validate(settings)
        entry = catalogue().entries.get(str(settings.get("device", DEFAULT_DEVICE)))
        shape = entry and {
            "category": entry.category,
            "screen": dict(zip(("width", "height"), entry.px, strict=True)),
        }
        given.append([settings.get("device", DEFAULT_DEVICE), whole.orientation, shape])
        expected.append(sample(whole))
    steps = "const {nameFor} = await load('state/sample.js'); return given.map((one) => nameFor(...one));"
    for settings, name, content in zip(SAMPLED, modules.run(steps, given), expected, strict=True):
        assert (FRAMES / "samples" / f"{name}.png").read_bytes() == content, settings


def test_views_of_layouts_are_the_servers() -> None:
    cases = [(name, ["phone"], one.view) for name, one in LAYOUTS.items()]
    lying = LAYOUTS["isometric"].view
    cases += [
        ("isometric", ["phone", name], STANDING_ISOMETRIC if name in STANDING else lying)
        for name in CATEGORIES
    ]
    members = ("rotationX", "rotationY", "rotationZ", "fieldOfView", "framing")
    expected = [dict(zip(members, view, strict=True)) if view else {} for _, _, view in cases]
    steps = "const {layoutView: of} = await load('state/layouts.js'); return given.map((a) => of(...a));"
    assert modules.run(steps, [case[:2] for case in cases]) == expected


SET: dict[str, Any] = {
    "settings": {
        "device": "pixel-9-pro",
        "appearance": {"gradientStops": [{"color": "#FFFFFF"}, {"color": "#C9D6FF", "at": 0.9}]},
        "canvas": {"preset": "play-phone"},
        "language": "de",
        "captions": [
            {"text": "", "y": 0.1, "font": {"size": 0.1}},
            {"text": "hidden", "hidden": True},
            {"text": "", "y": 0.2, "overflow": "shrink"},
        ],
    },
    "devices": [],
    "set": {
        "locales": ["en", "de"],
        "screens": [
            {
                "name": "home",
                "captions": [{"en": 'A "day"', "de": "Ein Tag"}, "", "−50 %"],
                "screenshots": [],
            },
            {"name": "two", "captions": ["", "", {"en": "b\nc\\"}], "screenshots": []},
        ],
        "sizes": [
            {"name": "phone", "preset": "app-store-6.9"},
            {"name": "pad", "preset": "app-store-ipad-13", "device": "ipad-mini"},
            {"name": "play", "preset": "play-phone"},
            {"name": "og", "preset": "og"},
        ],
        "screen": 0,
    },
}
SCENE = SET | {"devices": [{"device": "pixel-9-pro"}, {"device": "ipad-mini", "depth": 10}]}


@pytest.mark.parametrize("wanted", [SET, SCENE], ids=["one", "scene"])
def test_the_file_of_a_set_makes_the_pictures_that_the_page_makes(
    wanted: dict[str, Any], tmp_path: Path
) -> None:
    steps = """
        const {pictures, setFile} = await load('state/set.js');
        const {toml} = await load('snippets/toml.js');
        const parts = [given.set, given.settings, given.devices];
        return [toml(setFile(...parts)), pictures(...parts, () => undefined)];
    """
    text, pictures = modules.run(steps, wanted)
    (tmp_path / "set.toml").write_text(text, "utf-8")
    rows = list(store_set.rows(store_set.read(tmp_path / "set.toml"), {}))
    assert [Path(row.output) for row in rows] == [Path("pictures", one["name"]) for one in pictures]
    for row, one in zip(rows, pictures, strict=True):
        assert list(row.devices) == one["of"]["devices"]
        whole = [Settings.model_validate(settings) for settings in (row.settings, one["of"]["settings"])]
        assert [each.text for each in whole[0].captions] == [
            text if isinstance(text, str) else chosen(text, row.id.partition("/")[0])[0]
            for text in (each.text for each in whole[1].captions)
        ]
        assert whole[0].model_copy(update={"captions": ()}) == whole[1].model_copy(update={"captions": ()})


def test_moves_and_easings_are_the_servers() -> None:
    moves, easings = modules.run(
        "const {MOVES, EASINGS} = await load('state/moves.js'); return [MOVES, EASINGS];"
    )
    assert easings == list(motion.EASINGS)
    assert [one["name"] for one in moves] == list(MOVES)
    for one in moves:
        known = MOVES[one["name"]]
        assert (one["minimum"], one["maximum"]) == (known.least, known.most), one["name"]
        assert one["amount"] == (known.amount if known.least < known.most else None), one["name"]
