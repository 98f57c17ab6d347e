"""The rubric of product photographs: the meaning of limits, and light between two shadows."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from benchmarks import gallery, rubric
from benchmarks.rubric import (
    DEVICES,
    QUESTIONS,
    Question,
    Shot,
    Subject,
    contact,
    middle,
    parting,
    spread,
    table,
)
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
    # A cached property, once computed, is an entry in `__dict__`; setting it here replaces the computation.
    seen.__dict__.update(inside=inside, dark=dark)
    assert parting(of) < 1
    dark[45:55] = 20
    assert 20 < parting(of) <= 30


def test_contact_is_measured_below_the_foot(monkeypatch: pytest.MonkeyPatch) -> None:
    of = Subject("imac-24", "", "studio")
    seen = Shot(of, "lean-forward")
    monkeypatch.setattr(rubric, "shot", lambda *_: seen)
    inside, dark = np.zeros((100, 60), np.uint8), np.zeros((100, 60))
    inside[10:40], inside[40:80, 20:40] = 1, 1
    # Here, the screen casts a shadow on the ground behind the stand, which is not a contact shadow.
    dark[40:60] = 90
    seen.__dict__.update(inside=inside, dark=dark)
    assert contact(of) == 0
    dark[80:88, 20:40] = 60
    assert contact(of) == 60


def test_visual_weight_is_the_same_for_every_screenshot(monkeypatch: pytest.MonkeyPatch) -> None:
    of = Subject("galaxy-z-fold-7", "", "studio")
    dark_left = np.full((1600, 1600, 3), 255, np.uint8)
    dark_left[:, :800] = 0
    usual = middle(of)
    monkeypatch.setattr(gallery, "screenshot", lambda _: dark_left)
    monkeypatch.setattr(rubric, "screenshot", lambda _: dark_left)
    rubric.shot.cache_clear()
    assert middle(of) == pytest.approx(usual, abs=1)


def test_visual_weight_leans_to_the_larger_side(monkeypatch: pytest.MonkeyPatch) -> None:
    of = Subject("imac-24", "", "studio")
    seen = Shot(of, "hero-left")
    monkeypatch.setattr(rubric, "shot", lambda *_: seen)
    weight = np.zeros((10, rubric.WIDTH))
    weight[:, 470:490] = 100
    seen.__dict__.update(weight=weight)
    assert middle(of) == pytest.approx(0)
    weight[:, 490:510] = 100
    assert middle(of) == pytest.approx(20)


def test_nothing_of_a_device_lies_outside_its_silhouette() -> None:
    """A television is black: if its pixels were counted as ground, they would look darker than any shadow."""
    seen = Shot(Subject("tv-55", "", "studio"), "hero-left")
    ring = cv2.dilate(seen.inside, np.ones((15, 15), np.uint8)) - seen.inside
    assert np.percentile(seen.dark[ring > 0], 99) < 150


def test_questions_apply_to_their_families_and_environments() -> None:
    asked = {
        place: {one.text for one in QUESTIONS if one.concerns(Subject("iphone-16", "", place))}
        for place in ("studio", "night")
    }
    assert {one.split()[0] for one in asked["studio"] ^ asked["night"]} == {"visual", "exposure", "colour"}


def test_a_table_has_a_column_per_device_and_counts_kept_limits() -> None:
    cells = [("3", True), ("**9**", False)] + [("–", True)] * (len(QUESTIONS) - 2)
    text = table("night", {"tv-55": cells, "iphone-16": cells})
    assert "2 of 4 figures" in text
    assert text.count("\n|") == 4
    assert "| tv-55 | iphone-16 black |" in text
