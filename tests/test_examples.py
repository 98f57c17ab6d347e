"""All examples in the pages are valid, commands aside: requests, responses, settings, sets, workflows,
texts."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml

from service.commands import film_manifest
from service.commands.bulk import manifest, store_set
from service.commands.environment import load_config
from service.settings.assignments import assign
from service.settings.merge import MergedSettings
from tests.commands.test_pages import BLOCK, PAGES, ROOT
from tests.support.openapi import DOCUMENT

SCHEMAS = DOCUMENT["components"]["schemas"]
ID = "3f2b8c1e-7a4d-4f0e-9c55-2d1b6a7e8f90"


def blocks(wanted: str) -> list[Any]:
    return [
        pytest.param(text, id=f"{page.name}:{number}")
        for page in PAGES
        for number, (_, kind, text) in enumerate(BLOCK.findall(page.read_text("utf-8")), 1)
        if kind == wanted
    ]


def known(value: dict[str, Any]) -> list[str]:
    """The schemas of the OpenAPI document that have all members of an object and allow their values."""
    return [
        name
        for name, schema in SCHEMAS.items()
        if value.keys() <= schema.get("properties", {}).keys()
        and jsonschema_rs.Draft202012Validator(
            {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}
        ).is_valid(value)
    ]


def uploaded(device: dict[str, Any]) -> dict[str, Any]:
    """A device of a film's file, with the files that it shows as uploads."""
    shown = {"type": "upload", "src": ID}
    more = {
        name: shown if isinstance(device[name], str) else {**device[name], **shown}
        for name in ("screenshot", "recording")
        if name in device
    }
    return device | more


@pytest.mark.parametrize("text", blocks("json"))
def test_json(text: str, tmp_path: Path) -> None:
    try:
        shown = [json.loads(text)]
    except ValueError:
        # These blocks are manifests.
        shown = [json.loads(line) for line in text.splitlines()]
    for value in shown:
        if "mcpServers" in value:
            assert value["mcpServers"]["mockup"]["command"] == "mockup"
        elif "output" in value:
            (tmp_path / "jobs.jsonl").write_text(json.dumps(value))
            if "recording" in value:
                source = value["recording"]
                (tmp_path / (source if isinstance(source, str) else source["src"])).touch()
                assert len(film_manifest.read(tmp_path / "jobs.jsonl", [], [], load_config())) == 1
                continue
            (row,) = manifest.read(tmp_path / "jobs.jsonl")
            assert isinstance(row, manifest.Row), row
        elif "motion" in value and "type" not in value:
            # These are the settings of a film in a file, which does not name the recording.
            recording = {**value.get("recording", {}), "type": "upload", "src": ID}
            devices = [uploaded(device) for device in value.get("devices", ())]
            assert known({**value, "recording": recording, **({"devices": devices} if devices else {})})
        else:
            assert known(value), value


@pytest.mark.parametrize("text", blocks("toml"))
def test_sets(text: str, tmp_path: Path) -> None:
    assert tomllib.loads(text)
    (tmp_path / "set.toml").write_text(text)
    rows = list(store_set.rows(store_set.read(tmp_path / "set.toml"), {}))
    assert rows
    assert not [row for row in rows if getattr(row, "faults", None)]


@pytest.mark.parametrize("text", blocks("yaml"))
def test_workflows(text: str) -> None:
    (entry,) = yaml.safe_load(text)
    if "uses" in entry:
        folder = re.fullmatch(r"OWNER/REPOSITORY/(.+)@v\d+", entry["uses"])
        assert folder
        action = yaml.safe_load((ROOT / folder[1] / "action.yml").read_text())
        assert entry["with"].keys() <= action["inputs"].keys()
        assert not MergedSettings(json.loads(entry["with"]["settings"])).faults
    else:
        hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
        assert {one["id"] for one in entry["hooks"]} <= {one["id"] for one in hooks}


@pytest.mark.parametrize("text", blocks("markdown"))
def test_pictures_in_pages(text: str) -> None:
    given = re.fullmatch(r'!\[[^\]]+\]\(mockup:\S+ "(.+)"\)\n', text)
    assert given
    settings: dict[str, Any] = {}
    for pair in given[1].split():
        path, _, value = pair.partition("=")
        assert assign(settings, path, json.dumps(value)) is None
    assert not MergedSettings(settings).faults
