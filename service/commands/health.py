"""`health`: whether a running server answers."""

from __future__ import annotations

import urllib.error
import urllib.request

from service.commands.server_url import base_url
from service.config import Config

TIMEOUT_S = 3.0


def ask(config: Config, path: str) -> tuple[bool, str]:
    """Whether a GET of `path` is answered with 200, and what to say about it."""
    url = base_url(config) + path
    # The environment's proxies have no business between a server and its own machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=TIMEOUT_S) as answer:
            return answer.status == 200, f"{url} answers {answer.status}"
    except urllib.error.HTTPError as error:
        error.close()
        return False, f"{url} answers {error.code}"
    except OSError as error:
        return False, f"{url} does not answer: {getattr(error, 'reason', error)}"
