"""What product photographs have, measured on our pictures: `python -m benchmarks.rubric`.

Each question has a figure for a device and a limit. Prints a table, a device a column, with figures beyond
their limit in bold, and writes it to benchmarks/results/.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from benchmarks import measures
from benchmarks.gallery import parts
from benchmarks.gallery import picture as drawn
from service.arrays import F64, U8
from service.devices.device import catalogue
from service.settings.schema import ENVIRONMENTS, STANDING, Settings

RESULTS = Path(__file__).parent / "results"
WIDTH, HEIGHT = 960, 540
GREY = 242  # of the backgrounds
SHADOW = 6  # levels below the background from which on a pixel is shadow

# A device of each kind, and the finish where it is not the first.
DEVICES: Mapping[str, str] = {
    "iphone-16-pro": "Natural Titanium",
    "iphone-16": "Black",
    "iphone-17-pro": "",
    "galaxy-s25": "",
    "pixel-9-pro": "Porcelain",
    "ipad-pro-11-m4": "Silver",
    "galaxy-tab-s9": "",
    "galaxy-z-fold-7": "",
    "macbook-air-15": "Silver",
    "macbook-pro-14": "",
    "surface-laptop-13-8": "",
    "imac-24": "",
    "studio-display": "",
    "tv-55": "",
    "apple-watch-ultra-3": "",
    "steam-deck-oled": "",
}


class Subject(NamedTuple):
    """A device in a finish (empty for its first), under an environment."""

    device: str
    finish: str
    environment: str

    @property
    def category(self) -> str:
        """Its family."""
        return catalogue()[self.device].category


class Shot:
    """A subject in a pose: its picture, and where the device is in it."""

    def __init__(self, of: Subject, pose: str) -> None:
        """Settings of the pose; pixels are drawn when they are asked for."""
        self.of, self.pose = of, pose

    def _settings(self, background: str, **others: Mapping[str, Any]) -> Settings:
        appearance = {"backgroundColor": background}
        if self.of.finish:
            appearance["deviceColor"] = self.of.finish
        given = {
            "device": self.of.device,
            "canvas": {"width": WIDTH, "height": HEIGHT},
            "appearance": appearance,
            "deviceTransform": {"pose": self.pose},
            "reflection": {"environment": self.of.environment},
            **others,
        }
        return Settings.model_validate(given)

    @cached_property
    def pixels(self) -> U8:
        """The finished picture (h, w, 3)."""
        return drawn(self._settings("#" + 3 * f"{GREY:02x}"))

    @cached_property
    def luma(self) -> F64:
        """Its mean code values (h, w)."""
        return np.asarray(self.pixels.mean(axis=2), np.float64)

    @cached_property
    def inside(self) -> U8:
        """Where the device is (h, w), 0 or 1."""
        alone = drawn(self._settings("transparent", shadow={"enabled": False}))
        return np.asarray(alone[..., 3] > 250, np.uint8)

    @cached_property
    def dark(self) -> F64:
        """By how many levels the ground beside the device is darker than the background (h, w)."""
        beside = cv2.dilate(self.inside, np.ones((5, 5), np.uint8)) == 0
        return np.where(beside, GREY - self.luma, 0.0)

    @cached_property
    def glass(self) -> F64:
        """Code values of what the screen mirrors (n,), of pixels that the screen fills."""
        _, plate, _ = parts(self._settings("transparent"))
        found = [hole for hole in plate.screens if hole is not None]
        if not found:
            return np.zeros(0)
        light = found[0].base.astype(np.float64).mean(axis=2) / 65535
        return np.asarray(255 * light[found[0].gain > 0.9 * found[0].gain.max()] ** (1 / 2.2), np.float64)


@lru_cache(maxsize=64)
def shot(of: Subject, pose: str) -> Shot:
    """The shot of a subject in a pose."""
    return Shot(of, pose)


def spread(values: F64) -> float:
    """Levels from the 5th to the 95th percentile."""
    return float(np.subtract(*np.percentile(values, (95, 5)))) if values.size else math.nan


def lower_half(of: Shot) -> tuple[F64, F64]:
    """Code values (n,) of the lower half of a device away from its edges, and the mean of each row."""
    rows = np.flatnonzero(of.inside.any(axis=1))
    where = cv2.erode(of.inside, np.ones((25, 25), np.uint8)) > 0
    where[: (rows[0] + rows[-1]) // 2] = False
    means = [of.luma[row][where[row]].mean() for row in np.flatnonzero(where.sum(axis=1) > 20)]
    return of.luma[where], np.array(means)


def sweep(of: Subject) -> float:
    """Levels over the lower half of a back."""
    return spread(lower_half(shot(of, "back-left"))[0])


def steady(of: Subject) -> float:
    """The share of the way from light to dark down a back that goes one way."""
    steps = np.diff(cv2.GaussianBlur(lower_half(shot(of, "back-left"))[1], (1, 15), 0).ravel())
    return float(abs(steps.sum()) / max(np.abs(steps).sum(), 1e-9))


def contact(of: Subject) -> float:
    """Levels by which the ground is darker within 4 px below the foot."""
    seen = shot(of, "hero-left")
    under = cv2.dilate(seen.inside, np.ones((15, 1), np.uint8), anchor=(0, 14))
    return float(np.percentile(seen.dark[(under > 0) & (seen.dark > SHADOW)], 95))


def cut(of: Subject) -> float:
    """Levels of the shadow that is left at the edges of the canvas, of two poses the worse."""
    found = (shot(of, pose).dark for pose in ("hero-left", "hero-right"))
    return max(float(np.concatenate([a[0], a[-1], a[:, 0], a[:, -1]]).max()) for a in found)


def parting(of: Subject) -> float:
    """Levels by which a line between two shadows is lighter than they are, on the floor beside a device."""
    seen = shot(of, "hero-right")
    dark = cv2.GaussianBlur(seen.dark, (0, 0), 2)[:, ~seen.inside.any(axis=0)]
    above, below = np.maximum.accumulate(dark), np.maximum.accumulate(dark[::-1])[::-1]
    return float((np.minimum(above, below) - dark).max())


def middle(of: Subject) -> float:
    """Px of 1920 between the middle of the canvas and that of the device's visual weight, across."""
    seen = shot(of, "hero-left")
    weight = np.abs(GREY - seen.luma) * seen.inside
    return abs(float((weight.sum(axis=0) * (np.arange(WIDTH) + 0.5 - WIDTH / 2)).sum() / weight.sum())) * 2


def glassy(of: Subject) -> float:
    """Levels over which a screen's mirrored light runs."""
    return spread(shot(of, "hero-left").glass)


def edge(of: Subject) -> float:
    """Levels over the rim of a device, within 4 px of its outline: light, dark, light."""
    seen = shot(of, "back-right")
    rim = seen.inside - cv2.erode(seen.inside, np.ones((9, 9), np.uint8))
    return spread(seen.luma[rim > 0])


def hue(of: Subject) -> float:
    """ΔE in chroma alone between the lightest and the darkest tenth of a back."""
    seen = shot(of, "back-left")
    where = cv2.erode(seen.inside, np.ones((25, 25), np.uint8)) > 0
    colors = measures.lab(seen.pixels[where])
    low, high = np.percentile(colors[:, 0], (20, 80))
    dark, light = colors[colors[:, 0] <= low].mean(axis=0), colors[colors[:, 0] >= high].mean(axis=0)
    turn = np.degrees(np.arctan2(light[2], light[1]) - np.arctan2(dark[2], dark[1]))
    return abs(float((turn + 180) % 360 - 180)) if np.hypot(*light[1:]) > 8 else math.nan


def lid(of: Subject) -> float:
    """CIEDE2000 between a lid from behind and the palm rest from ahead."""
    behind, ahead = shot(of, "back"), shot(of, "hero-left")
    rows = np.flatnonzero(behind.inside.any(axis=1))
    upper = cv2.erode(behind.inside, np.ones((41, 41), np.uint8)) > 0
    upper[(rows[0] + rows[-1]) // 2 :] = False
    own = measures.lab(behind.pixels[upper]).mean(axis=0)
    rest, _ = np.percentile(np.flatnonzero(ahead.inside.any(axis=1)), (88, 100)).astype(int)
    row = cv2.erode(ahead.inside, np.ones((9, 9), np.uint8))[rest] > 0
    palm = np.median(measures.lab(ahead.pixels[rest][row]), axis=0)
    return float(measures.ciede2000(own, palm))


class Question(NamedTuple):
    """What is asked, how it is measured, its limit, and the families that it concerns (all if empty)."""

    text: str
    measure: Callable[[Subject], float]
    limit: float
    least: bool = True
    families: tuple[str, ...] = ()

    def good(self, found: float) -> bool:
        """Whether a figure keeps the limit."""
        return found >= self.limit if self.least else found <= self.limit


BACKED = ("phone", "tablet")
QUESTIONS = (
    Question("lower half of the back, levels", sweep, 20, families=BACKED),
    Question("share of its change that goes one way", steady, 0.8, families=BACKED),
    Question("hue between its light and its dark, degrees", hue, 6, least=False, families=BACKED),
    Question("rim from behind, levels", edge, 40, families=(*BACKED, "watch")),
    Question("contact below the foot, levels", contact, 40, families=tuple(STANDING)),
    Question("light between two shadows, levels", parting, 12, least=False, families=tuple(STANDING)),
    Question("shadow at the canvas' edges, levels", cut, 3, least=False),
    Question("visual weight off the middle, px of 1920", middle, 40, least=False),
    Question("light that the screen mirrors, levels", glassy, 6),
    Question("lid and palm rest, ΔE", lid, 6, least=False, families=("laptop",)),
)


def table(environment: str) -> tuple[list[str], int, int]:
    """The lines of the table, how many figures it has, and how many of them keep their limit."""
    subjects = [Subject(device, finish, environment) for device, finish in DEVICES.items()]
    rows: list[Sequence[str]] = [
        ("question", "limit", *(f"{of.device} {of.finish.lower()}".strip() for of in subjects))
    ]
    kept: dict[str, list[bool]] = {question.text: [] for question in QUESTIONS}
    columns = []
    for of in subjects:
        column = []
        for question in QUESTIONS:
            asked = not question.families or of.category in question.families
            found = question.measure(of) if asked else math.nan
            if math.isnan(found):
                column.append("–")
                continue
            kept[question.text].append(question.good(found))
            shown = f"{found:.2f}" if question.limit < 1 else f"{found:.0f}"
            column.append(shown if kept[question.text][-1] else f"**{shown}**")
        shot.cache_clear()
        columns.append(column)
    for number, question in enumerate(QUESTIONS):
        limit = f"{'≥' if question.least else '≤'} {question.limit:g}"
        rows.append((question.text, limit, *(column[number] for column in columns)))
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    every = [one for found in kept.values() for one in found]
    return lines, len(every), sum(every)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what product photographs have")
    parser.add_argument("--environment", choices=ENVIRONMENTS, default="studio")
    environment = parser.parse_args().environment
    lines, asked, kept = table(environment)
    head = f"# What product photographs have, in `{environment}`"
    text = "\n".join([head, "", f"{kept} of {asked} figures keep their limit.", "", *lines]) + "\n"
    print(text)
    (RESULTS / f"rubric-{datetime.now(UTC):%Y-%m-%d}-{environment}.md").write_text(text)


if __name__ == "__main__":
    main()
