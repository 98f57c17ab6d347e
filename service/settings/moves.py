"""The named moves of films, each with its amount and easing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: An `entrance` ends in the device's pose, a `through` move lasts for the whole film, and a `cycle` repeats.
Course = Literal["none", "entrance", "through", "cycle"]


@dataclass(frozen=True, slots=True)
class NamedMove:
    """A move: its description, its course, its `amount` from `least` to `most` in a unit, and its easing.

    An entrance takes `seconds`, and so does each round of a cycle.
    """

    description: str
    course: Course
    amount: float = 0.0
    least: float = 0.0
    most: float = 0.0
    unit: str = ""
    ease: str = "ease-in-out"
    seconds: float = 1.2


MOVES: dict[str, NamedMove] = {
    "still": NamedMove("nothing moves but the screen", "none"),
    "tilt-in": NamedMove(
        "straightens up from a tilt backwards", "entrance", 25, -80, 80, "degrees", "expo-out", 1.4
    ),
    "drop-in": NamedMove("falls in from above", "entrance", 1.8, 0.2, 4, "half canvases", "back-out", 1.0),
    "push-in": NamedMove("comes nearer", "through", 0.25, 0.01, 2, "of its size"),
    "pull-out": NamedMove("moves back to its place", "through", 0.25, 0.01, 2, "of its size"),
    "orbit": NamedMove("turns from one side to the other", "through", 30, -85, 85, "degrees"),
    "turntable": NamedMove("turns about its upright axis", "cycle", 1, -2, 2, "turns", "linear"),
    "float": NamedMove("hovers", "cycle", 1, 0.1, 4, "times the usual", seconds=4.0),
    "sway": NamedMove("turns a little to and fro", "cycle", 12, 1, 60, "degrees", seconds=5.0),
    "reveal": NamedMove(
        "turns from its edge to its face", "entrance", 85, -175, 175, "degrees", "expo-out", 1.6
    ),
    "flip": NamedMove(
        "turns over until its face shows again", "entrance", 1, -3, 3, "turns", "ease-in-out", 1.6
    ),
    "lid-open": NamedMove(
        "a laptop opens from an angle", "entrance", 8, 5, 90, "degrees", "ease-in-out", 1.8
    ),
    "scroll": NamedMove("a screenshot taller than the screen runs through it", "none"),
}
