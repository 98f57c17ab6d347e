"""Maps each frame of a film to a moment of the recording."""

from __future__ import annotations

from dataclasses import dataclass

from ..settings.motion import Playback, frames

# Files round the times of frames, some of them to a millisecond.
EARLY_S = 1e-3


@dataclass(frozen=True, slots=True)
class Schedule:
    """The times of a film's frames, and of the recording's part from `start` to `end` seconds."""

    duration: float
    fps: int
    start: float
    end: float
    speed: float = 1.0
    after: str = "hold"

    @property
    def count(self) -> int:
        """The number of frames of the film."""
        return frames(self.duration, self.fps)

    def time(self, frame: int) -> float:
        """The time of a frame, seconds from the film's start."""
        return frame / self.fps

    def number(self, time: float) -> int:
        """The frame that is shown at a time, seconds."""
        return min(max(int((time + EARLY_S) * self.fps), 0), self.count - 1)

    def source(self, frame: int) -> float:
        """The moment of the recording that a frame shows, seconds."""
        span = self.end - self.start
        passed = self.time(frame) * self.speed + EARLY_S
        if passed >= span:
            if self.after == "repeat":
                passed %= span
            elif self.after == "bounce":
                passed %= 2 * span
                passed = min(passed, 2 * span - passed)
            else:
                passed = span
        # The frame at the very end would already be outside of the requested part.
        return self.start + min(passed, max(span - EARLY_S, 0.0))


def schedule(playback: Playback, length: float, duration: float | None, fps: int, most: float) -> Schedule:
    """The schedule of a recording of `length` seconds; without a `duration`, the film is as long as its part.

    Without a `duration`, the film has at most `most` seconds. Raises ValueError if the recording ends
    before `start`.
    """
    end = min(playback.end or length, length)
    if playback.start >= end:
        raise ValueError(f"the recording ends at {length:.2f} s")
    shown = min((end - playback.start) / playback.speed, most)
    return Schedule(duration or shown, fps, playback.start, end, playback.speed, playback.after)
