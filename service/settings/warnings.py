"""Warnings about a picture that was rendered, though perhaps not as intended."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..validation.names import listed
from .formats import WRITTEN
from .stores import FRAMELESS

#: Every code and its meaning; docs/api.md and OpenAPI list the same.
CODES: dict[str, str] = {
    "UPSCALED": "the screenshot has fewer pixels than the picture shows of it",
    "CROPPED": "3 % of the screenshot's width or more is cropped, or over 20 % of its height",
    "LETTERBOXED": "bars remain beside the screenshot",
    "STRETCHED": "`screen.fit` `stretch` changes the screenshot's shape by more than 3 %",
    "TRANSPARENT_MARGIN": "a transparent margin covers 3 % of the screenshot or more, or all of it, so "
    "`screen.background` shows through",
    "ANIMATION_FLATTENED": "the screenshot is animated; its first frame is shown",
    "COLOR_UNUSED": "`appearance.deviceColor` is given, but no part of the device can be coloured",
    "NO_EFFECT": "some of the given settings have no effect on this device or on films, or without another "
    "setting; the message names them",
    "MISSING_GLYPHS": "`screen.url`, `screen.title` or a caption has characters that no font has; windows "
    "leave them out, captions show boxes",
    "TEXT_CUT": "some letters of a caption lie off the canvas, wholly or partly",
    "LOW_CONTRAST": "at least a quarter of a caption's letters have a contrast below 3:1 to the picture "
    "behind them; large text needs at least 3:1",
    "FIELD_OF_VIEW_LIMITED": "the camera would be inside the device; the message gives the `fieldOfView` "
    "used instead",
    "OFF_CANVAS": "more than 2 % of the device lies off the canvas, and no template places devices so; the "
    "message says how much",
    "SCREEN_HIDDEN": "other devices of the scene hide three quarters of a device's screen or more",
    "ALPHA_FLATTENED": "the format has no transparency; the picture or film was placed on white",
    "FRAMES_RESAMPLED": "a recording has another rate than its film; frames are left out or shown again",
    "AUDIO_DROPPED": "a recording has sound, which its film does not have",
    "STORE_FRAME_FORBIDDEN": "a film has the size of an app preview and shows a device, which the App Store "
    "refuses",
}

ENLARGED = 1.02  # factor above which a screenshot counts as upscaled
SIDEWAYS = 0.03  # share of the width whose loss is reported: a menu button or a column of numbers
LENGTHWAYS = 0.2  # share of the height whose loss is reported: most pages continue below anyway
MARGIN = 0.03  # share of the screenshot's area above which a margin is reported
BARS = 0.005  # share of the screen above which bars are reported
_WITH_ALPHA = listed([one.name for one in WRITTEN if one.alpha])
POOR = 0.25  # share of a caption's letters above which poor contrast is reported
HIDDEN = 0.75  # share of a screen above which it counts as hidden
OFF = 0.02  # share of the silhouette above which a device counts as off the canvas
DISTORTED = 0.03  # smallest change of aspect ratio that is reported


@dataclass(frozen=True, slots=True)
class Warning:
    """One of `CODES`, with a message that names the problem, its place and a remedy."""

    code: str
    message: str


def upscaled(size: tuple[int, int], shown: tuple[int, int]) -> Warning | None:
    """The warning for a screenshot of `size` px that the picture shows at `shown` px."""
    times = max(shown[0] / size[0], shown[1] / size[1])
    if times <= ENLARGED:
        return None
    needed = f"{round(size[0] * times)} x {round(size[1] * times)}"
    return Warning(
        "UPSCALED",
        f"The screenshot of {size[0]} x {size[1]} px is enlarged {times:.1f} times; "
        f"one of {needed} px would be sharp",
    )


def cropped(left: float, top: float, right: float, bottom: float, suited: str = "") -> Warning | None:
    """The warning for the parts cropped at each side, as fractions of the screenshot's width or height.

    `suited` is the device that `auto` chooses, in words; empty if it is this one.
    """
    sides = (("left", left), ("right", right)), (("top", top), ("bottom", bottom))
    for name, pair, most in zip(("width", "height"), sides, (SIDEWAYS, LENGTHWAYS), strict=True):
        lost = sum(part for _, part in pair)
        if lost < most:
            continue
        where = [(side, part) for side, part in pair if part >= 0.005]
        if len(where) == 1:
            text = f"{lost:.0%} of the screenshot's {name} is cropped at the {where[0][0]}"
        else:
            each = " and ".join(f"{part:.0%} at the {side}" for side, part in where)
            text = f"{lost:.0%} of the screenshot's {name} is cropped, {each}"
        anchor = "; screen.anchor chooses which part is kept" if name == "height" else ""
        advice = "screen.fit contain shows all of it"
        if suited:
            advice += f"; device auto fits, and takes {suited}"
        return Warning("CROPPED", f"{text}; {advice}{anchor}")
    return None


def letterboxed(left: float, top: float, right: float, bottom: float) -> Warning | None:
    """The warning for bars at each side, as fractions of the screen's width or height."""
    bars = {"left": left, "right": right, "top": top, "bottom": bottom}
    where = [f"{part:.0%} of the screen at the {side}" for side, part in bars.items() if part >= BARS / 2]
    if left + right < BARS and top + bottom < BARS:
        return None
    return Warning(
        "LETTERBOXED",
        f"Bars take {' and '.join(where)}; screen.fit cover avoids them, screen.background sets their colour",
    )


def stretched(change: float) -> Warning | None:
    """The warning for a screenshot whose aspect ratio is multiplied by `change`."""
    much, way = (change, "wider") if change > 1 else (1 / change, "taller")
    if much <= 1 + DISTORTED:
        return None
    return Warning(
        "STRETCHED",
        f"The screenshot is stretched {much - 1:.0%} {way} than its shape; "
        "screen.fit cover and contain keep its shape",
    )


def transparent_margin(share: float, window: bool) -> Warning | None:
    """The warning for the share of the screenshot's area that lies around its visible part, or around a
    `window`."""
    if share < MARGIN:
        return None
    if share == 1:
        return Warning(
            "TRANSPARENT_MARGIN",
            "The whole screenshot is transparent, so nothing of it is seen; check the file",
        )
    text = f"A transparent margin takes {share:.0%} of the screenshot, and screen.background shows there; "
    advice = "device card with screen.trim auto shows the window alone" if window else "cut it off first"
    return Warning("TRANSPARENT_MARGIN", text + advice)


def animated(kind: str) -> Warning:
    """The warning for an animated screenshot; `kind` is its format's name."""
    return Warning(
        "ANIMATION_FLATTENED",
        f"The {kind} is animated; its first frame is shown; send another frame as a still picture",
    )


def color_unused(device: str, finish: str) -> Warning:
    """The warning for a colour on a device without tinted parts, which comes in a single `finish`."""
    return Warning(
        "COLOR_UNUSED", f"Nothing on {device} takes appearance.deviceColor; it is shown in {finish}"
    )


def no_effect(paths: Sequence[str], why: str) -> Warning | None:
    """The warning for the paths of settings that do nothing; `why` is such as "on card" or "without
    canvas.slices"."""
    if not paths:
        return None
    verb = "has" if len(paths) == 1 else "have"
    return Warning("NO_EFFECT", f"{listed(paths, 'and')} {verb} no effect {why}")


def missing_glyphs(path: str, *, drawn: bool = False) -> Warning:
    """The warning for a text with characters that no font has; `drawn` if boxes replace them."""
    instead = "boxes stand for them" if drawn else "they are left out"
    return Warning("MISSING_GLYPHS", f"{path} has characters that no font has; {instead}")


def text_cut(path: str, share: float, *, shrunk: bool) -> Warning | None:
    """The warning for the share of a caption's letters, 0-1, that are cut at the canvas' edge; `shrunk` if
    its font is as small as it may get."""
    if not share:
        return None
    advice = "shorten its text" if shrunk else "move it, or set overflow shrink"
    return Warning(
        "TEXT_CUT", f"{max(share, 0.01):.0%} of the letters of {path} lie off the canvas; {advice}"
    )


def low_contrast(path: str, share: float, ratio: float) -> Warning | None:
    """The warning for the share of a caption's letters that have too little contrast, and their mean
    contrast."""
    if share < POOR:
        return None
    return Warning(
        "LOW_CONTRAST",
        f"{share:.0%} of the letters of {path} have a contrast of {ratio:.1f}:1 to what lies behind them; "
        "large text needs 3:1: choose another color, or a background",
    )


def alpha_flattened() -> Warning:
    """The warning for a transparent picture in a format without transparency."""
    return Warning(
        "ALPHA_FLATTENED",
        "JPEG has no transparency, so the picture was placed on white; "
        f"use export.format {_WITH_ALPHA}, or an opaque appearance.backgroundColor",
    )


def film_flattened(format: str) -> Warning:
    """The warning for a transparent film in a format without transparency."""
    return Warning(
        "ALPHA_FLATTENED",
        f"{format} has no transparency here, so the film was placed on white; use export.format webm, mov, "
        "webp, apng or frames, or an opaque appearance.backgroundColor",
    )


def frames_resampled(rate: float, fps: int, speed: float) -> Warning:
    """The warning for a recording of `rate` frames a second, shown `speed` times as fast, in a film of
    `fps`."""
    at = f" at {speed:g} times its speed" if speed != 1 else ""
    return Warning(
        "FRAMES_RESAMPLED",
        f"The recording has {rate:.4g} frames a second{at}, the film {fps}; some are left out or shown again",
    )


def audio_dropped() -> Warning:
    """The warning for a recording with sound."""
    return Warning("AUDIO_DROPPED", "The recording has sound, which the film does not have")


def frame_forbidden() -> Warning:
    """The warning for a device in a film of an app preview's size."""
    return Warning(
        "STORE_FRAME_FORBIDDEN", f"The App Store takes no device frames in app previews; {FRAMELESS}"
    )


def field_of_view_limited(requested: float, used: float) -> Warning | None:
    """The warning for the requested field of view and the one used, both in degrees."""
    if used >= requested:
        return None
    text = f"With a fieldOfView of {requested:g} the camera would be inside the device; {used:.1f} is used"
    return Warning("FIELD_OF_VIEW_LIMITED", text)


def screen_hidden(share: float) -> Warning | None:
    """The warning for the share of a device's screen that other devices hide."""
    if share < HIDDEN:
        return None
    return Warning(
        "SCREEN_HIDDEN",
        f"other devices hide {math.floor(share * 100)}% of its screen; another layout, order or position of "
        "the devices shows more of it",
    )


def off_canvas(share: float) -> Warning | None:
    """The warning for the share of the device's silhouette that is off the canvas."""
    if share <= OFF:
        return None
    # Rounded down, so that 100% means an empty picture.
    text = f"{math.floor(share * 100)}% of the device lies off the canvas; "
    return Warning(
        "OFF_CANVAS", text + "a smaller deviceTransform.scale, or another position, shows more of it"
    )
