"""Chooses the key poses of a film, whose plates are built; those of the poses between them are blended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..settings.scene import PlateSpec
from .film import Film
from .motion import shortest
from .shutter import displacement

GAP = 8  # poses from one key pose to the next, at most; by cost
# The largest motion between any two poses from one key pose to the next: px of any point of the devices, and
# degrees about any axis; by eye.
MOST, TURN = 24.0, 3.0


@dataclass(frozen=True, slots=True)
class Place:
    """The time of a pose, and the times of the key poses before and after it, seconds.

    All are equal for a key pose.
    """

    time: float
    start: float
    end: float


def at(time: float) -> Place:
    """The place of a key pose."""
    return Place(time, time, time)


def places(film: Film, times: Sequence[float]) -> Iterator[tuple[PlateSpec, Place]]:
    """The plate specs of exposures at `times`, seconds, in order and each only once, with their places."""
    known, key, number = set[PlateSpec](), None, 0
    while number < len(times):
        first = times[number], film.spec(times[number])
        if first[1] in known:
            key, number = None, number + 1
            continue
        run = [first] if key is None else _run(film, key, times[number : number + GAP], known)
        known.update(spec for _, spec in run)
        for time, spec in run[:-1]:
            assert key is not None
            yield spec, Place(time, key[0], run[-1][0])
        key, number = run[-1], number + len(run)
        yield key[1], at(key[0])


def _run(
    film: Film, key: tuple[float, PlateSpec], times: Sequence[float], known: set[PlateSpec]
) -> list[tuple[float, PlateSpec]]:
    """The poses after a key pose, the last of which is the next key pose; the pose at the first time is not
    in `known`."""
    run = [(times[0], film.spec(times[0]))]
    # In a loop, an exposure may be earlier than the one before.
    if times[0] <= key[0] or not _blends(key[1]) or not _near(key[1], run[0][1]):
        return run
    for time in times[1:]:
        spec, before = film.spec(time), run[-1][1]
        # A device at rest is shown exactly, so its pose is a key pose. A plate spec that differs in more than
        # its pose is one, too.
        if not before.moving or not _alike(key[1], before) or not _alike(key[1], spec):
            break
        # After a turning point, the device passes through earlier poses again.
        if spec in known or any(spec == one for _, one in run):
            break
        if time <= run[-1][0] or time - key[0] > GAP / film.schedule.fps:
            break
        # Devices that turn back may be near the first key pose, and far from the poses before.
        if not all(_near(one, spec) for _, one in (key, *run)):
            break
        run.append((time, spec))
    return run


def _blends(spec: PlateSpec) -> bool:
    """Whether plates of this kind can be blended: opaque ones of solid devices that no floor mirrors."""
    mirrors = spec.ground is not None and spec.ground.reflectivity > 0
    solid = all(one.style != "outline" for one in spec.instances)
    return spec.background.solid and solid and not spec.fast and not mirrors


def _near(one: PlateSpec, other: PlateSpec) -> bool:
    """Whether the motion from one pose to another is small enough."""
    return _turn(one, other) <= TURN and displacement(one, other) <= MOST


def _turn(one: PlateSpec, other: PlateSpec) -> float:
    """The largest turn from one pose to another about any axis, degrees."""
    before, after = one.transform, other.transform
    angles = (before.rx, after.rx), (before.ry, after.ry), (before.rz, after.rz)
    return max(abs(shortest(*pair)) for pair in angles)


def _alike(one: PlateSpec, other: PlateSpec) -> bool:
    """Whether two plate specs differ in their pose alone."""
    return replace(other, transform=one.transform, moving=one.moving) == one
