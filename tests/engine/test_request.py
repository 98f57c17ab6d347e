"""Requests for pictures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.codec.picture import PictureLimits
from service.engine.request import (
    GivenScreenshot,
    Reduced,
    RenderOptions,
    RenderRequest,
    ScreenshotId,
    SourceFile,
    measure,
    prepare,
)
from service.errors import Detail, MockupError, refusal
from service.settings.scene import PlateSpec
from service.settings.scene_device import Member, SceneDevice, SceneSettings
from service.settings.schema import Settings
from tests.support.pictures import png
from tests.support.requests import prepared


def spec(owner: str, **screen: str) -> PlateSpec:
    given: dict[str, Any] = {"device": "browser-chrome", "screen": screen}
    return prepared(png(), Settings.model_validate(given), owner=owner).scene.spec


@pytest.mark.parametrize("screen", [{"url": "https://example.com/draft"}, {"title": "Draft"}])
def test_plates_with_texts_belong_to_their_user(screen: dict[str, str]) -> None:
    assert spec("ada", **screen) == spec("ada", **screen)
    assert spec("ada", **screen) != spec("bob", **screen)
    assert spec("ada") == spec("bob"), "all others are for everybody"


def asked(*files: bytes, most: int = 10**6, behind: bytes | None = None) -> RenderRequest:
    """A request for a scene with a card for each file, of at most `most` pixels in all."""
    given = [GivenScreenshot(file, ScreenshotId("ada", str(number))) for number, file in enumerate(files)]
    members = tuple(Member(SceneDevice(), number) for number in range(len(files)))
    settings = Settings.model_validate(
        {"device": "card"} | ({"appearance": {"backgroundImage": {"type": "screenshot"}}} if behind else {})
    )
    wanted = SceneSettings(settings, members, named=True)
    return prepare(given, wanted, PictureLimits(pixels=most), behind=behind)


def problems(*files: bytes, **given: Any) -> list[tuple[str, str]]:
    with pytest.raises(MockupError) as refused:
        asked(*files, **given)
    return [(one.path, one.message) for one in refused.value.details]


def test_the_pixels_of_all_pictures_are_limited() -> None:
    small, large = png(200, 300), png(400, 200)
    assert asked(small, large, most=140_000).nbytes == len(small) + len(large)
    (found,) = problems(small, large, small, most=199_999)
    assert found == (
        "devices[1].screenshot.src",
        "the scene's screenshots have 0.2 megapixels in all, this one most of them; the limit is 0.199999",
    )
    assert asked(small, behind=large, most=140_000).nbytes == len(small) + len(large)
    (found,) = problems(small, behind=large, most=139_999)
    assert found == (
        "settings.appearance.backgroundImage.src",
        "background and screenshots have 0.1 megapixels in all; the limit is 0.139999",
    )


def test_every_refused_file_is_named() -> None:
    found = problems(b"no picture", png(), b"GIF89a")
    assert [path for path, _ in found] == ["devices[0].screenshot.src", "devices[2].screenshot.src"]


def test_an_error_names_the_screenshot_at_fault() -> None:
    error = refusal(Detail("screenshot.src", "is odd"), Detail("canvas.width", "is odd, too"))
    (named,) = asked(png()).files
    assert [one.path for one in named.at_fault(error).details] == [
        "devices[0].screenshot.src",
        "canvas.width",
    ]
    assert SourceFile(b"", named.header).at_fault(error) is error


def test_requests_without_files_keep_everything_else() -> None:
    request = asked(png(20, 30), png(), behind=png())
    bare = request.without_files()
    assert (bare.nbytes, bare.backdrop) == (0, None)
    assert bare.files[0] == replace(request.files[0], data=b"")
    assert bare.files[0].size == measure(png(20, 30)) == (20, 30)
    assert bare.scene == request.scene


def test_only_supposed_scenes_are_resolved_again() -> None:
    request = asked(png())
    assert request.supposed is None
    assert request.measured({0: None}) is request


@pytest.mark.parametrize(
    ("background", "form", "found"),
    [("#FFFFFF", None, "jpeg"), ("transparent", None, "webp"), ("#FFFFFF", "png", "png")],
)
def test_previews_are_in_the_smallest_format_that_suits_them(background: str, form: Any, found: str) -> None:
    settings = Settings.model_validate(
        {
            "device": "card",
            "appearance": {"backgroundColor": background},
            "canvas": {"width": 800, "height": 600, "slices": 2},
            "export": {"format": "avif"},
        }
    )
    options = RenderOptions(reduced=Reduced(96_000, form))
    scene = prepare([GivenScreenshot(png())], SceneSettings(settings), options=options).scene
    assert (scene.output.format, scene.output.xmp, scene.cuts, scene.store) == (found, b"", (), None)
    assert 90_000 < scene.spec.width * scene.spec.height <= 96_000
    assert scene.spec.fast
