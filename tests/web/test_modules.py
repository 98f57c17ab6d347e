"""Functions of the page that need no page: names, orders, looks, places."""

from __future__ import annotations

import pytest

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
