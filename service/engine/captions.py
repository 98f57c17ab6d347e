"""The captions of a scene; their libraries are an optional extra, loaded when first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..clock import Clock
from ..settings.scene import Scene

if TYPE_CHECKING:
    from ..render.compose.captions import Captions


def captions(scene: Scene, folder: str, clock: Clock) -> Captions | None:
    """The captions laid out, None if there are none; raises as `service.render.compose.captions.Captions`.

    `folder` has further fonts.
    """
    if not scene.captions:
        return None
    from ..render.compose.captions import Captions

    with clock.stage("captions"):
        size = scene.spec.width, scene.spec.height
        return Captions(scene.captions, size, folder, scene.owner, clock)
