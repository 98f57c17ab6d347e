"""A laptop's keyboard: six rows of keys in a dark well, 14.5 key widths across (ANSI)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from frames.generator.outline import box, segment
from frames.generator.paint import Canvas
from frames.generator.text import Align, lettering

DENSITY = 6.0
ACROSS = 14.5
WELL = "#0a0a0b"
TOP = "#1b1b1d"
LEGEND = "#c3c5c9"

# One string per key; a number sets the key's width in key units, `^` marks the halved arrow keys.
ROWS = (
    ("esc:1.5", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12", ":1"),
    ("`", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "-", "=", "delete:1.5"),
    ("tab:1.5", "Q", "W", "E", "R", "T", "Y", "U", "I", "O", "P", "[", "]", "\\"),
    ("caps lock:1.75", "A", "S", "D", "F", "G", "H", "J", "K", "L", ";", "'", "return:1.75"),
    ("shift:2.25", "Z", "X", "C", "V", "B", "N", "M", ",", ".", "/", "shift:2.25"),
    ("fn", "ctrl", "opt", "cmd:1.25", ":5", "cmd:1.25", "opt", "<", "^", ">"),
)


class Key(NamedTuple):
    """A key's place in the well, mm from its middle, y up."""

    legend: str
    x: float
    y: float
    width: float
    height: float


def layout(size: tuple[float, float]) -> list[Key]:
    """The keys of a keyboard whose well measures `size` mm."""
    border = 1.2
    unit, pitch = (size[0] - 2 * border) / ACROSS, (size[1] - 2 * border) / len(ROWS)
    gap = unit * 0.135
    keys = []
    for row, names in enumerate(ROWS):
        left = -size[0] / 2 + border
        middle = size[1] / 2 - border - (row + 0.5) * pitch
        for name in names:
            legend, _, share = name.rpartition(":") if ":" in name else (name, "", "1")
            width = float(share) * unit
            x = left + width / 2
            left += width
            if legend in ("<", "^", ">"):
                # Half height: left and right on the lower half, up over down in the middle.
                low = Key(
                    "v" if legend == "^" else legend,
                    x,
                    middle - pitch / 4,
                    width - gap,
                    pitch / 2 - gap * 0.75,
                )
                keys.append(low)
                if legend == "^":
                    keys.append(Key("^", x, middle + pitch / 4, width - gap, pitch / 2 - gap * 0.75))
                continue
            keys.append(Key(legend, x, middle, width - gap, pitch - gap))
    return keys


def arrow(canvas: Canvas, key: Key) -> None:
    """A little chevron on an arrow key."""
    reach = 1.0
    tip = {"<": (-reach, 0.0), ">": (reach, 0.0), "^": (0.0, reach), "v": (0.0, -reach)}[key.legend]
    for sign in (-1, 1):
        start = (key.x + tip[0] * 0.6, key.y + tip[1] * 0.6)
        end = (key.x - tip[0] * 0.4 + sign * tip[1], key.y - tip[1] * 0.4 + sign * tip[0])
        canvas.fill(segment(canvas.x, canvas.y, start, end, 0.28), LEGEND, 0.8)


def inscribe(canvas: Canvas, key: Key) -> None:
    """A key's legend: letters in the middle, words small in the lower corner."""
    if key.legend in ("<", "^", ">", "v"):
        arrow(canvas, key)
    elif len(key.legend) == 1:
        cover = lettering(canvas, key.legend, (key.x, key.y), 5.0, "Regular", "middle")
        canvas.cover(cover * 0.85, LEGEND)
    elif key.legend.startswith("F") and key.legend[1:].isdigit():
        cover = lettering(canvas, key.legend, (key.x, key.y), 3.2, "Regular", "middle")
        canvas.cover(cover * 0.75, LEGEND)
    elif key.legend:
        # Words stand at the outer side of their key.
        align: Align = "right" if key.x > 0 else "left"
        x = key.x + (key.width / 2 - 1.6) * (1 if key.x > 0 else -1)
        cover = lettering(canvas, key.legend, (x, key.y - key.height / 2 + 3.0), 2.9, "Regular", align)
        canvas.cover(cover * 0.75, LEGEND)


def keyboard(size: tuple[float, float]) -> Canvas:
    """The well with its keys: a dark floor, key tops a shade lighter, a soft edge where each turns down."""
    canvas = Canvas((size[0] + 2.0, size[1] + 2.0), DENSITY)
    x, y = canvas.x, canvas.y
    canvas.fill(box(x, y, size[0] + 0.5, size[1] + 0.5, 2.4), "#000000", 0.5, softness=0.5)
    canvas.fill(box(x, y, *size, 2.2), WELL)
    for key in layout(size):
        if key.legend == "" and key.width < 20:
            touch(canvas, key)
            continue
        d = box(x - key.x, y - key.y, key.width, key.height, 1.5)
        canvas.fill(d - 0.35, "#000000", 0.55, softness=0.5)
        canvas.fill(d, "#101011")
        canvas.fill(d + 0.32, TOP, softness=0.35)
        # The upper edge catches a little more light than the lower one.
        lip = np.clip((y - key.y) / key.height * 2, 0, 1) * canvas.coverage(np.abs(d + 0.28) - 0.16, 0.2)
        canvas.cover(lip * 0.5, "#3a3b3e")
        inscribe(canvas, key)
    return canvas


def touch(canvas: Canvas, key: Key) -> None:
    """The square key without a legend: a fingerprint sensor, smooth and a little darker, with a fine ring."""
    x, y = canvas.x - key.x, canvas.y - key.y
    canvas.fill(box(x, y, key.width, key.height, 1.5), "#141416")
    canvas.fill(np.abs(box(x, y, key.height * 0.72, key.height * 0.72, key.height * 0.36)) - 0.12, "#2b2b2e")
