"""Arbitrary settings: invalid numbers, nesting, duplicate members, megabytes of text. Never a 5xx."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.settings.schema import Settings
from tests.api.application import Application, application
from tests.support import pictures
from tests.support.live import Live

pytestmark = pytest.mark.long

EXAMPLES = 60
NUMBERS = [
    0,
    -0.0,
    -1,
    1e308,
    -1e308,
    5e-324,
    2**31,
    2**53 + 1,
    2**64,
    -(2**63),
    math.inf,
    -math.inf,
    math.nan,
]


def paths(
    schema: dict[str, Any], model: dict[str, Any], above: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """Every setting's path."""
    for name, item in model.get("properties", {}).items():
        yield (*above, name)
        for reference in [item, *item.get("allOf", []), *item.get("anyOf", [])]:
            if "$ref" in reference:
                yield from paths(schema, schema["$defs"][reference["$ref"].split("/")[-1]], (*above, name))


SCHEMA = Settings.model_json_schema(by_alias=True)
PATHS = sorted(paths(SCHEMA, SCHEMA))
LEAVES = (
    st.sampled_from(NUMBERS)
    | st.floats()
    | st.integers()
    | st.text(max_size=20)
    | st.booleans()
    | st.none()
    | st.sampled_from(["auto", "png", "#fff", "#12345678", "transparent", "\x00", "\ud800", "9" * 5000])
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=9), inner), max_leaves=9
)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Settings in which some known and unknown members have arbitrary values."""
    made: dict[str, Any] = {"canvas": {"width": 64, "height": 64}}
    for path in draw(st.lists(st.sampled_from(PATHS), max_size=5)):
        here: Any = made
        for name in path[:-1]:
            here = here.setdefault(name, {}) if isinstance(here, dict) else {}
        if isinstance(here, dict):
            here[path[-1]] = draw(VALUES)
    if draw(st.booleans()):
        made[draw(st.text(max_size=9))] = draw(VALUES)
    return made


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Application, str]]:
    with application(tmp_path_factory.mktemp("settings"), rate_limit=10**6) as made:
        yield made, made.key()


def test_the_paths_are_found() -> None:
    assert ("deviceTransform", "rotationY") in PATHS
    assert len(PATHS) > 30


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(documents())
def test_any_settings(app: tuple[Application, str], document: dict[str, Any]) -> None:
    body = {"screenshot_base64": pictures.text(), "settings": document}
    reply = asyncio.run(app[0].send(body, key=app[1]))
    assert reply.status in (200, 400), reply.body
    assert reply.status == 200 or reply.json["error"]["code"] == "INVALID_REQUEST"


# Each file is created only in its test, because these files take megabytes.
HOSTILE: dict[str, Callable[[], bytes]] = {
    "nested": lambda: b'{"settings": ' + b'{"canvas":' * 5000 + b"1" + b"}" * 5000 + b"}",
    "nested lists": lambda: b'{"settings": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "repeated": lambda: b'{"settings": {"device": "auto", "device": "iphone-16-pro"}, "type": "screenshot"}',
    "infinite": lambda: b'{"settings": {"shadow": {"blur": Infinity}}}',
    "not a number": lambda: b'{"settings": {"shadow": {"blur": NaN}}}',
    "beyond numbers": lambda: b'{"settings": {"shadow": {"blur": 1e999}}}',
    "endless digits": lambda: b'{"settings": {"shadow": {"blur": ' + b"9" * 1_000_000 + b"}}}",
    "one long text": lambda: json.dumps({"settings": {"device": "x" * 10_000_000}}).encode(),
    "many texts": lambda: json.dumps({"settings": {f"{n}": "x" * 1000 for n in range(10_000)}}).encode(),
    "many members": lambda: json.dumps({f"{n}": n for n in range(200_000)}).encode(),
    "long names": lambda: json.dumps({"settings": {"x" * 5_000_000: 1}}).encode(),
    "surrogates": lambda: b'{"settings": {"device": "\\ud800"}}',
    "no text": lambda: b'{"settings": {"device": "\xff\xfe"}}',
    "zeros": lambda: bytes(1_000_000),
    "nothing": lambda: b"",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bodies(server: Live, name: str) -> None:
    answer = server.send("POST", "/api/v1/mockup", HOSTILE[name](), key=server.key())
    assert (answer.status, answer.code) == (400, "INVALID_REQUEST")
    assert len(answer.body) < 20_000, "what was sent does not come back"
