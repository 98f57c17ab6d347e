"""Laptops' keyboards: rows of keys in a well, or set into the deck one by one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from frames.generator.outline import box, circle, ring, segment
from frames.generator.paint import Canvas
from frames.generator.signs import SIGNS, power
from frames.generator.text import Align, Weight, lettering
from service.arrays import F64
from service.devices.families.laptop import TINTED, style
from service.devices.families.sheet import KeyboardLayout, KeyStyle

DENSITY = 6.0
BORDER = 1.2
ARROWS = ("<", "^", ">", "v")
GAP = "_"  # no key
POWER = "power"  # a key with the power sign
TALL = "!"  # mark before a legend: the key reaches down into the next row

# One string per key; a number sets the key's width in key units. Arrow keys are half as high: `^` is up above
# down, `<` and `>` have nothing above them, and `pgup/<` and `pgdn/>` have a page key.
LETTERS = (
    ("`", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "-", "="),
    ("Q", "W", "E", "R", "T", "Y", "U", "I", "O", "P", "[", "]"),
    ("A", "S", "D", "F", "G", "H", "J", "K", "L", ";", "'"),
    ("Z", "X", "C", "V", "B", "N", "M", ",", ".", "/"),
)
FUNCTIONS = tuple(f"F{number}" for number in range(1, 13))
MAC = (
    ("esc:1.5", *FUNCTIONS, ":1"),
    (*LETTERS[0], "delete:1.5"),
    ("tab:1.5", *LETTERS[1], "\\"),
    ("caps lock:1.75", *LETTERS[2], "return:1.75"),
    ("shift:2.25", *LETTERS[3], "shift:2.25"),
    ("fn", "ctrl", "opt", "cmd:1.25", ":5", "cmd:1.25", "opt", "<", "^", ">"),
)
PC = (
    ("esc", *FUNCTIONS, POWER, "del"),
    (*LETTERS[0], "backspace:2"),
    ("tab:1.5", *LETTERS[1], "\\:1.5"),
    ("caps:1.75", *LETTERS[2], "enter:2.25"),
    ("shift:2.25", *LETTERS[3], "shift:2.75"),
    ("ctrl:1.25", "fn", "win", "alt:1.25", ":5.5", "alt", "menu", "<", "^", ">"),
)
TOUCH = (("esc", *FUNCTIONS, "del", ":1"), *PC[1:])
STICK = (
    ("esc:1.16", *(f"{name}:0.865" for name in (*FUNCTIONS, "home", "end", "ins")), "del:0.865"),
    *PC[1:5],
    ("ctrl:1.15", "fn:0.9", "win", "alt:1.1", ":5.05", "alt:0.9", "prtsc:0.9", "ctrl:0.9",
     "pgup/<:1.033", "^:1.033", "pgdn/>:1.033"),
)  # fmt: skip
PAD = (
    ("home", "end", "pgup", "pgdn"),
    ("num", "/", "*", "-"),
    ("7", "8", "9", "!+"),
    ("4", "5", "6", GAP),
    ("1", "2", "3", "!enter"),
    ("0:2", ".", GAP),
)
SHIFTED = dict(zip("`1234567890-=[]\\;',./", '~!@#$%^&*()_+{}|:"<>?', strict=True))
# The second functions of function keys, by layout, from F1 on; empty for a key without a sign.
MEDIA: dict[KeyboardLayout, tuple[str, ...]] = {
    "mac": (
        "dim", "bright", "windows", "search", "microphone", "moon",
        "back", "play", "forward", "mute", "quiet", "loud",
    ),
    "pc": ("dim", "bright", "mute", "quiet", "loud", "play", "microphone", "display", "", "", "", ""),
    "touch": ("mute", "quiet", "loud", "play", "", "dim", "bright", "display", "microphone", "", "", ""),
    "stick": ("mute", "quiet", "loud", "microphone", "dim", "bright", "display", "", "", "", "", "star"),
}  # fmt: skip
FULL = tuple((*row, f"{GAP}:0.3", *pad) for row, pad in zip(PC, PAD, strict=True))


@dataclass(frozen=True, slots=True)
class Rows:
    """A layout: its rows, key widths across, and the first row's height as a share of the others'.

    `sides` says that the left and right arrows are as tall as other keys. `touch` says that the keys of the
    first row that have legends are one smooth strip beside the power key. `pairs` says that a key shows its
    character with shift above the one without.
    """

    rows: tuple[tuple[str, ...], ...]
    across: float
    first: float = 1.0
    sides: bool = False
    touch: bool = False
    pairs: bool = False


LAYOUTS: dict[KeyboardLayout, Rows] = {
    "mac": Rows(MAC, 14.5),
    "pc": Rows(PC, 15.0, 0.68, sides=True),
    "touch": Rows(TOUCH, 15.0, 0.68, sides=True, touch=True, pairs=True),
    "stick": Rows(STICK, 15.0, 0.68, pairs=True),
    "full": Rows(FULL, 19.3, 0.68, sides=True),
}


@dataclass(frozen=True, slots=True)
class Look:
    """Colours, each with an opacity; the deck shows through in its finish.

    `gap` is the distance of keys in key units; `well` the floor between them, None if keys are set into the
    deck one by one; `wall` are the keys' sides, `top` and `lip` their parts seen from above, and `shade` is
    the darkness of the `groove` (mm) around each key, and of the shadow that the key `cast`s (mm) below it
    where nothing darker is around it.
    Tops are brighter at their upper end, and darker at their lower, by the share `sheen`. Legends have a
    `weight`, because thin grey legends would vanish on light keys.
    """

    gap: float
    well: tuple[str, float] | None
    wall: tuple[str, float]
    top: tuple[str, float]
    lip: tuple[str, float]
    legend: tuple[str, float]
    shade: float = 0.55
    groove: float = 0.35
    cast: float = 0.45
    radius: float = 1.5
    weight: Weight = "Regular"
    sheen: float = 0.035


BLACK = Look(0.135, ("#08080a", 1.0), ("#101011", 1.0), ("#1e1e20", 1.0), ("#6a6b70", 0.62), ("#d2d4d8", 1.0))
LOOKS: dict[KeyStyle, Look] = {
    "black": replace(BLACK, sheen=0.0),
    "sunk": replace(
        BLACK, well=("#000000", 0.24), top=("#202124", 1.0), lip=("#75767b", 0.75),
        shade=0.7, groove=0.45, cast=0.8,
    ),
    "inset": replace(BLACK, well=None, top=("#232427", 1.0), lip=("#55565a", 0.6)),
    "grey": replace(
        BLACK, well=None, wall=("#060607", 1.0), top=("#28282a", 1.0), lip=("#85868a", 0.4),
        shade=0.9, groove=0.45,
    ),
    "pale": Look(
        0.135, ("#000000", 0.16), ("#000000", 0.10), ("#ffffff", 0.40), ("#ffffff", 0.3), ("#08090b", 1.0),
        shade=0.4, groove=0.2, cast=0.9, weight="SemiBold",
    ),
    "tonal": Look(
        0.135, None, ("#000000", 0.10), ("#ffffff", 0.37), ("#ffffff", 0.2), ("#2b2c30", 1.0),
        shade=0.42, groove=0.15, cast=0.9, radius=1.3, weight="SemiBold",
    ),
    "lattice": Look(
        0.045, ("#000000", 0.55), ("#000000", 0.16), ("#7f7f82", 0.08), ("#ffffff", 0.16),
        ("#3c3d41", 1.0), shade=0.3, radius=0.9, weight="SemiBold",
    ),
}  # fmt: skip


# The looks by a part's style, for every combination; a Mac's black keys have the empty style.
STYLES: dict[str, tuple[KeyboardLayout, KeyStyle, bool, bool]] = {
    style(kind, keys, signs=signs, dark=dark): (kind, keys, signs, dark)
    for kind in LAYOUTS
    for keys in LOOKS
    for signs in (False, True)[: 1 + (kind in MEDIA)]
    for dark in (False, True)[: 1 + (keys in TINTED)]
}


class Key(NamedTuple):
    """A key's place in the well, mm from its middle, y up."""

    legend: str
    x: float
    y: float
    width: float
    height: float


def layout(size: tuple[float, float], rows: Rows, share: float) -> list[Key]:
    """The keys of a keyboard whose well measures `size` mm, with gaps of a `share` of a key's width."""
    unit = (size[0] - 2 * BORDER) / rows.across
    pitch = (size[1] - 2 * BORDER) / (len(rows.rows) - 1 + rows.first)
    gap = unit * share
    keys = []
    top = size[1] / 2 - BORDER
    for row, names in enumerate(rows.rows):
        height = pitch if row else pitch * rows.first
        left = -size[0] / 2 + BORDER
        middle = top - height / 2
        top -= height
        for name in names:
            legend, _, part = name.rpartition(":") if ":" in name else (name, "", "1")
            width = float(part) * unit
            x = left + width / 2
            left += width
            above, _, arrow = legend.rpartition("/")
            if arrow in ARROWS and not (rows.sides and arrow in "<>"):
                # Arrow keys of half height: left and right are on the lower half, and up is above down in the
                # middle.
                half = (width - gap, pitch / 2 - gap * 0.75)
                keys.append(Key("v" if arrow == "^" else arrow, x, middle - pitch / 4, *half))
                if arrow == "^" or above:
                    keys.append(Key(above or "^", x, middle + pitch / 4, *half))
            elif legend.startswith(TALL):
                keys.append(Key(legend[1:], x, middle - pitch / 2, width - gap, 2 * pitch - gap))
            elif legend != GAP:
                keys.append(Key(legend, x, middle, width - gap, height - gap))
    return keys


def arrow(canvas: Canvas, key: Key, look: Look) -> None:
    """A little chevron on an arrow key."""
    reach = 1.0
    tip = {"<": (-reach, 0.0), ">": (reach, 0.0), "^": (0.0, reach), "v": (0.0, -reach)}[key.legend]
    for sign in (-1, 1):
        start = (key.x + tip[0] * 0.6, key.y + tip[1] * 0.6)
        end = (key.x - tip[0] * 0.4 + sign * tip[1], key.y - tip[1] * 0.4 + sign * tip[0])
        canvas.fill(segment(canvas.x, canvas.y, start, end, 0.28), look.legend[0], 0.8 * look.legend[1])


def function(canvas: Canvas, key: Key, sign: str, look: Look) -> None:
    """A function key's number and, above it or, on a low key, beside it, its sign."""
    color, opacity = look.legend
    low = key.height < 13
    x, y = (key.x - 2.6, key.y) if low else (key.x, key.y - 4.2)
    if not sign:
        x, y = key.x, key.y
    cover = lettering(canvas, key.legend, (x, y), 2.8 if sign else 3.2, look.weight, "middle")
    canvas.cover(cover * 0.75 * opacity, color)
    if sign:
        x, y, radius = (key.x + 3.4, key.y, 1.2) if low else (key.x, key.y + 1.6, 1.7)
        canvas.fill(SIGNS[sign](canvas.x - x, canvas.y - y, radius), color, 0.85 * opacity)


def inscribe(canvas: Canvas, key: Key, kind: KeyboardLayout, look: Look, *, signs: bool = False) -> None:
    """A key's legend: letters in the middle, words small; on a Mac in the lower corner, elsewhere centred."""
    color, opacity = look.legend
    if key.legend in ARROWS:
        arrow(canvas, key, look)
    elif key.legend == POWER:
        sign = power(canvas.x - key.x, canvas.y - key.y, 0.22 * key.height)
        canvas.fill(sign, color, 0.85 * opacity)
    elif len(key.legend) == 1:
        # Keyboards with a pointing stick have their letters in the upper left corner of keys.
        corner = kind == "stick"
        align: Align = "left" if corner else "middle"
        x, y = (key.x - key.width / 2 + 2.4, key.y + key.height / 2 - 4.4) if corner else (key.x, key.y)
        shown = [(key.legend, y, 5.0)]
        if LAYOUTS[kind].pairs and (above := SHIFTED.get(key.legend)):
            y = key.y - 0.4 if corner else key.y
            shown = [(above, y + 2.9, 3.8), (key.legend, y - 2.9, 3.8)]
        for text, up, size in shown:
            cover = lettering(canvas, text, (x, up), size, look.weight, align)
            canvas.cover(cover * 0.85 * opacity, color)
    elif key.legend.startswith("F") and key.legend[1:].isdigit():
        function(canvas, key, MEDIA[kind][int(key.legend[1:]) - 1] if signs else "", look)
    elif key.legend and kind == "mac":
        # Words stand at the outer side of their key.
        align = "right" if key.x > 0 else "left"
        x = key.x + (key.width / 2 - 1.6) * (1 if key.x > 0 else -1)
        cover = lettering(canvas, key.legend, (x, key.y - key.height / 2 + 3.0), 2.9, look.weight, align)
        canvas.cover(cover * 0.75 * opacity, color)
    elif key.legend and kind == "stick" and key.height > 8:
        at = (key.x - key.width / 2 + 2.0, key.y + key.height / 2 - 4.0)
        canvas.cover(lettering(canvas, key.legend.title(), at, 3.0) * 0.8 * opacity, color)
    elif key.legend:
        cover = lettering(canvas, key.legend, (key.x, key.y), 2.9, look.weight, "middle")
        canvas.cover(cover * 0.8 * opacity, color)


def outline(canvas: Canvas, key: Key, kind: KeyboardLayout, look: Look) -> F64:
    """Signed distance (mm) to a key; with a pointing stick keys are rounder at their lower end."""
    x, y = canvas.x - key.x, canvas.y - key.y
    d = box(x, y, key.width, key.height, look.radius)
    if kind != "stick" or key.height < 8:
        return d
    return np.maximum(d, box(x, y - key.height / 2, key.width, 2 * key.height, 3.4))


def press(canvas: Canvas, key: Key, kind: KeyboardLayout, look: Look, *, signs: bool = False) -> None:
    """A key that stands out of its gap: a shadow below it, a soft edge where it turns down, and a top a shade
    lighter, brightest at its upper end."""
    d = outline(canvas, key, kind, look)
    if look.well is None or look.well[1] < 1:
        shadow = outline(canvas, key._replace(y=key.y - look.cast), kind, look)
        canvas.fill(shadow - look.groove, "#000000", 0.7 * look.shade, softness=2 * look.cast)
    canvas.fill(d - look.groove, "#000000", look.shade, softness=0.5)
    if look.top[1] < 1:
        # The finish shows through keys, so erase everything below a key first.
        canvas.erase(d)
    canvas.fill(d, *look.wall)
    if look.wall[1] < 1:
        canvas.erase(d + 0.32, softness=0.35)
    top = canvas.coverage(d + 0.32, 0.35)
    canvas.cover(top * look.top[1], look.top[0])
    up = np.clip(2 * (canvas.y - key.y) / key.height, -1, 1)
    canvas.cover(top * look.sheen * np.maximum(up, 0), "#ffffff")
    canvas.cover(top * look.sheen * np.maximum(-up, 0), "#000000")
    # The upper edge catches a little more light than the lower one.
    lip = np.maximum(up, 0) * canvas.coverage(np.abs(d + 0.28) - 0.16, 0.2)
    canvas.cover(lip * look.lip[1], look.lip[0])
    inscribe(canvas, key, kind, look, signs=signs)


def keyboard(
    size: tuple[float, float],
    kind: KeyboardLayout = "mac",
    keys: KeyStyle = "black",
    signs: bool = False,
    dark: bool = False,
) -> Canvas:
    """The keys, with or without `signs` on those for functions, and the well that they lie in.

    `dark` is for dark finishes: keys in the deck's colour are hardly lighter than the deck, and have the
    legends of black keys.
    """
    look, rows = LOOKS[keys], LAYOUTS[kind]
    if dark:
        look = replace(look, top=("#ffffff", 0.07), legend=BLACK.legend)
    canvas = Canvas((size[0] + 2.0, size[1] + 2.0), DENSITY)
    x, y = canvas.x, canvas.y
    if look.well is not None:
        canvas.fill(box(x, y, size[0] + 0.5, size[1] + 0.5, 2.4), "#000000", 0.5, softness=0.5)
        if look.well[1] < 1:
            canvas.erase(box(x, y, *size, 2.2))
        canvas.fill(box(x, y, *size, 2.2), *look.well)
    found = layout(size, rows, look.gap)
    flat = [key for key in found if rows.touch and key.y == found[0].y and key.legend]
    if flat:
        press(canvas, strip(flat), kind, look)
    for key in found:
        part = canvas.part((key.x, key.y), (key.width + 5.0, key.height + 5.0))
        if key.legend == "" and key.width < 20 and kind == "mac":
            touch(part, key, look)
        elif key in flat:
            inscribe(part, key, kind, look, signs=signs)
        else:
            press(part, key, kind, look, signs=signs)
    if kind == "stick":
        stick(canvas, found)
    return canvas


def strip(keys: list[Key]) -> Key:
    """A smooth strip without legends in place of a row of keys."""
    first, last = keys[0], keys[-1]
    low, high = first.x - first.width / 2, last.x + last.width / 2
    return Key("", (low + high) / 2, first.y, high - low, first.height)


def touch(canvas: Canvas, key: Key, look: Look) -> None:
    """The square key without a legend: a fingerprint sensor, smooth and a little darker, with a fine ring."""
    x, y = canvas.x - key.x, canvas.y - key.y
    line = np.abs(box(x, y, key.height * 0.72, key.height * 0.72, key.height * 0.36)) - 0.12
    if look.top[1] < 1:
        press(canvas, key, "mac", look)
        canvas.fill(line, "#000000", 0.22)
        return
    canvas.fill(box(x, y, key.width, key.height, 1.5), "#141416")
    canvas.fill(line, "#2b2b2e")


def stick(canvas: Canvas, keys: list[Key]) -> None:
    """The red pointing stick between G, H and B, which make room for it."""
    by_name = {key.legend: key for key in keys}
    g, h, b = by_name["G"], by_name["H"], by_name["B"]
    at = (g.x + h.x) / 2, (g.y - g.height / 2 + b.y + b.height / 2) / 2 + 1.2
    part = canvas.part(at, (12.0, 12.0))
    d = circle(part.x - at[0], part.y - at[1], 3.1)
    part.fill(d - 0.9, "#060607", softness=0.3)
    part.fill(d, "#8f1f1b")
    part.fill(d + 0.6, "#b62a23", softness=0.8)
    part.fill(ring(d + 1.2, 0.3), "#7d1a17", 0.5, softness=0.4)
    part.glow((at[0] - 0.7, at[1] + 0.9), 0.7, "#ffb0a0", 0.25)
