"""Settings of rows, resolved: of pictures of one screenshot, and of scenes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import orjson
from cachetools import LRUCache

from ...errors import Detail, MockupError, refusal
from ...settings.background_image import PATH
from ...settings.merge import merge
from ...settings.resolve import Source, resolve_scene
from ...settings.scene_device import SceneSettings
from .. import scene as scenes
from ..render import Destination, settings_for
from ..settings_file import Assigned
from . import places

if TYPE_CHECKING:
    from ...api.scene_body import ParsedScreenshot
    from ...config import Config
    from .manifest import Row

# Number of different settings whose validated form is cached.
KEPT_SETTINGS = 1024
# A screenshot's size, px, which distinguishes plates before screenshots are read.
NOMINAL = (1170, 2532)


@dataclass(frozen=True, slots=True)
class RowSettings:
    """A row's settings once resolved, and the places of its screenshots and background as written.

    `digest` identifies the settings; rows with the same plate share the number `plate`.
    """

    scene: SceneSettings
    screenshots: tuple[str, ...]
    digest: str
    plate: int

    @property
    def sources(self) -> tuple[str, ...]:
        """The places of the row's screenshots, followed by the place of its background if this is a picture
        with a path or URL."""
        image = self.scene.settings.appearance.background_image
        behind = image.src if image is not None and image.type == "url" else None
        return self.screenshots if behind is None else (*self.screenshots, behind)

    def shown(self, number: int) -> str:
        """A source's name in messages. In a scene, and for a background, it includes the setting's path."""
        name = places.shown(self.sources[number])
        if number == len(self.screenshots):
            return f"{PATH}: {name}"
        return f"{self.scene.path(number)}: {name}" if self.scene.named else name


class Resolved:
    """Validated settings of rows; equal ones are validated once while cached, scenes each time."""

    def __init__(
        self, base: Mapping[str, Any], over: Mapping[str, Any], config: Config, *, fast: bool
    ) -> None:
        """`over` are settings between a run's `base` and those of its rows."""
        self._base, self._over, self._config, self._fast = dict(base), over, config, fast
        self._kept: LRUCache[bytes, RowSettings] = LRUCache(KEPT_SETTINGS)

    def of(self, row: Row) -> RowSettings:
        """The row's resolved settings; raises a 400 for invalid ones."""
        suffix = os.path.splitext(row.output)[1].lower()
        # The file's name is left out here, because rows with different names share these settings.
        output = Destination(f"output{suffix}", is_folder=False)
        if row.scene is not None:
            settings = merge(self._base, merge(self._over, row.settings))
            given = {**row.scene, "settings": settings}
            found, screenshots = scenes.validated(given, None, output, Assigned({}, []), self._config)
            return self._row(found, _places(screenshots))
        assert row.screenshot is not None
        key = suffix.encode() + orjson.dumps(row.settings, option=orjson.OPT_SORT_KEYS)
        if (kept := self._kept.get(key)) is None:
            over = merge(self._over, row.settings)
            alone = SceneSettings(settings_for(output, self._base, over, self._config))
            kept = self._kept[key] = self._row(alone, ("",))
        return replace(kept, screenshots=(row.screenshot,))

    def _row(self, scene: SceneSettings, screenshots: tuple[str, ...]) -> RowSettings:
        # Members that a device omits come from the settings.
        devices = [(one.device.model_dump_json(exclude_unset=True), one.source) for one in scene.members]
        whole = orjson.dumps((scene.settings.model_dump_json(), devices))
        digest = sha256(whole).hexdigest()
        row = RowSettings(scene, screenshots, digest, self._plate(scene, len(screenshots), digest))
        for source in row.sources[len(screenshots) :]:
            if reason := places.fault(source, "screenshot"):
                raise refusal(Detail(PATH, reason))
        return row

    def _plate(self, scene: SceneSettings, count: int, digest: str) -> int:
        try:
            return hash(resolve_scene(scene, [Source(NOMINAL)] * count, fast=self._fast).spec)
        except MockupError:
            if not any(one.device.over(scene.settings).device == "auto" for one in scene.members):
                raise
            # With auto, the settings may be valid for the device that a screenshot gets.
            return hash(digest)


def _places(screenshots: tuple[ParsedScreenshot, ...]) -> tuple[str, ...]:
    """The places of a scene's screenshots; raises a 400 for those that a manifest cannot have."""
    if found := [Detail(one.path, reason) for one in screenshots if (reason := _reason(one))]:
        raise refusal(*found)
    return tuple(one.text for one in screenshots)


def _reason(screenshot: ParsedScreenshot) -> str | None:
    if screenshot.form == "base64":
        return "expected a path or a URL"
    return places.fault(screenshot.text, "screenshot")
