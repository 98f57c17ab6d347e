"""Measures of described devices and limits of their kinds, kept in a file.

`python -m tests.devices.measures` renews it.

Look at the difference, and at pictures of the devices that changed, before you commit it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from service.devices.described.description import CutoutForm, Description
from service.devices.described.kinds import KINDS
from service.devices.described.making import described
from service.devices.device import Device, Slab
from service.errors import MockupError
from service.settings.merge import MergedSettings
from tests.devices.descriptions import IPHONE

KEPT = Path(__file__).with_suffix(".json")
SCREEN = {"width": 2000, "height": 1250}
#: Bodies with more height than their screens need, by kind, mm.
ROOMY = {
    "phone": {"width": 160, "height": 120},
    "tablet": {"width": 260, "height": 190},
    "foldable": {"width": 190, "height": 140},
    "laptop": {"width": 320, "height": 240},
    "monitor": {"width": 600, "height": 420},
    "tv": {"width": 1200, "height": 820},
    "console": {"width": 280, "height": 130},
    "watch": {"width": 50, "height": 45},
}
#: Descriptions by a name: the least that each kind needs, and some that state more.
DESCRIPTIONS: dict[str, dict[str, Any]] = {
    **{kind: {"kind": kind, "screen": SCREEN} for kind in KINDS},
    **{f"roomy {kind}": {"kind": kind, "screen": SCREEN, "body": body} for kind, body in ROOMY.items()},
    "iphone": IPHONE,
    "round watch": {"kind": "watch", "screen": {"width": 450, "height": 450, "cornerRadius": 225}},
    "upright monitor": {"kind": "monitor", "screen": {"width": 1440, "height": 2560}},
    "notched laptop": {
        "kind": "laptop",
        "screen": {"width": 3024, "height": 1964, "cutout": {"kind": "notch", "width": 370, "height": 74}},
        "body": {"width": 312.6, "height": 221.2, "depth": 15.5},
    },
    "small notched laptop": {
        "kind": "laptop",
        "screen": {"width": 960, "height": 870, "cutout": {"kind": "notch", "width": 185, "height": 32}},
        "body": {"width": 160, "height": 150, "depth": 11},
    },
    "long foldable": {"kind": "foldable", "screen": {"width": 1968, "height": 4200}, "ppi": 368},
}


def made(name: str) -> Device:
    """The device of a description."""
    description = MergedSettings({"device": DESCRIPTIONS[name]}).resolve().device
    assert isinstance(description, Description)
    return described(description)


def measures(device: Device) -> dict[str, list[float]]:
    """The measures of each part of a device, and of its first screen, mm to a hundredth.

    For a part these are its size, middle, rounded edge, corner and border, and then the openings of its wall
    and the pictures on its faces.
    """
    screen = device.screen
    shown = [*screen.size, *screen.center, screen.corner.extent]
    for cutout in screen.cutouts:
        shown += [*cutout.center, *cutout.size]
    found = {"screen": shown} | {slab.name: list(_slab(slab)) for slab in device.slabs}
    return {name: [round(float(one), 2) for one in values] for name, values in found.items()}


def _slab(slab: Slab) -> Iterator[float]:
    yield from (*slab.size, *slab.center, slab.edge, slab.corner.extent, slab.corner.exponent)
    yield slab.front.inset
    for decal in slab.decals:
        yield from (decal.at, *decal.size)
    for face in (slab.front, slab.back):
        for layer in face.layers if face else ():
            yield from (*layer.center, *layer.size)


def limits(kind: str) -> list[str]:
    """The messages about a kind's bodies that are too small or too large, and a bezel that is too narrow."""
    given: list[dict[str, Any]] = [
        {"body": {"width": 10, "height": 10, "depth": 1}},
        {"body": {"width": 3000, "height": 3000, "depth": 100}},
        {"bezel": 0},
        {"bezel": {"left": 20, "bottom": 25}},
        {"camera": "dual"},
        {"screen": {"width": 800, "height": 1250}},
        *({"screen": {**SCREEN, "cutout": {"kind": form}}} for form in get_args(CutoutForm)),
    ]
    found = []
    for members in given:
        try:
            MergedSettings({"device": DESCRIPTIONS[kind] | members}).resolve()
        except MockupError as error:
            found += [f"{one.path.removeprefix('settings.device.')}: {one.message}" for one in error.details]
    return found


def main() -> None:
    """Write the file."""
    found: dict[str, Mapping[str, Sequence[object]]] = {name: measures(made(name)) for name in DESCRIPTIONS}
    found["limits"] = {kind: limits(kind) for kind in KINDS}
    lines = [
        f" {json.dumps(name)}: {{\n"
        + ",\n".join(f"  {json.dumps(part)}: {json.dumps(values)}" for part, values in parts.items())
        + "\n }"
        for name, parts in found.items()
    ]
    KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
