"""The settings form agrees with the validation of requests."""

from __future__ import annotations

from typing import Any, get_args

import orjson
from pydantic import ValidationError

from service.api.answers import Form, FormSetting
from service.api.reference import rows
from service.api.settings_form import form
from service.devices.described.description import Description
from service.settings.schema import Settings
from service.validation import messages
from tests.support.live import Live
from tests.support.looped import looped

FORM = form()
KINDS = get_args(FormSetting.model_fields["kind"].annotation)
BY_PATH = {setting["path"]: setting for setting in FORM["settings"]}
DESCRIBED = {setting["path"]: setting for setting in BY_PATH["device"]["described"]}


def nested(path: str, value: Any) -> dict[str, Any]:
    first, _, rest = path.partition(".")
    return {first: nested(rest, value) if rest else value}


def valid(path: str, value: Any) -> bool:
    try:
        Settings.model_validate(nested(path, value))
    except ValidationError:
        return False
    return True


def test_the_form_matches_its_model() -> None:
    assert Form.of(FORM).json_bytes() == orjson.dumps(FORM)


def test_every_setting_is_in_the_form_once() -> None:
    described = messages.group_of(Settings.model_fields["device"])
    assert described is not None
    # These settings are not in the form, because they cannot be shown as single fields.
    elsewhere = ("device.", "appearance.gradientStops", "appearance.backgroundImage", "captions", "language")
    assert [path for path, *_ in rows() if not path.startswith(elsewhere)] == list(BY_PATH)
    assert len(FORM["settings"]) == len(BY_PATH)
    assert {setting["kind"] for setting in FORM["settings"]} == set(KINDS)
    groups = [group["id"] for group in FORM["groups"]]
    assert list(dict.fromkeys(setting["group"] for setting in FORM["settings"])) == groups
    assert all(setting["title"] and setting["description"] for setting in FORM["settings"])


def test_members_of_lists_and_objects_are_in_the_form_once() -> None:
    listed = [one["path"] for one in FORM["members"]]
    objects = {"captions", "captions[].background", "appearance.gradientStops", "appearance.backgroundImage"}
    elsewhere = ("captions", "appearance.gradientStops", "appearance.backgroundImage")
    assert sorted(listed) == sorted(
        path for path, *_ in rows() if path.startswith(elsewhere) and path not in objects
    )
    by_path = {one["path"]: one for one in FORM["members"]}
    assert (by_path["captions[].font.size"]["maximum"], by_path["captions[].y"]["default"]) == (1, 0.08)


@looped("path", BY_PATH)
def test_ranges_options_and_defaults_are_those_of_requests(path: str) -> None:
    setting = BY_PATH[path]
    if setting["default"] is not None:
        assert valid(path, setting["default"])
    match setting["kind"]:
        case "number" | "integer":
            low, high, step = setting["minimum"], setting["maximum"], setting["step"]
            assert valid(path, low)
            assert valid(path, high)
            assert valid(path, low + step)
            assert not valid(path, low - step)
            assert not valid(path, high + step)
        case "choice":
            assert all(valid(path, option["value"]) for option in setting["options"])
            assert not valid(path, "something else")
        case "boolean" | "switch":
            assert valid(path, True)
            assert not valid(path, "yes")
        case "color":
            assert valid(path, "#123456")
            assert setting.get("list") == "finishes" or not valid(path, "mauve")
            assert all(valid(path, word) for word in setting["keywords"])
        case "text":
            assert valid(path, "x" * setting["maxLength"])
            assert not valid(path, "x" * (setting["maxLength"] + 1))


@looped("path", [path for path, setting in BY_PATH.items() if "when" in setting])
def test_settings_depend_on_existing_settings(path: str) -> None:
    for other, values in BY_PATH[path]["when"].items():
        assert other in BY_PATH
        assert all(value is None or valid(other, value) for value in values)


def test_lists_and_units(server: Live) -> None:
    assert server.send("GET", "/api/v1/settings").json == FORM
    for setting in FORM["settings"]:
        if setting.get("list", "").startswith("/"):
            assert server.send("GET", setting["list"]).status == 200
    schemas = server.send("GET", "/openapi.json").json["components"]["schemas"]
    turn = schemas["DeviceTransform"]["properties"]["rotationX"]
    assert BY_PATH["deviceTransform.rotationX"]["unit"] == "°"
    assert "°" in str(turn)
    assert turn["title"] == "Rotation X"


def test_a_description_is_in_the_form_member_by_member() -> None:
    # Groups have no field of their own. `bezel` is the exception: it takes a number or a group.
    groups = {"device.screen", "device.screen.cutout", "device.body"}
    assert {f"device.{path}" for path in messages.paths(Description)} == {*DESCRIBED, *groups}
    required = {path for path, setting in DESCRIBED.items() if setting["required"]}
    assert required == {
        *("device.kind", "device.screen.width", "device.screen.height"),
        *("device.body.width", "device.body.height"),
    }


@looped("path", DESCRIBED)
def test_ranges_of_descriptions_are_those_of_requests(path: str) -> None:
    setting = DESCRIBED[path]
    if setting["kind"] == "choice":
        assert all(described(path, option["value"]) for option in setting["options"])
        assert not described(path, "something else")
    elif setting["kind"] == "color":
        assert described(path, setting["default"])
        assert not described(path, "mauve")
    else:
        low, high = setting["minimum"], setting["maximum"]
        assert setting["unit"] in ("px", "mm", "ppi")
        assert described(path, low)
        assert described(path, high)
        assert not described(path, low - 1)
        assert not described(path, high + 1)


def described(path: str, value: Any) -> bool:
    """Whether a description may have `value` at `path`."""
    whole: dict[str, Any] = {"kind": "phone", "screen": {"width": 1000, "height": 2000}}
    if path.startswith("device.body"):
        whole["body"] = {"width": 70, "height": 150}
    *groups, name = path.split(".")[1:]
    inner = whole
    for group in groups:
        inner = inner.setdefault(group, {})
    inner[name] = value
    try:
        Description.model_validate(whole)
    except ValidationError:
        return False
    return True


def test_titles_in_a_group_differ() -> None:
    titles = [(setting["group"], setting["title"]) for setting in FORM["settings"]]
    assert len(set(titles)) == len(titles)
