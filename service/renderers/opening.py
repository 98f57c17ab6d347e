"""The best renderers that a machine can have."""

from __future__ import annotations

import logging
import os

from service.config import Config
from service.renderers.pool import Pool
from service.renderers.renderers import Renderers

log = logging.getLogger(__name__)


def open_renderers(config: Config) -> Renderers:
    """Processes on Linux; elsewhere a single thread of this process, with a warning logged."""
    if hasattr(os, "memfd_create") and hasattr(os, "pidfd_open"):
        return Pool(config)
    # Everything that has to do with pixels is loaded only where it is needed.
    from service.renderers.alone import Alone

    log.warning("renderers need Linux; pictures are made in the server itself, one after the other")
    return Alone(config)
