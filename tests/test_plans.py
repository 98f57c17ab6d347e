"""Plans with limits of their own: parsing, validation and enforcement."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.accounts.store import Accounts
from service.config import Config
from service.plans import BUILT_IN, Plan
from tests.support import pictures
from tests.support.live import ONE_AT_ONCE, SECRET, Live, furnish, running

PAGE = Path(__file__).resolve().parent.parent / "docs" / "accounts.md"
PLANS = """
[small]
rate_limit = 3
write_rate_limit = 5
parallel_renders = 1
max_output_pixels = 100000
max_uploads = 1

[none]
renders = false
"""


def test_every_limit_of_a_plan_is_documented() -> None:
    page = PAGE.read_text("utf-8")
    for name, field in Plan.model_fields.items():
        assert f"| `{name}` | {field.description} |" in page


def test_built_in_plans_are_the_default() -> None:
    assert Config().plans == BUILT_IN
    assert (BUILT_IN["pro"], BUILT_IN["free"]) == (Plan(), Plan(renders=False))


@pytest.mark.parametrize("text", ["[team]\nrate_limit = 600\n", '{"team": {"rate_limit": 600}}'])
def test_plans_are_given_as_toml_or_json(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str) -> None:
    monkeypatch.setenv("MOCKUP_PLANS", text)
    assert Config().plans == {**BUILT_IN, "team": Plan(rate_limit=600)}
    monkeypatch.delenv("MOCKUP_PLANS")
    (tmp_path / "plans").write_text(text)
    monkeypatch.setenv("MOCKUP_PLANS_FILE", str(tmp_path / "plans"))
    assert Config().plans["team"] == Plan(rate_limit=600)
    monkeypatch.setenv("MOCKUP_PLANS", json.dumps({"pro": {"rate_limit": 120}}))
    assert Config().plans == {**BUILT_IN, "pro": Plan(rate_limit=120)}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with running(tmp_path_factory.mktemp("plans"), PLANS=PLANS, **ONE_AT_ONCE) as live:
        yield live


@pytest.mark.long
def test_rates(live: Live) -> None:
    small, pro = live.key("small"), live.key("pro")
    seen = [live.mockup(small) for _ in range(4)]
    assert [answer.status for answer in seen] == [200, 200, 200, 429]
    assert [answer.headers["X-RateLimit-Remaining"] for answer in seen] == ["2", "1", "0", "0"]
    assert seen[0].headers["X-RateLimit-Limit"] == "3"
    assert live.mockup(pro).headers["X-RateLimit-Limit"] == "60"
    assert live.send("GET", "/api/v1/projects", key=small).headers["X-RateLimit-Limit"] == "3"
    body = {"name": "one", "settings": {}}
    saved = [live.send("POST", "/api/v1/projects", body, key=small).status for _ in range(6)]
    assert saved == [201] * 5 + [429]


@pytest.mark.long(seconds=2)
def test_sizes_and_uploads(live: Live) -> None:
    small = live.key("small")
    canvas = {"width": 400, "height": 300}
    refused = live.mockup(small, settings={"canvas": canvas})
    assert "limited to 0.1 megapixels" in refused.details["settings.export.scale"]
    assert live.mockup(live.key("pro"), settings={"canvas": canvas}).status == 200

    def upload(key: str) -> int:
        kind = {"Content-Type": "image/png"}
        return live.send("POST", "/api/v1/screenshots", pictures.png(), key=key, headers=kind).status

    assert [upload(small), upload(small)] == [201, 400]


def test_a_plan_that_does_not_render(live: Live) -> None:
    assert live.mockup(live.key("none")).code == "SUBSCRIPTION_REQUIRED"


@pytest.mark.long
def test_a_removed_plan_becomes_free(tmp_path: Path) -> None:
    furnish(tmp_path)
    config = Config.model_validate({"data_dir": tmp_path, "key_secret": SECRET, "plans": PLANS})
    with Accounts(config) as accounts:
        small = accounts.keys.issue(accounts.users.add("ada@example.com", "small").id)
    with running(tmp_path, **ONE_AT_ONCE) as live:
        assert live.mockup(small).code == "SUBSCRIPTION_REQUIRED"
        assert [user.pro for user in live.accounts.users.list()] == [False]
