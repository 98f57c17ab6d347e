"""Links: addresses of pictures for web pages, signed without a request to the service."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .schema import Settings

_SECRET = re.compile(r"sk_link_([A-Za-z0-9_-]{12})[A-Za-z0-9_-]{43}")


def path(
    secret: str,
    url: str,
    settings: Settings | None,
    project: str | None,
    *,
    format: str | None,
    expires: datetime | None,
) -> str:
    """The path of a picture of the screenshot at `url`, with the given settings or a project's.

    Raises ValueError for a malformed secret, and TypeError if both settings and a project are given.
    """
    found = _SECRET.fullmatch(secret)
    if not found:
        raise ValueError("link() needs a link secret, sk_link_…; `mockup keys link PREFIX` prints one")
    if settings and project:
        raise TypeError("give either settings or project")
    chosen = project or _encoded(json.dumps(settings or {}, separators=(",", ":"), sort_keys=True).encode())
    export = (settings or {}).get("export") or {}
    format = format or (export.get("format") or "png").lower()
    end = f"?expires={int(expires.timestamp())}" if expires else ""
    signed = f"{chosen}/{_encoded(url.encode())}.{format}{end}"
    mac = hmac.new(secret.encode(), signed.encode(), hashlib.sha256).digest()
    return f"/m/{found[1]}{_encoded(mac)}/{signed}"


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
