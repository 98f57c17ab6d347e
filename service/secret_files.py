"""Configuration values from files named by `MOCKUP_<NAME>_FILE`, the way containers mount secrets."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import PydanticBaseSettingsSource


class Unreadable:
    """A placeholder for an unreadable file; no field accepts it, so every such file is reported."""

    def __init__(self, message: str) -> None:
        self.message = message

    def __repr__(self) -> str:
        return self.message


class SecretFiles(PydanticBaseSettingsSource):
    """A pydantic source: the stripped content of the named files; unreadable files are errors."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Return a field's value, its name, and False for 'not JSON'."""
        prefix = self.config.get("env_prefix", "")
        path = os.environ.get(f"{prefix}{field_name}_FILE".upper())
        if not path:
            return None, field_name, False
        try:
            text = Path(path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            return Unreadable(f"the file {path} cannot be read: {reason}"), field_name, False
        return text, field_name, False

    def __call__(self) -> dict[str, Any]:
        """All values from files, by field name."""
        values: dict[str, Any] = {}
        for name, field in self.settings_cls.model_fields.items():
            value, key, _ = self.get_field_value(field, name)
            if value is not None:
                values[key] = value
        return values
