"""Motion blur: the times at which a frame is exposed while the shutter is open."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from ..render.geometry.camera import stage
from ..render.geometry.mesh import hull
from ..settings.scene import PlateSpec
from .film import Film

FAINT = 1.0  # px of motion below which a frame is exposed once; by eye
STEP = 1.5  # px of motion between two exposures; by eye
MOST = 16  # exposures of a frame; by cost


def exposures(film: Film, number: int) -> tuple[float, ...]:
    """The times of a frame's exposures, seconds: only its own time if nothing moves by a pixel.

    The shutter is open equally long before and after the frame's time. Each exposure represents an equal part
    of that time.
    """
    motion, schedule = film.path.motion, film.schedule
    time = schedule.time(number)
    opened = motion.shutter_angle / 360 / schedule.fps
    if not opened:
        return (time,)

    def at(share: float) -> float:
        """The time at a share of the exposure, from -0.5 to 0.5; in loops, times wrap around."""
        moment = time + share * opened
        return moment % schedule.duration if motion.seamless else moment

    moved = sum(_moved(film, at(share), at(share + 0.5)) for share in (-0.5, 0.0))
    if moved < FAINT:
        return (time,)
    count = min(max(math.ceil(moved / STEP), 2), MOST)
    return tuple(at((place + 0.5) / count - 0.5) for place in range(count))


def _moved(film: Film, begin: float, end: float) -> float:
    """The largest distance, px, that any point moves on the canvas between two times."""
    run = film.run
    scrolled = film.run_px * abs(run.place(end) - run.place(begin)) if run is not None else 0.0
    before, after = film.spec(begin), film.spec(end)
    return scrolled if before == after else scrolled + displacement(before, after)


def displacement(before: PlateSpec, after: PlateSpec) -> float:
    """The largest distance, px, that any point of the devices moves on the canvas between two poses."""
    return max(
        float(np.hypot(*(one - other).T).max())
        for one, other in zip(_points(before), _points(after), strict=True)
    )


@lru_cache(maxsize=16)
def _points(spec: PlateSpec) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """The corners (n, 2) of each device's hull, canvas px."""
    cameras = stage(spec).cameras
    return [camera.project(hull(one.device)) for one, camera in zip(spec.instances, cameras, strict=True)]
