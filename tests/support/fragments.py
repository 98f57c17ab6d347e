"""Settings and scenes in the address of a page."""

from __future__ import annotations

import base64
import json


def encoded(value: object) -> str:
    """A JSON value as the page reads it in the fragment of its address: base64url without padding."""
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
