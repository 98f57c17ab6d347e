"""The scenes with reference pictures, each drawn small."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from service.arrays import U8
from service.devices.device import catalogue
from tests.render.posing import picture

CANVAS = {"canvas.width": 480, "canvas.height": 360}

#: Devices of other builds, and the other styles, in even smaller pictures.
BUILDS: dict[str, dict[str, Any]] = {
    "watch": {
        "device": "apple-watch-ultra-3",
        "deviceTransform.rotationX": 12,
        "deviceTransform.rotationY": -40,
        "deviceTransform.rotationZ": 6,
        "reflection.environment": "sunset",
    },
    "watch-from-behind": {
        "device": "galaxy-watch-8",
        "deviceTransform.rotationX": -25,
        "deviceTransform.rotationY": 150,
        "deviceTransform.fieldOfView": 50,
    },
    "fold": {
        "device": "galaxy-z-fold-7-half-open",
        "deviceTransform.rotationX": -20,
        "deviceTransform.rotationY": 35,
        "appearance.backgroundColor": "#303840",
        "reflection.environment": "forest",
    },
    "flip-from-behind": {
        "device": "galaxy-z-flip-7-half-open",
        "deviceTransform.rotationX": 25,
        "deviceTransform.rotationY": 155,
    },
    "monitor": {
        "device": "studio-display",
        "deviceTransform.rotationX": 15,
        "deviceTransform.rotationY": -30,
        "reflection.environment": "window",
        "ground.kind": "none",
    },
    "monitor-from-behind": {
        "device": "imac-24",
        "deviceTransform.rotationX": 12,
        "deviceTransform.rotationY": 150,
        "deviceTransform.scale": 1.1,
        "reflection.environment": "softbox",
        "ground.kind": "none",
    },
    "console": {
        "device": "steam-deck-oled",
        "deviceTransform.rotationX": 20,
        "deviceTransform.rotationY": 40,
    },
    "tablet-on-its-stand": {
        "device": "surface-pro-11",
        "deviceTransform.rotationX": 10,
        "deviceTransform.rotationY": 140,
    },
    "deck": {
        "device": "thinkpad-x1-carbon",
        "deviceTransform.rotationX": 40,
        "deviceTransform.rotationY": -25,
        "deviceTransform.scale": 1.5,
        "deviceTransform.positionY": -0.2,
        "ground.kind": "none",
    },
    "clay": {
        "device": "macbook-pro-14",
        "appearance.style": "clay",
        "deviceTransform.rotationX": 30,
        "deviceTransform.rotationY": 30,
        "ground.kind": "none",
    },
    "clay-back": {
        "device": "iphone-16-pro",
        "appearance.style": "clay",
        "deviceTransform.rotationX": 15,
        "deviceTransform.rotationY": 150,
        "deviceTransform.scale": 1.5,
    },
    "outline": {
        "device": "macbook-pro-14",
        "appearance.style": "outline",
        "deviceTransform.rotationX": 30,
        "deviceTransform.rotationY": -30,
        "ground.kind": "none",
    },
    "outline-back": {
        "device": "pixel-9-pro",
        "appearance.style": "outline",
        "appearance.backgroundColor": "#F0E0D0",
        "deviceTransform.rotationY": -150,
        "deviceTransform.scale": 1.5,
    },
    "outline-watch": {
        "device": "apple-watch-ultra-3",
        "appearance.style": "outline",
        "deviceTransform.rotationX": 12,
        "deviceTransform.rotationY": 40,
    },
    "outline-window": {
        "device": "browser-chrome-light",
        "appearance.style": "outline",
        "deviceTransform.rotationY": 25,
    },
}
SCENES: dict[str, dict[str, Any]] = {
    **{name: {"canvas.width": 320, "canvas.height": 240} | given for name, given in BUILDS.items()},
    "iphone-16-pro": {
        "device": "iphone-16-pro",
        "deviceTransform.rotationY": -25,
        "reflection.rotation": 40,
    },
    "iphone-15-pro-max": {
        "device": "iphone-15-pro-max",
        "deviceTransform.rotationX": 20,
        "deviceTransform.rotationY": 35,
        "deviceTransform.rotationZ": -10,
        "reflection.environment": "window",
        "appearance.backgroundColor": "#20242C",
        "reflection.glare": "soft",
    },
    "pixel-9-pro": {
        "device": "pixel-9-pro",
        "deviceTransform.rotationY": 40,
        "reflection.environment": "sunset",
        "appearance.backgroundColor": "transparent",
        "reflection.glare": "natural",
    },
    "ipad-on-its-side": {
        "device": "ipad-pro-11-m4",
        "orientation": "landscape",
        "deviceTransform.rotationX": -18,
        "canvas.width": 400,
        "canvas.height": 300,
        "appearance.gradientEnabled": True,
    },
    "macbook": {
        "device": "macbook-pro-14",
        "deviceTransform.rotationY": -30,
        "deviceTransform.rotationX": 10,
        "deviceTransform.fieldOfView": 45,
        "ground.kind": "none",
    },
    "browser": {
        "device": "browser-chrome-light",
        "appearance.gradientEnabled": True,
        "appearance.gradientType": "radial",
        "deviceTransform.rotationY": 20,
        "shadow.blur": 12,
        "shadow.offsetY": -0.08,
    },
    "back": {
        "device": "iphone-16-pro",
        "deviceTransform.rotationY": 155,
        "deviceTransform.rotationX": 10,
        "deviceTransform.scale": 1.6,
        "appearance.deviceColor": "#7A86A0",
        "canvas.width": 400,
        "canvas.height": 300,
    },
    "back-with-a-bar": {
        "device": "pixel-9-pro",
        "deviceTransform.rotationY": -150,
        "deviceTransform.scale": 1.5,
        "reflection.environment": "softbox",
    },
    "macbook-from-behind": {
        "device": "macbook-pro-14",
        "deviceTransform.rotationY": 160,
        "deviceTransform.rotationX": 15,
        "reflection.environment": "city",
        "ground.kind": "none",
    },
    "edge": {
        "device": "iphone-15-pro-max",
        "deviceTransform.rotationY": 88,
        "deviceTransform.fieldOfView": 0,
        "deviceTransform.scale": 1.5,
        "reflection.environment": "forest",
    },
    "contain": {
        "device": "pixel-9-pro",
        "orientation": "landscape",
        "screen.fit": "contain",
        "screen.background": "#3050A0",
        "reflection.enabled": False,
    },
    "effects": {
        "device": "iphone-16-pro",
        "deviceTransform.rotationZ": 25,
        "deviceTransform.rotationX": 30,
        "reflection.environment": "night",
        "reflection.intensity": 2,
        "appearance.backgroundColor": "#0C0E14",
        "shadow.color": "#4060FF",
        "postProcessing.bloom": {"intensity": 1.5, "threshold": 0.5},
        "postProcessing.vignette": True,
        "postProcessing.grain": {"amount": 0.05, "seed": 7},
    },
    "faint": {
        "device": "iphone-16-pro",
        "orientation": "landscape",
        "deviceTransform.rotationX": -35,
        "deviceTransform.positionX": 0.3,
        "deviceTransform.positionY": -0.2,
        "appearance.gradientEnabled": True,
        "appearance.backgroundColor": "#40A0FF80",
        "appearance.gradientColor": "#FFC04000",
        "appearance.gradientType": "radial",
        "appearance.deviceColor": "#D0B090",
        "reflection.environment": "window",
        "shadow.opacity": 0.8,
        "shadow.offsetX": 0.05,
        "postProcessing.bloom": {"intensity": 2, "threshold": 0.3, "radius": 0.8},
    },
    "window": {
        "device": "browser-chrome-light",
        "appearance.backgroundColor": "transparent",
        "deviceTransform.rotationY": -40,
        "deviceTransform.rotationZ": 12,
        "shadow.enabled": False,
    },
    "safari": {
        "device": "browser-safari",
        "appearance.theme": "dark",
        "appearance.backgroundColor": "#30343C",
        "screen.url": "https://www.example.org/a/page",
        "deviceTransform.rotationX": 8,
        "deviceTransform.rotationY": -28,
    },
    "card": {
        "device": "card",
        "appearance.gradientEnabled": True,
        "deviceTransform.rotationZ": -4,
    },
    "quick": {
        "device": "pixel-9-pro",
        "canvas.width": 479,
        "canvas.height": 361,
        "deviceTransform.rotationX": 20,
        "deviceTransform.rotationY": -35,
        "appearance.gradientEnabled": True,
        "shadow.blur": 9,
    },
    "quick-macbook": {
        "device": "macbook-pro-14",
        "deviceTransform.rotationY": 35,
        "deviceTransform.rotationX": 15,
        "appearance.backgroundColor": "#40A0FF60",
        "shadow.color": "#203060",
        "reflection.environment": "sunset",
        "ground.kind": "none",
    },
    "quick-browser": {
        "device": "browser-chrome-light",
        "appearance.backgroundColor": "#DDE3EA",
        "deviceTransform.rotationZ": 8,
        "postProcessing.vignette": {"amount": 0.6, "softness": 1},
    },
}
DARK = {"effects", "faint"}
QUICK = {name for name in SCENES if name.startswith("quick")}  # scenes that are drawn as `fast` draws them


def draw(name: str) -> U8:
    """A scene's picture, (360, 480, 3 or 4), or (240, 320, 3) of `BUILDS`."""
    given = CANVAS | SCENES[name]
    size = catalogue()[given["device"]].screen.px
    if given.get("orientation") == "landscape" and size[1] > size[0]:
        size = size[::-1]
    if name == "contain":
        size = (size[0] // 3, size[1] // 2)
    page = screenshot((size[0] // 4, size[1] // 4))
    # A white page would not glow; on a dark one, the header and the last words do.
    return picture(255 - page if name in DARK else page, given, fast=name in QUICK)


def screenshot(size: tuple[int, int]) -> U8:
    """An invented page: a coloured head, lines of text, cards and a bright button."""
    width, height = size
    page = np.full((height, width, 3), (247, 247, 250), np.uint8)
    ramp = np.linspace(0, 1, width)[None, :, None]
    head = height // 5
    page[:head] = np.round((1 - ramp) * (60, 70, 220) + ramp * (190, 60, 170)).astype(np.uint8)
    unit = max(min(size) // 24, 2)
    for at, y in enumerate(range(head + 2 * unit, height - 8 * unit, 2 * unit)):
        share = (0.8, 0.55, 0.7)[at % 3]
        shade = (120, 124, 140) if at % 3 else (40, 44, 60)
        cv2.rectangle(page, (2 * unit, y), (int(width * share), y + unit - 1), shade, -1)
    low = height - 6 * unit
    cv2.rectangle(page, (2 * unit, low), (width // 2 - unit, height - 2 * unit), (255, 255, 255), -1)
    cv2.rectangle(page, (width // 2 + unit, low), (width - 2 * unit, height - 2 * unit), (20, 170, 120), -1)
    return page
