"""`health`: checks whether a running server responds."""

from __future__ import annotations

import urllib.error
import urllib.request

from ..config import Config
from .server_url import base_url

TIMEOUT_S = 3.0


def check(config: Config, path: str) -> tuple[bool, str]:
    """Whether a GET of `path` gives 200, and a line that says so."""
    url = base_url(config) + path
    # Never go through a proxy to reach a server on this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=TIMEOUT_S) as response:
            return response.status == 200, f"{url}: status {response.status}"
    except urllib.error.HTTPError as error:
        error.close()
        return False, f"{url}: status {error.code}"
    except OSError as error:
        return False, f"{url} does not respond: {getattr(error, 'reason', error)}"
