"""The rules of app stores, as data with sources, and which of them a picture's settings break.

Apple's sizes are those of `SOURCES["apple"]`. Its page could not be read directly; each size was found in at
least two of: fastlane's `deliver/lib/deliver/app_screenshot.rb` (commit 00afc4fe), and guides of 2026 that
cite the page. Sizes in `UNVERIFIED` were found in none or only one of these. All were last compared on
2026-11-25.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ..errors import Detail

StoreName = Literal["apple", "play"]
Size = tuple[int, int]

SOURCES: dict[StoreName, str] = {
    "apple": "https://developer.apple.com/help/app-store-connect/reference/screenshot-specifications/",
    "play": "https://support.google.com/googleplay/android-developer/answer/9866151",
}
PATH = "settings.export.store"


@dataclass(frozen=True, slots=True)
class Display:
    """A display that a store takes pictures for: the sizes in portrait, and whether landscape is taken, too.

    If landscape sizes are not the portrait ones turned, because bars are left out, `sides` lists them.
    """

    name: str
    sizes: tuple[Size, ...]
    turns: bool = True
    sides: tuple[Size, ...] = ()

    @property
    def taken(self) -> frozenset[Size]:
        """All sizes that the store accepts, as width and height."""
        turned = tuple((height, width) for width, height in self.sizes) if self.turns else ()
        return frozenset((*self.sizes, *turned, *self.sides))


APPLE: tuple[Display, ...] = (
    Display('iPhone 6.9"', ((1320, 2868), (1290, 2796), (1260, 2736))),
    Display('iPhone 6.5"', ((1284, 2778), (1242, 2688))),
    Display('iPhone 6.3"', ((1206, 2622), (1179, 2556))),
    Display('iPhone 6.1"', ((1170, 2532), (1125, 2436), (1080, 2340))),
    Display('iPhone 5.5"', ((1242, 2208),)),
    Display('iPhone 4.7"', ((750, 1334),)),
    Display('iPhone 4"', ((640, 1136), (640, 1096)), turns=False, sides=((1136, 640), (1136, 600))),
    Display('iPhone 3.5"', ((640, 960), (640, 920)), turns=False, sides=((960, 640), (960, 600))),
    Display('iPad 13"', ((2064, 2752), (2048, 2732))),
    Display('iPad 11"', ((1668, 2420), (1668, 2388), (1640, 2360), (1488, 2266))),
    Display('iPad 10.5"', ((1668, 2224),)),
    Display(
        'iPad 9.7"',
        ((1536, 2048), (1536, 2008), (768, 1024), (768, 1004)),
        turns=False,
        sides=((2048, 1536), (2048, 1496), (1024, 768), (1024, 748)),
    ),
    Display("Mac", ((2880, 1800), (2560, 1600), (1440, 900), (1280, 800)), turns=False),
    Display(
        "Apple Watch",
        ((422, 514), (410, 502), (416, 496), (396, 484), (368, 448), (312, 390)),
        turns=False,
    ),
    Display("Apple TV", ((3840, 2160), (1920, 1080)), turns=False),
    Display("Apple Vision Pro", ((3840, 2160),), turns=False),
)
#: Apple's sizes that were not found in two sources.
UNVERIFIED: frozenset[Size] = frozenset({(1080, 2340), (1640, 2360), (1488, 2266), (422, 514), (416, 496)})

# Google Play's limits: the length of a side in px, the ratio of the longer side to the shorter, the one size
# of a feature graphic, and the bytes of a file. The limit of bytes was found in guides, not on Google's page.
SHORTEST, LONGEST, RATIO = 320, 3840, 2.0
FEATURE: Size = (1024, 500)
BYTES: dict[StoreName, int | None] = {"apple": None, "play": 8_000_000}
#: The largest number of pictures for a display in a listing.
MOST: dict[StoreName, int] = {"apple": 10, "play": 8}
FORMATS = ("png", "jpeg")
NAMES: dict[StoreName, str] = {"apple": "the App Store", "play": "Google Play"}


def refused(store: StoreName, size: Size, *, kind: str, alpha: bool, count: int = 1) -> Iterator[Detail]:
    """The rules that pictures of a size in px and of a format break; `alpha` if they are transparent."""
    name = NAMES[store]

    def fault(text: str) -> Detail:
        return Detail(PATH, f"{name} {text}")

    if kind not in FORMATS:
        yield fault(f"takes {' and '.join(FORMATS)}, and export.format is {kind}")
    if alpha and kind != "jpeg":
        yield fault("takes no transparency; choose an opaque background, or export.format jpeg")
    if count > MOST[store]:
        yield fault(f"takes up to {MOST[store]} pictures of a display, and canvas.slices makes {count}")
    width, height = size
    shape = f"{width} × {height} px"
    if store == "apple":
        if not any(size in display.taken for display in APPLE):
            yield fault(f"takes no picture of {shape}; the nearest on its list is {_nearest(size)}")
        return
    if size == FEATURE:
        return
    if min(size) < SHORTEST or max(size) > LONGEST:
        yield fault(f"takes sides from {SHORTEST} to {LONGEST} px, and the picture has {shape}")
    if max(size) > RATIO * min(size):
        yield fault(f"takes a longer side of up to {RATIO:g} times the shorter, and the picture has {shape}")


# The rules for app previews, from guideline 2.3.4 and Apple's page about them, as guides and tools cite it.
PREVIEW_SIZES: frozenset[Size] = frozenset({(886, 1920), (1080, 1920), (1200, 1600)})
PREVIEW_S, PREVIEW_FPS, PREVIEW_BYTES = (15.0, 30.0), 30, 500_000_000
PREVIEW_PRESETS = "app-preview"  # the beginning of the names of presets for app previews


def refused_preview(size: Size, *, seconds: float, fps: int, kind: str, framed: bool) -> Iterator[str]:
    """The rules that an app preview for the App Store breaks; `framed` if it shows a device."""
    if framed:
        yield f"takes no device frames in app previews; {FRAMELESS}"
    if not PREVIEW_S[0] <= seconds <= PREVIEW_S[1]:
        lengths = f"{PREVIEW_S[0]:g} to {PREVIEW_S[1]:g} s"
        yield f"takes app previews of {lengths}, and this is {seconds:.3g} s long"
    if fps > PREVIEW_FPS:
        yield f"takes up to {PREVIEW_FPS} frames a second, and motion.fps is {fps}"
    if kind != "mp4":
        yield f"takes only mp4 of the formats here, and export.format is {kind}"
    if not {size, size[::-1]} & PREVIEW_SIZES:
        yield f"takes no app preview of {size[0]} × {size[1]} px; canvas.preset app-preview is 886 × 1920 px"


FRAMELESS = "a described device of the kind card, enlarged over the canvas, shows the recording alone"


def too_large(store: StoreName | None, nbytes: int) -> Detail | None:
    """The message that a store refuses a file of that many bytes."""
    most = BYTES[store] if store else None
    if store is None or most is None or nbytes <= most:
        return None
    return Detail(
        PATH,
        f"{NAMES[store]} takes files of up to {most / 1e6:g} MB, and the picture has {nbytes / 1e6:.1f} MB; "
        "choose export.format jpeg, or a smaller canvas",
    )


def _nearest(size: Size) -> str:
    def off(one: Size) -> float:
        return abs(one[0] / size[0] - 1) + abs(one[1] / size[1] - 1)

    known = {taken: display.name for display in APPLE for taken in display.taken}
    width, height = min(sorted(known), key=off)
    return f"{width} × {height}, {known[width, height]}"
