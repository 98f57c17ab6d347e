"""The configuration and the page about it say the same."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from annotated_types import Ge, Gt, Le
from pydantic.fields import FieldInfo

from service.commands.environment import unknown_variables, variable
from service.config import Config

PAGE = Path(__file__).parent.parent / "docs" / "configuration.md"


def shown(value: Any) -> str:
    """A default as it would be written in a variable."""
    if value is None or value == () or value == frozenset():
        return "–"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, dict):
        return f"`{', '.join(value)}`"
    if isinstance(value, Iterable) and not isinstance(value, str):
        return f"`{','.join(map(str, sorted(value)))}`"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def allowed(field: FieldInfo) -> str:
    """The range of a number, or the words that can be chosen."""
    parts = []
    for bound in field.metadata:
        match bound:
            case Ge(ge=least):
                parts.append(f"≥ {least}")
            case Gt(gt=least):
                parts.append(f"> {least}")
            case Le(le=most):
                parts.append(f"≤ {most}")
        if choices := re.fullmatch(r"\^\((.*)\)\$", getattr(bound, "pattern", None) or ""):
            parts += [f"`{choice}`" for choice in choices[1].split("|")]
    return ", ".join(parts)


def row(name: str, field: FieldInfo) -> str:
    default = shown(field.get_default(call_default_factory=True))
    return f"| `{variable(name)}` | {default} | {allowed(field)} | {field.description} |"


def test_every_variable_is_documented_as_it_is() -> None:
    rows = [row(name, field) for name, field in Config.model_fields.items()]
    page = PAGE.read_text(encoding="utf-8").splitlines()
    documented = [line for line in page if line.startswith("| `MOCKUP_")]
    missing = [line for line in rows if line not in documented]
    assert not missing, f"{PAGE.name} lacks these rows:\n" + "\n".join(missing)
    stale = [line for line in documented if line not in rows]
    assert not stale, f"{PAGE.name} has rows that are no longer true:\n" + "\n".join(stale)


def test_every_variable_has_a_description() -> None:
    assert [name for name, field in Config.model_fields.items() if not field.description] == []


def test_empty_variables_are_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
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
