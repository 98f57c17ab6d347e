"""Whole looks: settings that go well together, for any device and screenshot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ..validation.names import Names, index
from .merge import merge


@dataclass(frozen=True, slots=True)
class Look:
    """A title, a description, and settings as in a request, without device, screenshot, canvas and file."""

    title: str
    description: str
    settings: Mapping[str, Any]


# The groups of settings that only a look decides, and the members of `appearance` that belong to the device.
_GROUPS = ("appearance", "shadow", "ground", "reflection", "postProcessing")
_DEVICES = ("deviceColor", "theme")

FILLING = 1.06  # scale at which devices fill the picture as in product photographs; by eye


def with_look(settings: Mapping[str, Any], look: Look) -> dict[str, Any]:
    """The settings with a look: its background, shadow, ground, light and effects replace their own.

    The device takes the look's pose, but keeps its place.
    """
    kept = {name: value for name, value in settings.items() if name not in _GROUPS}
    own = {name: value for name, value in settings.get("appearance", {}).items() if name in _DEVICES}
    return merge({**kept, **({"appearance": own} if own else {})}, look.settings)


def _look(
    title: str,
    description: str,
    pose: str | Mapping[str, Any],
    appearance: Mapping[str, Any],
    **others: Mapping[str, Any],
) -> Look:
    """A look with a `pose`, and groups of settings by their JSON names.

    The pose is a name, which is shown at the size `FILLING`, or members of `deviceTransform`.
    """
    transform = {"pose": pose, "scale": FILLING} if isinstance(pose, str) else pose
    given = {"appearance": appearance, "deviceTransform": transform, **others}
    return Look(title, description, MappingProxyType(given))


def _gradient(start: str, end: str, angle: float = 135, shape: str = "linear") -> dict[str, Any]:
    return {
        "backgroundColor": start,
        "gradientEnabled": True,
        "gradientColor": end,
        "gradientType": shape,
        "gradientAngle": angle,
    }


LOOKS: Mapping[str, Look] = MappingProxyType(
    {
        "studio": _look(
            "Studio",
            "A light grey backdrop and soft boxes, turned to the left",
            "hero-left",
            _gradient("#E3E6EB", "#BDC3CD", 160),
            shadow={"opacity": 0.5, "blur": 7, "offsetX": 0.03, "offsetY": -0.06},
            ground={"kind": "sweep"},
            reflection={"environment": "studio", "intensity": 1.1, "rotation": -30},
        ),
        "paper": _look(
            "Paper",
            "Turned a little to the right on warm paper, by a window on the left",
            "turned-right",
            _gradient("#EFE8DD", "#CFC3B3", 165),
            shadow={"opacity": 0.4, "blur": 6, "offsetX": 0.025, "offsetY": -0.045, "color": "#4A3B2A"},
            ground={"kind": "sweep"},
            reflection={"environment": "window"},
        ),
        "midnight": _look(
            "Midnight",
            "A pool of blue light in the dark; what stands is on a glossy table",
            "hero-right",
            _gradient("#3C62A8", "#04060E", shape="radial"),
            shadow={"opacity": 0.75, "blur": 8, "offsetX": 0.02, "offsetY": -0.05},
            ground={"reflectivity": 0.3, "roughness": 0.3},
            reflection={"environment": "strip", "intensity": 1.3},
        ),
        "sunset": _look(
            "Sunset",
            "Coral to amber in evening light, the sunlit side turned to the viewer",
            "three-quarter-right",
            _gradient("#FF8A73", "#FFD194", 150),
            shadow={"opacity": 0.6, "blur": 8, "color": "#5A1C10", "offsetX": 0.035, "offsetY": -0.065},
            ground={"kind": "sweep"},
            reflection={"environment": "sunset", "intensity": 1.2},
        ),
        "ocean": _look(
            "Ocean",
            "Turquoise to deep blue in window light, turned a little to the left",
            "turned-left",
            _gradient("#7FE3DA", "#1F6FB8", 200),
            shadow={"opacity": 0.5, "blur": 8, "color": "#06304F", "offsetX": 0.02, "offsetY": -0.06},
            ground={"kind": "sweep"},
            reflection={"environment": "window", "intensity": 1.1},
        ),
        "forest": _look(
            "Forest",
            "Moss and pale green under leaves, seen from above",
            "high-angle",
            _gradient("#DFE6CE", "#8FA97D", 170),
            shadow={"opacity": 0.45, "blur": 7, "color": "#22301B", "offsetX": 0.03, "offsetY": -0.05},
            ground={"kind": "sweep"},
            reflection={"environment": "forest", "intensity": 1.2},
        ),
        "neon": _look(
            "Neon",
            "Magenta light from the left that fades to night, near by and turned far to the left",
            "dramatic-left",
            _gradient("#74138A", "#071428", 110),
            shadow={"opacity": 0.8, "blur": 8, "color": "#060012", "offsetX": 0.035, "offsetY": -0.04},
            ground={"kind": "sweep", "reflectivity": 0.3, "roughness": 0.3},
            reflection={"environment": "night", "intensity": 1.6, "rotation": 25},
            postProcessing={"bloom": {"intensity": 0.3, "threshold": 0.8, "radius": 0.5}},
        ),
        "clay": _look(
            "Clay",
            "Matt and of one colour, so that only the screen counts",
            "hero-left",
            _gradient("#F7D9D3", "#EFC3BB", 160) | {"style": "clay", "deviceColor": "#F6E9E4"},
            shadow={"opacity": 0.35, "blur": 9, "color": "#8C4A3E", "offsetX": 0.03, "offsetY": -0.06},
            ground={"kind": "sweep"},
            reflection={"environment": "softbox"},
        ),
        "blueprint": _look(
            "Blueprint",
            "A line drawing on drafting blue",
            "turned-right",
            {"backgroundColor": "#12407F", "style": "outline", "deviceColor": "#E8F1FF"},
            shadow={"enabled": False},
            reflection={"enabled": False},
        ),
        "isometric": _look(
            "Isometric",
            "Lying in parallel perspective on pale violet",
            "isometric-left",
            _gradient("#E9E4FF", "#C2B6F8", 145),
            shadow={"opacity": 0.4, "blur": 7, "color": "#2B1E66", "offsetX": 0.05, "offsetY": -0.07},
            reflection={"environment": "softbox"},
        ),
        "desk": _look(
            "Desk",
            "Lying on sand-coloured ground in window light",
            "flat-lay",
            _gradient("#EADDCB", "#CDB597", 120),
            shadow={"opacity": 0.5, "blur": 4, "color": "#3A2A16", "offsetX": 0.03, "offsetY": -0.035},
            reflection={"environment": "window"},
            postProcessing={"grain": {"amount": 0.04}},
        ),
        "focus": _look(
            "Focus",
            "In parallel perspective, with the middle of the screen sharp and the rest soft",
            "isometric-right",
            _gradient("#E9E4DC", "#BDB2A2", 150),
            shadow={"opacity": 0.45, "blur": 8, "color": "#2E2618", "offsetX": 0.04, "offsetY": -0.06},
            reflection={"environment": "window"},
            postProcessing={"depth": {"amount": 0.4}},
        ),
        "store": _look(
            "Store",
            "Upright and low in the picture, with room for a title above",
            {"pose": "front", "positionY": -0.17, "scale": 0.99},
            _gradient("#5B6CFF", "#9C5BFF", 165),
            shadow={"opacity": 0.45, "blur": 7, "color": "#140A4A", "offsetY": -0.03},
            reflection={"environment": "studio"},
        ),
    }
)

#: Names of looks, as addresses and options give them.
LOOK_NAMES = Names("look", "a look's name", lambda: index(LOOKS), "GET /api/v1/looks")
