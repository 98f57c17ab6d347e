"""The captions of a scene, whose libraries are an optional extra and loaded when first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..clock import Clock
from ..settings.scene import Scene

if TYPE_CHECKING:
    from ..render.compose.captions import Captions


def captions(scene: Scene, folder: str, clock: Clock) -> Captions | None:
    """The captions laid out, None if there are none; raises as `service.render.compose.captions.Captions`.

    `folder` has fonts besides the system's.
    """
    if not scene.captions:
        return None
    from ..render.compose.captions import Captions

    with clock.stage("captions"):
        size = scene.spec.width, scene.spec.height
        return Captions(scene.captions, size, folder, scene.owner, clock)
