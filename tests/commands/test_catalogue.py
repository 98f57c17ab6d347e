"""The commands that list devices, looks and other parts of pictures."""

from __future__ import annotations

import json

import pytest

from tests.commands.script import Mockup


@pytest.mark.parametrize(
    ("command", "titles", "known"),
    [
        ("devices", "ID NAME CATEGORY SCREEN FINISHES", "iphone-16-pro"),
        ("poses", "ID DESCRIPTION", "hero-left"),
        ("looks", "ID NAME DESCRIPTION", "studio"),
        ("presets", "ID SIZE", "og"),
        ("environments", "ID DESCRIPTION", "none"),
    ],
)
def test_lists_for_people_and_programs(mockup: Mockup, command: str, titles: str, known: str) -> None:
    first, *lines = mockup(command).splitlines()
    assert first.split() == titles.split()
    records = json.loads(mockup(command, "--json"))
    assert [one["id"] for one in records] == [line.split()[0] for line in lines]
    assert known in [one["id"] for one in records]


def test_settings_list_their_values(mockup: Mockup) -> None:
    lines = mockup("settings").splitlines()
    (line,) = (one for one in lines if one.startswith("deviceTransform.rotationY "))
    assert line.split(maxsplit=1)[1].split("  ")[0] == "a number from -180 to 180"
    assert line.split()[-1] == "0"
    form = json.loads(mockup("settings", "--json"))
    assert "shadow.blur" in [one["path"] for one in form["settings"]]


def test_accounts_are_listed_as_json(mockup: Mockup) -> None:
    mockup("users", "add", "ada@example.com", "--plan", "pro")
    key = mockup("keys", "issue", "ada@example.com", "--name", "build").strip()
    (user,) = json.loads(mockup("users", "list", "--json"))
    assert (user["email"], user["plan"], user["activePro"], user["until"]) == (
        "ada@example.com",
        "pro",
        True,
        None,
    )
    (listed,) = json.loads(mockup("keys", "list", "--json"))
    assert (listed["prefix"], listed["name"], listed["lastUsed"]) == (key[:16], "build", None)
    assert json.loads(mockup("projects", "list", "--json")) == []
    newest, *_ = json.loads(mockup("audit", "--json"))
    assert newest["action"] == "keys.issue"
    assert newest["time"].endswith("Z")
    assert newest["details"]["name"] == "build"
