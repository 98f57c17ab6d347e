"""The renderers of a service."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from ..codec.sandbox import support
from ..config import Config
from ..processes.forks import ForkServer
from .pool import Pool
from .refusing import Refusing
from .renderers import Renderers

log = logging.getLogger(__name__)


def open_renderers(
    config: Config, fork_server: ForkServer | None = None, more: Sequence[str] = ()
) -> Renderers:
    """Renderers in processes, which decode in sandboxes; without sandboxes, they refuse every picture.

    If there is no sandbox but the operator allows it, a thread of this process renders instead. Either case
    is logged. A given `fork_server` must be closed by its owner, after the renderers. A fork server started
    here also loads the modules `more`, and forks for them.
    """
    try:
        missing = support.verify(allowed=config.allow_unsandboxed)
    except RuntimeError as error:
        log.error("no pictures will be made: %s", error)
        return Refusing()
    if not missing:
        return Pool(config, fork_server, more)
    # Code that handles pixels is loaded only where it is needed.
    from .unsandboxed import Unsandboxed

    log.warning("%s not available; this process decodes and renders without a sandbox", ", ".join(missing))
    return Unsandboxed(config)
