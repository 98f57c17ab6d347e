"""The times in a recording that the frames of a film show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.films.schedule import EARLY_S, schedule
from service.settings.motion import Playback


def moments(playback: Playback, length: float, duration: float | None = None, fps: int = 25) -> list[float]:
    made = schedule(playback, length, duration, fps, 60.0)
    return [round(made.source(frame) - EARLY_S, 3) + 0.0 for frame in range(made.count)]


def test_a_film_is_as_long_as_its_recording() -> None:
    assert moments(Playback(), 0.2) == [0.0, 0.04, 0.08, 0.12, 0.16]
    assert moments(Playback(speed=2), 0.4) == [0.0, 0.08, 0.16, 0.24, 0.32]
    assert moments(Playback(start=0.1, end=0.2), 1) == [0.1, 0.14, 0.18]
    assert schedule(Playback(), 300, None, 30, 60.0).duration == 60


def test_after_the_end_the_recording_holds_repeats_or_reverses() -> None:
    held, again, back = (
        moments(Playback.model_validate({"after": after}), 0.12, 0.36)
        for after in ("hold", "repeat", "bounce")
    )
    assert held == [0.0, 0.04, 0.08, *[0.118] * 6]
    assert again == [0.0, 0.04, 0.08] * 3
    # A frame is shown until the next one begins, so each time in reverse shows the last frame that begins
    # before it.
    assert back == [0.0, 0.04, 0.08, 0.118, 0.078, 0.038, 0.0, 0.04, 0.08]


@given(
    st.floats(0.1, 100),
    st.floats(0, 0.9),
    st.floats(0.1, 20),
    st.sampled_from(["hold", "repeat", "bounce"]),
    st.floats(0.1, 30),
)
def test_every_moment_is_within_the_recording(
    length: float, start: float, speed: float, after: str, duration: float
) -> None:
    playback = Playback.model_validate({"start": start * length, "speed": speed, "after": after})
    made = schedule(playback, length, duration, 30, 60.0)
    found = [made.source(frame) for frame in range(made.count)]
    assert all(made.start - 1e-9 <= one <= made.end for one in found)


def test_a_start_behind_the_end_is_refused() -> None:
    for start in (4, 5):
        with pytest.raises(ValueError, match=r"ends at 4\.00 s"):
            schedule(Playback(start=start), 4, None, 30, 60.0)


def test_the_frame_at_a_time() -> None:
    made = schedule(Playback(), 0.2, None, 25, 60.0)
    # Files round times to a millisecond.
    times = (-1, 0, 0.038, 0.0395, 0.04, 0.199, 9)
    assert [made.number(time) for time in times] == [0, 0, 0, 1, 1, 4, 4]


def test_a_part_of_a_recording_is_shown_at_its_speed_for_as_long_as_wanted() -> None:
    made = schedule(Playback(start=1, end=9, speed=2), 5, None, 30, 60.0)
    assert (made.start, made.end, made.duration, made.count) == (1, 5, 2, 60)
    assert schedule(Playback(start=1, end=3, speed=0.5), 5, 7.0, 30, 60.0).duration == 7
    assert schedule(Playback(start=1, end=3, speed=0.5), 5, None, 30, 60.0).duration == 4
