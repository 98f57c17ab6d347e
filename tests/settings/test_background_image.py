"""Pictures behind the device, as callers send them, and the colours behind those."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from service.settings.background_image import BackgroundImage
from service.settings.backgrounds import backdrop, background, colors
from service.settings.schema import Appearance

URL = {"type": "url", "src": "https://example.com/a.png"}


@pytest.mark.parametrize(
    ("given", "softness"),
    [
        (URL, 0.0),
        ({**URL, "blur": 3}, 3.0),
        ({"type": "screenshot"}, 12.0),
        ({"type": "screenshot", "blur": 0}, 0.0),
    ],
)
def test_a_screenshot_behind_itself_is_blurred_by_default(given: dict[str, Any], softness: float) -> None:
    assert BackgroundImage.model_validate(given).softness == softness


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"type": "url"}, "missing src of the url"),
        ({"type": "screenshot", "src": "x"}, "expected no src, since it is the screenshot itself"),
    ],
)
def test_a_picture_needs_its_source_alone(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        BackgroundImage.model_validate(given)


def appearance(**members: Any) -> Appearance:
    return Appearance.model_validate(members)


def test_blur_grows_with_the_canvas() -> None:
    image = appearance(backgroundImage={**URL, "blur": 2, "dim": 0.25})
    # A blur of 1 is a sigma of 0.6 % of the short side.
    small, large = backdrop(image, 500), backdrop(image, 1000)
    assert small is not None
    assert large is not None
    assert (small.sigma, large.sigma) == pytest.approx((6, 12))
    assert (small.dim, small.fit) == (0.25, "cover")
    assert backdrop(appearance(), 500) is None


def test_gradients_have_as_many_colours_as_their_shape_needs() -> None:
    two = {"backgroundColor": "#102030", "gradientColor": "#405060", "gradientEnabled": True}
    assert [color[:3] for color in colors(appearance(**two))] == [(16, 32, 48), (64, 80, 96)]
    for shape, count in (("radial", 2), ("conic", 3), ("mesh", 4)):
        assert len(colors(appearance(**two, gradientType=shape))) == count
    assert [color.alpha for color in colors(appearance(backgroundColor="transparent"))] == [0]
    assert background(appearance(**two, gradientAngle=30)).angle == 30
