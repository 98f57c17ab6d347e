"""The best renderers that a machine can have."""

from __future__ import annotations

import logging

from service.config import Config
from service.processes import forks
from service.workers.pool import Pool
from service.workers.renderers import Renderers

log = logging.getLogger(__name__)


def open_renderers(config: Config) -> Renderers:
    """Processes where the system allows them; else one thread of this process, with a warning logged."""
    if forks.possible():
        return Pool(config)
    # Everything that has to do with pixels is loaded only where it is needed.
    from service.workers.alone import Alone

    log.warning("no memfd or pidfd here; the server itself makes the pictures, one after the other")
    return Alone(config)
