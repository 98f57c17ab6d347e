"""Warnings about pictures that are made with a template."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from service.clock import Clock
from service.engine.request import GivenScreenshot, ShapeRequest, prepare
from service.engine.studio import Studio
from service.settings.scene_device import SceneSettings
from service.settings.templates import scene_of, templates
from tests.support import pictures

CROPPED = ("isometric-wall", "open-graph", "play-feature", "store-ipad")


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    """All tests share one studio."""
    with closing(Studio()) as made:
        yield made


def codes(studio: Studio, scene: SceneSettings) -> list[str]:
    """The codes of the warnings about the place of the devices."""
    shots = [GivenScreenshot(pictures.png(60, 130)) for _ in scene.members]
    told = studio.draw(ShapeRequest(prepare(shots, scene)), Clock()).warnings
    return [one.code for one in told if one.code == "OFF_CANVAS"]


@pytest.mark.parametrize("id", templates())
def test_crops_of_a_template_cause_no_warning(studio: Studio, id: str) -> None:
    assert not codes(studio, scene_of(templates()[id]))


@pytest.mark.parametrize("id", CROPPED)
def test_crops_of_changed_placements_cause_a_warning(studio: Studio, id: str) -> None:
    scene = scene_of(templates()[id])
    settings = scene.settings
    moved = settings.device_transform.model_copy(
        update={"position_y": settings.device_transform.position_y + 0.02}
    )
    assert codes(studio, replace(scene, settings=settings.model_copy(update={"device_transform": moved})))
    narrow = settings.canvas.model_copy(update={"preset": None, "width": 500, "height": 1500})
    wide = settings.canvas.model_copy(update={"preset": None, "width": 1500, "height": 500})
    shapes = [replace(scene, settings=settings.model_copy(update={"canvas": one})) for one in (narrow, wide)]
    assert any(codes(studio, one) for one in shapes)
