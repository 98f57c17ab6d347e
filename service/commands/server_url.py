"""The URL of a server, as seen from its own machine."""

from __future__ import annotations

from ..config import Config


def base_url(config: Config) -> str:
    """The URL of a server with this configuration, such as `http://127.0.0.1:8000`."""
    host = f"[{config.host}]" if ":" in config.host else config.host
    return reachable(f"http://{host}:{config.port}")


def reachable(url: str) -> str:
    """Replace the wildcard host of a server that listens on all interfaces with loopback."""
    return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
