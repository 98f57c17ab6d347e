"""Which pictures are compared with the path tracer: devices, finishes, poses and environments."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from service.arrays import U8

REFERENCES = Path(__file__).parent / "references"
WIDTH, HEIGHT = 960, 540
# Of the camera: the upright device's share of the canvas, vertical degrees, least distance in body radii.
SPAN, FOV, NEAREST = 0.78, 30.0, 1.25

#: Light of a 16-bit reference code value: FULL · (v / 65535)², premultiplied by alpha.
FULL = 16.0

POSES: dict[str, tuple[float, float, float]] = {
    "front": (0, 0, 0),
    "right-25": (0, 25, 0),
    "left-25": (0, -25, 0),
    "right-50": (0, 50, 0),
    "left-50": (0, -50, 0),
    "top-near-20": (20, 0, 0),
    "top-far-20": (-20, 0, 0),
    "compound": (15, -35, 5),
    "back-165": (0, 165, 0),
}

#: Device id to the sRGB colour of its body.
TINTS = {
    "iphone-16-pro": "#b7ad9f",
    "iphone-15-pro-max": "#4a5568",
    "pixel-9-pro": "#e8dcd2",
    "ipad-pro-11-m4": "#d9dadc",
    "macbook-pro-14": "#d9dadc",
}


class Case(NamedTuple):
    """One picture: a device in a pose under an environment."""

    device: str
    pose: str
    environment: str

    @property
    def name(self) -> str:
        """The stem of its reference's file."""
        return f"{self.device}.{self.pose}.{self.environment}"

    @property
    def angles(self) -> tuple[float, float, float]:
        """rotationX, rotationY, rotationZ in degrees."""
        return POSES[self.pose]


CASES: tuple[Case, ...] = (
    *(Case(device, pose, "studio") for device in TINTS for pose in POSES),
    *(Case("iphone-16-pro", pose, light) for light in ("window", "sunset") for pose in POSES),
)


def selected(words: list[str]) -> list[Case]:
    """The cases whose names contain any of the words; all without words."""
    return [case for case in CASES if not words or any(word in case.name for word in words)]


def gradient(width: int, height: int) -> U8:
    """The plain picture on the screens, (height, width, 3) uint8 sRGB: smooth, and below the highlights."""
    x = (np.arange(width) + 0.5) / width
    y = ((np.arange(height) + 0.5) / height)[:, None]
    part = np.stack(np.broadcast_arrays(0.30 * x + 0.70 * y, 0.5 * x + 0.5 * y, y - 0.2 * x), axis=-1)
    start, end = np.array([52.0, 96.0, 176.0]), np.array([206.0, 128.0, 112.0])
    return np.asarray(np.rint(start + (end - start) * np.clip(part, 0, 1)), np.uint8)
