"""What the answer says of a picture that was made, but perhaps not as it was meant."""

from __future__ import annotations

import math
from dataclasses import dataclass

#: Every code and when it is said; the documentation and OpenAPI have the same.
CODES: dict[str, str] = {
    "UPSCALED": "the screenshot has fewer pixels than the picture shows of it",
    "CROPPED": "3 % of the screenshot's width or more is cropped, or over 20 % of its height",
    "LETTERBOXED": "bars remain beside the screenshot",
    "STRETCHED": "`screen.fit` `stretch` changes the screenshot's shape by more than 3 %",
    "ANIMATION_FLATTENED": "the screenshot is animated; its first frame is shown",
    "COLOR_UNUSED": "`appearance.deviceColor` is given, but nothing on the device takes a colour",
    "FIELD_OF_VIEW_LIMITED": "the camera would be inside the device; the message says which `fieldOfView` it "
    "has instead",
    "OFF_CANVAS": "more than 2 % of the device lies off the canvas; the message says how much",
    "ALPHA_FLATTENED": "JPEG has no transparency; the picture was laid on white",
}

ENLARGED = 1.02  # times, above which a screenshot is upscaled
SIDEWAYS = 0.03  # of the width: a menu's button, a column of numbers
LENGTHWAYS = 0.2  # of the height: most pages go on below anyway
BARS = 0.005  # of the screen, above which bars are bars
OFF = 0.02  # of the silhouette
DISTORTED = 0.03  # change of shape that is seen


@dataclass(frozen=True, slots=True)
class Warning:
    """One of `CODES`, and what was found, where, and what can be done."""

    code: str
    message: str


def upscaled(size: tuple[int, int], wanted: tuple[int, int]) -> Warning | None:
    """A screenshot of `size` px that the picture shows at `wanted` px."""
    times = max(wanted[0] / size[0], wanted[1] / size[1])
    if times <= ENLARGED:
        return None
    needed = f"{round(size[0] * times)} x {round(size[1] * times)}"
    return Warning(
        "UPSCALED",
        f"The screenshot of {size[0]} x {size[1]} px is enlarged {times:.1f} times; "
        f"one of {needed} px would be sharp",
    )


def cropped(left: float, top: float, right: float, bottom: float) -> Warning | None:
    """What is cropped at each side, as fractions of the screenshot's width or height."""
    sides = (("left", left), ("right", right)), (("top", top), ("bottom", bottom))
    for name, pair, most in zip(("width", "height"), sides, (SIDEWAYS, LENGTHWAYS), strict=True):
        lost = sum(part for _, part in pair)
        if lost < most:
            continue
        where = [(side, part) for side, part in pair if part >= 0.005]
        if len(where) == 1:
            said = f"{lost:.0%} of the screenshot's {name} is cropped at the {where[0][0]}"
        else:
            each = " and ".join(f"{part:.0%} at the {side}" for side, part in where)
            said = f"{lost:.0%} of the screenshot's {name} is cropped, {each}"
        anchor = "; screen.anchor says which part is kept" if name == "height" else ""
        advice = "screen.fit contain shows all of it, and so does a device of its shape"
        return Warning("CROPPED", f"{said}; {advice}{anchor}")
    return None


def letterboxed(left: float, top: float, right: float, bottom: float) -> Warning | None:
    """The bars at each side, as fractions of the screen's width or height."""
    bars = {"left": left, "right": right, "top": top, "bottom": bottom}
    where = [f"{part:.0%} of the screen at the {side}" for side, part in bars.items() if part >= BARS / 2]
    if left + right < BARS and top + bottom < BARS:
        return None
    return Warning(
        "LETTERBOXED",
        f"Bars take {' and '.join(where)}; screen.fit cover fills it, screen.background colours them",
    )


def stretched(change: float) -> Warning | None:
    """A screenshot whose width over height is `change` times what it was."""
    much, way = (change, "wider") if change > 1 else (1 / change, "taller")
    if much <= 1 + DISTORTED:
        return None
    return Warning(
        "STRETCHED",
        f"The screenshot is stretched to be {much - 1:.0%} {way} than its shape; "
        "screen.fit cover and contain keep it",
    )


def animated(kind: str) -> Warning:
    """An animated screenshot; `kind` is its format's name."""
    return Warning(
        "ANIMATION_FLATTENED",
        f"The {kind} is animated; its first frame is shown, any other has to be sent as a still picture",
    )


def color_unused(device: str, finish: str) -> Warning:
    """A colour for a device on which nothing takes one; `finish` is the only one it comes in."""
    return Warning(
        "COLOR_UNUSED", f"Nothing on {device} takes appearance.deviceColor; it is shown in its own, {finish}"
    )


def alpha_flattened() -> Warning:
    """A transparent picture in a format that has no transparency."""
    return Warning(
        "ALPHA_FLATTENED",
        "JPEG has no transparency, so the picture was laid on white; "
        "export.format png and webp keep it, an opaque appearance.backgroundColor does without",
    )


def field_of_view_limited(asked: float, given: float) -> Warning | None:
    """The angle that was asked for and the one that the camera has, both in degrees."""
    if given >= asked:
        return None
    text = f"With a fieldOfView of {asked:g} the camera would be inside the device; it is {given:.1f}"
    return Warning("FIELD_OF_VIEW_LIMITED", text)


def off_canvas(share: float) -> Warning | None:
    """The share of the device's silhouette that the canvas does not show."""
    if share <= OFF:
        return None
    # Rounded down, so that only an empty picture is all of it.
    return Warning("OFF_CANVAS", f"{math.floor(share * 100)}% of the device lies off the canvas")
