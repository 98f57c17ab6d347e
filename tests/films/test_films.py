"""Whole films: their frames compared with single pictures, their ends, and errors."""

from __future__ import annotations

import asyncio
import io
import os
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from service.arrays import U8
from service.clock import Clock
from service.codec import encode
from service.devices.device import catalogue
from service.engine.request import GivenScreenshot, prepare
from service.engine.studio import Studio
from service.errors import MockupError
from service.films import lid
from service.films.film import Film, FilmedFile, resolve_film
from service.films.making import making
from service.films.messages import Begun, FilmJob, FilmRequest, Finished, Progress
from service.films.source import RecordingFacts
from service.processes.forks import ForkServer
from service.settings.merge import MergedSettings
from service.settings.motion import FilmExport, Motion, Playback
from service.settings.scene import Output
from service.settings.scene_device import Member, SceneDevice, SceneSettings
from tests.films.recordings import frame, video

CANVAS = {"width": 240, "height": 200}
PHONE = {"device": "iphone-16-pro", "canvas": CANVAS}


def request(
    settings: dict[str, Any],
    motion: dict[str, Any],
    format: str = "frames",
    *,
    devices: Sequence[SceneDevice] = (),
    **playback: Any,
) -> FilmRequest:
    return FilmRequest(
        MergedSettings(settings).resolve(),
        Motion.model_validate(motion),
        Playback.model_validate(playback),
        FilmExport.model_validate({"format": format}),
        devices=tuple(devices),
    )


def film(settings: dict[str, Any], motion: dict[str, Any], size: tuple[int, int] = (402, 874)) -> Film:
    return resolve_film(
        request(settings, {"duration": 2, **motion}), FilmedFile(RecordingFacts(*size, 3, 2.0, 25.0))
    )


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    """Makes the still pictures; it keeps plates, so a scene with other screenshots is not built again."""
    made = Studio()
    yield made
    made.close()


def test_app_previews_show_no_device(studio: Studio) -> None:
    card = {"kind": "card", "screen": {"width": 886, "height": 1920, "cornerRadius": 0}}
    shown: dict[str, Any] = {
        "device": card,
        "canvas": {"preset": "app-preview"},
        "deviceTransform": {"scale": 1.29, "fieldOfView": 0, "framing": "upright"},
        "shadow": {"enabled": False},
        "reflection": {"enabled": False},
    }
    facts = RecordingFacts(886, 1920, 3, 20.0, 30.0)

    def resolved(settings: dict[str, Any], motion: dict[str, Any], **export: Any) -> Film:
        wanted = FilmRequest(
            MergedSettings(settings).resolve(),
            Motion.model_validate(motion),
            export=FilmExport.model_validate(export),
        )
        return resolve_film(wanted, FilmedFile(facts))

    assert resolved(shown, {}, store="apple").warnings == ()
    phone = {**shown, "device": "iphone-16-pro", "deviceTransform": {}}
    assert [one.code for one in resolved(phone, {}).warnings] == ["STORE_FRAME_FORBIDDEN"]
    wrong = {**phone, "canvas": CANVAS}
    with pytest.raises(MockupError) as refused:
        resolved(wrong, {"duration": 5, "fps": 60}, store="apple", format="gif")
    said = [one.message for one in refused.value.details if one.path == "export.store"]
    told = zip(said, ("frames", "15 to 30 s", "30 frames", "mp4", "240 × 200"), strict=True)
    assert all(word in text for text, word in told), said
    # The recording fills the picture except for a rim; the device adds no colour of its own to the pixels.
    pixels = np.full((1920, 886, 3), (30, 90, 200), np.uint8)
    assert np.abs(still(studio, pixels, shown).astype(int) - (200, 90, 30)).max() <= 1


async def made(
    forks: ForkServer, source: Path | Sequence[Path], wanted: FilmRequest, target: Path
) -> tuple[list[Any], bytes]:
    sources = [source] if isinstance(source, Path) else source
    with ExitStack() as ends:
        recordings = [ends.enter_context(one.open("rb")).fileno() for one in sources]
        file = ends.enter_context(target.open("w+b"))
        async with making(forks, FilmJob(wanted), recordings, file.fileno(), nice=True) as said:
            messages = [message async for message in said]
    return messages, target.read_bytes()


def pictures(data: bytes) -> list[U8]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        found = [np.frombuffer(archive.read(name), np.uint8) for name in archive.namelist()]
    return [np.asarray(cv2.imdecode(one, cv2.IMREAD_UNCHANGED)) for one in found]


def still(
    studio: Studio, pixels: U8, settings: dict[str, Any], devices: Sequence[SceneDevice] = (SceneDevice(),)
) -> U8:
    members = tuple(Member(one, 0) for one in devices)
    wanted = SceneSettings(MergedSettings(settings).resolve(), members, named=len(devices) > 1)
    data = encode.encode(pixels, Output("png"))
    made = studio.render(prepare((GivenScreenshot(data),), wanted), Clock())
    return np.asarray(cv2.imdecode(np.frombuffer(made.data, np.uint8), cv2.IMREAD_UNCHANGED))


def test_frames_are_pictures_of_their_poses(forks: ForkServer, studio: Studio, tmp_path: Path) -> None:
    """Frames of a film equal pictures with the recording's frames as screenshots, pixel by pixel.

    The plate of the fourth frame is blended from those of the key poses around it.
    """
    path = video(tmp_path / "a.webm", 6, size=(402, 874))
    wanted = request(PHONE, {"move": {"name": "tilt-in"}, "fps": 25, "duration": 0.24})
    said, data = asyncio.run(made(forks, path, wanted, tmp_path / "film.zip"))
    assert said[0] == Begun(6, 25, 240, 200)
    assert isinstance(said[-2], Progress)
    assert isinstance(said[-1], Finished)
    assert said[-1].bytes == len(data)
    found = pictures(data)
    assert len(found) == 6
    resolved = resolve_film(wanted, FilmedFile(RecordingFacts(402, 874, 3, 0.24, 25.0)))
    # VP9 is lossy, so the pictures show the frames as they are decoded.
    file = cv2.VideoCapture(str(path))
    recorded = [np.asarray(file.read()[1][..., ::-1], np.uint8) for _ in range(6)]
    for number, most, highest in ((0, 0.1, 2), (2, 0.1, 2), (3, 0.6, 8)):
        pose = resolved.path.pose(number / 25).transform
        turned = {
            "scale": pose.scale,
            "positionX": pose.x,
            "positionY": pose.y,
            "rotationX": pose.rx,
            "rotationY": pose.ry,
            "rotationZ": pose.rz,
            "framing": "upright",
        }
        alone = still(studio, recorded[number], {**PHONE, "deviceTransform": turned})
        apart = cv2.absdiff(alone, found[number]).astype(float)
        assert apart.mean() <= most
        assert np.percentile(apart, 99) <= highest


def test_a_scene_moves_as_one(forks: ForkServer, studio: Studio, tmp_path: Path) -> None:
    """A frame equals the picture of the laptop and the phone; only the laptop's lid opens."""
    path = video(tmp_path / "a.webm", 2, size=(402, 874))
    listed: list[dict[str, Any]] = [
        {"device": "iphone-16-pro", "screen": {"fit": "contain"}},
        {"device": "macbook-air-13-m3"},
    ]
    devices = [SceneDevice.model_validate(one) for one in listed]
    settings = {"canvas": CANVAS, "layout": "row", "deviceTransform": {"framing": "posed"}}
    keyframes = [{"at": 0, "lid": 70, "deviceTransform": {"rotationY": -20}}, {"at": 0.04, "lid": 110}]
    motion = {"keyframes": keyframes, "fps": 25, "duration": 0.12}
    wanted = request(settings, motion, devices=devices)
    said, data = asyncio.run(made(forks, path, wanted, tmp_path / "film.zip"))
    assert len(pictures(data)) == 3
    assert {one.message[:10] for one in said[-1].warnings} == {"devices[1]"}
    resolved = resolve_film(wanted, FilmedFile(RecordingFacts(402, 874, 3, 0.12, 25.0)))
    rest, closed = resolved.scene.spec.instances, resolved.spec(0).instances
    assert closed[0] == rest[0]
    assert closed[1].device == lid.at(rest[1].device, 70)
    at_rest = request(settings, {"fps": 25, "duration": 0.1}, devices=devices)
    _, data = asyncio.run(made(forks, path, at_rest, tmp_path / "rest.zip"))
    apart = cv2.absdiff(pictures(data)[0], still(studio, frame(0, (402, 874)), settings, devices)).astype(
        float
    )
    assert apart.mean() <= 0.7
    assert np.percentile(apart, 99) <= 8


def test_devices_of_a_scene_show_recordings_of_their_own(
    forks: ForkServer, studio: Studio, tmp_path: Path
) -> None:
    """The first device shows a recording, the second another recording that starts at its second frame, and
    the third a screenshot."""
    size = (402, 874)
    shown = [video(tmp_path / "a.webm", 3, size=size), video(tmp_path / "b.webm", 6, size=size)]
    still_ = np.full((874, 402, 3), (30, 90, 200), np.uint8)
    shown.append(tmp_path / "c.png")
    shown[2].write_bytes(encode.encode(still_, Output("png")))
    settings = {"canvas": CANVAS, "layout": "row", "deviceTransform": {"framing": "posed"}}
    devices = [SceneDevice.model_validate({"device": "iphone-16-pro"}) for _ in range(4)]
    wanted = replace(
        request(settings, {"fps": 25}, devices=devices),
        shown=(0, 1, 2, 0),
        more=(Playback(start=0.04), Playback()),
        names=("recording", "devices[1].recording", "devices[2].screenshot"),
    )
    _, data = asyncio.run(made(forks, shown, wanted, tmp_path / "film.zip"))
    found = pictures(data)
    assert len(found) == 5, "as long as the longest recording that is shown"
    alike: list[float] = []
    alone: dict[bytes, U8] = {}
    for number, one in enumerate(found):
        own = frame(min(number, 2), size), frame(number + 1, size), still_, frame(min(number, 2), size)
        # Compare the middles of the screens, because each device's rim is reflected in the next.
        for middle, shot in zip((58, 99, 141, 182), own, strict=True):
            part = np.s_[60:140, middle - 6 : middle + 6]
            if shot.tobytes() not in alone:
                alone[shot.tobytes()] = still(studio, shot, settings, devices)
            alike.append(float(cv2.absdiff(one[part], alone[shot.tobytes()][part]).mean()))
    # The recordings are lossy, and change by 10 levels from frame to frame.
    assert max(alike) <= 4, alike
    early = replace(wanted, more=(Playback(start=3), Playback()))
    with pytest.raises(MockupError, match="recording ends") as refused:
        asyncio.run(made(forks, shown, early, tmp_path / "film.zip"))
    assert [one.path for one in refused.value.details] == ["devices[1].recording.start"]


def test_a_still_camera_moves_nothing_but_the_screen(forks: ForkServer, tmp_path: Path) -> None:
    path = video(tmp_path / "a.webm", 6, size=(402, 874))
    wanted = request(PHONE, {"fps": 50}, after="bounce")
    _, data = asyncio.run(made(forks, path, wanted, tmp_path / "film.zip"))
    found = pictures(data)
    assert len(found) == 12
    assert (found[0] == found[1]).all(), "a frame of 25 a second is shown twice"
    assert (found[0] != found[2]).any()
    above = [one[:16] for one in found]
    assert all((one == above[0]).all() for one in above)


def test_a_long_screenshot_runs_through(forks: ForkServer, tmp_path: Path) -> None:
    shot = tmp_path / "long.png"
    rows = np.linspace(0, 255, 4000).astype(np.uint8)[:, None, None]
    shot.write_bytes(
        encode.encode(np.ascontiguousarray(np.broadcast_to(rows, (4000, 402, 3))), Output("png"))
    )
    motion = {"move": {"name": "scroll"}, "duration": 1, "fps": 24}
    said, data = asyncio.run(made(forks, shot, request(PHONE, motion), tmp_path / "film.zip"))
    assert not [one.code for one in said[-1].warnings if one.code == "CROPPED"]
    middles = [one[100, 120].mean() for one in pictures(data)]
    assert middles == sorted(middles)
    assert middles[0] < 60
    assert middles[-1] > 190
    with pytest.raises(MockupError, match="taller than the screen"):
        film(PHONE, {"move": {"name": "scroll"}}, (402, 874))


def test_the_same_request_gives_the_same_bytes(forks: ForkServer, tmp_path: Path) -> None:
    path = video(tmp_path / "a.webm", 4)
    small = {"width": 120, "height": 100}
    grain = {
        **PHONE,
        "canvas": small,
        "postProcessing": {"grain": True},
        "appearance": {"backgroundColor": "transparent"},
    }
    for format in ("webp", "gif"):
        wanted = request(grain, {"move": {"name": "float"}, "duration": 0.1}, format)
        said, first = asyncio.run(made(forks, path, wanted, tmp_path / "one"))
        codes = {one.code for one in said[-1].warnings}
        assert codes >= {"FRAMES_RESAMPLED"}
        assert ("ALPHA_FLATTENED" in codes) is (format == "gif")
        assert asyncio.run(made(forks, path, wanted, tmp_path / "two"))[1] == first


def test_a_film_at_rest_is_framed_as_its_picture() -> None:
    from service.render.geometry.camera import aim

    for framing in ("auto", "posed", "upright"):
        settings = {**PHONE, "deviceTransform": {"rotationY": -40, "framing": framing, "scale": 1.2}}
        resolved = film(settings, {"move": {"name": "tilt-in"}, "duration": 4})
        mine, theirs = aim(resolved.spec(4.0)), aim(resolved.scene.spec)
        assert mine.k == pytest.approx(theirs.k, rel=1e-4)
        assert mine.center == pytest.approx(theirs.center, abs=0.01)
        assert mine.distance == pytest.approx(theirs.distance)
    # A phone that turns on a narrow canvas has the same size throughout the film; it does not grow and
    # shrink.
    narrow = {"device": "iphone-16-pro", "orientation": "landscape", "canvas": {"width": 400, "height": 90}}
    turning = film(narrow, {"move": {"name": "sway", "amount": 60}}, (874, 402))
    assert len({turning.spec(number / 10).transform.scale for number in range(20)}) == 1


def test_a_lid_turns_about_its_hinge() -> None:
    device = catalogue()["macbook-air-13-m3"]
    own = lid.opening(device)
    assert own == pytest.approx(110)
    assert lid.opening(catalogue()["iphone-16-pro"]) is None
    for angle in (8.0, 60.0, 110.0, 160.0):
        found = lid.at(device, angle)
        assert [slab.name for slab in found.slabs] == [slab.name for slab in device.slabs]
        assert found.slab("deck") == device.slab("deck")
        deck, turned = np.array(found.slab("deck").y), np.array(found.slab("lid").y)
        assert np.degrees(np.arccos(np.clip(deck @ -turned, -1, 1))) == pytest.approx(angle, abs=1e-3)
        # The lid turns about the lower edge of the glass.
        slab = found.slab("lid")
        out = np.cross(slab.x, slab.y)
        edge = np.array(slab.center) - slab.size[1] / 2 * turned + slab.size[2] / 2 * out
        same = device.slab("lid")
        at = np.array(same.center) - same.size[1] / 2 * np.array(same.y) + (0, 0, same.size[2] / 2)
        assert edge == pytest.approx(at, abs=1e-4)
    assert film({"device": "macbook-air-13-m3"}, {"move": {"name": "lid-open"}}).spec(0).device != device


REFUSED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (PHONE, {"move": {"name": "lid-open"}}, "iphone-16-pro has no lid"),
    ({"canvas": {"preset": "4k"}}, {"duration": 20}, "at most 2.1 megapixels for 20 s, got 3840 x 2160"),
    ({"canvas": {"width": 301, "height": 200}}, {}, "even width and height for mp4, got 301 x 200"),
    ({"canvas": {"slices": 3}}, {}, "expected 1 for a film, got 3"),
    ({"appearance": {"backgroundImage": {"type": "screenshot"}}}, {}, "expected none for a film"),
    ({"postProcessing": {"depth": True}}, {}, "postProcessing.depth: expected none for a film"),
    (PHONE, {"duration": 60, "fps": 30, "keyframes": [{"at": 59.9}]}, ""),
]


@pytest.mark.parametrize(
    ("settings", "motion", "what"), REFUSED, ids=[what or "none" for *_, what in REFUSED]
)
def test_faults_of_films_are_named(settings: dict[str, Any], motion: dict[str, Any], what: str) -> None:
    wanted = request(settings, motion, "mp4")
    if not what:
        assert resolve_film(wanted, FilmedFile(RecordingFacts(402, 874, 3, 2.0, 25.0))).reel.count == 1800
        return
    with pytest.raises(MockupError, match=what):
        resolve_film(wanted, FilmedFile(RecordingFacts(402, 874, 3, 2.0, 25.0)))


def test_settings_of_a_pictures_file_have_no_effect_on_a_films() -> None:
    one = FilmedFile(RecordingFacts(402, 874, 3, 2.0, 25.0))
    said = resolve_film(request({"export": {"format": "jpeg", "scale": 1}}, {}, "mp4"), one).warnings
    assert [(one.code, one.message.partition(";")[0]) for one in said if one.code == "NO_EFFECT"] == [
        ("NO_EFFECT", "export.format has no effect on films")
    ]
    said = resolve_film(request({"export": {"scale": 1}}, {}, "mp4"), one).warnings
    assert "NO_EFFECT" not in [one.code for one in said]


def test_a_recording_that_ends_early_is_refused(forks: ForkServer, tmp_path: Path) -> None:
    path = video(tmp_path / "a.webm", 4)
    with pytest.raises(MockupError, match=r"the recording ends at 0\.16 s"):
        asyncio.run(made(forks, path, request(PHONE, {}, start=3), tmp_path / "film.zip"))
    assert os.path.getsize(tmp_path / "film.zip") == 0
