"""Requests for pictures of one screenshot."""

from __future__ import annotations

from service.engine.request import GivenScreenshot, Known, RenderOptions, RenderRequest, ScreenshotId, prepare
from service.settings.scene_device import SceneSettings
from service.settings.schema import Settings


def prepared(
    data: bytes,
    settings: Settings,
    *,
    id: ScreenshotId | None = None,
    known: Known | None = None,
    fast: bool = False,
    text: bool = False,
    owner: str = "",
    behind: bytes | None = None,
) -> RenderRequest:
    """The request for a picture of the screenshot `data`, over the background `behind`."""
    given = [GivenScreenshot(data, id, known)]
    options = RenderOptions(fast, text)
    return prepare(given, SceneSettings(settings), options=options, owner=owner, behind=behind)
