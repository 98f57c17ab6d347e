"""The devices that `auto` chooses: `python -m benchmarks.choices` writes the tables of the devices' page."""

from __future__ import annotations

from typing import NamedTuple

from benchmarks.catalogue import PAGE
from service.devices.content import Content
from service.devices.described.description import Description
from service.devices.device import catalogue
from service.devices.origin import DEFAULTS, best
from service.render.compose.shot import margins, place
from service.settings.resolve import resolve
from service.settings.scene import Scene
from service.settings.schema import Settings

START, END = "<!-- the choices of auto: python -m benchmarks.choices -->", "<!-- end of the choices -->"


class Case(NamedTuple):
    """A screenshot: its origin, its size, and the margins of a window's shadow: left, right, top, bottom."""

    what: str
    size: tuple[int, int]
    shadow: tuple[int, int, int, int] | None = None


CASES = (
    Case("iPhone 16 Pro, 17, 17 Pro, 18 Pro", (1206, 2622)),
    Case("the same on its side", (2622, 1206)),
    Case("the same in points", (402, 874)),
    Case("iPhone 16 Pro Max", (1320, 2868)),
    Case("iPhone 15, 16", (1179, 2556)),
    Case("iPhone 12 to 14", (1170, 2532)),
    Case("iPhone X, XS, 11 Pro, 12 mini", (1125, 2436)),
    Case("iPhone XR, 11", (828, 1792)),
    Case("iPhone SE", (750, 1334)),
    Case("iPhone 8 Plus", (1242, 2208)),
    Case("iPhone Air", (1260, 2736)),
    Case("iPhone, scaled to a width of 590", (590, 1280)),
    Case("Galaxy S24, S25, S26", (1080, 2340)),
    Case("Galaxy Ultra", (1440, 3120)),
    Case("Galaxy S20", (1440, 3200)),
    Case("Galaxy S10", (1440, 3040)),
    Case("Galaxy S9", (1440, 2960)),
    Case("Pixel 8", (1080, 2400)),
    Case("Pixel 9, 10", (1080, 2424)),
    Case("Pixel 3, 4", (1080, 2160)),
    Case("OnePlus 13", (1440, 3168)),
    Case("Android, 19 : 9", (1080, 2280)),
    Case("Android, 18.5 : 9", (1080, 2220)),
    Case("Android, 16 : 9", (1080, 1920)),
    Case("Android, 16 : 9, small", (720, 1280)),
    Case("Android, 20 : 9, on its side", (2400, 1080)),
    Case("Xperia, 21 : 9", (1644, 3840)),
    Case("Galaxy Z Fold 7, unfolded", (1968, 2184)),
    Case("iPad Air 11, iPad", (1640, 2360)),
    Case("the same on its side", (2360, 1640)),
    Case("iPad Pro 13", (2064, 2752)),
    Case("iPad Pro 11, before 2024", (1668, 2388)),
    Case("iPad, 4 : 3", (1536, 2048)),
    Case("iPad mini", (1488, 2266)),
    Case("Android tablet, 16 : 10, upright", (1200, 1920)),
    Case("Android tablet, 16 : 10", (800, 1280)),
    Case("tablet, 4 : 3, on its side", (1024, 768)),
    Case("tablet, 1.4 : 1, upright", (1500, 2100)),
    Case("tablet, 1.57 : 1, upright", (1400, 2200)),
    Case("MacBook Pro 14", (3024, 1964)),
    Case("the same in points", (1512, 982)),
    Case("MacBook Pro 16", (3456, 2234)),
    Case("MacBook Air 13", (2560, 1664)),
    Case("MacBook, 16 : 10, in points", (1440, 900)),
    Case("iMac 24", (4480, 2520)),
    Case("desktop, Full HD", (1920, 1080)),
    Case("desktop, 2560 × 1440", (2560, 1440)),
    Case("desktop, 4K", (3840, 2160)),
    Case("desktop, 5K", (5120, 2880)),
    Case("laptop, 1366 × 768", (1366, 768)),
    Case("laptop, 16 : 10", (1920, 1200)),
    Case("very wide monitor", (3440, 1440)),
    Case("page, 1280 × 800", (1280, 800)),
    Case("page of odd width", (2740, 1567)),
    Case("long page", (1280, 5000)),
    Case("long page of a phone", (1206, 9000)),
    Case("window with the shadow of macOS", (2374, 2000), (112, 112, 76, 148)),
    Case("window with the shadow of GNOME", (1052, 789), (26, 26, 23, 29)),
    Case("window without shadow, corners transparent", (1600, 1000), (0, 0, 0, 0)),
    Case("window, opaque", (1600, 1040)),
    Case("square", (1080, 1080)),
    Case("nearly square", (1200, 1000)),
    Case("Apple Watch", (416, 496)),
)


def content(case: Case) -> Content | None:
    """The opaque part of a window's screenshot."""
    if case.shadow is None:
        return None
    left, right, top, bottom = case.shadow
    box = (left, top, case.size[0] - left - right, case.size[1] - top - bottom)
    return Content(case.size, box, True, 20.0)


def scene(case: Case) -> Scene:
    """The scene of `auto`."""
    return resolve(Settings(device="auto"), case.size, fast=False, content=content(case))


def lost(case: Case) -> float:
    """The share that is cropped of the width or height of a screenshot, or of the window in a screenshot."""
    found = scene(case)
    size = found.trim.box[2:] if found.trim else case.size
    screen = found.device.screen.size
    if found.spec.instances[0].orientation != found.device.natural:
        screen = screen[::-1]
    left, top, right, bottom = margins(place(size, screen, found.fit).crop)
    return max(left + right, top + bottom)


def shown(case: Case) -> str:
    """The device, in words."""
    chosen = best(case.size, content(case))
    if isinstance(chosen.device, Description):
        return f"a {chosen.device.kind} of its shape"
    return f"`{chosen.device}`" + (f", {chosen.finish}" if chosen.finish else "")


def tables() -> str:
    """The declared list and the cases in Markdown."""
    lines = ["| screen, px | device | finish |", "| --- | --- | --- |"]
    for (width, height), (device, finish) in DEFAULTS.items():
        name = catalogue().entries[str(device)].name
        lines.append(f"| {width} × {height} | {name}, `{device}` | {finish or '–'} |")
    lines += [
        "",
        "Some screenshots, the devices chosen for them, and how much of their width or height is cropped:",
        "",
    ]
    lines += ["| screenshot | px | device | cropped |", "| --- | --- | --- | --- |"]
    for case in CASES:
        size = f"{case.size[0]} × {case.size[1]}"
        lines.append(f"| {case.what} | {size} | {shown(case)} | {100 * lost(case):.1f} % |")
    return "\n".join(lines)


def page(text: str) -> str:
    """The devices' page with the tables as they are now."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n\n{tables()}\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
