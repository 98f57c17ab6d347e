"""Where a server with this configuration is reached from the same machine."""

from __future__ import annotations

from service.config import Config

ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}


def base_url(config: Config) -> str:
    """Such as `http://127.0.0.1:8000`; a server that listens on all addresses is reached through loopback."""
    host = ANYWHERE.get(config.host, config.host)
    return f"http://[{host}]:{config.port}" if ":" in host else f"http://{host}:{config.port}"
