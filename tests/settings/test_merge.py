from __future__ import annotations

from typing import Any

import pytest

from service.errors import Code, MockupError
from service.settings.formats import WRITTEN
from service.settings.merge import MergedSettings, merge
from service.settings.schema import Settings
from service.validation import messages


def resolve(project: dict[str, Any] | None, request: dict[str, Any], **options: Any) -> Settings:
    return MergedSettings(request, project).resolve(**options)


def failing(project: dict[str, Any] | None, request: dict[str, Any], **options: Any) -> dict[str, str]:
    with pytest.raises(MockupError) as caught:
        resolve(project, request, **options)
    assert caught.value.code is Code.INVALID_REQUEST
    return {item.path: item.message for item in caught.value.details}


def dumped(project: dict[str, Any] | None, request: dict[str, Any]) -> dict[str, Any]:
    return resolve(project, request).model_dump(by_alias=True, exclude_defaults=True)


def saved(settings: dict[str, Any]) -> dict[str, Any]:
    merged = MergedSettings(settings)
    merged.resolve()
    return merged.canonical()


def test_empty_settings_give_the_defaults() -> None:
    assert resolve(None, {}) == Settings()


def test_request_overrides_the_project_member_by_member() -> None:
    project = {"shadow": {"opacity": 0.2, "blur": 7}, "export": {"quality": 70}}
    assert dumped(project, {"shadow": {"blur": 2}}) == {
        "shadow": {"opacity": 0.2, "blur": 2},
        "export": {"quality": 70},
    }


def test_scalars_replace_objects_and_objects_scalars() -> None:
    glow = {"postProcessing": {"bloom": {"intensity": 2}}}
    assert dumped(glow, {"postProcessing": {"bloom": True}}) == {"postProcessing": {"bloom": True}}
    plain = {"postProcessing": {"bloom": True}}
    assert dumped(plain, glow) == glow


def test_objects_of_effects_merge() -> None:
    got = dumped(
        {"postProcessing": {"grain": {"amount": 0.5, "seed": 3}}}, {"postProcessing": {"grain": {"seed": 4}}}
    )
    assert got == {"postProcessing": {"grain": {"amount": 0.5, "seed": 4}}}


@pytest.mark.parametrize("null", [{"shadow": {"blur": None}}, {"shadow": None}])
def test_null_restores_the_default(null: dict[str, Any]) -> None:
    assert resolve({"shadow": {"blur": 3}}, null).shadow.blur == Settings().shadow.blur


def test_null_leaves_other_members_unchanged() -> None:
    assert dumped({"shadow": {"blur": 3, "opacity": 0.1}}, {"shadow": {"blur": None}}) == {
        "shadow": {"opacity": 0.1}
    }


def test_null_in_an_effect() -> None:
    project = {"postProcessing": {"vignette": {"amount": 1, "softness": 0}}}
    request = {"postProcessing": {"vignette": {"amount": None}}}
    assert dumped(project, request) == {"postProcessing": {"vignette": {"softness": 0}}}


@pytest.mark.parametrize(
    ("project", "request_", "left"),
    [
        # A pose and a member next to it are both kept.
        (None, {"pose": "edge", "rotationY": 5}, {"pose": "edge", "rotationY": 5}),
        # A pose in the request replaces the project's rotation, field of view and framing, but not its scale
        # and position.
        (
            {"rotationY": 30, "fieldOfView": 60, "framing": "upright", "scale": 2, "positionX": 1},
            {"pose": "edge"},
            {"pose": "edge", "scale": 2, "positionX": 1},
        ),
        (
            {"pose": "back", "rotationX": 9},
            {"pose": "edge", "rotationZ": 1},
            {"pose": "edge", "rotationZ": 1},
        ),
        # A rotation in the request overrides that of the project's pose.
        ({"pose": "back"}, {"rotationY": 5}, {"pose": "back", "rotationY": 5}),
        (
            {"pose": "back", "rotationY": 9, "rotationX": 1},
            {"rotationY": 5},
            {"pose": "back", "rotationY": 5, "rotationX": 1},
        ),
        # null makes a member follow the pose again, or removes the project's pose.
        ({"pose": "back", "rotationY": 9}, {"rotationY": None}, {"pose": "back"}),
        ({"pose": "back", "rotationY": 9}, {"pose": None}, {"rotationY": 9}),
        ({"pose": "back"}, {"pose": "edge", "rotationX": None}, {"pose": "edge"}),
    ],
)
def test_poses_and_turns(
    project: dict[str, Any] | None, request_: dict[str, Any], left: dict[str, Any]
) -> None:
    base = None if project is None else {"deviceTransform": project}
    settings = resolve(base, {"deviceTransform": request_})
    assert settings.device_transform.model_dump(by_alias=True, exclude_unset=True) == left
    if base is not None:
        # The command line uses the same rule to merge its options over the settings of a file.
        merged = merge(base, {"deviceTransform": request_})
        assert resolve(None, merged) == settings


def test_a_pose_undoes_a_project_whose_turn_is_wrong() -> None:
    wrong = {"deviceTransform": {"rotationY": 999}}
    assert resolve(wrong, {"deviceTransform": {"pose": "front"}}).device_transform.pose == "front"
    assert resolve({"deviceTransform": 3}, {"deviceTransform": {"pose": "front"}})
    assert "settings.deviceTransform.rotationY" in failing(wrong, {"deviceTransform": {"pose": None}})


def test_a_width_or_height_replaces_that_of_a_preset_beneath_it() -> None:
    og = {"canvas": {"preset": "OG", "gap": 3}}
    assert resolve(og, {"canvas": {"width": 900}}).canvas.size == (900, 630)
    assert resolve(og, {"canvas": {"height": 900, "slices": 2}}).canvas.gap == 3
    assert resolve(og, {"canvas": {"gap": 5}}).canvas.size == (1200, 630)
    assert resolve(og, {"canvas": {"width": 900, "preset": None}}).canvas.size == (900, 1080)
    assert resolve(None, {"canvas": {"width": 900, "preset": "og"}}).canvas.size == (1200, 630)
    assert resolve({"canvas": {"width": 900}}, {"canvas": {"preset": "og"}}).canvas.size == (1200, 630)


def test_unknown_pose_names_the_nearest() -> None:
    message = failing(None, {"deviceTransform": {"pose": "hero-lefft"}})["settings.deviceTransform.pose"]
    assert message == 'unknown pose "hero-lefft"; did you mean hero-left?'


def test_null_of_an_unknown_member_is_still_unknown() -> None:
    assert "settings.shadow.blurr" in failing(None, {"shadow": {"blurr": None}})


def test_merged_first_validated_after() -> None:
    assert dumped({"shadow": {"blur": 99}}, {"shadow": {"blur": 2}}) == {"shadow": {"blur": 2}}


def test_inputs_are_not_modified() -> None:
    project, request = {"shadow": {"blur": 3}}, {"shadow": {"blur": None, "opacity": 1}}
    resolve(project, request)
    assert project == {"shadow": {"blur": 3}}
    assert request == {"shadow": {"blur": None, "opacity": 1}}


def test_every_offending_path_is_named() -> None:
    found = failing(
        None,
        {
            "deviceTransform": {"rotationX": 999, "rotationy": 1},
            "shadow": {"opacity": "0.5"},
            "reflection": {"glare": "off"},
            "export": {"format": "gif"},
            "postProcessing": {"bloom": {"intensity": 9}},
        },
    )
    assert found == {
        "settings.deviceTransform.rotationX": "expected a number from -180 to 180, got 999",
        "settings.deviceTransform.rotationy": "unknown member; did you mean rotationY?",
        "settings.shadow.opacity": 'expected a number from 0 to 1, got "0.5"; write 0.5 without quotes',
        "settings.reflection.glare": 'expected one of reduced, soft, natural, got "off"',
        "settings.export.format": f'expected one of {", ".join(one.name for one in WRITTEN)}, got "gif"',
        "settings.postProcessing.bloom.intensity": "expected a number from 0 to 3, got 9",
    }


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (3, "expected true, false or an object of intensity, threshold, radius, got 3"),
        ("yes", 'expected true, false or an object of intensity, threshold, radius, got "yes"'),
        ([], "expected true, false or an object of intensity, threshold, radius, got an empty list"),
    ],
)
def test_one_message_for_a_boolean_or_object(value: Any, message: str) -> None:
    assert failing(None, {"postProcessing": {"bloom": value}}) == {"settings.postProcessing.bloom": message}


@pytest.mark.parametrize("value", [True, "3", [1], {}, float("nan"), float("inf"), 10**400, -(2**70)])
def test_invalid_numbers_are_named(value: Any) -> None:
    assert list(failing(None, {"shadow": {"blur": value}})) == ["settings.shadow.blur"]


@pytest.mark.parametrize("value", [9.5, True, "90", float("inf"), 10**400])
def test_fractions_are_refused_for_whole_numbers(value: Any) -> None:
    message = failing(None, {"export": {"quality": value}})["settings.export.quality"]
    assert message.startswith("expected a whole number from 10 to 100, got ")


def test_a_whole_number_may_be_written_as_a_fraction() -> None:
    assert resolve(None, {"canvas": {"width": 640.0}}).canvas.width == 640


@pytest.mark.parametrize(("value", "shown"), [(1, "1"), ("true", '"true"')])
def test_invalid_booleans_are_named(value: Any, shown: str) -> None:
    message = failing(None, {"shadow": {"enabled": value}})["settings.shadow.enabled"]
    assert message == f"expected true or false, got {shown}"


@pytest.mark.parametrize("color", ["red", "#12", "#12345", "3366FF", "#GGGGGG", "#123456 ", "#123456\n"])
def test_invalid_colours_are_named(color: str) -> None:
    for group, name in (("shadow", "color"), ("appearance", "backgroundColor"), ("screen", "background")):
        assert f"settings.{group}.{name}" in failing(None, {group: {name: color}})


@pytest.mark.parametrize("color", ["#abc", "#A1B2C3", "#A1B2C3D4"])
def test_colors(color: str) -> None:
    assert resolve(None, {"shadow": {"color": color}}).shadow.color == color


def test_only_the_background_may_be_transparent() -> None:
    assert resolve(None, {"appearance": {"backgroundColor": "transparent"}})
    assert failing(None, {"shadow": {"color": "transparent"}})


def test_unknown_device_names_the_nearest() -> None:
    message = failing(None, {"device": "iphon-16-pro"})["settings.device"]
    assert message == 'unknown device "iphon-16-pro"; did you mean iphone-16-pro?'


def test_unknown_preset_names_the_nearest() -> None:
    message = failing(None, {"canvas": {"preset": "ply-phone"}})["settings.canvas.preset"]
    assert message == 'unknown preset "ply-phone"; did you mean play-phone?'


@pytest.mark.parametrize(
    ("request_", "path", "meant"),
    [
        ({"rotationY": 20}, "settings.rotationY", "deviceTransform.rotationY"),
        ({"background_color": "#fff"}, "settings.background_color", "appearance.backgroundColor"),
        ({"shadow": {"offset_x": 0}}, "settings.shadow.offset_x", "offsetX"),
        ({"shadow": {"vignette": True}}, "settings.shadow.vignette", "postProcessing.vignette"),
        ({"shadowOpacity": 1}, "settings.shadowOpacity", "shadow.opacity"),
        ({"format": "png"}, "settings.format", "export.format"),
        ({"quality": 90}, "settings.quality", "export.quality"),
        ({"scale": 2}, "settings.scale", "deviceTransform.scale or export.scale"),
        ({"background": "#fff"}, "settings.background", "appearance.backgroundColor"),
        ({"bgColor": "#fff"}, "settings.bgColor", "appearance.backgroundColor"),
        ({"color": "#fff"}, "settings.color", "appearance.backgroundColor or appearance.deviceColor"),
        (
            {"rotation": 9},
            "settings.rotation",
            "deviceTransform.rotationX, deviceTransform.rotationY or deviceTransform.rotationZ",
        ),
        ({"screen": {"color": "#fff"}}, "settings.screen.color", "screen.background"),
        ({"canvas": {"background": "#fff"}}, "settings.canvas.background", "appearance.backgroundColor"),
        ({"shadow": {"background": "#fff"}}, "settings.shadow.background", "screen.background"),
        ({"deviceTransfrom": {}}, "settings.deviceTransfrom", "deviceTransform"),
    ],
)
def test_misspelt_members_get_a_suggestion(request_: dict[str, Any], path: str, meant: str) -> None:
    assert failing(None, request_) == {path: f"unknown member; did you mean {meant}?"}


@pytest.mark.parametrize(
    ("request_", "path", "message"),
    [
        ({"fast": True}, "settings.fast", "it belongs beside settings, not inside"),
        ({"projectId": "x"}, "settings.projectId", "it belongs beside settings, not inside"),
        ({"shadow": {"fast": True}}, "settings.shadow.fast", "it belongs beside settings, not inside"),
        (
            {"output": "raw"},
            "settings.output",
            "output is a query parameter, as in /api/v1/mockup?output=raw",
        ),
        ({"apartment": 1}, "settings.apartment", f"known: {', '.join(messages.members(Settings))}"),
    ],
)
def test_unknown_members_without_suggestion_list_the_known_ones(
    request_: dict[str, Any], path: str, message: str
) -> None:
    assert failing(None, request_) == {path: f"unknown member; {message}"}


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ({"device": "IPHONE-16-PRO"}, {"device": "iphone-16-pro"}),
        ({"device": "iPhone 16 Pro"}, {"device": "iphone-16-pro"}),
        ({"device": "Google Pixel 9 Pro"}, {"device": "pixel-9-pro"}),
        ({"device": "MacBook Pro 14-inch"}, {"device": "macbook-pro-14"}),
        ({"device": "Auto"}, {"device": "auto"}),
        ({"export": {"format": "PNG"}}, {"export": {"format": "png"}}),
        ({"export": {"format": "JPG"}}, {"export": {"format": "jpeg"}}),
        ({"canvas": {"preset": "App Store 6.9"}}, {"canvas": {"preset": "app-store-6.9"}}),
        ({"reflection": {"environment": "Soft_Box"}}, {"reflection": {"environment": "softbox"}}),
        ({"screen": {"fit": "COVER", "anchor": "Top"}}, {"screen": {"fit": "cover", "anchor": "top"}}),
        ({"orientation": "Landscape"}, {"orientation": "landscape"}),
        (
            {"appearance": {"deviceColor": "natural-titanium"}},
            {"appearance": {"deviceColor": "Natural Titanium"}},
        ),
    ],
)
def test_names_match_however_they_are_written(given: dict[str, Any], canonical: dict[str, Any]) -> None:
    assert resolve(None, given) == resolve(None, canonical)
    assert saved({**given, "shadow": None}) == {**canonical, "shadow": None}
    assert resolve(given, {}) == resolve(None, canonical)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"device": "moto-edge"},
            'unknown device "moto-edge"; see GET /api/v1/devices',
        ),
        ({"canvas": {"preset": "zeppelin"}}, 'unknown preset "zeppelin"; see GET /api/v1/presets'),
        (
            {"reflection": {"environment": "apartment"}},
            "expected one of studio, window, sunset, city, night, forest, softbox, strip, spotlight, none, "
            'got "apartment"',
        ),
        (
            {"reflection": {"environment": "Nigth"}},
            "expected one of studio, window, sunset, city, night, forest, softbox, strip, spotlight, none, "
            'got "Nigth"; did you mean night?',
        ),
        (
            {"shadow": {"color": "Red"}},
            'expected a hex colour such as #3366FF, got "Red"; did you mean #FF0000?',
        ),
        (
            {"shadow": {"color": "3366FF"}},
            'expected a hex colour such as #3366FF, got "3366FF"; did you mean #3366FF?',
        ),
        (
            {"shadow": {"color": "mauve-ish"}},
            'expected a hex colour such as #3366FF, got "mauve-ish"',
        ),
    ],
)
def test_only_similar_names_are_suggested(given: dict[str, Any], message: str) -> None:
    assert list(failing(None, given).values()) == [message]


def test_the_message_is_the_cause_and_how_many_more_there_are() -> None:
    with pytest.raises(MockupError) as one:
        resolve(None, {"shadow": {"blur": 99}})
    assert one.value.message == "settings.shadow.blur: expected a number from 0 to 20, got 99"
    with pytest.raises(MockupError) as three:
        resolve(None, {"shadow": {"blur": 99, "opacity": 2}, "fats": True})
    first = three.value.details[0]
    assert three.value.message == f"{first.path}: {first.message} (and 2 more)"


def test_jpg_is_jpeg() -> None:
    assert resolve(None, {"export": {"format": "jpg"}}).export.format == "jpeg"


def test_errors_mention_the_project() -> None:
    found = failing({"shadow": {"blur": 99}}, {"shadow": {"opacity": 7}})
    assert found["settings.shadow.blur"].endswith("(set by the saved project)")
    assert not found["settings.shadow.opacity"].endswith("(set by the saved project)")


@pytest.mark.parametrize(
    ("project", "request_", "note"),
    [
        (None, {"canvas": {"preset": "4k"}, "export": {"scale": 4}}, False),
        ({"canvas": {"preset": "4k"}, "export": {"scale": 4}}, {}, True),
        ({"canvas": {"preset": "4k"}}, {"export": {"scale": 4}}, False),
    ],
)
def test_output_of_too_many_pixels(
    project: dict[str, Any] | None, request_: dict[str, Any], note: bool
) -> None:
    message = failing(project, request_)["settings.export.scale"]
    assert message.startswith("expected at most 2.19 for a canvas of 3840 x 2160, got 4")
    assert message.endswith("(set by the saved project)") is note


def test_the_limit_of_pixels_is_the_callers_to_set() -> None:
    small = {"canvas": {"width": 100, "height": 100}}
    assert resolve(None, small, max_pixels=10_000)
    assert "settings.export.scale" in failing(None, small, max_pixels=9_999)


def test_largest_canvas_is_fine() -> None:
    assert resolve(None, {"canvas": {"width": 4096, "height": 4096}, "export": {"scale": 1.5}})


def test_a_project_is_validated_when_saved() -> None:
    saved({"device": "auto", "shadow": None})
    with pytest.raises(MockupError, match=r"settings\.shadow\.blur"):
        saved({"shadow": {"blur": -1}})
