"""A server in its own control group: it estimates the memory of each render, and refuses renders that cannot
fit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.admission.footprint import footprint
from service.engine.request import GivenScreenshot, prepare
from service.settings.merge import MergedSettings
from service.settings.scene_device import Member, SceneDevice, SceneSettings
from service.settings.schema import Settings
from tests.codec.forms import FORMS, png
from tests.support import pictures
from tests.support.control_group import Group, control_group
from tests.support.live import Live, running
from tests.support.processes import decoders, renderers
from tests.support.requests import prepared

pytestmark = pytest.mark.long(seconds=10)

MEBIBYTE = 2**20
SIZE = 4000, 2500
# Screenshots in the forms that take most memory in each decoder.
HEAVY = "rgba png, 16 bits, interlaced", "progressive cmyk jpeg", "lossless webp with alpha", "interlaced gif"
# The device is so large on the canvas that a JPEG has to be decoded at its full size.
LARGE: dict[str, Any] = {
    "device": "ipad-pro-11-m4",
    "canvas": {"width": 960, "height": 600},
    "deviceTransform": {"scale": 5},
    "export": {"scale": 2},
}


@pytest.fixture(params=[512])
def group(request: pytest.FixtureRequest) -> Iterator[Group]:
    with control_group(request.param * MEBIBYTE) as made:
        if made is None:
            pytest.skip("no control group of memory can be made here")
        yield made


def server(folder: Path, group: Group, threads: int, **settings: str) -> Any:
    return running(
        folder,
        *group.command,
        MEMORY_BYTES=str(group.limit),
        RENDER_THREADS=str(threads),
        RATE_LIMIT="1000",
        **settings,
    )


@pytest.mark.long(seconds=20)
@pytest.mark.parametrize("group", [2048], indirect=True)
@pytest.mark.parametrize(
    "names", [HEAVY, pytest.param(tuple(FORMS), marks=pytest.mark.thorough)], ids=["heavy", "all"]
)
@pytest.mark.thorough
def test_every_form_stays_within_its_estimate(tmp_path: Path, group: Group, names: tuple[str, ...]) -> None:
    settings = Settings.model_validate(LARGE)
    files = [(name, FORMS[name](*SIZE)) for name in names]
    foreseen = {name: footprint(prepared(data, settings)) for name, data in files}
    # By ascending estimates: memory that is still held from one render then never exceeds the estimate of the
    # next.
    files.sort(key=lambda file: foreseen[file[0]])
    with server(tmp_path, group, 1, CACHE_BYTES="0") as live:
        key = live.key()
        assert live.mockup(key).status == 200
        before = group.used
        for name, data in files:
            group.forget()
            answer = live.mockup(key, "?output=raw", screenshot_base64=pictures.text(data), settings=LARGE)
            assert answer.status == 200, (name, answer.body[:300])
            # Requests on their way in, with text and decoded file, count against a budget of their own.
            taken = group.peak - before - 3 * len(data)
            assert taken <= foreseen[name], f"{name}: {taken / MEBIBYTE:.0f} MiB"
    assert group.kills == 0


WIDE, TURNED = {"width": 1920, "height": 1080}, {"rotationX": 20, "rotationY": 30}
PLATES: list[dict[str, Any]] = [
    {"canvas": WIDE, "device": "macbook-pro-14", "deviceTransform": {"scale": 3} | TURNED},
    {
        "canvas": WIDE,
        "export": {"scale": 2},
        "postProcessing": {"depth": True, "bloom": True, "grain": True},
    },
    # A whole canvas that is cut into pictures.
    {"canvas": {"width": 1600, "height": 2500, "slices": 3}, "deviceTransform": {"scale": 3}},
]
MORE: list[dict[str, Any]] = [
    {"canvas": WIDE},
    {"canvas": WIDE, "device": "macbook-pro-14"},
    {"canvas": WIDE, "device": "iphone-16-pro", "deviceTransform": {"scale": 5} | TURNED},
    LARGE,
    {"canvas": WIDE, "export": {"scale": 3}, "deviceTransform": {"scale": 5}},
    # A whole canvas of the largest size, cut into ten pictures.
    {"canvas": {"width": 1600, "height": 2500, "slices": 10}, "deviceTransform": {"scale": 3}},
    {"canvas": WIDE, "export": {"scale": 4, "format": "webp"}},
    {"canvas": WIDE, "export": {"scale": 3, "format": "avif"}},
]


@pytest.mark.parametrize("group", [2048], indirect=True)
@pytest.mark.parametrize(
    "wanted", [PLATES, pytest.param(MORE, marks=pytest.mark.thorough)], ids=["some", "more"]
)
def test_every_plate_stays_within_its_estimate(
    tmp_path: Path, group: Group, wanted: list[dict[str, Any]]
) -> None:
    foreseen = [footprint(prepared(pictures.png(300, 500), Settings.model_validate(one))) for one in wanted]
    with server(tmp_path, group, 1, CACHE_BYTES="0") as live:
        key = live.key()
        assert live.mockup(key).status == 200
        before = group.used
        for number in sorted(range(len(wanted)), key=foreseen.__getitem__):
            group.forget()
            answer = live.mockup(key, "?output=raw", settings=wanted[number])
            assert answer.status == 200, (wanted[number], answer.body[:300])
            taken = group.peak - before
            assert taken <= foreseen[number], f"{wanted[number]}: {taken / MEBIBYTE:.0f} MiB"
    assert group.kills == 0


@pytest.mark.parametrize("group", [2048], indirect=True)
def test_a_scene_stays_within_its_estimate(tmp_path: Path, group: Group) -> None:
    """A scene of eight devices whose screenshots have the most pixels allowed."""
    data = pictures.png(2500, 2000)
    settings: dict[str, Any] = {"canvas": {"width": 1920, "height": 1080}, "layout": "row"}
    members = tuple(Member(SceneDevice(), number) for number in range(8))
    wanted = SceneSettings(MergedSettings(settings).resolve(), members, named=True)
    foreseen = footprint(prepare([GivenScreenshot(data)] * 8, wanted))
    shown = {"screenshot": {"type": "base64", "src": pictures.text(data)}}
    body = {"type": "scene", "devices": [shown] * 8, "settings": settings}
    with server(tmp_path, group, 1, CACHE_BYTES="0") as live:
        key = live.key()
        assert live.mockup(key).status == 200
        before = group.used
        group.forget()
        answer = live.send("POST", "/api/v1/mockup?output=raw", body, key=key)
        assert answer.status == 200, answer.body[:300]
        taken = group.peak - before
        assert taken <= foreseen, f"{taken / MEBIBYTE:.0f} MiB"
        assert taken > foreseen / 8
    assert group.kills == 0


@pytest.mark.thorough
def test_allowed_pictures_kill_no_process(tmp_path: Path, group: Group) -> None:
    """A picture that can never fit is a 400 that names size and memory; all others are rendered."""
    cmyk, deep = FORMS["progressive cmyk jpeg"](6000, 4000), png(7000, 5000, 6, 16, interlaced=True)
    with server(tmp_path, group, 2) as live:
        key = live.key()
        assert live.mockup(key).status == 200
        workers = renderers(live.process.pid)
        for data, size in ((cmyk, "6000 × 4000"), (deep, "7000 × 5000")):
            answer = live.mockup(key, screenshot_base64=pictures.text(data))
            assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
            message = answer.details["screenshot_base64"]
            assert size in message
            assert "MB of memory, and this server has" in message
        for name in ("rgba png, 16 bits, interlaced", "progressive cmyk jpeg", "turned rgba png"):
            data = FORMS[name](1800, 1200)
            answer = live.mockup(key, screenshot_base64=pictures.text(data), settings={})
            assert answer.status == 200, (name, answer.body[:300])
        assert renderers(live.process.pid) == workers
    assert group.kills == 0


def test_replaceable_processes_are_killed_first(server: Live) -> None:
    assert server.mockup().status == 200

    def score(pid: int) -> int:
        return int(Path(f"/proc/{pid}/oom_score_adj").read_text())

    mine = score(server.process.pid)
    for pids, more in ((renderers, 500), (decoders, 1000)):
        found = pids(server.process.pid)
        assert found
        assert {score(pid) for pid in found} == {min(1000, mine + more)}
