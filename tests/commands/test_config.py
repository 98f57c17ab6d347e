"""The file of settings, and `mockup config`."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from service.config import Config
from tests.commands.script import Mockup


def test_config_prints_the_configuration(
    mockup: Mockup, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOCKUP_FETCH_PORTS", "8080,80")
    monkeypatch.setenv("MOCKUP_KEY_SECRET", "nobody may read this")
    printed = mockup("config")
    assert "nobody" not in printed
    assert "# key_secret is set: MOCKUP_KEY_SECRET\n" in printed
    assert "fetch_ports = [80, 8080]  # MOCKUP_FETCH_PORTS\n" in printed
    assert "port = 8000  # default\n" in printed
    assert "# redis_url is not set\n" in printed
    # With the output as the file of settings, the command prints the same output again.
    (place / "mockup.toml").write_text(printed)
    monkeypatch.setenv("MOCKUP_CONFIG", "mockup.toml")
    monkeypatch.delenv("MOCKUP_FETCH_PORTS")
    assert tomllib.loads(mockup("config")) == tomllib.loads(printed)
    assert set(tomllib.loads(printed)) <= set(Config.model_fields)


def test_variables_win_over_the_file(mockup: Mockup, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "mockup.toml").write_text('port = 9000\nrate_limit = 5\ncors_origins = ["https://a.example"]\n')
    monkeypatch.setenv("MOCKUP_CONFIG", "mockup.toml")
    monkeypatch.setenv("MOCKUP_PORT", "9001")
    printed = mockup("config")
    assert "port = 9001  # MOCKUP_PORT\n" in printed
    assert "rate_limit = 5  # mockup.toml\n" in printed
    assert 'cors_origins = ["https://a.example"]  # mockup.toml\n' in printed


def test_every_mistake_in_the_file_is_named(
    mockup: Mockup, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOCKUP_CONFIG", "mockup.toml")
    assert "MOCKUP_CONFIG: the file mockup.toml cannot be read: No such file" in mockup("config", code=2)
    (place / "mockup.toml").write_text("port = \n")
    assert "MOCKUP_CONFIG: the file mockup.toml is not valid TOML" in mockup("config", code=2)
    (place / "mockup.toml").write_text("port = 70000\nrate_limits = 5\nkey_secret = 'short'\n")
    said = mockup("config", code=2)
    assert "port in mockup.toml: " in said
    assert "rate_limits in mockup.toml is not a setting; did you mean rate_limit?" in said
    assert "key_secret in mockup.toml: expected at least 16 characters" in said
    assert "short" not in said


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("PORT", "abc", 'expected a whole number from 0 to 65535, got "abc"'),
        ("LOG_LEVEL", "loud", 'expected one of debug, info, warning, error, got "loud"'),
        ("RENDER_TIMEOUT_S", "0", "expected a number above 0"),
        ("MAX_SOURCE_PIXELS", "-1", "expected a whole number of 1 or more"),
        ("ALLOW_UNSANDBOXED", "maybe", 'expected true or false, got "maybe"'),
        ("FETCH_PORTS", "80,0", "not a port: 0"),
        ("FETCH_PORTS", "80,http", "valid integer"),
    ],
)
def test_wrong_values_are_named_with_the_ones_expected(
    mockup: Mockup, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str
) -> None:
    monkeypatch.setenv(f"MOCKUP_{variable}", value)
    assert f"MOCKUP_{variable}: " in (found := mockup("config", code=2))
    assert said in found


def test_plans_are_printed_and_their_mistakes_named(
    mockup: Mockup, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "plans = { free = { renders = false }, pro = { renders = true } }  # default\n" in mockup("config")
    monkeypatch.setenv("MOCKUP_CONFIG", "mockup.toml")
    (place / "mockup.toml").write_text("[plans.team]\nrate_limit = 600\n")
    printed = mockup("config")
    assert tomllib.loads(printed)["plans"]["team"] == {"renders": True, "rate_limit": 600}
    assert "}  # mockup.toml\n" in printed
    (place / "mockup.toml").write_text("[plans.team]\nrate_limit = 0\nrate_limits = 5\n[plans.'A b']\n")
    said = mockup("config", code=2)
    assert "plans in mockup.toml: team.rate_limit: expected a whole number of 1 or more, got 0" in said
    assert "plans in mockup.toml: team.rate_limits is not a limit of a plan; did you mean rate_limit?" in said
    (place / "mockup.toml").write_text("[plans.'A b']\n")
    assert "'A b' is not a name for a plan" in mockup("config", code=2)
    monkeypatch.delenv("MOCKUP_CONFIG")
    monkeypatch.setenv("MOCKUP_PLANS", "team: 5")
    assert "MOCKUP_PLANS: expected JSON or TOML with a table for each plan" in mockup("config", code=2)
