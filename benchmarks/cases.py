"""Which pictures are compared with the path tracer: devices, finishes, poses and environments."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

import numpy as np

from service.arrays import F64, U8
from service.devices.device import Device, Slab, Theme, catalogue
from service.devices.families.fitted import fitted
from service.devices.finishes import in_finish
from service.validation.color import parse

REFERENCES = Path(__file__).parent / "references"
WIDTH, HEIGHT = 960, 540
# The environments of random cases. They are listed, so that a new environment does not change the cases that
# a seed draws.
LIGHTS = ("studio", "window", "sunset", "city", "night", "forest", "softbox")
FINE = 4  # pixels of a region map along each axis of a pixel
# The camera: the share of the canvas that the upright device spans, the vertical field of view in degrees,
# and the least distance in body radii.
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

#: The sRGB colours of bodies, by device id, in cases that name no finish; other devices have their first
#: finish.
TINTS = {
    "iphone-16-pro": "#b7ad9f",
    "iphone-15-pro-max": "#4a5568",
    "pixel-9-pro": "#e8dcd2",
    "ipad-pro-11-m4": "#d9dadc",
    "macbook-pro-14": "#d9dadc",
}


Angles = tuple[float, float, float]


class Figure(NamedTuple):
    """A device in a picture: its #RRGGBB tint, rotation (3, 3), and middle (3,), mm from the picture's."""

    device: Device
    tint: str
    turn: F64
    middle: F64


class View(NamedTuple):
    """A camera: px per mm at the picture's middle, and the camera's distance from there, mm."""

    scale: float
    distance: float

    @classmethod
    def of(cls, devices: Iterable[Device], nearest: float = 0.0) -> View:
        """The camera that frames the largest device upright, at least `nearest` mm away from all devices."""
        width, height, _ = np.max([device.body for device in devices], axis=0)
        scale = min(SPAN * HEIGHT / height, SPAN * WIDTH / width)
        return cls(scale, max(HEIGHT / scale / (2 * math.tan(math.radians(FOV) / 2)), nearest))


def turned(angles: Angles) -> F64:
    """R = Rx · Ry · Rz, (3, 3), degrees."""
    found = np.eye(3)
    for axis, angle in enumerate(np.radians(angles)):
        one, other = (axis + 1) % 3, (axis + 2) % 3
        step = np.eye(3)
        step[one, one] = step[other, other] = math.cos(angle)
        step[other, one], step[one, other] = math.sin(angle), -math.sin(angle)
        found = found @ step
    return found


class Case(NamedTuple):
    """One picture: a device in a pose under an environment, in one of its finishes or any #RRGGBB.

    `pose` is a name of `POSES`, or rotationX, rotationY and rotationZ joined by underscores. Cases that are
    `held` out are measured, but nothing is ever tuned on them.
    """

    device: str
    pose: str
    environment: str
    finish: str = ""
    held: bool = False

    @property
    def model(self) -> Device:
        """The device in its finish. A window or card has its screen's shape, and the theme of its finish.

        Straps have no pictures, because the tracer here cannot wrap textures around their walls. Nor can it
        bore holes through plates, so holes are left out as well.
        """
        found = bare(in_finish(catalogue()[self.device], parse(self.tint)))
        themes: dict[str, Theme] = {"Light": "light", "Dark": "dark"}
        return fitted(found, found.screen.px, themes.get(self.finish), None, None) if found.fitted else found

    @property
    def name(self) -> str:
        """The stem of the file of the case's reference."""
        finish = self.finish.lower().replace(" ", "-").removeprefix("#")
        return ".".join(part for part in (self.device, finish, self.pose, self.environment) if part)

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The case's device."""
        return (Figure(self.model, self.tint, turned(self.angles), np.zeros(3)),)

    @property
    def view(self) -> View:
        """The case's camera."""
        return View.of([self.model], NEAREST * math.hypot(*self.model.body) / 2)

    @property
    def angles(self) -> Angles:
        """rotationX, rotationY, rotationZ in degrees."""
        if self.pose in POSES:
            return POSES[self.pose]
        x, y, z = map(int, self.pose.split("_"))
        return x, y, z

    @property
    def tint(self) -> str:
        """The sRGB colour of the device's body, #RRGGBB."""
        if not self.finish:
            return TINTS.get(self.device, catalogue()[self.device].finishes[0].hex)
        return tint_of(catalogue()[self.device], self.finish)


class Member(NamedTuple):
    """A device of a scene: its finish, its own turn, degrees, and its middle, mm from the scene's."""

    device: str
    finish: str
    angles: Angles
    middle: tuple[float, float, float]


class SceneCase(NamedTuple):
    """One picture of several devices, turned as a whole by `angles`, under an environment."""

    title: str
    members: tuple[Member, ...]
    angles: Angles
    environment: str

    @property
    def name(self) -> str:
        """The stem of the file of the scene's reference."""
        return f"scene.{self.title}.{self.environment}"

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The scene's devices."""
        whole = turned(self.angles)
        return tuple(
            Figure(
                in_finish(catalogue()[one.device], parse(tint)),
                tint,
                whole @ turned(one.angles),
                whole @ np.array(one.middle),
            )
            for one in self.members
            for tint in (tint_of(catalogue()[one.device], one.finish),)
        )

    @property
    def view(self) -> View:
        """The scene's camera."""
        return View.of(figure.device for figure in self.figures)


Named = TypeVar("Named", Case, SceneCase)


def tint_of(device: Device, finish: str) -> str:
    """The #RRGGBB colour of a finish by its name; a colour is returned as it is."""
    return {one.name: one.hex for one in device.finishes}.get(finish, finish)


def bare(device: Device) -> Device:
    """A device without the weave and holes that are drawn on its straps, and without holes through plates."""
    if not any(slab.role == "strap" or slab.holes for slab in device.slabs):
        return device
    slabs = tuple(
        _bare(slab) if slab.role == "strap" else slab.model_copy(update={"holes": ()})
        for slab in device.slabs
    )
    return device.model_copy(update={"slabs": slabs})


def _bare(slab: Slab) -> Slab:
    faces = {"front": slab.front, "back": slab.back}
    return slab.model_copy(
        update={name: face.model_copy(update={"layers": ()}) for name, face in faces.items() if face}
    )


IPHONE, LARGE, PIXEL, IPAD, LAPTOP = TINTS

#: Subjects that reveal rendered pictures: glass at grazing angles, thin seams on light finishes, raised
# parts on colours, decks.
TELLING = (
    Case(IPHONE, "35_-60_20", "city"),
    Case(LARGE, "10_72_-12", "studio", "White Titanium"),
    Case(LARGE, "6_150_0", "studio", "White Titanium"),
    Case(LAPTOP, "22_-30_0", "softbox", "Silver"),
    Case(IPHONE, "8_-160_0", "studio", "#c8102e"),
    Case(LAPTOP, "25_35_4", "window", "Space Black"),
    Case(PIXEL, "10_160_-5", "forest", "Hazel"),
    Case(IPAD, "-10_-155_10", "sunset", "Silver"),
    Case(IPHONE, "0_-78_0", "softbox", "White Titanium"),
    Case(PIXEL, "15_-65_8", "night", "Rose Quartz"),
    Case(IPAD, "30_55_-15", "window", "Space Black"),
    Case(LARGE, "-18_145_6", "city", "Natural Titanium"),
    Case(LAPTOP, "12_158_0", "city", "Silver"),
    Case(IPHONE, "12_28_-6", "forest", "Black Titanium"),
)

#: Never tuned on.
HELD_OUT = tuple(
    Case(*parts, held=True)
    for parts in (
        (IPHONE, "20_-62_14", "softbox", "Desert Titanium"),
        (LAPTOP, "10_-38_0", "forest", "Silver"),
        (LARGE, "8_148_-6", "city", "White Titanium"),
        (PIXEL, "-8_-155_0", "sunset", "#c23b3b"),
        (LARGE, "28_-52_-18", "window", "White Titanium"),
        (LAPTOP, "14_18_-4", "city", "Space Black"),
        (IPHONE, "-14_-158_7", "forest", "#2f6fb5"),
        (IPAD, "24_48_-12", "city", "Silver"),
        (PIXEL, "12_152_-10", "studio", "Porcelain"),
        (IPHONE, "-12_66_-8", "night", "Black Titanium"),
        (IPAD, "10_-162_6", "softbox", "Space Black"),
        (LARGE, "5_74_10", "sunset", "Blue Titanium"),
        (LAPTOP, "6_56_0", "studio", "Silver"),
        (PIXEL, "32_-58_16", "softbox", "Obsidian"),
        (IPAD, "4_-76_0", "night", "Silver"),
        (LARGE, "14_-146_4", "window", "#2e7d5b"),
    )
)

#: Cases of the other families of devices; the last member says whether a case is held out.
FAMILIES = tuple(
    Case(device, pose, light, finish, held=held)
    for device, poses in {
        "apple-watch-ultra-3": (
            ("compound", "studio", "Natural Titanium", False),
            ("10_-42_0", "city", "Black Titanium", False),
            ("8_150_-5", "softbox", "Natural Titanium", False),
            ("25_60_-10", "window", "Natural Titanium", False),
            ("-15_35_10", "sunset", "Black Titanium", True),
            ("12_-70_6", "forest", "Natural Titanium", True),
        ),
        "studio-display": (
            ("compound", "studio", "Silver", False),
            ("10_-42_0", "city", "#4a4c50", False),
            ("8_155_0", "softbox", "Silver", False),
            ("-12_30_5", "sunset", "Silver", False),
            ("20_-48_10", "night", "Silver", True),
            ("6_146_5", "window", "#aec5dc", True),
        ),
        "galaxy-z-fold-7": (
            ("compound", "studio", "Blue Shadow", False),
            ("8_-155_6", "forest", "Mint", False),
            ("20_56_-10", "window", "Jet Black", True),
        ),
        "galaxy-z-fold-7-half-open": (
            ("10_-30_0", "city", "Silver Shadow", False),
            ("12_150_-8", "sunset", "Blue Shadow", False),
            ("25_20_8", "softbox", "Mint", True),
        ),
        "window-macos": (
            ("compound", "studio", "Light", False),
            ("10_-42_6", "city", "Dark", False),
            ("8_155_0", "softbox", "Light", False),
            ("-15_30_8", "night", "Dark", False),
            ("20_60_-10", "window", "Light", True),
            ("5_-72_0", "sunset", "Dark", True),
        ),
        "card": (
            ("compound", "studio", "Dark", False),
            ("10_-42_6", "forest", "Light", False),
            ("8_155_0", "softbox", "Dark", False),
            ("-15_30_8", "sunset", "Light", False),
            ("20_60_-10", "window", "Dark", True),
            ("5_-72_0", "night", "Light", True),
        ),
        "galaxy-tab-s9": (
            ("compound", "studio", "Beige", False),
            ("10_-42_0", "night", "Graphite", False),
            ("8_-155_6", "city", "Beige", False),
            ("-15_35_10", "forest", "Beige", False),
            ("22_58_-10", "sunset", "Beige", True),
            ("10_152_-8", "window", "Graphite", True),
        ),
        "surface-laptop-13-8": (
            ("compound", "studio", "Platinum", False),
            ("20_-35_0", "city", "Black", False),
            ("12_155_0", "forest", "Sapphire", False),
            ("25_35_4", "window", "Dune", False),
            ("10_56_0", "sunset", "Platinum", True),
            ("-8_-25_5", "softbox", "Sapphire", True),
        ),
    }.items()
    for pose, light, finish, held in poses
)

CASES: tuple[Case, ...] = (
    *(Case(device, pose, "studio") for device in TINTS for pose in POSES),
    *(Case(IPHONE, pose, light) for light in ("window", "sunset") for pose in POSES),
    *TELLING,
    *HELD_OUT,
    *FAMILIES,
)

#: Scenes in which devices hide and shade each other: a phone on a laptop's deck, phones in front of a
#: tablet's back, and a phone that leans through a laptop's lid.
SCENES: tuple[SceneCase, ...] = (
    SceneCase(
        "desk",
        (
            Member(LAPTOP, "Silver", (-20, 0, 0), (0, 0, 0)),
            Member(IPHONE, "Natural Titanium", (0, -14, 0), (84, -19.5, 66)),
        ),
        (16, -12, 0),
        "studio",
    ),
    SceneCase(
        "cascade",
        (
            Member(IPAD, "Silver", (0, 180, 0), (0, 0, 0)),
            Member(PIXEL, "Hazel", (0, 0, 8), (-52, -12, 32)),
            Member(IPHONE, "Desert Titanium", (0, 172, -6), (50, 14, 26)),
        ),
        (12, -24, 4),
        "softbox",
    ),
    SceneCase(
        "interlocking",
        (
            Member(LAPTOP, "Silver", (-20, 0, 0), (0, 0, 0)),
            Member(IPHONE, "Desert Titanium", (20, 34, 14), (64, 34, -86)),
        ),
        (10, 18, 0),
        "window",
    ),
)


def selected(words: list[str], cases: tuple[Named, ...]) -> list[Named]:
    """The cases whose names contain any of the words; all without words."""
    return [case for case in cases if not words or any(word in case.name for word in words)]


def drawn(count: int, seed: int) -> list[Case]:
    """Cases of `count` devices without a reference, in random poses, finishes and light.

    Each device occurs at most once; every other case is seen from behind. The same seed draws the same cases.
    """
    random = Random(seed)
    traced = {case.device for case in CASES}
    devices = random.sample(sorted(set(catalogue()) - traced), count)
    cases = []
    for number, device in enumerate(devices):
        x, y, z = random.randint(-20, 35), random.randint(-75, 75), random.randint(-15, 15)
        if number % 2:
            y = y - 180 if y > 0 else y + 180
        finish = random.choice(catalogue()[device].finishes).name
        cases.append(Case(device, f"{x}_{y}_{z}", random.choice(LIGHTS), finish, held=True))
    return cases


def gradient(width: int, height: int) -> U8:
    """The picture on screens, (height, width, 3) uint8 sRGB: a smooth gradient, darker than highlights.

    It is dithered, because its steps would be visible as lines on a screen seen from the side.
    """
    x = (np.arange(width) + 0.5) / width
    y = ((np.arange(height) + 0.5) / height)[:, None]
    part = np.stack(np.broadcast_arrays(0.30 * x + 0.70 * y, 0.5 * x + 0.5 * y, y - 0.2 * x), axis=-1)
    start, end = np.array([52.0, 96.0, 176.0]), np.array([206.0, 128.0, 112.0])
    noise = np.random.default_rng(1).random((height, width, 1))
    return np.asarray(start + (end - start) * np.clip(part, 0, 1) + noise, np.uint8)
