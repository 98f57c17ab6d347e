"""The questions about product photographs: what a limit means, and light between two shadows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks import rubric
from benchmarks.rubric import DEVICES, QUESTIONS, Question, Shot, Subject, parting, spread
from service.devices.device import catalogue
from service.validation.names import plain


def test_devices_and_finishes_are_the_catalogues() -> None:
    for device, finish in DEVICES.items():
        names = {plain(one.name) for one in catalogue()[device].finishes}
        assert not finish or plain(finish) in names
    families = {catalogue()[device].category for device in DEVICES}
    assert all(families & set(question.families) for question in QUESTIONS if question.families)


def test_limits() -> None:
    least, most = (Question("", lambda _: 0.0, 20, least=way) for way in (True, False))
    assert [least.good(found) for found in (19, 20, 21)] == [False, True, True]
    assert [most.good(found) for found in (19, 20, 21)] == [True, True, False]
    assert spread(np.arange(101.0)) == pytest.approx(90)
    assert math.isnan(spread(np.zeros(0)))


def test_light_between_two_shadows(monkeypatch: pytest.MonkeyPatch) -> None:
    of = Subject("imac-24", "", "studio")
    seen = Shot(of, "hero-right")
    monkeypatch.setattr(rubric, "shot", lambda *_: seen)
    inside = np.zeros((100, 60), np.uint8)
    inside[:, :20] = 1
    dark = np.zeros((100, 60))
    dark[20:80] = 50
    # Cached properties are plain entries once they are known.
    seen.__dict__.update(inside=inside, dark=dark)
    assert parting(of) < 1
    dark[45:55] = 20
    assert 20 < parting(of) <= 30
