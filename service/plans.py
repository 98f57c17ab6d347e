"""Plans: limits of their users that differ from the general ones."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

# The database has room for names of this length.
NAME = re.compile(r"[a-z][a-z0-9-]{0,15}")


class Plan(BaseModel):
    """The rights of a plan's users; where one is None, the variable of the same name applies."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    renders: bool = Field(True, strict=True, description="whether its users may render mockups")
    rate_limit: int | None = Field(None, ge=1, description="renders per window")
    write_rate_limit: int | None = Field(
        None, ge=1, description="projects saved, replaced or renamed, and screenshots uploaded, per window"
    )
    parallel_renders: int | None = Field(
        None,
        ge=1,
        description="pictures that an instance makes at once for each user; others wait; default: no limit",
    )
    max_output_pixels: int | None = Field(None, ge=4096, description="largest picture, pixels")
    max_uploads: int | None = Field(None, ge=0, description="uploaded screenshots")
    max_upload_bytes: int | None = Field(None, ge=1024, description="size of uploads together")


FREE = "free"
# `free` is also what remains when a plan has ended or is unknown.
BUILT_IN: Mapping[str, Plan] = {FREE: Plan(renders=False), "pro": Plan()}


def parse(text: str) -> dict[str, Any]:
    """Plans by name, as JSON or as TOML; raises ValueError."""
    try:
        found = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except ValueError as error:
        raise ValueError(f"expected JSON or TOML with a table for each plan: {error}") from error
    return dict(found)


def completed(given: Mapping[str, Plan]) -> dict[str, Plan]:
    """The given plans, and the built-in ones that are missing; raises ValueError for an invalid name."""
    for name in given:
        if not NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not a name for a plan: expected a to z, 0 to 9 and -, at most 16")
    return {**BUILT_IN, **given}
