"""Measures properties of product photographs on our pictures: `python -m benchmarks.rubric`.

Each question has a figure for a device in an environment, and a limit. The program prints a table for each
environment, with a column per device and figures beyond their limits in bold, and writes it to
benchmarks/results/.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import cv2
import numpy as np

from benchmarks import measures
from benchmarks.gallery import parts, screenshot
from benchmarks.gallery import picture as drawn
from service.arrays import F64, U8
from service.devices.categories import STANDING
from service.devices.device import catalogue
from service.settings.schema import ENVIRONMENTS, Settings

RESULTS = Path(__file__).parent / "results"
WIDTH, HEIGHT = 960, 540
GREY = 242  # colours of the backgrounds
STANDING_POSE = "lean-forward"  # pose in which laptops have a floor, too

# A device of each kind, and its finish if it is not the first.
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
        """The device's family."""
        return catalogue()[self.device].category


class Shot:
    """A subject in a pose: its picture, and the device's pixels."""

    def __init__(self, of: Subject, pose: str) -> None:
        """Settings of the pose; pixels are drawn on demand."""
        self.of, self.pose = of, pose

    def settings(self, background: str, **others: Mapping[str, Any]) -> Settings:
        """The picture's settings, without a background."""
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
        return drawn(self.settings("#" + 3 * f"{GREY:02x}"))

    @cached_property
    def luma(self) -> F64:
        """The picture's mean code values (h, w)."""
        return np.asarray(self.pixels.mean(axis=2), np.float64)

    @cached_property
    def weight(self) -> F64:
        """The contrast of the device's pixels with the background, in levels (h, w).

        The screen is black, so that it counts in full: it is what a viewer looks at, and the weight does not
        depend on what the sample screenshot happens to show.
        """
        dark = np.zeros_like(screenshot(self.of.device))
        found = drawn(self.settings("#" + 3 * f"{GREY:02x}"), pixels=dark).mean(axis=2)
        return np.asarray(np.abs(GREY - found) * self.inside, np.float64)

    @cached_property
    def inside(self) -> U8:
        """The device's pixels (h, w), 0 or 1."""
        return silhouette(self.of._replace(environment="studio"), self.pose)

    @cached_property
    def dark(self) -> F64:
        """The darkening of the ground beside the device relative to the background, in levels (h, w)."""
        beside = cv2.dilate(self.inside, np.ones((5, 5), np.uint8)) == 0
        return np.where(beside, GREY - self.luma, 0.0)

    @cached_property
    def glass(self) -> F64:
        """The light that the screen mirrors in pixels that it fills, code values (n,)."""
        _, plate, _ = parts(self.settings("transparent"))
        found = [hole for hole in plate.screens if hole is not None]
        if not found:
            return np.zeros(0)
        light = found[0].base.astype(np.float64).mean(axis=2) / 65535
        return np.asarray(255 * light[found[0].gain > 0.9 * found[0].gain.max()] ** (1 / 2.2), np.float64)


@lru_cache(maxsize=16)
def silhouette(of: Subject, pose: str) -> U8:
    """The pixels of a subject in a pose (h, w), 0 or 1, in any light.

    The shadow is faint rather than off, because framing may depend on it.
    """
    alone = drawn(Shot(of, pose).settings("transparent", shadow={"opacity": 0.01}))
    return np.asarray(alone[..., 3] > 250, np.uint8)


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
    """The steadiness of a back from top to bottom: its overall change as a share of the sum of all
    changes."""
    steps = np.diff(cv2.GaussianBlur(lower_half(shot(of, "back-left"))[1], (1, 15), 0).ravel())
    return float(abs(steps.sum()) / max(np.abs(steps).sum(), 1e-9))


def contact(of: Subject) -> float:
    """Levels by which the ground is darker within 8 px below the foot."""
    seen = shot(of, STANDING_POSE)
    rows = np.flatnonzero(seen.inside.any(axis=1))
    # Only the foot, because the shadow of higher parts falls on the ground behind the device.
    foot = seen.inside.copy()
    foot[: rows[-1] - 8] = 0
    under = cv2.dilate(foot, np.ones((9, 1), np.uint8), anchor=(0, 8)) > seen.inside
    return float(np.percentile(seen.dark[under], 75))


def cut(of: Subject) -> float:
    """Levels of the shadow at the canvas' edges, in the worse of two poses."""
    found = (shot(of, pose).dark for pose in ("hero-left", "hero-right"))
    return max(float(np.concatenate([a[0], a[-1], a[:, 0], a[:, -1]]).max()) for a in found)


def parting(of: Subject) -> float:
    """The levels by which a line between two shadows on the floor beside a device is lighter than both."""
    seen = shot(of, "hero-right")
    dark = cv2.GaussianBlur(seen.dark, (0, 0), 2)[:, ~seen.inside.any(axis=0)]
    above, below = np.maximum.accumulate(dark), np.maximum.accumulate(dark[::-1])[::-1]
    return float((np.minimum(above, below) - dark).max())


def middle(of: Subject) -> float:
    """Horizontal distance between the middles of the canvas and of the device's visual weight, px of 1920."""
    weight = shot(of, "hero-left").weight
    return abs(float((weight.sum(axis=0) * (np.arange(WIDTH) + 0.5 - WIDTH / 2)).sum() / weight.sum())) * 2


def glassy(of: Subject) -> float:
    """The range of a screen's mirrored light, in levels."""
    return spread(shot(of, "hero-left").glass)


def edge(of: Subject) -> float:
    """Levels over the rim of a device, within 4 px of its outline: light, dark, light."""
    seen = shot(of, "back-right")
    rim = seen.inside - cv2.erode(seen.inside, np.ones((9, 9), np.uint8))
    return spread(seen.luma[rim > 0])


def hue(of: Subject) -> float:
    """ΔE in a* and b* alone between the lightest and the darkest tenth of a back."""
    seen = shot(of, "back-left")
    where = cv2.erode(seen.inside, np.ones((25, 25), np.uint8)) > 0
    colors = measures.lab(seen.pixels[where])
    low, high = np.percentile(colors[:, 0], (20, 80))
    dark, light = colors[colors[:, 0] <= low].mean(axis=0), colors[colors[:, 0] >= high].mean(axis=0)
    turn = np.degrees(np.arctan2(light[2], light[1]) - np.arctan2(dark[2], dark[1]))
    return abs(float((turn + 180) % 360 - 180)) if np.hypot(*light[1:]) > 8 else math.nan


def back(of: Subject) -> F64:
    """The mean colour of a back, L*a*b*."""
    seen = shot(of, "back-left")
    where = cv2.erode(seen.inside, np.ones((25, 25), np.uint8)) > 0
    return np.asarray(measures.lab(seen.pixels[where]).mean(axis=0), np.float64)


def exposure(of: Subject) -> float:
    """The difference between a back's L* and that in the studio."""
    return abs(float(back(of)[0] - back(of._replace(environment="studio"))[0]))


def stain(of: Subject) -> float:
    """The difference between a back's colour and that in the studio, ΔE in a* and b* alone."""
    return float(np.hypot(*(back(of) - back(of._replace(environment="studio")))[1:]))


def lid(of: Subject) -> float:
    """CIEDE2000 between a lid seen from behind and the palm rest seen from the front."""
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
    """A question: its text, its measure, its limit, and the subjects it applies to.

    It applies to families (all if empty) and to environments: all, only the studio, or all but the studio.
    """

    text: str
    measure: Callable[[Subject], float]
    limit: float
    least: bool = True
    families: tuple[str, ...] = ()
    where: Literal["everywhere", "studio", "elsewhere"] = "everywhere"

    def concerns(self, of: Subject) -> bool:
        """Whether the question applies to a subject."""
        here = self.where == "everywhere" or (self.where == "studio") == (of.environment == "studio")
        return here and (not self.families or of.category in self.families)

    def good(self, found: float) -> bool:
        """Whether a figure is within the limit."""
        return found >= self.limit if self.least else found <= self.limit


BACKED = ("phone", "tablet")
QUESTIONS = (
    Question("lower half of the back, levels", sweep, 20, families=BACKED),
    Question("share of its change that goes one way", steady, 0.8, families=BACKED),
    Question("hue between its light and its dark, degrees", hue, 6, least=False, families=BACKED),
    Question("rim from behind, levels", edge, 40, families=(*BACKED, "watch")),
    Question("contact below the foot, levels", contact, 40, families=tuple(STANDING)),
    Question("light between two shadows, levels", parting, 12, least=False, families=("desktop", "tv")),
    Question("shadow at the canvas' edges, levels", cut, 3, least=False),
    Question("visual weight off the middle, px of 1920", middle, 40, least=False, where="studio"),
    Question("light that the screen mirrors, levels", glassy, 6),
    Question("lid and palm rest, ΔE", lid, 6, least=False, families=("laptop",)),
    Question("exposure against the studio, L*", exposure, 8, least=False, families=BACKED, where="elsewhere"),
    Question("colour against the studio, ΔE", stain, 8, least=False, families=BACKED, where="elsewhere"),
)


def column(of: Subject) -> list[tuple[str, bool]]:
    """The text for a subject and each question, and whether it is within the limit (or does not apply)."""
    found = [question.measure(of) if question.concerns(of) else math.nan for question in QUESTIONS]
    cells = []
    for question, figure in zip(QUESTIONS, found, strict=True):
        good = math.isnan(figure) or question.good(figure)
        shown = f"{figure:.{2 if question.limit < 1 else int(question.limit < 10)}f}"
        cells.append(("–" if math.isnan(figure) else shown if good else f"**{shown}**", good))
    return cells


def table(environment: str, columns: Mapping[str, list[tuple[str, bool]]]) -> str:
    """An environment's table, from the columns of the devices."""
    heads = [f"{device} {DEVICES[device].lower()}".strip() for device in columns]
    rows: list[Sequence[str]] = [("question", "limit", *heads)]
    asked = [good for column in columns.values() for shown, good in column if shown != "–"]
    for number, question in enumerate(QUESTIONS):
        cells = [column[number][0] for column in columns.values()]
        if set(cells) != {"–"}:
            rows.append((question.text, f"{'≥' if question.least else '≤'} {question.limit:g}", *cells))
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * len(rows[0]))
    kept = f"{sum(asked)} of {len(asked)} figures keep their limit."
    return "\n".join([f"## In `{environment}`", "", kept, "", *lines])


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what product photographs have")
    parser.add_argument("--environment", choices=ENVIRONMENTS, action="append", help="all by default")
    environments = parser.parse_args().environment or list(ENVIRONMENTS)
    found: dict[str, dict[str, list[tuple[str, bool]]]] = {name: {} for name in environments}
    for device, finish in DEVICES.items():
        for name in environments:
            found[name][device] = column(Subject(device, finish, name))
        shot.cache_clear()
    head = "# What product photographs have"
    text = "\n\n".join([head, *(table(name, columns) for name, columns in found.items())]) + "\n"
    print(text)
    (RESULTS / f"rubric-{datetime.now(UTC):%Y-%m-%d}.md").write_text(text)


if __name__ == "__main__":
    main()
