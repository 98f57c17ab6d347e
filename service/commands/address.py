"""Where a server is reached from its own machine."""

from __future__ import annotations

from service.config import Config


def base_url(config: Config) -> str:
    """Such as `http://127.0.0.1:8000`, for a server with this configuration."""
    host = f"[{config.host}]" if ":" in config.host else config.host
    return reachable(f"http://{host}:{config.port}")


def reachable(url: str) -> str:
    """The address of a server; one that listens on all addresses is reached through loopback."""
    return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
