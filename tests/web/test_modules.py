"""Functions of the page that need no page: names, orders, looks, places."""

from __future__ import annotations

from typing import Any

import pytest

from service.devices.device import FRAMES, catalogue
from service.settings.schema import DEFAULT_DEVICE, Settings
from service.sources.samples import sample
from tests.web import modules


def test_hosts_are_told_apart() -> None:
    steps = """
        const {isLocal, linkedFrom} = await load('browser/host.js');
        return [
            ['localhost', '127.0.0.1', '[::1]', 'studio.localhost'].map(isLocal),
            ['mockup.example.com', 'localhost.example.com', '127.0.0.1.example.com', '10.0.0.1'].map(isLocal),
            linkedFrom('https://other.example/page?a', 'mine.example'),
            linkedFrom('https://mine.example/docs', 'mine.example'),
            linkedFrom('', 'mine.example'),
        ];
    """
    assert modules.run(steps) == [[True] * 4, [False] * 4, "other.example", "", ""]


def test_devices_begin_with_the_newest() -> None:
    steps = """
        const {inOrder} = await load('panels/order.js');
        return inOrder(given.map(([name, brand, year]) => ({name, brand, year}))).map(({name}) => name);
    """
    given = [
        ["Galaxy A56", "Samsung", 2025],
        ["Phone", None, None],
        ["Galaxy S26", "Samsung", 2026],
        ["iPhone 16 Pro", "Apple", 2024],
        ["iPhone 18 Pro Max", "Apple", 2026],
        ["iPhone 17e", "Apple", 2026],
        ["Window", None, None],
        ["iPhone 18 Pro", "Apple", 2026],
        ["Xiaomi 15", "Xiaomi", 2026],
    ]
    assert modules.run(steps, given) == [
        "iPhone 18 Pro",
        "iPhone 18 Pro Max",
        "iPhone 17e",
        "Galaxy S26",
        "Xiaomi 15",
        "Galaxy A56",
        "iPhone 16 Pro",
        "Phone",
        "Window",
    ]


@pytest.mark.parametrize(
    ("all_", "look", "made"),
    [
        (
            {"canvas": {"preset": "app-store-6.9"}, "device": "auto", "shadow": {"blur": 9}},
            {"canvas": {"width": 1920, "height": 1080}, "reflection": {"intensity": 2}},
            {"canvas": {"preset": "app-store-6.9"}, "device": "auto", "reflection": {"intensity": 2}},
        ),
        (
            {"appearance": {"theme": "dark", "backgroundColor": "#FFF"}, "screen": {"fit": "contain"}},
            {"device": "card", "screen": {"fit": "cover"}, "appearance": {"theme": "light", "style": "clay"}},
            {"appearance": {"theme": "dark", "style": "clay"}, "screen": {"fit": "contain"}},
        ),
    ],
    ids=["canvas", "device"],
)
def test_a_look_leaves_what_was_chosen(all_: object, look: object, made: object) -> None:
    steps = """
        const {dressed} = await load('state/looks.js');
        return dressed(given[0], {settings: given[1]});
    """
    assert modules.run(steps, [all_, look]) == made


@pytest.mark.parametrize(("cost", "least"), [(5, 20), (15, 20), (60, 4), (400, 0.8)])
def test_no_drag_meets_the_limit(cost: int, least: float) -> None:
    """Three minutes of dragging with 30 s of rendering in windows of 60 s."""
    steps = """
        const {pauseAfter} = await load('server/pacing.js');
        let [now, left, ends, longest, count] = [0, 30_000, 60_000, 0, 0];
        let least = left;
        while (now < 180_000) {
            now += given * 1.3;
            if (now >= ends) [left, ends] = [30_000, now + 60_000];
            left -= given;
            least = Math.min(least, left);
            count += 1;
            const pause = pauseAfter(given, left, Math.ceil((ends - now) / 1000));
            longest = Math.max(longest, pause);
            now += pause;
        }
        return [least, count / 180];
    """
    left, rate = modules.run(steps, cost)
    assert left > 0
    assert rate > least, "pictures a second"


def test_nobody_waits_while_there_is_plenty() -> None:
    steps = """
        const {pauseAfter} = await load('server/pacing.js');
        return [[2e4, 60], [9e3, 3], [0, 0], [0, 60]].map(([left, until]) => pauseAfter(50, left, until));
    """
    assert modules.run(steps) == [0, 0, 0, 60_000]


CROPPED = {
    "code": "CROPPED",
    "message": "28% of the screenshot's width is cropped, 14% at the left and 14% at the right; more advice",
}
MENDED = """
    const {finding, mends, short} = await load('stage/mending.js');
    const names = {'ipad-air-11': 'iPad Air 11', 'ipad-air-13': 'iPad Air 13'};
    const known = Object.fromEntries(Object.entries(names).map(([id, name]) => [id, {id, name}]));
    const found = mends(given[0], (path) => (path === 'device' ? given[1] : undefined), (id) => known[id]);
    return [short(given[0]), finding(given[0], found.length > 0), found];
"""
CONTAIN = {"label": "Show all of it", "changes": {"screen.fit": "contain"}}


@pytest.mark.parametrize(
    ("warning", "device", "first"),
    [
        (CROPPED, "iphone-16-pro", {"label": "Choose a device of its shape", "changes": {"device": "auto"}}),
        (CROPPED, "auto", CONTAIN),
        (CROPPED, {"kind": "phone"}, CONTAIN),
        (
            {
                **CROPPED,
                "message": CROPPED["message"] + "; device auto fits, and takes ipad-air-13; and more",
            },
            "iphone-16-pro",
            {"label": "Use iPad Air 13", "changes": {"device": "auto"}},
        ),
        (
            {**CROPPED, "message": CROPPED["message"] + "; device ipad-air-11 has its shape"},
            "iphone-16-pro",
            {"label": "Use iPad Air 11", "changes": {"device": "ipad-air-11"}},
        ),
    ],
    ids=["catalogue", "auto", "described", "suited", "named"],
)
def test_a_warning_tells_how_much_and_what_mends_it(warning: object, device: object, first: object) -> None:
    short, finding, found = modules.run(MENDED, [warning, device])
    assert short == "Cropped 28 %"
    assert finding.startswith("28% of the screenshot's width")
    assert "advice" not in finding, "that is what the buttons are for"
    assert found[0] == first
    assert found[-1] == CONTAIN


def test_what_nothing_mends_is_told_in_full() -> None:
    warning = {"code": "UPSCALED", "message": "It is enlarged 1.4 times; one of 9 x 9 px would be sharp"}
    assert modules.run(MENDED, [warning, "auto"]) == ["Enlarged 1.4×", f"{warning['message']}.", []]


def test_zooming_has_steps_and_bounds() -> None:
    steps = """
        const {about, bounded, fitting, settledZoom, stepped} = await load('geometry/viewport.js');
        const [size, room] = [{width: 2000, height: 1000}, {width: 500, height: 400}];
        return [
            fitting(size, room, 2),
            [[0.3, 1], [0.3, -1], [1, 1], [1, -1], [8, 1], [0.251, 1]]
                .map(([zoom, by]) => stepped(zoom, by, 0.31)),
            [0.312, 0.5, 99, 0.001].map((zoom) => settledZoom(zoom, 0.31)),
            about({x: 10, y: 0}, {x: 100, y: 50}, 2),
            bounded({x: 9999, y: -9999}, size, room, 80),
            bounded({x: 9999, y: -9999}, {width: 100, height: 100}, room, 80),
        ];
    """
    fit, stepped, settled, about, held, free = modules.run(steps)
    assert fit == 0.5
    assert stepped == [0.31, 0.25, 2, 0.5, 8, 0.31]
    assert settled == [None, 0.5, 8, 0.05]
    assert about == {"x": -80, "y": -50}
    assert held == {"x": 830, "y": -380}
    assert free == {"x": 0, "y": 0}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"device": "auto"},
        {"device": "macbook-pro-14"},
        {"device": "ipad-mini", "orientation": "landscape"},
        {"device": "ipad-mini"},
        {"device": "pixel-9-pro", "orientation": "landscape"},
        {"device": "surface-pro-11"},
        {"device": "galaxy-z-fold-7"},
        {"device": "card"},
        {"device": {"kind": "monitor", "screen": {"width": 1920, "height": 1080}}},
        {"device": {"kind": "tablet", "screen": {"width": 1920, "height": 1080}}},
    ],
    ids=str,
)
def test_the_sample_is_the_servers(settings: dict[str, Any]) -> None:
    whole = Settings.model_validate(settings)
    entry = catalogue().entries.get(str(settings.get("device", DEFAULT_DEVICE)))
    given = [
        settings.get("device", DEFAULT_DEVICE),
        whole.orientation,
        entry
        and {"category": entry.category, "screen": dict(zip(("width", "height"), entry.px, strict=True))},
    ]
    name = modules.run("return (await load('state/sample.js')).nameFor(...given);", given)
    assert (FRAMES / "samples" / f"{name}.png").read_bytes() == sample(whole)
