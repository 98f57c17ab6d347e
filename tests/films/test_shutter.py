"""Motion blur: the exposure times of frames, and the mean of their exposures."""

from __future__ import annotations

import asyncio
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from service.arrays import U8
from service.clock import Clock
from service.codec import encode
from service.films.film import Film, FilmedFile, resolve_film
from service.films.making import making
from service.films.messages import FilmJob, FilmRequest
from service.films.painter import FramePainter
from service.films.plate_store import PlateStore
from service.films.plates_here import PlatesHere
from service.films.recording import ShownFrame
from service.films.shutter import MOST, exposures
from service.films.source import RecordingFacts
from service.processes.forks import ForkServer
from service.settings.merge import MergedSettings
from service.settings.motion import FilmExport, Motion
from service.settings.scene import Output
from service.srgb import LINEAR16
from tests.films.recordings import frame

WIDTH, HEIGHT = 300, 200
FPS = 25
SPEED = 40  # px per frame
CARD = {
    "device": {"kind": "card", "screen": {"width": 800, "height": 800, "cornerRadius": 0}},
    "canvas": {"width": WIDTH, "height": HEIGHT},
    "deviceTransform": {"scale": 0.6, "fieldOfView": 0, "framing": "upright"},
    "shadow": {"enabled": False},
    "reflection": {"enabled": False},
}
# Half the canvas is 150 px wide, so the device moves by `SPEED` px per frame.
PUSH = {
    "keyframes": [
        {"at": 0, "ease": "linear", "deviceTransform": {"positionX": -0.5}},
        {"at": 4 / FPS, "ease": "linear", "deviceTransform": {"positionX": -0.5 + 4 * SPEED / 150}},
    ]
}


def request(settings: dict[str, Any], motion: dict[str, Any]) -> FilmRequest:
    return FilmRequest(
        MergedSettings({**CARD, **settings}).resolve(),
        Motion.model_validate(motion),
        export=FilmExport(format="frames"),
    )


def film(
    motion: dict[str, Any], settings: dict[str, Any] | None = None, size: tuple[int, int] = (800, 800)
) -> Film:
    wanted = request(settings or {}, {"duration": 0.4, "fps": FPS, **motion})
    return resolve_film(wanted, FilmedFile(RecordingFacts(*size, 3, 1.0, 25.0), still=True))


def painted(film: Film, pixels: U8, *numbers: int) -> list[U8]:
    """Frames of a film of a still picture, painted in this process."""
    plan = [exposures(film, number) for number in numbers]
    store = PlateStore(film.spec(time) for times in plan for time in times)
    facts = RecordingFacts(pixels.shape[1], pixels.shape[0], 3, 1.0, 1.0)
    every = [time for number in range(film.reel.count) for time in exposures(film, number)]
    plates = PlatesHere(film, store, every, Clock())
    painter = FramePainter(film, [facts], Clock(), store, plates=plates)
    shown = ShownFrame(True, pixels)
    return [
        painter.paint(number, times, [shown])[0].copy() for number, times in zip(numbers, plan, strict=True)
    ]


def plain(level: int, size: tuple[int, int] = (800, 800)) -> U8:
    return np.full((size[1], size[0], 3), level, np.uint8)


def test_frames_at_rest_are_exposed_once_at_their_time() -> None:
    moving = film({**PUSH, "shutterAngle": 180})
    assert [len(exposures(moving, number)) > 1 for number in range(10)] == [True] * 5 + [False] * 5
    assert exposures(moving, 8) == (8 / FPS,)
    assert all(len(exposures(film(PUSH), number)) == 1 for number in range(10)), "by default, none"
    slow = film({"move": {"name": "float", "amount": 0.1}, "shutterAngle": 180})
    assert all(len(exposures(slow, number)) == 1 for number in range(10)), "it moves by less than a pixel"


@pytest.mark.parametrize("angle", [45, 180, 360])
def test_exposures_lie_evenly_around_the_time_of_the_frame(angle: int) -> None:
    times = exposures(film({**PUSH, "shutterAngle": angle}), 2)
    assert 2 < len(times) <= MOST
    assert np.mean(times) == pytest.approx(2 / FPS)
    steps = np.diff(times)
    assert steps == pytest.approx(np.full(len(steps), angle / 360 / FPS / len(times)))


def test_a_loop_is_exposed_across_its_end() -> None:
    turning = film({"move": {"name": "turntable"}, "seamless": True, "shutterAngle": 360})
    times = exposures(turning, 0)
    assert all(0 <= time < 0.4 for time in times)
    assert min(times) < 0.02
    assert max(times) > 0.38


def test_screens_show_colours_in_their_order() -> None:
    """Recordings have blue first; frames, and the bars beside a recording, have red first."""
    size = 800, 400
    screen = {"fit": "contain", "background": "#1E5AC8"}
    recorded = np.full((size[1], size[0], 3), (20, 120, 230), np.uint8)
    shown = painted(film({}, {"screen": screen}, size), recorded, 0)[0]
    column = shown[:, WIDTH // 2]
    assert np.abs(column[HEIGHT // 2].astype(int) - (230, 120, 20)).max() <= 1
    bar = HEIGHT // 2 - round(0.6 * 0.375 * HEIGHT)
    assert np.abs(column[bar].astype(int) - (30, 90, 200)).max() <= 1


@pytest.mark.parametrize("background", ["transparent", "#000000"])
@pytest.mark.parametrize("angle", [90, 180, 360])
def test_a_moving_edge_is_as_wide_as_the_shutter_lets_it_move(angle: int, background: str) -> None:
    """Light, or opacity, rises linearly across the edge, over the distance that it moves while the shutter is
    open."""
    moving = film({**PUSH, "shutterAngle": angle}, {"appearance": {"backgroundColor": background}})
    row = painted(moving, plain(255), 2)[0][HEIGHT // 2]
    share = row[:, 3] / 255 if background == "transparent" else LINEAR16[row[:, 0]] / 65535
    wide = SPEED * angle / 360
    middle = WIDTH / 2 * (1 - 0.5) + 2 * SPEED  # the middle of the card
    half = float(share.sum()) / 2
    for edge in (share[: int(middle)], share[: int(middle) - 1 : -1]):
        low, high = (np.interp(level, edge, np.arange(len(edge))) for level in (0.1, 0.9))
        assert high - low == pytest.approx(0.8 * wide, abs=wide / 8 + 0.5)
    assert abs(float((share * (np.arange(WIDTH) + 0.5)).sum()) / (2 * half) - middle) < 0.2
    if background == "transparent":
        assert ((255.0 - row[:, 0]) * share < 3).all(), "an edge keeps its colour"


def test_frames_beside_a_blurred_one_are_as_without_blur() -> None:
    """A blurred frame affects neither the frames before and after it nor, once the device has left, the
    pixels that it covered."""
    numbers = (0, 4, 5, 9)
    for background in ("transparent", "#336699"):
        look = {"appearance": {"backgroundColor": background}, "shadow": {"enabled": True}}
        sharp = painted(film(PUSH, look), plain(200), *numbers)
        soft = painted(film({**PUSH, "shutterAngle": 180}, look), plain(200), *numbers)
        same = [bool((one == other).all()) for one, other in zip(sharp, soft, strict=True)]
        assert same == [False, False, True, True]


def test_grain_and_captions_stay_in_a_blurred_frame() -> None:
    more = {"postProcessing": {"grain": True}, "captions": [{"text": "Moves"}]}
    look = {**more, "appearance": {"backgroundColor": "#336699"}}
    sharp, soft = (
        painted(film({**PUSH, "shutterAngle": angle}, look), plain(200), 2)[0] for angle in (0, 180)
    )
    aside = np.s_[:20, :40]
    assert soft[aside].std() > 0
    assert (sharp[aside] == soft[aside]).all()


def test_a_scroll_is_blurred_along_its_way_alone() -> None:
    rows = np.repeat(np.arange(3200) // 100 % 2 * 255, 800).reshape(3200, 800).astype(np.uint8)
    pixels = np.ascontiguousarray(np.repeat(rows[..., None], 3, axis=2))
    run = {"scroll": {"at": 0.12, "duration": 0.2, "ease": "linear"}, "duration": 0.4}
    size = (800, 3200)
    sharp, soft = (
        painted(film({**run, "shutterAngle": angle}, size=size), pixels, 0, 5, 9) for angle in (0, 180)
    )
    assert (sharp[0] == soft[0]).all()
    assert (sharp[2] == soft[2]).all()
    inner = np.s_[60:140, 140:160]
    assert np.abs(np.diff(sharp[1][inner].astype(int), axis=0)).max() > 100
    assert np.abs(np.diff(soft[1][inner].astype(int), axis=0)).max() < 100
    assert (np.diff(soft[1][inner].astype(int), axis=1) == 0).all()


def test_the_processes_of_a_film_average_the_same_exposures(forks: ForkServer, tmp_path: Path) -> None:
    """In a loop, the exposures of the first frame begin before the loop's end."""
    pixels = frame(3, (402, 874))
    shot = tmp_path / "shot.png"
    shot.write_bytes(encode.encode(pixels, Output("png")))
    motion = {"move": {"name": "turntable"}, "seamless": True, "shutterAngle": 270, "duration": 0.2}
    look = {
        "device": "iphone-16-pro",
        "canvas": {"width": 150, "height": 100},
        "deviceTransform": {},
    }
    numbers = (0, 1, 4)
    alone = painted(film(motion, look, (402, 874)), pixels, *numbers)
    wanted = request(look, {"fps": FPS, **motion})
    found = asyncio.run(_made(forks, shot, wanted, tmp_path / "film.zip"))
    assert len(found) == 5
    for number, other in zip(numbers, alone, strict=True):
        # Other processes send plates as code values, which are rounded.
        assert cv2.absdiff(cv2.cvtColor(found[number], cv2.COLOR_BGR2RGB), other).max() <= 2


async def _made(forks: ForkServer, source: Path, wanted: FilmRequest, target: Path) -> list[U8]:
    with source.open("rb") as shot, target.open("w+b") as file:
        async with making(forks, FilmJob(wanted), [shot.fileno()], file.fileno(), nice=False) as said:
            assert [message async for message in said]
    with zipfile.ZipFile(target) as archive:
        data = [np.frombuffer(archive.read(name), np.uint8) for name in archive.namelist()]
    return [np.asarray(cv2.imdecode(one, cv2.IMREAD_COLOR), np.uint8) for one in data]
