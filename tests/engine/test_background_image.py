"""Background images: decoded like screenshots, drawn behind everything, and cached for the next picture."""

from __future__ import annotations

import base64
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from service.admission.cost import cost
from service.admission.footprint import footprint
from service.arrays import U8
from service.clock import Clock
from service.codec.sandbox.client import Sandboxed
from service.engine.request import RenderRequest
from service.engine.studio import Studio
from service.errors import MockupError
from service.settings.merge import MergedSettings, merge
from service.settings.metadata import settings_in
from tests.support.requests import prepared

SCREENSHOT = Path("frames/samples/screenshot.png").read_bytes()
WIDTH, HEIGHT = 300, 200


def halves(alpha: int = 255) -> bytes:
    """A picture of 90 x 60 px: red at the left, blue at the right, the top third green."""
    pixels = np.zeros((60, 90, 4), np.uint8)
    pixels[:, :45], pixels[:, 45:], pixels[:20] = (200, 0, 0, alpha), (0, 0, 200, alpha), (0, 200, 0, alpha)
    channels = cv2.cvtColor(pixels, cv2.COLOR_RGBA2BGRA if alpha < 255 else cv2.COLOR_RGBA2BGR)
    return cv2.imencode(".png", channels)[1].tobytes()


def request(file: bytes | None, *, fast: bool = False, owner: str = "", **image: Any) -> RenderRequest:
    given = {"type": "base64", "src": "…"} if file else {"type": "screenshot"}
    appearance = {"backgroundImage": {**given, **image}}
    settings = {
        "canvas": {"width": WIDTH, "height": HEIGHT},
        "deviceTransform": {"scale": 0.3},
        "shadow": {"enabled": False},
        "appearance": appearance,
    }
    return prepared(SCREENSHOT, MergedSettings(settings).resolve(), behind=file, owner=owner, fast=fast)


def shown(studio: Studio, wanted: RenderRequest) -> U8:
    data = np.frombuffer(studio.render(wanted, Clock()).data, np.uint8)
    made = np.asarray(cv2.imdecode(data, cv2.IMREAD_UNCHANGED), np.uint8)
    order = cv2.COLOR_BGRA2RGBA if made.shape[2] == 4 else cv2.COLOR_BGR2RGB
    return np.asarray(cv2.cvtColor(made, order), np.uint8)


def test_the_picture_is_behind_the_device_and_fitted() -> None:
    red, green, blue = (200, 0, 0), (0, 200, 0), (0, 0, 200)
    with closing(Studio()) as studio:
        for fast in (False, True):
            cover = shown(studio, request(halves(), fast=fast))
            assert cover.shape == (HEIGHT, WIDTH, 3)
            assert cover[150, 20].tolist() == list(red)
            assert cover[150, 280].tolist() == list(blue)
            assert cover[20, 150].tolist() == list(green)
            # The device is in front of the picture.
            assert not np.array_equal(cover[100, 150], red)
        tall = cv2.imencode(".png", np.full((60, 30, 3), (200, 0, 0), np.uint8)[..., ::-1])[1].tobytes()
        contain = shown(studio, request(tall, fit="contain"))
        assert contain[150, 20].tolist() == [0xF2, 0xF3, 0xF5]
        assert contain[190, 110].tolist() == list(red)
        stretch = shown(studio, request(tall, fit="stretch"))
        assert stretch[150, 20].tolist() == list(red)
        dim = shown(studio, request(halves(), dim=0.5))
        assert dim[150, 20].tolist() == [100, 0, 0]


def test_transparent_parts_show_the_colour_below() -> None:
    with closing(Studio()) as studio:
        made = shown(studio, request(halves(alpha=128)))
        assert made.shape[2] == 3
        assert made[150, 20].astype(int) == pytest.approx([221, 121, 122], abs=2)


def test_the_screenshot_may_be_its_own_background_blurred() -> None:
    with closing(Studio()) as studio:
        made = shown(studio, request(None)).astype(int)
    for axis in (0, 1):
        assert np.abs(np.diff(made[:30], axis=axis)).max() <= 4
    assert made[:30].std(axis=(0, 1)).max() > 1


def test_blur_leaves_no_bands_and_no_seams() -> None:
    ramp = np.repeat(np.linspace(60, 76, 256).astype(np.uint8)[:, None], 64, axis=1)
    file = cv2.imencode(".png", cv2.merge([ramp] * 3))[1].tobytes()
    wanted = request(file, blur=8)
    with closing(Studio()) as studio:
        made = shown(studio, wanted)[:, 10]
    runs = np.diff(np.flatnonzero(np.r_[True, (np.diff(made.astype(int), axis=0) != 0).any(axis=1), True]))
    assert runs.max() < 20
    assert np.abs(np.diff(made.astype(int), axis=0)).max() <= 2


def test_backgrounds_are_cached_per_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[int] = []
    decode = Sandboxed.decode

    def counted(self: Sandboxed, data: bytes, *rest: Any) -> U8:
        decoded.append(len(data))
        return decode(self, data, *rest)

    monkeypatch.setattr(Sandboxed, "decode", counted)
    with closing(Studio()) as studio:
        first, second = (studio.render(request(halves(), owner="a"), Clock()).data for _ in range(2))
        assert first == second
        # Decoding the screenshot also calls this function, so count only the background's data.
        assert decoded.count(len(halves())) == 1
        studio.render(request(halves(), owner="b"), Clock())
        studio.trim()
        studio.render(request(halves(), owner="a"), Clock())
        assert decoded.count(len(halves())) == 3


def test_all_backgrounds_share_a_plate_and_count() -> None:
    plain = request(None)
    large = request(cv2.imencode(".png", np.zeros((3000, 2000, 3), np.uint8))[1].tobytes())
    assert large.scene.spec == plain.scene.spec
    assert large.scene.spec.background.stops[0].color.alpha == 0
    assert large.scene.solid
    assert footprint(large) > footprint(plain) + 6_000_000 * 3
    assert cost(large, built=True) > cost(plain, built=True) + 0.1


def test_a_bad_file_is_named() -> None:
    bomb = halves()[:16] + (20_000).to_bytes(4, "big") * 2 + halves()[24:]
    for file in (b"no picture", bomb):
        with pytest.raises(MockupError) as caught:
            request(file)
        assert [one.path for one in caught.value.details] == ["settings.appearance.backgroundImage.src"]
        assert "creenshot" not in str(caught.value)
    good = bytearray(halves())
    good[60:120] = bytes(60)
    end = good.index(b"IEND") - 4
    good[end - 4 : end] = zlib.crc32(good[37 : end - 4]).to_bytes(4, "big")
    broken = request(bytes(good))
    with closing(Studio()) as studio, pytest.raises(MockupError) as caught:
        studio.render(broken, Clock())
    assert [one.path for one in caught.value.details] == ["settings.appearance.backgroundImage.src"]


def test_its_source_belongs_to_its_type() -> None:
    def faults(image: dict[str, Any]) -> list[str]:
        found = MergedSettings({"appearance": {"backgroundImage": image}}).faults
        return [f"{one.path}: {one.message}" for one in found]

    path = "settings.appearance.backgroundImage"
    assert faults({"type": "url"}) == [f"{path}: missing src of the url"]
    assert faults({"type": "screenshot", "src": "a"}) == [
        f"{path}: expected no src, since it is the screenshot itself"
    ]
    assert "screenshot" in faults({"type": "file", "src": "a"})[0]
    project = {"appearance": {"backgroundImage": {"type": "url", "src": "a", "blur": 3}, "style": "clay"}}
    over = {"appearance": {"backgroundImage": {"type": "screenshot"}}}
    assert merge(project, over)["appearance"] == {
        "backgroundImage": {"type": "screenshot", "blur": 3},
        "style": "clay",
    }
    assert merge(project, {"appearance": {"backgroundImage": None}})["appearance"]["backgroundImage"] is None


def test_files_do_not_reveal_its_source() -> None:
    image = {"type": "base64", "src": base64.b64encode(halves()).decode()}
    given = {"export": {"metadata": True}, "canvas": {"width": 64, "height": 64}}
    merged = MergedSettings({**given, "appearance": {"backgroundImage": image}})
    with closing(Studio()) as studio:
        made = studio.render(prepared(SCREENSHOT, merged.resolve(), behind=halves()), Clock())
    assert settings_in(bytes(made.data)) == {"appearance": {}, **given}
