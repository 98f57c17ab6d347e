"""The configuration matches the page that documents it."""

from pathlib import Path

import pytest

from service.commands.environment import unknown_variables, variable
from service.config import Config

PAGE = Path(__file__).parent.parent / "docs" / "configuration.md"


def test_the_page_has_its_table() -> None:
    assert "<!-- generated: variables -->" in PAGE.read_text(encoding="utf-8")


def test_every_variable_has_a_description() -> None:
    assert [name for name, field in Config.model_fields.items() if not field.description] == []


def test_empty_variables_count_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Config.model_fields:
        monkeypatch.setenv(variable(name), "")
    assert Config() == Config.model_construct()


def test_lists_are_written_with_commas_or_spaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOCKUP_FETCH_PORTS", "443, 80 8443,")
    monkeypatch.setenv("MOCKUP_TRUSTED_PROXIES", "10.0.0.0/8,::1")
    config = Config()
    assert config.fetch_ports == {80, 443, 8443}
    assert config.trusted_proxies == ("10.0.0.0/8", "::1")


def test_misspelt_variables_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOCKUP_RENDER_TREADS", "4")
    monkeypatch.setenv("MOCKUP_PORT_FILE", "")
    lines = [line for line in unknown_variables() if "TREADS" in line or "PORT_FILE" in line]
    assert lines == [
        "MOCKUP_RENDER_TREADS is not a variable of this service; did you mean MOCKUP_RENDER_THREADS?"
    ]
