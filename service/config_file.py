"""Configuration values from the TOML file that `MOCKUP_CONFIG` names."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import PydanticBaseSettingsSource

VARIABLE = "MOCKUP_CONFIG"


class ConfigFileError(Exception):
    """The file cannot be read; says which and why."""


def values() -> dict[str, Any]:
    """The file's values by name, nothing if the variable is not set; raises ConfigFileError."""
    path = os.environ.get(VARIABLE)
    if not path:
        return {}
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigFileError(f"{VARIABLE}: the file {path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ConfigFileError(f"{VARIABLE}: the file {path} is not valid TOML: {error}") from error


class ConfigFile(PydanticBaseSettingsSource):
    """A pydantic source: the file's values by field name."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Return a field's value, its name, and False for 'not JSON'."""
        return values().get(field_name), field_name, False

    def __call__(self) -> dict[str, Any]:
        """All values that are fields."""
        return {name: value for name, value in values().items() if name in self.settings_cls.model_fields}
