"""Functions of the page that need no page, in Node.js; `node/` has their tests."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from service.devices.device import catalogue
from service.settings.layouts import LAYOUTS, STANDING_ISOMETRIC
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
    {"device": "card"},
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
    cases.append(("isometric", ["phone", "laptop"], STANDING_ISOMETRIC))
    members = ("rotationX", "rotationY", "rotationZ", "fieldOfView", "framing")
    expected = [dict(zip(members, view, strict=True)) if view else {} for _, _, view in cases]
    steps = "const {layoutView: of} = await load('state/layouts.js'); return given.map((a) => of(...a));"
    assert modules.run(steps, [case[:2] for case in cases]) == expected
