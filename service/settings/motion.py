"""The motion of a film, the playback of its recording, and its file, as callers send them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from ..limits import FILM_FRAMES, FILM_S, KEYFRAMES
from ..validation.group import Angle, Factor, Flag, Group, Level, Number, Whole, number
from ..validation.messages import shown, worded
from ..validation.names import Names, index, match, nearest
from .moves import MOVES

Bezier = tuple[float, float, float, float]

#: Easings by name: the two control points of a cubic Bézier curve from (0, 0) to (1, 1), as in CSS.
EASINGS: dict[str, Bezier] = {
    "linear": (0.0, 0.0, 1.0, 1.0),
    "ease": (0.25, 0.1, 0.25, 1.0),
    "ease-in": (0.42, 0.0, 1.0, 1.0),
    "ease-out": (0.0, 0.0, 0.58, 1.0),
    "ease-in-out": (0.42, 0.0, 0.58, 1.0),
    "expo-out": (0.16, 1.0, 0.3, 1.0),
    "back-out": (0.34, 1.4, 0.64, 1.0),
}
_EASINGS = index(EASINGS)
_MOVES = tuple(MOVES)
SMOOTH = "ease-in-out"
# A time this close to that of a frame, as a share of a frame's duration, counts as that frame's time.
_EXACT = 1e-9

if TYPE_CHECKING:
    MoveName = str
else:
    # A Literal, so that validation and the pages list the very names of the table.
    MoveName = Literal[_MOVES]


def _ease(value: Any) -> Any:
    """The name of an easing, or the four numbers of one; raises PydanticCustomError."""
    takes = f"expected one of {', '.join(EASINGS)}, or four numbers as of cubic-bezier in CSS"
    if isinstance(value, str):
        if name := match(value, _EASINGS):
            return name
        close = nearest(value, _EASINGS)
        hint = f"; did you mean {close}?" if close else ""
        raise worded(f"{takes}, got {shown(value)}{hint}")
    if not isinstance(value, list | tuple) or len(value) != 4:
        raise worded(f"{takes}, got {shown(value)}")
    try:
        x1, y1, x2, y2 = (float(number(part)) for part in value)
    except ValueError:
        raise worded(f"{takes}, got a list of other things") from None
    if not (0 <= x1 <= 1 and 0 <= x2 <= 1 and -2 <= y1 <= 3 and -2 <= y2 <= 3):
        raise worded("expected the first and third number from 0 to 1, the others from -2 to 3")
    return x1, y1, x2, y2


_X, _Y = ({"type": "number", "minimum": low, "maximum": high} for low, high in ((0, 1), (-2, 3)))
_CURVE = {"type": "array", "prefixItems": [_X, _Y, _X, _Y], "items": {"type": "number"}}
_NAME = {"type": "string", "enum": list(EASINGS)}
Ease = Annotated[
    str | Bezier,
    BeforeValidator(_ease),
    WithJsonSchema({"anyOf": [_NAME, {**_CURVE, "minItems": 4, "maxItems": 4}]}),
    Names("easing", "an easing's name", lambda: _EASINGS, open=True),
]


def bezier(ease: str | Bezier) -> Bezier:
    """The control points of an easing, by name or as they are."""
    return EASINGS[ease] if isinstance(ease, str) else ease


class Move(Group):
    """A move by name."""

    name: MoveName = Field("still", description="a move")
    amount: Number | None = Field(
        None, ge=-720, le=720, description="how far it goes, in the unit of the move; default: as listed"
    )
    ease: Ease | None = Field(None, description="its easing; default: as listed")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        move = MOVES[self.name]
        if self.amount is not None and not move.least <= self.amount <= move.most:
            takes = "no amount" if move.least == move.most else f"{move.least:g} to {move.most:g} {move.unit}"
            raise worded(f"{self.name} takes {takes}, got {self.amount:g}", "amount")
        return self


class PoseChange(Group):
    """Members of `deviceTransform` at a keyframe; it does not affect the others."""

    scale: Factor | None = Field(None, ge=0.1, le=5, description="as in settings")
    position_x: Level | None = Field(None, ge=-2, le=2, description="as in settings")
    position_y: Level | None = Field(None, ge=-2, le=2, description="as in settings")
    rotation_x: Angle | None = Field(None, ge=-180, le=180, description="as in settings")
    rotation_y: Angle | None = Field(None, ge=-180, le=180, description="as in settings")
    rotation_z: Angle | None = Field(None, ge=-180, le=180, description="as in settings")
    field_of_view: Angle | None = Field(None, ge=0, le=90, description="as in settings")


class Keyframe(Group):
    """The pose of the device at a time."""

    at: Number = Field(0.0, ge=0, le=FILM_S, description="seconds from the film's start")
    ease: Ease = Field(SMOOTH, description="easing from here to the next keyframe")
    device_transform: PoseChange = PoseChange.model_construct()
    lid: Angle | None = Field(None, ge=5, le=180, description="degrees by which a laptop is opened")


class Scroll(Group):
    """The scrolling of a screenshot that is taller than the screen."""

    start: Level = Field(0.0, ge=0, le=1, alias="from", description="0 is the screenshot's top, 1 its end")
    stop: Level = Field(1.0, ge=0, le=1, alias="to", description="where it ends, in the unit of `from`")
    at: Number = Field(0.5, ge=0, le=FILM_S, description="seconds at which it begins")
    duration: Number | None = Field(
        None, ge=0.05, le=FILM_S, description="seconds it takes; default: until half a second before the end"
    )
    ease: Ease = Field(SMOOTH, description="easing of the scrolling")


class Motion(Group):
    """The motion of a film, and its duration."""

    duration: Number | None = Field(
        None,
        ge=0.1,
        le=FILM_S,
        description="seconds; default: as long as the recording, 4 s for a still picture",
    )
    fps: Literal[24, 25, 30, 50, 60] = Field(30, description="frames a second")
    move: Move | None = Field(None, description="a move by name; not beside keyframes")
    keyframes: tuple[Keyframe, ...] = Field(
        (), max_length=KEYFRAMES, description="a motion of your own: keyframes in the order of their times"
    )
    scroll: Scroll | None = Field(None, description="scrolls a long screenshot through the screen")
    seamless: Flag = Field(False, description="the last frame leads back to the first")
    shutter_angle: Angle = Field(
        0.0,
        ge=0,
        le=360,
        description="motion blur: the share of its time that a frame is exposed, in degrees of 360; "
        "cinema uses 180",
    )

    @model_validator(mode="after")
    def _possible(self) -> Self:
        for said, at in self._faults():
            raise worded(said, at)
        return self

    def _faults(self) -> Iterator[tuple[str, str]]:
        """The contradictions between members, each with the path of the one to change."""
        times = [one.at for one in self.keyframes]
        if self.move is not None and times:
            yield "expected a move or keyframes, got both", "keyframes"
        for place, (before, after) in enumerate(pairwise(times), 1):
            if after <= before:
                yield (
                    f"expected keyframes at ascending times, got {after:g} s after {before:g} s",
                    f"keyframes[{place}].at",
                )
        if self.move is not None and self.move.name == "scroll" and self.scroll is not None:
            yield "expected the move scroll or its own scroll, got both", "scroll"
        turns = self.move.amount if self.move is not None and self.move.name == "turntable" else None
        if self.seamless and turns is not None and turns % 1:
            yield f"expected whole turns of a seamless turntable, got {turns:g}", "move.amount"
        if self.duration is None:
            return
        last, at = (times[-1], f"keyframes[{len(times) - 1}].at") if times else (0.0, "")
        if last > self.duration + _EXACT:
            yield f"expected keyframes within {self.duration:g} s, got one at {last:g} s", at
        if self.seamless and times and last > self.duration - _EXACT:
            yield "expected the last keyframe before the end of a seamless film, which repeats its start", at
        if self.scroll is not None and self.scroll.at >= self.duration:
            yield (
                f"expected a scroll that begins within {self.duration:g} s, got {self.scroll.at:g} s",
                "scroll.at",
            )
        if frames(self.duration, self.fps) > FILM_FRAMES:
            yield (
                f"expected at most {FILM_FRAMES} frames, got {frames(self.duration, self.fps)}: "
                f"{self.duration:g} s at {self.fps} a second",
                "duration",
            )


def frames(duration: float, fps: int) -> int:
    """The number of frames of a film, at least one."""
    return max(1, math.floor(duration * fps + 0.5))


class Playback(Group):
    """The part of a recording to show, and how to play it."""

    start: Number = Field(0.0, ge=0, le=3600, description="seconds into the recording")
    end: Number | None = Field(
        None, ge=0.01, le=3600, description="seconds into the recording; default: its end"
    )
    speed: Factor = Field(1.0, ge=0.1, le=20, description="2 is twice as fast")
    after: Literal["hold", "repeat", "bounce"] = Field(
        "hold", description="after its end: hold the last frame, repeat it, or play it backwards and forwards"
    )

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.end is not None and self.end <= self.start:
            raise worded(f"expected an end after the start at {self.start:g} s, got {self.end:g} s", "end")
        return self


class FilmExport(Group):
    """The film's file."""

    format: Literal["mp4", "webm", "mov", "gif", "webp", "apng", "frames"] = Field(
        "mp4",
        description="mp4 is H.264, webm VP9, mov ProRes 4444; frames are numbered PNG files in a ZIP",
    )
    quality: Whole = Field(80, ge=10, le=100, description="for mp4, webm, gif and webp")
    alpha: Flag = Field(True, description="keep a transparent background, where the format can")
    store: Literal["apple"] | None = Field(
        None, description="refuse app previews that the App Store would refuse"
    )
    max_bytes: Whole | None = Field(
        None,
        ge=10_000,
        le=2**40,
        description="largest file; mp4 and webm reduce their quality for it, other formats fail",
    )
