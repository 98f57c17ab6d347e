"""The OpenAPI document: valid, complete, and usable by client generators."""

from __future__ import annotations

import base64
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import jsonschema_rs
import pytest

import service.api
from service.api.operation import Operation
from service.api.operations import OPERATIONS as ALL
from service.api.response_model import example
from service.api.schema import MockupRequest, PreviewRequest
from tests.support import pictures
from tests.support.live import Live
from tests.support.openapi import DOCUMENT

SCHEMAS = DOCUMENT["components"]["schemas"]
OPERATIONS = [
    (path, method, one) for path, methods in DOCUMENT["paths"].items() for method, one in methods.items()
]
SETTINGS = {"canvas": {"width": 320, "height": 240}, "deviceTransform": {"pose": "hero-left"}}

PYTHON = f"""
import base64, sys
from pathlib import Path
from device_mockups_client import AuthenticatedClient
from device_mockups_client.api.catalogue import list_looks
from device_mockups_client.api.mockups import render_mockup
from device_mockups_client.models import Screenshot, ScreenshotRequest, ScreenshotType, Settings

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
shot = Screenshot(type_=ScreenshotType.BASE64, src=sys.argv[3])
body = ScreenshotRequest(screenshot=shot, type_="screenshot", settings=Settings.from_dict({SETTINGS}))
made = render_mockup.sync(client=client, body=body)
assert len(list_looks.sync(client=client).looks) == 12
Path(sys.argv[4]).write_bytes(base64.b64decode(made.image.data))
"""
TYPESCRIPT = f"""
import type {{ paths }} from './api';

type Operation = paths['/api/v1/mockup']['post'];
type Body = Operation['requestBody']['content']['application/json'];
type Answer = Operation['responses'][200]['content']['application/json'];
declare const process: {{ argv: string[] }};
const [, , address, key, src] = process.argv;
const settings = {json.dumps(SETTINGS)} as const;
const body: Body = {{ type: 'screenshot', screenshot: {{ type: 'base64', src }}, settings }};
fetch(`${{address}}/api/v1/mockup`, {{
  method: 'POST',
  headers: {{ Authorization: `Bearer ${{key}}`, 'Content-Type': 'application/json' }},
  body: JSON.stringify(body),
}}).then(async (response) => {{
  const made = (await response.json()) as Answer;
  console.log(made.image.data);
}});
"""


def test_it_is_valid() -> None:
    # An import at the top of the file would add a quarter of a second to every process that collects tests.
    import openapi_spec_validator

    openapi_spec_validator.validate(DOCUMENT)


def test_operations_have_names_tags_and_security() -> None:
    names = [one["operationId"] for _, _, one in OPERATIONS]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]+([A-Z][a-z]+)+", name) for name in names)
    tags = {tag["name"] for tag in DOCUMENT["tags"]}
    assert {tag for _, _, one in OPERATIONS for tag in one["tags"]} == tags
    assert all(len(one["tags"]) == 1 for _, _, one in OPERATIONS)
    assert {name for _, _, one in OPERATIONS for needed in one["security"] for name in needed} == {"key"}
    assert DOCUMENT["servers"][0]["url"] == "/"


def test_no_module_that_declares_an_operation_is_left_out() -> None:
    found = [import_module(f"service.api.{item.name}") for item in iter_modules(service.api.__path__)]
    declared = [one for module in found for one in vars(module).values() if isinstance(one, Operation)]
    assert {id(one) for one in declared} == {id(one) for one in ALL}


def bodies() -> Iterator[tuple[str, dict[str, Any]]]:
    for _, _, one in OPERATIONS:
        contents = [("request", one.get("requestBody", {}).get("content", {}))]
        contents += [(status, answer.get("content", {})) for status, answer in one["responses"].items()]
        for what, content in contents:
            for kind, media in content.items():
                yield f"{one['operationId']} {what} {kind}", media


def test_every_json_body_has_an_example_that_is_valid() -> None:
    seen = 0
    for what, media in bodies():
        if "application/json" not in what:
            continue
        shown = (
            [media["example"]] if "example" in media else [one["value"] for one in media["examples"].values()]
        )
        assert shown, what
        schema = {**media["schema"], "components": DOCUMENT["components"]}
        for one in shown:
            jsonschema_rs.Draft202012Validator(schema).validate(json.loads(json.dumps(one)))
            seen += 1
    assert seen > 80


@pytest.mark.long(seconds=2)
def test_the_example_of_a_request_runs(server: Live, key: str) -> None:
    for path, model in (("mockup", MockupRequest), ("previews", PreviewRequest)):
        assert server.send("POST", f"/api/v1/{path}", example(model), key=key).status == 200


def test_defaults_are_not_objects() -> None:
    """Client generators cannot express a default that is an object, and leave out the whole schema."""

    def walk(value: Any) -> Iterator[Any]:
        if isinstance(value, dict):
            if "default" in value and "type" not in value and isinstance(value["default"], dict):
                yield value
            for inner in value.values():
                yield from walk(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from walk(inner)

    assert [one for one in walk(SCHEMAS) if "path" not in one] == []


def test_ranges_are_those_of_json_schema() -> None:
    """Pydantic writes `ge` or `lt` instead of JSON Schema's `minimum` or `exclusiveMaximum` if a value has a
    validator and may also be null, or is an item of a list."""

    def walk(value: Any, inside: str = "") -> Iterator[str]:
        if isinstance(value, dict):
            yield from (f"{inside}.{key}" for key in value.keys() & {"ge", "gt", "le", "lt"})
            for key, inner in value.items():
                yield from walk(inner, f"{inside}.{key}")
        elif isinstance(value, list):
            for inner in value:
                yield from walk(inner, inside)

    assert list(walk(SCHEMAS)) == []


def test_a_request_has_exactly_one_subject() -> None:
    """The server refuses requests for several things at once, and the document calls them invalid, too."""
    scene: Any = {"type": "scene", "devices": [{"screenshot": {"type": "base64", "src": "x"}}]}
    single: Any = {"type": "screenshot", "screenshot": {"type": "base64", "src": "x"}}
    untyped = {"devices": scene["devices"]}
    previewed = {"type": "scene", "devices": [{}]}
    templated = {"template": "store-duo", "devices": scene["devices"]}
    for name, valid, invalid in (
        ("MockupRequest", (scene, templated, single, {"screenshot_url": "x"}), ({}, untyped, scene | single)),
        ("PreviewRequest", ({}, previewed, {"type": "screenshot"}), ({"devices": [{}]}, {"type": "scene"})),
    ):
        schema = {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}
        validator = jsonschema_rs.Draft202012Validator(schema)
        assert all(map(validator.is_valid, valid)), name
        assert not any(map(validator.is_valid, invalid)), name


@pytest.mark.long(seconds=15)
def test_a_generated_python_client_renders_a_picture(server: Live, key: str, tmp_path: Path) -> None:
    if importlib.util.find_spec("openapi_python_client") is None:
        pytest.skip("openapi-python-client is not installed")
    (tmp_path / "openapi.json").write_text(json.dumps(DOCUMENT))
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", "openapi.json"]
    made = subprocess.run(
        [*command, "--meta", "none", "--output-path", "device_mockups_client"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Unable to process schema" not in made.stdout + made.stderr
    subprocess.run(
        [sys.executable, "-m", "compileall", "-q", "device_mockups_client"], cwd=tmp_path, check=True
    )
    (tmp_path / "use.py").write_text(PYTHON)
    arguments = [server.address, key, pictures.text(), "made.png"]
    subprocess.run([sys.executable, "use.py", *arguments], cwd=tmp_path, check=True)
    assert pictures.size((tmp_path / "made.png").read_bytes()) == (320, 240)


@pytest.mark.long(seconds=15)
def test_a_generated_typescript_client_renders_a_picture(server: Live, key: str, tmp_path: Path) -> None:
    tools = [shutil.which(name) for name in ("openapi-typescript", "tsc", "node")]
    if None in tools:
        pytest.skip("openapi-typescript, tsc or node is not installed")
    generate, compile_, node = (str(tool) for tool in tools)
    (tmp_path / "openapi.json").write_text(json.dumps(DOCUMENT))
    (tmp_path / "use.ts").write_text(TYPESCRIPT)
    # Without this, the generator treats members with a default as required.
    types = [generate, "openapi.json", "-o", "api.d.ts", "--default-non-nullable=false"]
    subprocess.run(types, cwd=tmp_path, check=True, capture_output=True)
    options = ["--strict", "--target", "es2022", "--module", "commonjs", "--lib", "es2022,dom"]
    compiled = subprocess.run(
        [compile_, *options, "use.ts"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert compiled.returncode == 0, compiled.stdout
    command = [node, "use.js", server.address, key, pictures.text()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert pictures.size(base64.b64decode(done.stdout)) == (320, 240)
