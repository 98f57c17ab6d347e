"""Texts to draw: the characters that fonts have, and the order in which they are drawn."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right

# Ranges of characters that the fonts have: Inter's Latin, Greek and Cyrillic, and OpenCV's Hebrew and East
# Asian ones. Single characters that are not worth listing are left out.
COVERED: tuple[tuple[int, int], ...] = (
    (0x0020, 0x007E), (0x00A0, 0x01C3), (0x01C5, 0x031E), (0x0321, 0x03E1), (0x03F0, 0x0513),
    (0x05D0, 0x05EA), (0x1E00, 0x1EFF), (0x2000, 0x2027), (0x202F, 0x205E), (0x2070, 0x209C),
    (0x20A0, 0x20BF), (0x2116, 0x2118), (0x2122, 0x2122), (0x2126, 0x2126), (0x212A, 0x212B),
    (0x215A, 0x2188), (0x2190, 0x21FF), (0x2211, 0x2212), (0x221A, 0x221A), (0x221D, 0x2220),
    (0x2248, 0x2248), (0x2260, 0x2261), (0x2264, 0x2267), (0x2318, 0x2318), (0x2460, 0x24EA),
    (0x2500, 0x254B), (0x2550, 0x2574), (0x25A0, 0x25AA), (0x25B2, 0x25B3), (0x25B6, 0x25B7),
    (0x25CA, 0x25CB), (0x25CE, 0x25D1), (0x2600, 0x2600), (0x2605, 0x2606), (0x2640, 0x2640),
    (0x2642, 0x2642), (0x2713, 0x2718), (0x2764, 0x2764), (0x3000, 0x3003), (0x3005, 0x3017),
    (0x3041, 0x3094), (0x30A1, 0x30F6), (0x30FB, 0x30FE), (0x3105, 0x3129), (0x3131, 0x318E),
    (0x4E00, 0x9FA5), (0xAC00, 0xD7A3), (0xF900, 0xFA2D), (0xFF01, 0xFF5E), (0xFF61, 0xFF9F),
)  # fmt: skip
_STARTS = [first for first, _ in COVERED]

MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")


def drawable(text: str) -> tuple[str, bool]:
    """The part of a text that can be drawn, composed, and whether anything visible is missing.

    Format characters (joiners, marks of direction) are invisible and left out. Compatibility characters,
    such as ligatures, are spelt out where no font has them.
    """
    kept, missing = list[str](), False
    for char in unicodedata.normalize("NFC", text):
        if unicodedata.category(char) in ("Cf", "Cc", "Cs") or 0xFE00 <= ord(char) <= 0xFE0F:
            continue  # U+FE00 to U+FE0F are variation selectors, which are invisible
        spelt = char if _covered(char) else unicodedata.normalize("NFKC", char)
        if all(map(_covered, spelt)):
            kept.append(spelt)
        else:
            missing = True
    return " ".join("".join(kept).split()), missing


def _covered(char: str) -> bool:
    at = bisect_right(_STARTS, ord(char)) - 1
    known = at >= 0 and ord(char) <= COVERED[at][1] and unicodedata.category(char) not in ("Cn", "Co")
    return known or char.isspace()


def visual(text: str) -> str:
    """A line in visual order from left to right, by the essentials of Unicode's algorithm (UAX 9).

    The first letter decides the direction of the line. Numbers run to the right. Pairs of brackets and
    other characters without a direction follow their neighbours if these agree, and otherwise the line.
    """
    if not any(unicodedata.bidirectional(char) in ("R", "AL") for char in text):
        return text
    base = rtl(text)
    runs: list[tuple[bool, str]] = []
    for char, right in zip(text, _directions(text, base), strict=True):
        if runs and runs[-1][0] == right:
            runs[-1] = (right, runs[-1][1] + char)
        else:
            runs.append((right, char))
    if base:
        runs.reverse()
    return "".join(_reversed(run) if right else run for right, run in runs)


def rtl(text: str) -> bool:
    """Whether a line runs to the left: its first letter does."""
    strong = (unicodedata.bidirectional(char) for char in text)
    return next((kind != "L" for kind in strong if kind in ("L", "R", "AL")), False)


def _directions(text: str, base: bool) -> list[bool]:
    """Whether each character runs to the left."""
    known: list[bool | None] = []
    numbers: set[int] = set()  # places of digits that count as running to the left
    strong = base
    for place, kind in enumerate(_kinds(text)):
        match kind:
            case "R" | "AL":
                known.append(strong := True)
            case "L":
                known.append(strong := False)
            case "EN" | "AN":
                known.append(strong)
                numbers |= {place} if strong else set()
            case "NSM":
                known.append(known[-1] if known else base)
            case _:
                known.append(None)
    for first, last in _pairs(text):
        inside = {one for one in known[first + 1 : last] if one is not None}
        before = next((one for one in reversed(known[:first]) if one is not None), base)
        if inside:
            known[first] = known[last] = before if inside == {not base} else base
    before = base
    for place, right in enumerate(known):
        if right is None:
            after = next((one for one in known[place:] if one is not None), base)
            known[place] = before if before == after else base
        else:
            before = right
    return [bool(right) and place not in numbers for place, right in enumerate(known)]


def _kinds(text: str) -> list[str]:
    """Unicode's bidirectional class of each character; a sign within or next to a number counts as part of
    the number."""
    kinds = [unicodedata.bidirectional(char) for char in text]
    for place in range(1, len(kinds) - 1):
        if kinds[place] in ("ES", "CS") and kinds[place - 1] == kinds[place + 1] == "EN":
            kinds[place] = "EN"
    for places in (range(1, len(kinds)), range(len(kinds) - 2, -1, -1)):
        for place in places:
            if kinds[place] == "ET" and kinds[place - places.step] == "EN":
                kinds[place] = "EN"
    return kinds


def _pairs(text: str) -> list[tuple[int, int]]:
    """The positions of matching brackets, in the order in which they open."""
    found, opened = list[tuple[int, int]](), list[tuple[str, int]]()
    for place, char in enumerate(text):
        if char in "([{":
            opened.append((char.translate(MIRRORED), place))
        elif any(char == wanted for wanted, _ in opened):
            while opened:
                wanted, first = opened.pop()
                if wanted == char:
                    found.append((first, place))
                    break
    return sorted(found)


def _reversed(run: str) -> str:
    """A run backwards, marks after their letters, brackets mirrored."""
    clusters: list[str] = []
    for char in run:
        if clusters and unicodedata.combining(char):
            clusters[-1] += char
        else:
            clusters.append(char)
    return "".join(reversed(clusters)).translate(MIRRORED)
