"""Named layouts: the arrangement of a scene's devices, and the camera's view of them.

`service.render.geometry.arrangement` computes the place of each device from its true shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from .poses import Turn

SceneLayout = Literal["free", "row", "fan", "cascade", "stack", "desk", "isometric"]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A description, and the view of the whole scene if its settings give none; None for the defaults."""

    description: str
    view: Turn | None = None


LAYOUTS: Mapping[SceneLayout, Arrangement] = MappingProxyType(
    {
        "free": Arrangement("each device where its own transform puts it, from the middle"),
        "row": Arrangement("side by side on one line, from the left", Turn(0, 0, 0)),
        "fan": Arrangement("like a hand of cards, the middle one in front", Turn(0, 0, 0)),
        "cascade": Arrangement("one behind the other to the right, the first in front", Turn(6, -24, 0)),
        "stack": Arrangement("lying over each other, the first on top", Turn(-56, 0, 38, 20)),
        "desk": Arrangement(
            "on a desk: laptops and monitors behind, tablets and phones in front", Turn(9, 0, 0, 24)
        ),
        "isometric": Arrangement(
            "in an isometric view: side by side, lying; devices that stand by themselves, upright",
            Turn(-54.7, 0, 45, 0),
        ),
    }
)
#: The isometric view of a scene in which something stands.
STANDING_ISOMETRIC = Turn(35.3, -45, 0, 0)
