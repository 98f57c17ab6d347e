"""The OpenAPI document, made once for all tests that read it; they must not change it."""

from __future__ import annotations

from typing import Any

from service.api.openapi import document

DOCUMENT: dict[str, Any] = document()
