"""Tries random described devices: each must be refused with a path, or give a picture without holes.

`python -m benchmarks.descriptions` runs in a separate process, so that its peak memory is the plate's. The
peak must stay below 1.5 times the largest peak of a catalogue device. A finding is printed as the smallest
description that causes it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from service.clock import Clock
from service.devices.described.description import Description
from service.devices.described.making import described
from service.devices.device import catalogue
from service.render.plates import plate
from service.settings.merge import MergedSettings
from service.settings.resolve import resolve
from service.settings.scene import PlateSpec
from service.system.idle import give_back
from tests.devices.descriptions import descriptions, extreme, hostile
from tests.support.sound import hold_together, without_holes

MEMORY = Path("/proc/self")
SIDE = 500  # px; each canvas has the area of a square with this side
ROUND = 50  # descriptions between checks of the time
ROOM = 1.5  # tries; parts are painted in parallel, so peaks coincide by chance
BARE: dict[str, Any] = {"appearance": {"backgroundColor": "transparent"}, "shadow": {"enabled": False}}

ANGLES = st.integers(-180, 180)
POSES = st.fixed_dictionaries(
    {},
    optional={
        "rotationX": ANGLES,
        "rotationY": ANGLES,
        "rotationZ": ANGLES,
        "fieldOfView": st.sampled_from([0, 15, 90]),
    },
)


class FindingError(AssertionError):
    """A described device with a fault."""


@dataclass
class Explored:
    """The results of a round: outcomes, findings, and the most bytes that a picture took."""

    limit: int
    outcomes: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    most: int = 0


def spec(device: Any, pose: dict[str, Any], style: str = "real") -> PlateSpec:
    """The plate spec of a device, on a canvas of its shape, so that all cover about as many pixels."""
    members = {**BARE, "appearance": {**BARE["appearance"], "style": style}, "device": device}
    across, up = resolve(MergedSettings(members).resolve(), (900, 900), fast=False).spec.device.body[:2]
    shape = min(max(across / up, 0.25), 4.0) ** 0.5
    canvas = {"width": round(SIDE * shape), "height": round(SIDE / shape)}
    posed = {**members, "canvas": canvas, "deviceTransform": pose}
    return resolve(MergedSettings(posed).resolve(), (900, 900), fast=False).spec


def measured(of: PlateSpec) -> tuple[plate.Plate, int]:
    """The plate, and the peak growth of this process in bytes while it was built."""
    give_back()
    (MEMORY / "clear_refs").write_text("5")
    before = _status("VmRSS")
    made = plate.build(of, Clock())
    return made, _status("VmHWM") - before


def _status(name: str) -> int:
    line = next(line for line in (MEMORY / "status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) * 1024


def usual() -> int:
    """The most bytes that a catalogue device's plate takes, measured on one device of each category."""
    poses: tuple[dict[str, Any], ...] = ({}, {"rotationX": 12, "rotationY": -35}, {"rotationY": 160})
    devices = {device.category: device.id for device in catalogue().values()}
    return max(measured(spec(device, pose))[1] for device in devices.values() for pose in poses)


def check(found: Explored, device: Any, pose: dict[str, Any], style: str) -> None:
    """Raise AssertionError unless the description is refused by path or its picture is sound."""
    merged = MergedSettings({"device": device})
    if merged.faults:
        found.outcomes["refused"] += 1
        for fault in merged.faults:
            if not fault.path.startswith("settings.device") or not fault.message:
                raise FindingError(f"refused by {fault.path!r}: {fault.message!r}")
        return
    description = merged.resolve().device
    if not isinstance(description, Description):
        found.outcomes["named"] += 1
        return
    of = spec(device, pose, style)
    if of.device.bars is None and not of.device.fitted:
        hold_together(described(description))
    made, taken = measured(of)
    without_holes(of, made)
    found.most = max(found.most, taken)
    if taken > ROOM * found.limit:
        raise FindingError(f"{taken >> 10} KiB, where the catalogue takes {found.limit >> 10}")
    found.outcomes[description.kind] += 1


def explore(found: Explored, number: int) -> None:
    """Try a round of descriptions, all made from `number`."""
    last: list[Any] = []

    @seed(number)
    @settings(
        max_examples=ROUND,
        deadline=None,
        database=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
        print_blob=False,
    )
    @given(
        extreme() | extreme() | descriptions() | hostile(), POSES, st.sampled_from(["real", "real", "clay"])
    )
    def one(device: Any, pose: dict[str, Any], style: str) -> None:
        last[:] = [device, pose, style]
        check(found, device, pose, style)

    try:
        one()
    except Exception as error:
        found.findings.append(f"{json.dumps(last)}: {type(error).__name__}: {error}"[:2000])
        print(f"- {found.findings[-1]}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=None)
    arguments = parser.parse_args()
    start = time.monotonic()
    number = random.randrange(2**31) if arguments.seed is None else arguments.seed
    found = Explored(usual())
    while time.monotonic() - start < arguments.seconds:
        explore(found, number)
        number += 1
    print(f"{found.outcomes.total()} descriptions in {time.monotonic() - start:.0f} s, seeds up to {number}")
    print(", ".join(f"{kind} {count}" for kind, count in found.outcomes.most_common()))
    print(f"at most {found.most / 2**20:.1f} MiB; the catalogue {found.limit / 2**20:.1f} MiB")
    sys.exit(bool(found.findings))


if __name__ == "__main__":
    main()
