"""The OpenAPI document, created once for all tests, which must not change it."""

from __future__ import annotations

from typing import Any

from service.api.openapi import document

DOCUMENT: dict[str, Any] = document()
