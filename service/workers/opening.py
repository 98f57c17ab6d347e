"""The renderers of a service."""

from __future__ import annotations

import logging

from service.codec.sandbox import support
from service.config import Config
from service.workers.pool import Pool
from service.workers.renderers import Renderers

log = logging.getLogger(__name__)


def open_renderers(config: Config) -> Renderers:
    """Renderers in processes, which decode in sandboxes; raises RuntimeError where there can be none.

    Where the operator allows it, a thread of this process takes their place, and a warning says so.
    """
    missing = support.verify(allowed=config.allow_unsandboxed)
    if not missing:
        return Pool(config)
    # Whatever handles pixels is loaded only where it is needed.
    from service.workers.unsandboxed import Unsandboxed

    log.warning("%s not available; this process decodes and renders without a sandbox", ", ".join(missing))
    return Unsandboxed(config)
