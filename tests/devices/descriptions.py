"""Random descriptions of devices, possible and hostile ones."""

from __future__ import annotations

import math
from typing import Any, get_args

from hypothesis import strategies as st

from service.devices.described.description import BodyMaterial, CameraLayout, CutoutForm, KindName
from service.devices.described.kinds import KINDS as LIMITS
from service.devices.described.measures import HIGHEST, SLIMMEST, WIDEST
from service.settings.merge import MergedSettings

KINDS = st.sampled_from(get_args(KindName))
PIXELS = st.integers(64, 8192)
LENGTHS = st.floats(0, 120)
NUMBERS = st.sampled_from(
    [0, -1, 1, 0.5, 1e308, -1e308, 5e-324, 2**64, 9, 63, 64, 8192, 8193, 300.0001, math.inf, math.nan, 1e-9]
)
ANYTHING = (
    st.none()
    | st.booleans()
    | NUMBERS
    | st.text(max_size=12)
    | st.sampled_from(["../../etc/passwd", "parts/port-8.9x3.1.png", "iphone-16-pro", "#12", "auto", "\x00"])
    | st.lists(st.integers(), max_size=2)
    | st.dictionaries(st.sampled_from(["kind", "width", "top", "x", "file"]), st.integers(-9, 99), max_size=2)
)

IPHONE = {
    "kind": "phone",
    "screen": {
        "width": 1206,
        "height": 2622,
        "cornerRadius": 186,
        "cutout": {"kind": "island", "width": 376, "height": 110, "y": 97},
    },
    "ppi": 460.14,
    "bezel": 2.44,
    "material": "titanium",
    "color": "#3f4042",
    "camera": "square",
}


def _optional(**members: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=members)


CUTOUTS = _optional(
    kind=st.sampled_from(get_args(CutoutForm)),
    width=st.floats(1, 1500),
    height=st.floats(1, 600),
    x=st.floats(0, 4000),
    y=st.floats(0, 600),
)
BEZELS = LENGTHS | _optional(top=LENGTHS, right=LENGTHS, bottom=LENGTHS, left=LENGTHS)
BODIES = st.fixed_dictionaries(
    {"width": st.floats(10, 700), "height": st.floats(10, 700)}, optional={"depth": st.floats(1, 45)}
)


@st.composite
def descriptions(draw: st.DrawFn) -> dict[str, Any]:
    """A description in which each member is within its range; many of these, but not all, are possible
    devices."""
    width = draw(PIXELS)
    height = draw(st.integers(max(64, width // 3), min(8192, width * 3)))
    screen: dict[str, Any] = {"width": width, "height": height}
    if draw(st.booleans()):
        screen["cornerRadius"] = draw(st.floats(0, min(width, height) / 2))
    if draw(st.booleans()):
        screen["cutout"] = draw(CUTOUTS)
    described: dict[str, Any] = {"kind": draw(KINDS), "screen": screen}
    optional = {
        "bezel": BEZELS,
        "material": st.sampled_from(get_args(BodyMaterial)),
        "color": st.sampled_from(["#000", "#ffffff", "#3366FF"]),
        "camera": st.sampled_from(get_args(CameraLayout)),
    }
    size = draw(st.sampled_from(["ppi", "body", "neither"]))
    if size != "neither":
        described[size] = draw(st.floats(20, 1500) if size == "ppi" else BODIES)
    for name, strategy in optional.items():
        if draw(st.integers(0, 3)) == 0:
            described[name] = draw(strategy)
    return described


@st.composite
def _extreme(draw: st.DrawFn) -> dict[str, Any]:
    name = draw(KINDS)
    kind = LIMITS[name]
    width = draw(PIXELS)
    ratio = draw(st.floats(1 / SLIMMEST, SLIMMEST))
    height = min(max(round(width * ratio), 64), 8192)
    screen: dict[str, Any] = {"width": width, "height": height}
    if draw(st.booleans()):
        screen["cornerRadius"] = draw(st.floats(0, min(width, height) / 2))
    form = draw(st.sampled_from(kind.cutouts))
    if form != "none":
        screen["cutout"] = {
            "kind": form,
            "width": draw(st.floats(1, max(WIDEST * width, 1))),
            "height": draw(st.floats(1, max(HIGHEST * height, 1))),
        }
    described: dict[str, Any] = {"kind": name, "screen": screen}
    if kind.bare:
        return described
    least, most = kind.sizes
    described["bezel"] = bezel = draw(st.floats(kind.least_bezel, most / 8))
    across = draw(st.floats(least, most))
    up = (across - 2 * bezel) * height / width + 2 * bezel
    if draw(st.booleans()):
        body = kind.around(across, up)
        depth = draw(st.floats(kind.depth[0], kind.depth[2]))
        described["body"] = {"width": body[0], "height": body[1] + draw(st.floats(0, 40)), "depth": depth}
    else:
        described["ppi"] = width * 25.4 / max(across - 2 * bezel, 1.0)
    described["material"] = draw(st.sampled_from(get_args(BodyMaterial)))
    if kind.camera:
        described["camera"] = draw(st.sampled_from(get_args(CameraLayout)))
    return described


def extreme() -> st.SearchStrategy[dict[str, Any]]:
    """Possible devices with members anywhere within their limits."""
    return _extreme().filter(lambda device: not MergedSettings({"device": device}).faults)


@st.composite
def hostile(draw: st.DrawFn) -> Any:
    """A description in which some member is an arbitrary value."""
    described = draw(descriptions())
    target = described
    for _ in range(draw(st.integers(0, 2))):
        inner = [value for value in target.values() if isinstance(value, dict)]
        if inner:
            target = draw(st.sampled_from(inner))
    target[draw(st.sampled_from([*target, "kind", "screen", "ppi", "file", "width", "y"]))] = draw(ANYTHING)
    return draw(st.sampled_from([described, described, described, draw(ANYTHING)]))
