"""What the page computes by itself: outlines as the server's, and gestures as promised."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import Studio

pytestmark = pytest.mark.long

TRANSFORM = {
    "scale": 1,
    "positionX": 0,
    "positionY": 0,
    "rotationX": 0,
    "rotationY": 0,
    "rotationZ": 0,
    "fieldOfView": 30,
    "framing": "auto",
}
CASES: list[tuple[str, dict[str, Any]]] = [
    ("iphone-16-pro", {}),
    ("iphone-16-pro", {"rotationX": 12, "rotationY": -34.5, "rotationZ": 6, "framing": "posed"}),
    ("iphone-16-pro", {"rotationX": -120, "rotationY": 170, "scale": 1.7, "positionX": 0.3}),
    ("macbook-pro-14", {"rotationX": 20, "rotationY": -30, "fieldOfView": 60}),
    ("imac-24", {"rotationY": 50, "fieldOfView": 0, "framing": "upright"}),
    ("galaxy-z-flip-7-half-open", {"rotationX": -60, "rotationZ": 40, "framing": "auto", "fieldOfView": 90}),
]
CODE = """async ([folder, transform, shape, width, height]) => {
    const {aim, project} = await import(folder + 'geometry/camera.js');
    const camera = aim(transform, shape, width, height);
    const [w, h, d] = shape.body.map((side) => side / 2);
    const corners = [d, -d].flatMap((z) => [[-w, h, z], [w, h, z], [w, -h, z], [-w, -h, z]]);
    return {
        body: project(camera, corners),
        screens: shape.screens.map((screen) => project(camera, screen.corners)),
        box: project(camera, shape.points),
    };
}"""


@pytest.mark.long(seconds=6)
def test_outlines_lie_where_the_server_draws(blank: Studio) -> None:
    for orientation in ("portrait", "landscape"):
        for device, members in CASES:
            settings = {"device": device, "deviceTransform": members}
            if device == "iphone-16-pro":
                settings["orientation"] = orientation
            answer = blank.server.send("POST", "/api/v1/geometry", {"settings": settings}, key=blank.key)
            found, shape = answer.json["geometry"], answer.json["shape"]
            size = found["width"], found["height"]
            drawn = blank.page.evaluate(CODE, [blank.folder, {**TRANSFORM, **members}, shape, *size])
            assert _apart(drawn["body"], found["body"]) < 0.5, (device, members)
            for ours, theirs in zip(drawn["screens"], found["screens"], strict=True):
                assert _apart(ours, theirs["corners"]) < 0.5, (device, members)
            left, top, width, height = found["box"]
            xs, ys = zip(*drawn["box"], strict=True)
            box = [[min(xs), min(ys)], [max(xs), max(ys)]]
            assert _apart(box, [[left, top], [left + width, top + height]]) < 1, (device, members)


def _apart(ours: list[list[float]], theirs: list[list[float]]) -> float:
    """The largest distance between corners, px."""
    pairs = zip(ours, theirs, strict=True)
    return max(abs(a - b) for one, other in pairs for a, b in zip(one, other, strict=True))


TURN = "turntable(given.from)(...given.by)"


# Where from, by how much, and where to.
TURNS: list[tuple[tuple[float, float], tuple[Any, ...], float, float]] = [
    ((0, 0), (100, 50, 900), 10, 20),  # 180° over the height; right and down are positive
    ((0, 0), (0, 900, 900), 180, 0),
    ((170, 0), (0, 100, 900), -170, 0),  # wraps
    ((120, 0), (100, 0, 900), 120, -20),  # upside down: follows the pointer
    ((0, 0), (440, 0, 900), 0, 90),  # a magnet
    ((0, 0), (440, 0, 900, {"fine": True}), 0, 17.6),
    ((0, 0), (200, 0, 900, {"steps": True}), 0, 45),
]


def test_the_turntable(blank: Studio) -> None:
    for start, by, x, y in TURNS:
        angles = {"rotationX": start[0], "rotationY": start[1]}
        turned = blank.module("geometry/turntable.js", TURN, {"from": angles, "by": by})
        assert turned == {"rotationX": pytest.approx(x), "rotationY": pytest.approx(y)}, (start, by)


def test_magnets_do_not_hold_what_is_dragged_on(blank: Studio) -> None:
    code = """async (folder) => {
        const {turntable} = await import(folder + 'geometry/turntable.js');
        const turn = turntable({rotationX: 0, rotationY: 80});
        const seen = [];
        for (let i = 0; i < 20; i += 1) seen.push(turn(5, 0, 900).rotationY);
        return seen;
    }"""
    seen = blank.page.evaluate(code, blank.folder)
    assert 90 in seen
    assert seen[-1] == pytest.approx(100), "the drag itself is not pulled"


def test_fragments_carry_any_settings(blank: Studio) -> None:
    code = """async ([folder, settings]) => {
        const {decode, encode} = await import(folder + 'state/fragment.js');
        return [encode(settings), decode(encode(settings)), decode('nonsense'), decode('WzFd')];
    }"""
    settings = {"screen": {"title": "Überblick — 日本 🙂"}, "shadow": {"blur": 0}}
    text, *found = blank.page.evaluate(code, [blank.folder, settings])
    assert found == [settings, None, None]
    assert set(text) < set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
