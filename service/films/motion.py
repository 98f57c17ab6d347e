"""The pose of the device at any time of a film: pure functions of the time."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..settings.motion import SMOOTH, Bezier, Keyframe, Motion, Move, bezier, frames
from ..settings.moves import MOVES, NamedMove
from ..settings.scene import Transform
from .easing import eased

# The members of a keyframe's `deviceTransform` and those of `Transform` that they set.
MEMBERS = {
    "scale": "scale",
    "position_x": "x",
    "position_y": "y",
    "rotation_x": "rx",
    "rotation_y": "ry",
    "rotation_z": "rz",
    "field_of_view": "fov",
}
ANGLES = frozenset({"rx", "ry", "rz"})
# Ranges of the members for which an overshoot makes no sense.
LIMITS = {"scale": (0.01, math.inf), "fov": (0.0, 90.0), "lid": (5.0, 180.0)}
NEAR = 1.25  # factor by which rounds may be longer or shorter than requested
STOP_S = 0.5  # pause before and after a scroll


class Offset(NamedTuple):
    """A pose relative to the rest pose: rotation in degrees, scale as a factor, position in half canvases."""

    rx: float = 0.0
    ry: float = 0.0
    rz: float = 0.0
    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class FramePose:
    """A transform, and the angle of the lid in degrees, None for the device's own."""

    transform: Transform
    lid: float | None = None


@dataclass(frozen=True, slots=True)
class Path:
    """The poses of a film of `duration` seconds; `opening` is the laptop's lid angle at rest, degrees.

    `opening` is None for a device without a lid.
    """

    motion: Motion
    rest: Transform
    duration: float
    opening: float | None = None

    @property
    def moves(self) -> bool:
        """Whether the poses differ at all."""
        return bool(self.motion.keyframes) or (
            self.motion.move is not None and MOVES[self.motion.move.name].course != "none"
        )

    def pose(self, time: float) -> FramePose:
        """The pose at a time in seconds from the start."""
        if self.motion.keyframes:
            return self._between(time)
        move = self.motion.move
        if move is None or MOVES[move.name].course == "none":
            return FramePose(self.rest)
        named = MOVES[move.name]
        amount = named.amount if move.amount is None else move.amount
        away = self._away(time, move, named)
        if move.name == "lid-open":
            opening = self.opening or amount
            return FramePose(self.rest, opening + away * (amount - opening))
        return FramePose(_moved(self.rest, offset(move.name, away, amount)))

    def _away(self, time: float, move: Move, named: NamedMove) -> float:
        """The move's distance from rest: 1 to 0 for entrances, 0 to 1 for others, or the phase of a cycle."""
        curve = bezier(named.ease if move.ease is None else move.ease)
        if named.course == "cycle":
            if move.name == "turntable":
                return eased(time / self.duration, curve)
            rounds = self.duration / named.seconds
            if self.motion.seamless:
                rounds = whole_rounds(rounds, frames(self.duration, self.motion.fps))
            return time / self.duration * rounds % 1.0
        if named.course == "through":
            share = time / self.duration
            return eased(1 - abs(2 * share - 1) if self.motion.seamless else share, curve)
        takes = min(named.seconds, self.duration / 2 if self.motion.seamless else self.duration)
        if self.motion.seamless and time > self.duration / 2:
            time = self.duration - time
        return 1 - eased(time / takes, curve)

    def _between(self, time: float) -> FramePose:
        keyframes = self.motion.keyframes
        found = {
            name: self._track(time, [(one, getattr(one.device_transform, member)) for one in keyframes], name)
            for member, name in MEMBERS.items()
        }
        given: dict[str, Any] = {name: value for name, value in found.items() if value is not None}
        made = replace(self.rest, **given)
        return FramePose(made, self._track(time, [(one, one.lid) for one in keyframes], "lid"))

    def _track(self, time: float, given: Sequence[tuple[Keyframe, float | None]], name: str) -> float | None:
        """The value of a member at a time, None if no keyframe has it."""
        track = [(one.at, value, bezier(one.ease)) for one, value in given if value is not None]
        if not track:
            return None
        own = self.opening if name == "lid" else getattr(self.rest, name)
        if track[0][0] > 0 and own is not None:
            track.insert(0, (0.0, own, bezier(SMOOTH)))
        if self.motion.seamless:
            track.append((self.duration, track[0][1], bezier(SMOOTH)))
        place = bisect_right([at for at, _, _ in track], time)
        if place == 0:
            return track[0][1]
        if place == len(track):
            return track[-1][1]
        (start, first, curve), (end, last, _) = track[place - 1], track[place]
        way = shortest(first, last) if name in ANGLES else last - first
        value = first + way * eased((time - start) / (end - start), curve)
        if name in ANGLES:
            return wrapped(value)
        # Clip the value, because an easing may overshoot.
        low, high = LIMITS.get(name, (-math.inf, math.inf))
        return min(max(value, low), high)


def shortest(first: float, last: float) -> float:
    """The shortest turn from one angle to another, -180 to 180 degrees."""
    return wrapped(last - first)


def wrapped(angle: float) -> float:
    """An angle wrapped to -180 up to but excluding 180 degrees; 180 itself stays."""
    return angle if -180 <= angle <= 180 else (angle + 180) % 360 - 180


def whole_rounds(rounds: float, count: int) -> int:
    """A whole number of rounds near a wanted number, in `count` frames.

    If possible, all rounds have the same number of frames, and then the same poses.
    """
    nearest = max(1, round(rounds))
    even = [one for one in range(1, count + 1) if count % one == 0 and 1 / NEAR <= one / rounds <= NEAR]
    return min(even, key=lambda one: abs(math.log(one / rounds)), default=nearest)


def offset(name: str, away: float, amount: float) -> Offset:
    """The effect of a move: `away` is 1 to 0 for entrances, 0 to 1 for moves through the film, or a phase."""
    phase = 2 * math.pi * away
    match name:
        case "tilt-in":
            return Offset(rx=-amount * away, ry=-0.6 * amount * away, scale=1 - 0.08 * away, y=-0.06 * away)
        case "drop-in":
            return Offset(rx=14 * away, rz=-4 * away, y=amount * away)
        case "push-in":
            return Offset(scale=1 + amount * away)
        case "pull-out":
            return Offset(scale=1 + amount * (1 - away))
        case "orbit":
            return Offset(ry=amount * (2 * away - 1))
        case "turntable":
            return Offset(ry=360 * amount * away)
        case "float":
            return Offset(
                rx=1.6 * amount * math.sin(phase),
                ry=2.6 * amount * math.sin(phase + 1.9),
                rz=0.7 * amount * math.sin(phase + 0.7),
                y=0.035 * amount * math.sin(phase),
            )
        case "sway":
            return Offset(ry=amount * math.sin(phase), rz=-0.12 * amount * math.sin(phase))
        case "reveal":
            return Offset(ry=-amount * away, scale=1 - 0.12 * away)
        case "flip":
            return Offset(ry=-360 * amount * away)
    return Offset()


def _moved(rest: Transform, by: Offset) -> Transform:
    return replace(
        rest,
        scale=rest.scale * by.scale,
        x=rest.x + by.x,
        y=rest.y + by.y,
        rx=wrapped(rest.rx + by.rx),
        ry=wrapped(rest.ry + by.ry),
        rz=wrapped(rest.rz + by.rz),
    )


@dataclass(frozen=True, slots=True)
class ScrollRun:
    """The scrolling of a long screenshot: from and to, 0-1, the times, and the easing."""

    start: float
    stop: float
    at: float
    takes: float
    curve: Bezier
    back: float | None = None

    def place(self, time: float) -> float:
        """The scroll position at a time: 0 shows the screenshot's top, 1 its end."""
        if self.back is not None and time > self.back / 2:
            time = self.back - time
        return self.start + (self.stop - self.start) * eased((time - self.at) / self.takes, self.curve)


def run(motion: Motion, duration: float) -> ScrollRun | None:
    """The scrolling of a film's screenshot, if any; a seamless film scrolls back in its second half."""
    scroll = motion.scroll
    whole = duration / 2 if motion.seamless else duration
    back = duration if motion.seamless else None
    if scroll is None and (motion.move is None or motion.move.name != "scroll"):
        return None
    ease = motion.move.ease if motion.move is not None and motion.move.ease is not None else SMOOTH
    stop = min(STOP_S, whole / 6)
    if scroll is None:
        return ScrollRun(0.0, 1.0, stop, whole - 2 * stop, bezier(ease), back)
    at = min(scroll.at, whole * 0.9)
    takes = scroll.duration or max(whole - at - stop, 0.1)
    return ScrollRun(scroll.start, scroll.stop, at, takes, bezier(scroll.ease), back)
