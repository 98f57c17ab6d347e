"""The secrets that sign calls of webhooks, as "Standard Webhooks" writes them."""

from __future__ import annotations

import base64

_ENCODED = "whsec_"


def key(secret: str) -> bytes:
    """The signing key: the secret's characters, or what follows `whsec_`, decoded from base64.

    Raises ValueError if that is not base64.
    """
    if not secret.startswith(_ENCODED):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(_ENCODED), validate=True)
    except ValueError:
        raise ValueError(f"expected base64 after {_ENCODED}") from None
