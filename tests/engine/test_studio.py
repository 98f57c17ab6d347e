"""Screenshot bytes and settings in, encoded pictures out."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from benchmarks.measures import ssim_map
from service.arrays import U8
from service.clock import CancelledError, Clock
from service.engine.plates import Plates
from service.engine.request import DevicePreview, ShapeRequest
from service.engine.studio import Studio
from service.errors import Code, MockupError
from service.render.compose import shot
from service.settings.formats import BY_NAME, FORMATS, Format
from service.settings.rendering import Rendering
from service.settings.schema import PRESETS
from tests.render.posing import DEVICES, settings
from tests.render.scenes import screenshot
from tests.support.pictures import png
from tests.support.requests import prepared
from tests.support.windows import file, window

CORPUS = Path(__file__).resolve().parents[2] / "benchmarks" / "corpus"
CANVAS = {"canvas.width": 320, "canvas.height": 240}


PLATES = Plates(2**27)


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    made = Studio(plates=PLATES)
    yield made
    made.close()


def made(studio: Studio, given: dict[str, Any], data: bytes | None = None, **options: Any) -> Rendering:
    fast, clock = options.get("fast", False), options.get("clock", Clock())
    request = prepared(png() if data is None else data, settings(CANVAS | given), fast=fast)
    return studio.render(request, clock)


def pixels(rendering: Rendering) -> U8:
    found = cv2.imdecode(np.frombuffer(rendering.data, np.uint8), cv2.IMREAD_UNCHANGED)
    assert found is not None
    return np.asarray(found, np.uint8)


@pytest.mark.parametrize(("name", "kind"), [(name, FORMATS[kind]) for name, kind in BY_NAME.items()])
@pytest.mark.parametrize("scale", [1, 1.5, 3])
def test_formats_and_scales(studio: Studio, name: str, kind: Format, scale: float) -> None:
    answer = made(studio, {"export.format": name, "export.scale": scale})
    assert answer.mime == kind.mime
    assert kind.matches(bytes(answer.data))
    assert (answer.width, answer.height) == (round(320 * scale), round(240 * scale))
    assert pixels(answer).shape == (answer.height, answer.width, 3)


@pytest.mark.parametrize("name", ["og", "play-feature", "app-store-watch"])
def test_presets_have_their_exact_size(studio: Studio, name: str) -> None:
    answer = made(studio, {"canvas.preset": name})
    assert (answer.width, answer.height) == PRESETS[name]
    assert pixels(answer).shape[1::-1] == PRESETS[name]


@pytest.mark.parametrize("format_", ["jpeg", "webp", "avif"])
def test_quality_costs_bytes(studio: Studio, format_: str) -> None:
    given = {"export.format": format_, "postProcessing.grain": True}
    small, large = (len(made(studio, given | {"export.quality": q}).data) for q in (20, 95))
    assert 2 * small < large


def test_a_larger_scale_is_the_same_picture_finer(studio: Studio) -> None:
    given = {"deviceTransform.rotationY": -30, "postProcessing.vignette": True}
    once, twice = (pixels(made(studio, given | {"export.scale": scale})) for scale in (1, 2))
    small = cv2.resize(twice, (320, 240), interpolation=cv2.INTER_AREA)
    assert np.abs(small.astype(float) - once).mean() < 1.2


@pytest.mark.parametrize("device", DEVICES)
def test_fast_is_the_same_composition(studio: Studio, device: str) -> None:
    page = (300, 500) if device in DEVICES[:4] else (500, 320)
    ok, data = cv2.imencode(".png", screenshot(page))
    assert ok
    given = {"device": device, "deviceTransform.rotationY": 25, "postProcessing.bloom": True}
    given |= {"canvas.width": 640, "canvas.height": 480}
    best, quick = (made(studio, given, data.tobytes(), fast=fast) for fast in (False, True))
    assert (best.width, best.height, best.mime) == (quick.width, quick.height, quick.mime)
    assert ssim_map(pixels(best), pixels(quick)).mean() >= 0.95


def test_alpha_is_kept_or_flattened_with_a_warning(studio: Studio) -> None:
    clear = {"appearance.backgroundColor": "transparent"}
    for format_ in ("png", "webp", "avif"):
        answer = made(studio, clear | {"export.format": format_})
        assert pixels(answer).shape[2] == 4
        assert pixels(answer)[0, 0, 3] == 0
        assert "ALPHA_FLATTENED" not in codes(answer)
    flattened = made(studio, clear | {"export.format": "jpeg", "shadow.enabled": False})
    assert "ALPHA_FLATTENED" in codes(flattened)
    assert pixels(flattened)[0, 0].min() >= 253


def codes(answer: Rendering) -> set[str]:
    return {warning.code for warning in answer.warnings}


def test_warnings(studio: Studio) -> None:
    fits = png(1206, 2622)
    assert codes(made(studio, {}, fits)) == set()
    assert "UPSCALED" in codes(made(studio, {}, png(20, 43)))
    assert "CROPPED" in codes(made(studio, {}, png(600, 2622)))
    assert codes(made(studio, {"screen.fit": "contain"}, png(600, 2622))) == {"LETTERBOXED"}
    assert codes(made(studio, {"screen.fit": "stretch"}, png(1000, 2622))) == {"STRETCHED"}
    assert codes(made(studio, {"screen.fit": "stretch"}, png(1190, 2622))) == set()


def test_cropped_sides_are_reported_from_three_per_cent_on(studio: Studio) -> None:
    lost = made(studio, {}, png(1080, 1920))
    assert [warning.code for warning in lost.warnings] == ["CROPPED"]
    assert "18% of the screenshot's width is cropped, 9% at the left" in lost.warnings[0].message
    assert codes(made(studio, {}, png(1230, 2622))) == set()
    # A phone shows the top of a long page.
    assert codes(made(studio, {}, png(1206, 3100))) == set()
    long = made(studio, {}, png(1206, 5244)).warnings
    assert [warning.message.partition(";")[0] for warning in long] == [
        "50% of the screenshot's height is cropped at the bottom"
    ]


def test_an_unused_colour_is_reported(studio: Studio) -> None:
    given = {"device": "browser-chrome-light", "appearance.deviceColor": "#C02018"}
    assert codes(made(studio, given, png(1280, 800))) == {"COLOR_UNUSED"}


@pytest.mark.parametrize("kind", ["gif", "png", "webp"])
def test_an_animation_causes_a_warning(studio: Studio, kind: str) -> None:
    moving = (CORPUS / f"animated.{kind}").read_bytes()
    assert "ANIMATION_FLATTENED" in codes(made(studio, {}, moving))
    file = io.BytesIO()
    Image.new("RGB", (60, 130), "red").save(file, kind)
    assert "ANIMATION_FLATTENED" not in codes(made(studio, {}, file.getvalue()))


def test_a_comment_after_a_gif_makes_no_animation(studio: Studio) -> None:
    file = io.BytesIO()
    Image.new("P", (60, 130)).save(file, "GIF")
    commented = file.getvalue()[:-1] + b"!\xfe\x02hi\0;"
    assert "ANIMATION_FLATTENED" not in codes(made(studio, {}, commented))


def test_a_camera_inside_the_device_is_moved_out_with_a_warning(studio: Studio) -> None:
    wide = {"device": "ipad-pro-11-m4", "deviceTransform.rotationY": 65, "deviceTransform.fieldOfView": 90}
    answer = made(studio, wide, png(2420, 1668))
    assert [warning.code for warning in answer.warnings] == ["FIELD_OF_VIEW_LIMITED"]
    # The canvas is 240 px high, the device 177.51 mm, and its diagonal measures 306.42 mm.
    across = 240 / min(0.78 * 240 / 177.51, 0.78 * 320 / 249.7)
    limit = 2 * math.degrees(math.atan(across / (2 * 1.25 * 306.42 / 2)))
    assert "a fieldOfView of 90 the camera" in answer.warnings[0].message
    assert answer.warnings[0].message.endswith(f"; {limit:.1f} is used")
    assert made(studio, wide | {"deviceTransform.fieldOfView": limit - 0.1}, png(2420, 1668)).warnings == ()
    # There is no warning without perspective either.
    assert made(studio, wide | {"deviceTransform.fieldOfView": 0}, png(2420, 1668)).warnings == ()


@pytest.mark.parametrize(("y", "share"), [(2, "100%"), (1, "50%"), (-1, "49%"), (0.27, "3%")])
def test_a_device_off_the_canvas_is_reported(studio: Studio, y: float, share: str) -> None:
    answer = made(studio, {"deviceTransform.positionY": y}, png(1206, 2622))
    assert [warning.code for warning in answer.warnings] == ["OFF_CANVAS"]
    assert answer.warnings[0].message.startswith(f"{share} of the device lies off the canvas; a smaller ")


@pytest.mark.parametrize("fast", [False, True])
def test_a_small_share_off_the_canvas_is_not_reported(studio: Studio, fast: bool) -> None:
    assert made(studio, {"deviceTransform.positionY": 0.23}, png(1206, 2622), fast=fast).warnings == ()


def test_auto_reports_the_chosen_device(studio: Studio) -> None:
    assert made(studio, {"device": "auto"}, png(1668, 2420)).device == "ipad-pro-11-m4"


def test_a_second_request_uses_the_plate_again(studio: Studio) -> None:
    given = {"deviceTransform.rotationZ": 17}
    first = made(studio, given)
    hits, misses = PLATES.hits, PLATES.misses
    assert made(studio, given).data == first.data
    assert (PLATES.hits, PLATES.misses) == (hits + 1, misses)
    other = made(studio, given, png(color=(200, 30, 30)))
    assert other.data != first.data
    assert PLATES.misses == misses


def test_the_stages_are_timed(studio: Studio) -> None:
    clock = Clock()
    made(studio, {}, clock=clock)
    assert {"plate", "decode", "warp", "compose", "encode"} <= set(clock.stages)
    assert all(duration >= 0 for duration in clock.stages.values())


def test_a_bad_screenshot_names_its_path(studio: Studio) -> None:
    with pytest.raises(MockupError) as caught:
        made(studio, {}, b"not a picture")
    assert caught.value.code is Code.INVALID_REQUEST
    assert [detail.path for detail in caught.value.details] == ["screenshot.src"]


def test_a_damaged_screenshot_is_a_400(studio: Studio) -> None:
    with pytest.raises(MockupError) as caught:
        made(studio, {"deviceTransform.rotationZ": 3}, png()[:90])
    assert caught.value.code is Code.INVALID_REQUEST


def test_deadlines_and_cancellations_end_a_render(studio: Studio) -> None:
    with pytest.raises(MockupError) as caught:
        made(studio, {}, clock=Clock(0.0))
    assert caught.value.code is Code.RENDER_TIMEOUT
    clock = Clock()
    clock.cancel()
    with pytest.raises(CancelledError):
        made(studio, {}, clock=clock)


def test_internal_failures_do_not_reveal_their_cause(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("/secret/path")

    monkeypatch.setattr(shot, "expose", fail)
    with pytest.raises(MockupError) as caught:
        made(studio, {})
    assert caught.value.code is Code.RENDER_FAILED
    assert "secret" not in caught.value.message
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_a_lack_of_memory_is_a_503(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(shot, "place", full)
    with pytest.raises(MockupError, match="out of memory") as caught:
        made(studio, {})
    assert caught.value.code is Code.SERVER_BUSY


@pytest.mark.parametrize("device", DEVICES)
def test_previews_are_transparent_pictures(studio: Studio, device: str) -> None:
    preview = studio.preview(DevicePreview(device), Clock())
    assert (preview.mime, preview.width, preview.height, preview.device) == ("image/png", 640, 640, device)
    picture = cv2.imdecode(np.frombuffer(preview.data, np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    assert picture.shape == (640, 640, 4)
    assert picture[0, 0, 3] == 0
    assert (picture[..., 3] == 255).mean() > 0.1


@pytest.mark.parametrize(("finish", "lit"), [("Light", 255), ("Dark", 27)])
def test_previews_of_windows_show_an_empty_page(studio: Studio, finish: str, lit: int) -> None:
    preview = studio.preview(DevicePreview("window-macos", finish), Clock())
    picture = cv2.imdecode(np.frombuffer(preview.data, np.uint8), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    assert abs(int(picture[320, 320, 2]) - lit) <= 1


def test_no_preview_of_an_unknown_device(studio: Studio) -> None:
    with pytest.raises(KeyError):
        studio.preview(DevicePreview("nokia-3310"), Clock())


PLAIN = {"shadow.enabled": False, "reflection.enabled": False, "deviceTransform.pose": None}


@pytest.mark.parametrize("device", ["auto", "card", "window-macos", "terminal", "browser-chrome"])
def test_a_window_is_shown_without_the_shadow_it_came_with(studio: Studio, device: str) -> None:
    """The picture equals that of the window alone, without a margin or transparency, except in the
    corners."""
    around = made(studio, PLAIN | {"device": device}, file(window((400, 300), hairline=True)))
    bare = made(
        studio,
        PLAIN | {"device": "card" if device == "auto" else device},
        file(window((400, 300), around=(0, 0, 0, 0), radius=0)),
    )
    assert around.device == bare.device
    assert codes(around) == codes(bare)
    one, other = pixels(around).astype(int), pixels(bare).astype(int)
    assert np.median(np.abs(one - other)) == 0
    assert (np.abs(one - other).max(axis=2) > 8).mean() < 0.004, "the corners alone"
    assert one[100:140, 100:220].min() > 30, "nothing is a black slab"


def test_a_cards_corners_are_the_windows(studio: Studio) -> None:
    def corner(radius: float) -> int:
        picture = pixels(
            made(
                studio,
                PLAIN | {"device": "card", "appearance.backgroundColor": "#ff00ff"},
                file(window((400, 300), radius)),
            )
        ).astype(int)
        return int((np.abs(picture - (255, 0, 255)).max(axis=2) < 40).sum())

    assert corner(10) < corner(40) < corner(100)


def test_trimming_can_be_refused(studio: Studio) -> None:
    given = PLAIN | {"device": "card", "screen.trim": "none", "appearance.backgroundColor": "#ff00ff"}
    untrimmed = made(studio, given, file(window((400, 300))))
    assert codes(untrimmed) == {"TRANSPARENT_MARGIN"}
    # On a card, transparent parts show an empty page rather than black.
    shown = pixels(untrimmed)[..., :3].astype(int)
    assert (shown.max(axis=2) < 60).mean() < 0.02


def test_a_fixed_screen_warns_of_a_transparent_margin(studio: Studio) -> None:
    said = made(studio, {"device": "macbook-pro-14"}, file(window((400, 300)))).warnings
    (about,) = [one.message for one in said if one.code == "TRANSPARENT_MARGIN"]
    assert "takes 46% of the screenshot" in about
    assert "device card" in about


@pytest.mark.parametrize("device", ["iphone-16-pro", "auto", "browser-chrome"])
def test_a_transparent_screenshot_is_reported(studio: Studio, device: str) -> None:
    said = made(studio, {"device": device}, file(np.zeros((300, 400, 4), np.uint8))).warnings
    (about,) = [one.message for one in said if one.code == "TRANSPARENT_MARGIN"]
    assert about == "The whole screenshot is transparent, so nothing of it is seen; check the file"


def test_opaque_screenshots_are_the_same_with_and_without_an_alpha_channel(studio: Studio) -> None:
    """The scene is the same whether it was planned before the screenshot was decoded (`supposed`) or
    after."""
    opaque = np.full((300, 400, 3), (40, 90, 200), np.uint8)
    with_alpha = np.dstack((opaque, np.full((300, 400), 255, np.uint8)))
    for device in ("auto", "card", "iphone-16-pro"):
        one, other = (made(studio, {"device": device}, file(each)) for each in (opaque, with_alpha))
        assert one == other


def test_a_shape_is_that_of_the_trimmed_window(studio: Studio) -> None:
    def shape(data: bytes) -> Rendering:
        request = prepared(data, settings(CANVAS | {"device": "auto"}), fast=True)
        return studio.draw(ShapeRequest(request), Clock())

    around, bare = shape(file(window())), shape(file(window(around=(0, 0, 0, 0))))
    assert around.device == "card"
    assert around.geometry == bare.geometry


@pytest.mark.parametrize(
    ("size", "device", "amount", "named"),
    [
        ((1180, 820), "iphone-16-pro", "of the screenshot's height is cropped", "ipad-air-11"),
        ((1920, 1080), "macbook-pro-14", "13% of the screenshot's width is cropped", "browser-chrome"),
        ((1080, 1920), "iphone-16-pro", "18% of the screenshot's width is cropped", "a phone of its shape"),
    ],
)
def test_cropping_warnings_name_a_device_that_fits(
    studio: Studio, size: tuple[int, int], device: str, amount: str, named: str
) -> None:
    said = made(studio, {"device": device}, png(*size)).warnings
    (about,) = [one.message for one in said if one.code == "CROPPED"]
    assert amount in about
    assert f"device auto fits, and takes {named}" in about
    assert "CROPPED" not in codes(made(studio, {"device": "auto"}, png(*size)))
