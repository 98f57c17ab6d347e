"""Requests for pictures of one screenshot, as the service prepares them."""

from __future__ import annotations

from service.engine.request import GivenScreenshot, RenderOptions, RenderRequest, prepare
from service.settings.scene_device import SceneSettings
from service.settings.schema import Settings


def request(screenshot: bytes, settings: Settings, *, fast: bool = False) -> RenderRequest:
    """The request for a picture of the file of a screenshot."""
    return prepare([GivenScreenshot(screenshot)], SceneSettings(settings), options=RenderOptions(fast))
