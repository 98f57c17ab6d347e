"""Templates: each is valid, and requests override it."""

from __future__ import annotations

from typing import Any

import pytest

from service.devices.device import catalogue
from service.settings.merge import MergedSettings
from service.settings.resolve import Source, resolve_scene
from service.settings.scene_device import Member, SceneDevice, SceneSettings
from service.settings.templates import Template, templates, under
from tests.support.looped import looped


def test_there_are_templates_for_every_purpose() -> None:
    found = templates()
    assert len(found) >= 16
    sizes = {MergedSettings(one.settings).resolve().slice_size for one in found.values()}
    assert {(1320, 2868), (2064, 2752), (1080, 1920), (1200, 630), (1270, 760), (1080, 1080)} <= sizes
    assert any(one.settings["canvas"].get("slices") for one in found.values())
    assert len({one.title for one in found.values()}) == len(found)


@looped("id", templates())
def test_a_template_is_valid_and_leaves_its_screenshots_open(id: str) -> None:
    one = templates()[id]
    merged = MergedSettings(one.settings)
    assert not merged.faults
    assert merged.canonical() == one.settings, "names are in their canonical form"
    members = [Member(SceneDevice.model_validate(device), at) for at, device in enumerate(one.devices)]
    scene = SceneSettings(merged.resolve(), tuple(members), named=bool(members))
    scene = scene if members else SceneSettings(merged.resolve())
    sizes = [_screen(member.device.over(scene.settings).device) for member in scene.members]
    resolved = resolve_scene(scene, [Source(size) for size in sizes], fast=False)
    assert not resolved.warnings
    assert all("screenshot" not in device for device in one.devices)
    assert len(one.devices) != 1, "a single device belongs in the settings"
    assert one.description.isprintable()
    assert one.title


def _screen(device: Any) -> tuple[int, int]:
    assert isinstance(device, str)
    entry = catalogue().entries[device]
    return (1280, 800) if entry.fitted else entry.px


BASE = Template(
    "some",
    "Some",
    "",
    {"captions": [{"text": "a", "y": 0.1}, {"text": "b"}]},
    ({"device": "iphone-16-pro", "deviceTransform": {"rotationY": 9}}, {"device": "pixel-9-pro"}),
)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (None, [*map(dict, BASE.devices)]),
        ([], [*map(dict, BASE.devices)]),
        (
            [{"deviceTransform": {"rotationX": 4}}],
            [
                {"device": "iphone-16-pro", "deviceTransform": {"rotationY": 9, "rotationX": 4}},
                BASE.devices[1],
            ],
        ),
        ([{}, {"device": "card"}, {"depth": 3}], [BASE.devices[0], {"device": "card"}, {"depth": 3}]),
        (["x"], ["x", BASE.devices[1]]),
        ("x", "x"),
    ],
)
def test_devices_lie_over_those_of_the_template(given: Any, found: Any) -> None:
    assert under(BASE.devices, given) == found


def test_texts_fill_captions_in_order_and_surplus_captions_are_removed() -> None:
    def captions(texts: Any, over: dict[str, Any] | None = None) -> list[Any]:
        layer = BASE.layer(texts)
        settings = MergedSettings(over or {}, template=layer, texts=texts).resolve()
        return [(one.text, one.y) for one in settings.captions]

    assert captions(None) == [("a", 0.1), ("b", 0.08)]
    assert captions(["x"]) == [("x", 0.1)]
    assert captions([]) == []
    assert captions([{"en": "x"}, "y"]) == [({"en": "x"}, 0.1), ("y", 0.08)]
    assert captions(["x"], {"captions": [{"y": 0.5}, {"text": "own"}]}) == [("x", 0.5), ("own", 0.08)]
    wrong = MergedSettings({}, template=BASE.layer(("1", "2", "3")), texts=("1", "2", "3"))
    assert [one.path for one in wrong.faults] == ["texts"]


def test_faults_attribute_values_to_the_template() -> None:
    merged = MergedSettings({}, template={"canvas": {"width": 1}})
    assert merged.faults[0].message.endswith("(set by the template)")
    assert not MergedSettings({}, {"canvas": {"width": 64}}, {"canvas": {"width": 1}}).faults
