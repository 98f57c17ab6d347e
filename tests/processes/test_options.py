"""The options of all processes that the service forks."""

from __future__ import annotations

from service.codec.sandbox import messages as decoders
from service.films import decoder, messages, plate_builder, writer
from service.workers import messages as renderers


def test_processes_that_lose_least_are_killed_first_for_lack_of_memory() -> None:
    scores = {
        one["name"]: one["oom_score"]
        for one in (
            decoders.options(),
            decoder.options(0),
            writer.options(0),
            plate_builder.options(0),
            messages.options(nice=True),
            renderers.options(1, 1, 1),
        )
    }
    assert scores == {
        "decoder": 1000,
        "recording": 1000,
        "film-writer": 900,
        "film-plates": 800,
        "film": 600,
        "renderer": 500,
    }


def test_films_give_way_to_pictures() -> None:
    assert messages.options(nice=True)["nice"] == 19
    assert messages.options(nice=False)["nice"] == 0
    assert [one.options(7)["nice"] for one in (decoder, writer, plate_builder)] == [7, 7, 7]
